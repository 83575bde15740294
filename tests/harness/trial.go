package harness

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

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
