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

// Trial is a server or a fleet under a load, and the tables that its feeds are compared with.
type Trial struct {
	*testing.T
	// Users is how many users there are; their ids begin at 1.
	Users int
	Rand  *rand.Rand
	// Env has the settings of the servers.
	Env []string
	// Database is the URL of the source of truth.
	Database string
	Inboxes  app.InboxStore
	Oracle   *Oracle
	API      *Caller
	Load     *Load
}

// DrainedWithin is within what time everything must be pushed once the load ends, and what
// the server had at hand when it was killed for the last time.
const DrainedWithin = 5 * time.Second

// Figures is what a trial has measured.
type Figures struct {
	Verdict
	// UnderFaults is from the first fault to the last, CaughtUp from there until all
	// from before was pushed while the load went on, and Drained from its end until
	// everything was.
	UnderFaults, CaughtUp, Drained time.Duration
	Subtasks, enqueued             int64
	// Inboxes is how many viewers had one when their feeds were compared.
	Inboxes int
}

// Dispatches returns how often a subtask was enqueued, in the mean.
func (f Figures) Dispatches() float64 { return float64(f.enqueued) / float64(f.Subtasks) }

// NoticedAfter is after how many heartbeats the program has noticed that Redis has lost
// something: the first of them may have begun before. Nothing is waiting before that.
const NoticedAfter = 2

// Compare waits, after the load, until all is pushed, and holds everything against the tables.
func (r *Trial) Compare(f *Figures) {
	r.Helper()
	ended := time.Now()
	eventually.True(r.T, "everything is pushed", func() bool { return r.Oracle.Open() == 0 })
	f.Drained = time.Since(ended)
	r.Oracle.checkAcknowledged(r.Load.Acknowledged())
	r.VisitAll()
	f.Inboxes = r.countInboxes()
	f.Verdict = r.Oracle.Compare(r.API, r.Users)
	f.Subtasks, f.enqueued = r.Oracle.dispatches()
}

// CatchUp lets the load go on until everything that was published before the call is
// pushed, and returns how long that took.
func (r *Trial) CatchUp() time.Duration {
	r.Helper()
	const pause = 200 * time.Millisecond // counting costs the database something
	began, beats := time.Now(), r.Oracle.Beats()
	for took := time.Duration(0); ; r.Wait(pause) {
		since := time.Since(began)
		pending := r.Oracle.OpenFrom(began) > 0
		switch {
		case since > eventually.Limit:
			r.Fatalf("what the faults left is not pushed after %v, or hearts do not beat", since)
		case pending:
			took = since
		case r.Oracle.Beats() >= beats+NoticedAfter:
			return took
		}
	}
}

// Wait lets the load go on for a while.
func (r *Trial) Wait(d time.Duration) {
	r.Helper()
	select {
	case <-time.After(d):
	case <-r.Context().Done():
		r.Fatal("the test was cut off")
	}
}

// comesBackAfter is after what time a viewer reads again: more often would use up his budget.
const comesBackAfter = time.Second

// VisitAll has every user read once, and those who have no inbox again, as people do, until
// most have one: one visit in ten seconds asks for a build, and that one may have been lost
// with Redis, or with a server that was killed over it. Inboxes that are there are left as the
// faults made them.
func (r *Trial) VisitAll() {
	r.Helper()
	r.visit(func(feed.UserID) bool { return true })
	eventually.True(r.T, "most viewers have an inbox", func() bool {
		if r.countInboxes() >= r.Users*3/4 {
			return true
		}
		r.Wait(comesBackAfter)
		r.visit(func(viewer feed.UserID) bool { return !r.hasInbox(viewer) })
		return false
	})
}

// visit reads the feeds of those who are to be visited.
func (r *Trial) visit(who func(feed.UserID) bool) {
	r.Helper()
	for viewer := feed.UserID(1); int(viewer) <= r.Users; viewer++ {
		if !who(viewer) {
			continue
		}
		_, _, err := r.API.Page(r.Context(), viewer, 1, nil)
		Check(r.T, err)
	}
}

// countInboxes counts who has an inbox that reads may use. The others are read by the
// reference query, so if they were many, comparing would prove little.
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

// AskTheDoctor has the program itself look for what is wrong.
func (r *Trial) AskTheDoctor() {
	r.Helper()
	began := time.Now()
	p := testenv.Program(r.T, []string{testenv.Binary(r.T), "doctor", "--all"}, r.Env)
	code := p.Wait()
	if code != 0 {
		r.Errorf("the doctor ends with %d:\n%s", code, p.Output())
	}
	r.Logf("exit code of the doctor: %d, after %v", code, time.Since(began).Round(time.Millisecond))
}
