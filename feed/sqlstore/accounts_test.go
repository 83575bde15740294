package sqlstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// crowdSize is a number of users at which a wrong plan shows.
const crowdSize = 20_000

// buildCrowd stores many users of whom all have one word in common, and a few
// another, and one who blocks them all.
func buildCrowd(t testing.TB, s *sqlstore.Store) {
	t.Helper()
	var batch []feed.Record
	for i := range crowdSize {
		u := townUser(feed.UserID(i + 1))
		u.Name = fmt.Sprintf("Crowd Member%d", i%100)
		batch = append(batch, feed.Record{User: u})
		if i > 0 {
			batch = append(batch, feed.Record{Relation: &feed.RelationRecord{
				Kind: feed.RelationBlock, User: 1, Target: u.ID, CreatedAt: townStart + int64(i),
			}})
		}
	}
	importAll(t, s, batch)
	if err := s.Exec(t.Context(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

func TestSearchesAndRelationsAreReadFromTheirIndexInOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		buildCrowd(t, s)
		for _, ascending := range []bool{false, true} {
			r := firstPage()
			r.Ascending = ascending
			for _, words := range [][]string{{"c"}, {"crowd"}, {"member7"}, {"crowd", "member7"}, {"nobody"}} {
				plan, err := s.ExplainSearch(t.Context(), words, r)
				mustReadInOrder(t, plan, err, "idx_search")
			}
			plan, err := s.ExplainRelated(t.Context(), 1, r)
			mustReadInOrder(t, plan, err, "idx_related")
		}
	})
}

// mustReadInOrder checks that a plan reads an index, sorts nothing, and nowhere reads
// all words.
func mustReadInOrder(t *testing.T, plan string, err error, index string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(plan, index) || countSorts(plan) != 0 {
		t.Errorf("the plan does not read %s, or sorts what it reads:\n%s", index, plan)
	}
	for _, step := range []string{"Seq Scan on user_words", "Seq Scan on relations", "Hash", "SCAN w", "SCAN own", "SCAN better"} {
		if strings.Contains(plan, step) {
			t.Errorf("the plan reads everything in a step %q:\n%s", step, plan)
		}
	}
}

func TestUsersFromBeforeThereWereWordsAreFoundAfterTheMigration(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		const users = 2500 // more than two pages
		s := opened(t, b.newURL(t))
		if err := s.MigrateTo(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		for i := range users {
			if err := s.Exec(t.Context(), fmt.Sprintf(`
INSERT INTO users (id, handle, handle_fold, name, created_at) VALUES (%[1]d, 'U%[1]d', 'u%[1]d', 'ÅNE Tide%[1]d', 1)`, i+1)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := feed.Range{Below: feed.Top, Limit: users + 1}
		for word, want := range map[string]int{"u": users, "åne": users, "tide2": 1 + 10 + 100 + 501} {
			keys, err := s.SearchUsers(t.Context(), []string{word}, r)
			if err != nil || len(keys) != want {
				t.Errorf("%d users are found by %q (%v), want %d", len(keys), word, err, want)
			}
		}
	})
}
