package harness

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
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

// Trial is a server or a fleet under load, and an oracle for comparison.
type Trial struct {
	*testing.T
	// Users is the number of users. Their ids begin at 1.
	Users int
	Rand  *rand.Rand
	// Env has the servers' settings.
	Env []string
	// Database is the URL of the source of truth.
	Database string
	Inboxes  app.InboxStore
	Oracle   *Oracle
	API      *Caller
	Load     *Load
}

// DrainedWithin limits the time from the end of the load until all pushes are done. It includes the
// work that the last kill interrupted.
const DrainedWithin = 5 * time.Second

// Figures is the result of a trial.
type Figures struct {
	Verdict
	// UnderFaults is the time from the first fault to the last. CaughtUp is the time from the last
	// fault until all earlier posts are pushed, under load. Drained is the time from the end of the
	// load until everything is pushed.
	UnderFaults, CaughtUp, Drained time.Duration
	Slices, enqueued               int64
	// Inboxes is the number of viewers with an inbox at the time of the comparison.
	Inboxes int
}

// Dispatches returns the mean number of dispatches of a slice.
func (f Figures) Dispatches() float64 { return float64(f.enqueued) / float64(f.Slices) }

// NoticedAfterHeartbeats is the number of heartbeats after which the program has noticed data loss
// in Redis. It is two, because the first may have begun before the loss.
const NoticedAfterHeartbeats = 2

// Compare waits after the load until everything is pushed. Then it compares everything with the
// tables.
func (r *Trial) Compare(f *Figures) {
	r.Helper()
	ended := time.Now()
	eventually.True(r.T, "everything is pushed", func() bool { return r.Oracle.Open() == 0 })
	f.Drained = time.Since(ended)
	r.Oracle.checkAcknowledged(r.Load.Acknowledged())
	r.VisitAll()
	f.Inboxes = r.countInboxes()
	f.Verdict = r.Oracle.Compare(r.API, r.Users)
	f.Slices, f.enqueued = r.Oracle.dispatches()
}

// CatchUp waits under load until everything published before the call is pushed. It returns the
// time.
func (r *Trial) CatchUp() time.Duration {
	r.Helper()
	const pause = 200 * time.Millisecond // counting loads the database
	began, beats := time.Now(), r.Oracle.Heartbeats()
	for took := time.Duration(0); ; r.Wait(pause) {
		since := time.Since(began)
		pending := r.Oracle.OpenFrom(began) > 0
		switch {
		case since > eventually.Limit:
			r.Fatalf("after %v the posts from before are not pushed, or heartbeats are missing", since)
		case pending:
			took = since
		case r.Oracle.Heartbeats() >= beats+NoticedAfterHeartbeats:
			return took
		}
	}
}

// Wait waits under load.
func (r *Trial) Wait(d time.Duration) {
	r.Helper()
	select {
	case <-time.After(d):
	case <-r.Context().Done():
		r.Fatal("the test was cut off")
	}
}

// revisitAfter is the pause between two reads of a viewer. More reads exceed the viewer's rate
// limit.
const revisitAfter = time.Second

// VisitAll reads the feed of every user once, and again for users without an inbox, until most have
// one. A read requests a build at most once in ten seconds, and a fault may lose that task.
// VisitAll does not change existing inboxes.
func (r *Trial) VisitAll() {
	r.Helper()
	r.visit(func(feed.UserID) bool { return true })
	eventually.True(r.T, "most viewers have an inbox", func() bool {
		if r.countInboxes() >= r.Users*3/4 {
			return true
		}
		r.Wait(revisitAfter)
		r.visit(func(viewer feed.UserID) bool { return !r.hasInbox(viewer) })
		return false
	})
}

// visit reads the feeds of the selected viewers.
func (r *Trial) visit(include func(feed.UserID) bool) {
	r.Helper()
	for viewer := feed.UserID(1); int(viewer) <= r.Users; viewer++ {
		if !include(viewer) {
			continue
		}
		_, _, err := r.API.Page(r.Context(), viewer, 1, nil)
		Check(r.T, err)
	}
}

// countInboxes counts the viewers with a usable inbox. The reference query serves the others. If
// there are many others, a comparison proves little.
func (r *Trial) countInboxes() int {
	r.Helper()
	n := 0
	for viewer := feed.UserID(1); int(viewer) <= r.Users; viewer++ {
		if r.hasInbox(viewer) {
			n++
		}
	}
	return n
}

func (r *Trial) hasInbox(viewer feed.UserID) bool {
	r.Helper()
	inbox, err := r.Inboxes.Read(r.Context(), viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1})
	Check(r.T, err)
	return inbox.State == feed.InboxReady && inbox.Generation == r.Oracle.Generation()
}

// RunDoctor runs tideline doctor --all. The command must find no problem.
func (r *Trial) RunDoctor() {
	r.Helper()
	began := time.Now()
	p := testenv.Program(r.T, []string{testenv.Binary(r.T), "doctor", "--all"}, r.Env)
	code := p.Wait()
	if code != 0 {
		r.Errorf("the doctor ended with exit code %d:\n%s", code, p.Output())
	}
	r.Logf("exit code of the doctor: %d, after %v", code, time.Since(began).Round(time.Millisecond))
}
