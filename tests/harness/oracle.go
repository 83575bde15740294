package harness

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
)

// Oracle computes the expected feeds from the tables. Its queries follow the contract and share no
// code with the program.
type Oracle struct {
	t *testing.T
	// Conn is for queries of the tests.
	Conn *pgx.Conn
}

// NewOracle connects to the database until the test ends.
func NewOracle(t *testing.T, database string) *Oracle {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	Check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return &Oracle{t, conn}
}

// homeFeedQuery selects a home feed: undeleted posts by the viewer and the users they follow. It
// omits users that the viewer mutes or blocks, and users that hide from or block the viewer. It
// ignores reposts, because the load makes none.
const homeFeedQuery = `
SELECT c.id FROM contents c
WHERE c.deleted_at = 0
  AND (c.author_id = $1 OR EXISTS (
      SELECT 1 FROM follows f WHERE f.follower_id = $1 AND f.followee_id = c.author_id AND f.active = 1))
  AND NOT EXISTS (
      SELECT 1 FROM relations r
      WHERE r.user_id = $1 AND r.target_id = c.author_id AND r.kind IN ('mute', 'block')
         OR r.user_id = c.author_id AND r.target_id = $1 AND r.kind IN ('hide', 'block'))
ORDER BY c.published_at DESC, c.id DESC`

// Feed returns the ids of a viewer's home feed.
func (o *Oracle) Feed(viewer feed.UserID) []string {
	o.t.Helper()
	var ids []string
	for _, id := range RowsOf[int64](o, homeFeedQuery, int64(viewer)) {
		ids = append(ids, strconv.FormatInt(id, 10))
	}
	return ids
}

// RowsOf runs a query with one column.
func RowsOf[T any](o *Oracle, query string, args ...any) []T {
	o.t.Helper()
	rows, err := o.Conn.Query(o.t.Context(), query, args...)
	Check(o.t, err)
	out, err := pgx.CollectRows(rows, pgx.RowTo[T])
	Check(o.t, err)
	return out
}

// Open counts the unfinished events and slices.
func (o *Oracle) Open() int64 {
	o.t.Helper()
	return RowsOf[int64](o, `
SELECT (SELECT count(*) FROM events WHERE state = 0) + (SELECT count(*) FROM plan_slices WHERE state < 2)`)[0]
}

// OpenFrom is [Oracle.Open] for posts published up to a time.
func (o *Oracle) OpenFrom(until time.Time) int64 {
	o.t.Helper()
	return RowsOf[int64](o, `
SELECT (SELECT count(*) FROM events WHERE state = 0 AND created_at <= $1)
     + (SELECT count(*) FROM plan_slices s JOIN plans p ON p.content_id = s.content_id
        WHERE s.state < 2 AND p.created_at <= $1)`, until.UnixMilli())[0]
}

// Generation returns the current generation of inboxes.
func (o *Oracle) Generation() int64 {
	o.t.Helper()
	return RowsOf[int64](o, `SELECT generation FROM feed_state`)[0]
}

// Heartbeats returns the number of heartbeats so far.
func (o *Oracle) Heartbeats() int64 {
	return RowsOf[int64](o, HeartbeatsQuery)[0]
}

// HeartbeatsQuery returns the number of heartbeats so far.
const HeartbeatsQuery = `SELECT COALESCE(MAX(number), 0) FROM pulses`

// Posts returns the number of stored posts of any kind.
func (o *Oracle) Posts() int64 {
	o.t.Helper()
	return RowsOf[int64](o, `SELECT count(*) FROM contents`)[0]
}

// dispatches returns the number of slices and of their dispatches, including the first ones.
func (o *Oracle) dispatches() (slices, enqueued int64) {
	o.t.Helper()
	slices = RowsOf[int64](o, `SELECT count(*) FROM plan_slices`)[0]
	return slices, slices + RowsOf[int64](o, `SELECT COALESCE(sum(dispatches), 0)::bigint FROM plan_slices`)[0]
}

// checkAcknowledged fails the test for each acknowledged change that the tables lack.
func (o *Oracle) checkAcknowledged(all Acknowledged) {
	o.t.Helper()
	stored, deleted := map[string]bool{}, map[string]bool{}
	for _, id := range RowsOf[int64](o, `SELECT id FROM contents`) {
		stored[strconv.FormatInt(id, 10)] = true
	}
	for _, id := range RowsOf[int64](o, `SELECT id FROM contents WHERE deleted_at <> 0`) {
		deleted[strconv.FormatInt(id, 10)] = true
	}
	for id := range all.Posts {
		switch {
		case !stored[id]:
			o.t.Errorf("post %s was acknowledged and is not stored", id)
		case all.Gone[id] && !deleted[id]:
			o.t.Errorf("the deletion of post %s was acknowledged, but the post is still there", id)
		case all.Live[id] && deleted[id]:
			o.t.Errorf("post %s is deleted, but no client tried to delete it", id)
		}
	}
	if twice := RowsOf[string](o, `SELECT text FROM contents GROUP BY text HAVING count(*) > 1`); len(twice) > 0 {
		o.t.Errorf("retried posts are stored twice: %q", twice)
	}
	o.checkRelations(all.Edges)
	for _, complaint := range all.Unread {
		o.t.Error(complaint)
	}
}

func (o *Oracle) checkRelations(edges map[Relation]bool) {
	o.t.Helper()
	stored := map[string]bool{}
	for _, edge := range RowsOf[string](o, `
SELECT 'follow ' || follower_id || ' ' || followee_id FROM follows WHERE active = 1
UNION ALL SELECT kind || ' ' || user_id || ' ' || target_id FROM relations`) {
		stored[edge] = true
	}
	for edge, want := range edges {
		if name := fmt.Sprintf("%s %d %d", edge.kind, edge.from, edge.to); stored[name] != want {
			o.t.Errorf("%s is %v, but %v was acknowledged last", name, stored[name], want)
		}
	}
}

// Verdict is the result of comparing feeds with the tables.
type Verdict struct{ Viewers, Entries, Missing, Extra, Misplaced int }

// Compare scrolls through the home feed of every viewer and compares it with [Oracle.Feed]. It
// fails the test for each difference.
func (o *Oracle) Compare(api *Caller, users int) Verdict {
	o.t.Helper()
	viewers := make([]feed.UserID, users)
	for i := range viewers {
		viewers[i] = feed.UserID(i + 1)
	}
	return o.CompareThose(api, viewers)
}

// CompareThose is [Oracle.Compare] for some viewers.
func (o *Oracle) CompareThose(api *Caller, viewers []feed.UserID) Verdict {
	o.t.Helper()
	got := scrollAll(o.t, api, viewers)
	sum := Verdict{Viewers: len(viewers)}
	for i, ids := range got {
		viewer := viewers[i]
		want := o.Feed(viewer)
		missing, extra := Without(want, ids), Without(ids, want)
		sum.Entries += len(want)
		sum.Missing += len(missing)
		sum.Extra += len(extra)
		if len(missing)+len(extra) == 0 && !slices.Equal(want, ids) {
			sum.Misplaced++
		}
		if !slices.Equal(want, ids) {
			o.t.Errorf("feed of viewer %d: missing %v, extra %v, or in another order", viewer, missing, extra)
		}
	}
	return sum
}

// scrollAll returns the home feeds of viewers, four at a time.
func scrollAll(t *testing.T, api *Caller, viewers []feed.UserID) [][]string {
	t.Helper()
	n := len(viewers)
	feeds, errs := make([][]string, n), make([]error, n)
	var group sync.WaitGroup
	for part := range 4 {
		group.Go(func() {
			for i := part; i < n; i += 4 {
				feeds[i], errs[i] = api.scroll(t.Context(), viewers[i])
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		Check(t, err)
	}
	return feeds
}

// Without returns the elements of a that are not in b.
func Without(a, b []string) []string {
	in := make(map[string]bool, len(b))
	for _, id := range b {
		in[id] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(id string) bool { return in[id] })
}
