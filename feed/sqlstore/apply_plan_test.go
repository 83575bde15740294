//go:build nightly

package sqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// Where one user has nearly all reactions, a toy leaves it to PostgreSQL to compare each record with
// all of them. Then no batch ends in time, however often it is tried.
func TestApply_ManyReactionsOfOneUser(t *testing.T) {
	const stored, more = 60_000, 10_000
	url := emptyTemplate.url(t, "postgres")
	others := opened(t, url)
	importAll(t, others, []feed.Record{{User: townUser(6)}})
	mustBe(t, "", others.Exec(t.Context(), fmt.Sprintf("INSERT INTO reactions SELECT n * 7919 %% 1000003, 'like', 6, n FROM generate_series(1, %d) n", stored)))
	mustBe(t, "", others.Exec(t.Context(), "ANALYZE reactions"))
	// So the planner sees this table as it sees one with some hundred thousand rows.
	mustBe(t, "", others.Exec(t.Context(), "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_hashjoin = off', current_database()); END $$"))
	s := openedWith(t, url, sqlstore.Postgres{StatementWithin: 8 * time.Second, IdleInTxWithin: 8 * time.Second})
	for _, ended := range []int64{0, 5} {
		var batch []feed.Record
		for id := range feed.PostID(more) {
			batch = append(batch, feed.Record{Reaction: &feed.ReactionRecord{Reaction: feed.ReactionLike, User: 6, Post: 2_000_000 + id, CreatedAt: stored}, EndedAt: ended})
		}
		began := time.Now()
		result, err := s.Apply(t.Context(), feed.Batch{Records: batch, Ordered: true, Owned: feed.OwnedTypes()})
		t.Logf("%d records took %v", more, time.Since(began))
		if err != nil || len(result.Bad) > 0 {
			t.Fatalf("records that end at %d: %v, bad: %v", ended, err, result.Bad)
		}
	}
}
