package inbox_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// beat beats once a second for some seconds.
func beat(v fixture.Service, seconds int) {
	v.Helper()
	for range seconds {
		v.Must(v.Heartbeat.Beat(v.Context()))
		v.Clock.Advance(time.Second)
	}
}

// losses record what heartbeats find.
type losses struct {
	rerun   []int
	dropped int
}

// are fails the test unless heartbeats have found just these losses.
func (l *losses) are(v fixture.Service, dropped int, rerun ...int) {
	v.Helper()
	if l.dropped != dropped || !slices.Equal(l.rerun, rerun) {
		v.Errorf("inboxes were dropped %d times, want %d; pushes were repeated %v, want %v", l.dropped, dropped, l.rerun, rerun)
	}
}

// newPulse is a service in which ann follows star and has an inbox, and the heart beats.
func newPulse(t *testing.T) (fixture.Service, *losses) {
	t.Helper()
	v, l := fixture.New(t), &losses{}
	v.Heartbeat.Trace = feed.Trace{
		InboxesRolledBack: func(_ string, _ int64, n int) { l.rerun = append(l.rerun, n) },
		InboxesDropped:    func(string, string) { l.dropped++ },
	}
	v.Cover(ann, star)
	v.WorkAll()
	beat(v, 3)
	return v, l
}

// The last writes may be gone although the number is still there, since it is written once a
// second. The new run shows it.
func TestHeartbeat_RepeatsLastPushesAfterRestart(t *testing.T) {
	v, l := newPulse(t)
	v.Server.Save()
	v.Deliver(star, 1)
	v.Server.Restore()
	beat(v, 1)
	l.are(v, 0, 1)
	v.Must(v.Fanout.Sweep(t.Context()))
	v.WorkAll()
	fixture.Same(t, "the inbox", v.Entries(ann), 1)
}

// Numbers and times of progress are read off one clock, which may be set back between
// two readings, as when another database takes over. So more runs again than was lost.
func TestHeartbeat_RepeatsPushesWithinSlack(t *testing.T) {
	v, l := newPulse(t)
	v.Deliver(star, 1)
	beat(v, 9)
	v.Deliver(star, 2)
	beat(v, 9)
	v.Server.Save()
	v.Server.Restore()
	beat(v, 1)
	l.are(v, 0, 1)
}

// An old copy can also be loaded into a running server.
func TestHeartbeat_LowerNumberIsLoss(t *testing.T) {
	v, l := newPulse(t)
	old := fixture.Got(v.Server.Read(t.Context())).Must(v)
	v.Deliver(star, 1)
	beat(v, 3)
	raise(v, old[0].Number)
	beat(v, 1)
	l.are(v, 0, 1)
}

func TestHeartbeat_EmptyServerDropsAllInboxes(t *testing.T) {
	v, l := newPulse(t)
	v.Deliver(star, 1)
	copied := v.Header(ann)
	v.Server.Save()
	v.Server.Wipe()
	beat(v, 1)
	l.are(v, 1)
	stamp := fixture.Got(v.Backend.Relations.ViewerVersion(t.Context(), ann)).Must(v)
	if stamp.Generation == copied.Generation {
		t.Error("the generation has not risen")
	}
	beat(v, 5)
	l.are(v, 1)
}

// A database that comes from a backup knows nothing of what was pushed since, and its
// versions have been given before.
func TestHeartbeat_RestoredDatabaseDropsAllInboxes(t *testing.T) {
	v, l := newPulse(t)
	promised := fixture.Got(v.PulseLog.StoredPulses(t.Context())).Must(v)
	before := fixture.Got(v.Backend.Changes.LastChange(t.Context())).Must(v)
	raise(v, promised[0].Promised+1)
	beat(v, 1)
	l.are(v, 1)
	if after, err := v.Backend.Changes.LastChange(t.Context()); err != nil || after.Epoch == before.Epoch {
		t.Errorf("the change log went from %+v to %+v, %v", before, after, err)
	}
	beat(v, 5)
	l.are(v, 1)
}

// raise makes the server say another number than it was given.
func raise(v fixture.Service, number int64) {
	v.Helper()
	present := fixture.Got(v.Server.Read(v.Context())).Must(v)
	raised := fixture.Got(v.Server.Raise(v.Context(), present[0], number)).Must(v)
	if !raised {
		v.Fatal("the number is not what it was")
	}
}

// Plans that old are cleaned up, so there is nothing to run again.
func TestHeartbeat_VeryOldCopyDropsAllInboxes(t *testing.T) {
	v, l := newPulse(t)
	v.Server.Save()
	v.Clock.Advance(v.Policy.PlansKept)
	beat(v, 1)
	l.are(v, 0)
	v.Server.Restore()
	beat(v, 1)
	l.are(v, 1)
}

// A leader that dies between two of its steps leaves the loss for the next to find.
func TestHeartbeat_RepairsBeforeRaisingNumber(t *testing.T) {
	v, l := newPulse(t)
	v.Deliver(star, 1)
	beat(v, 90)
	v.Server.Save()
	v.Deliver(star, 2)
	beat(v, 2)
	v.Server.Restore()
	v.Heartbeat.Progress = failingRerun{v.Progress}
	v.Refused(v.Heartbeat.Beat(t.Context()), feed.CodeUnavailable)
	v.Heartbeat.Progress = v.Progress
	beat(v, 1)
	l.are(v, 0, 1)
	v.Must(v.Fanout.Sweep(t.Context()))
	v.WorkAll()
	fixture.Same(t, "the inbox", v.Entries(ann), 2, 1)
	beat(v, 5)
	l.are(v, 0, 1)
}

func TestHeartbeat_UnacknowledgedNumberIsNoLoss(t *testing.T) {
	for name, happen := range map[string]func(v fixture.Service){
		"nothing happened but pushes": func(v fixture.Service) { v.Deliver(star, 1) },
		"a leader died before it stored that the server has the number": func(v fixture.Service) {
			v.Heartbeat.Log = forgetfulLog{v.PulseLog}
			beat(v, 1)
			v.Heartbeat.Log = v.PulseLog
		},
		"the server never took the number": func(v fixture.Service) {
			v.Heartbeat.Pulses = failingRaise{v.Server}
			v.Refused(v.Heartbeat.Beat(v.Context()), feed.CodeUnavailable)
			v.Heartbeat.Pulses = v.Server
		},
	} {
		t.Run(name, func(t *testing.T) {
			v, l := newPulse(t)
			happen(v)
			beat(v, 3)
			l.are(v, 0)
		})
	}
}

func TestHeartbeat_RunsInOneProcess(t *testing.T) {
	v, _ := newPulse(t)
	other := *v.Heartbeat
	other.Holder = "the other one"
	before := fixture.Got(v.PulseLog.StoredPulses(t.Context())).Must(v)
	v.Must(other.Beat(t.Context()))
	after := fixture.Got(v.PulseLog.StoredPulses(t.Context())).Must(v)
	fixture.Same(t, "the pulse", after, before...)
	v.Clock.Advance(5 * time.Second)
	v.Must(other.Beat(t.Context()))
	if after := fixture.Got(v.PulseLog.StoredPulses(t.Context())).Must(v); after[0] == before[0] {
		t.Errorf("no process took over: %v", after)
	}
}

// The server has restarted empty, and the one who beats is the only one who cannot reach it.
func TestHeartbeat_ResignsWithoutServer(t *testing.T) {
	v, l := newPulse(t)
	other := *v.Heartbeat
	other.Holder = "the other one"
	v.Server.Save()
	v.Server.Wipe()
	v.Heartbeat.Pulses = failingRead{v.Server}
	v.Refused(v.Heartbeat.Beat(t.Context()), feed.CodeUnavailable)
	v.Must(other.Beat(t.Context()))
	l.are(v, 1)
	v.Must(v.Heartbeat.Beat(t.Context())) // it has lost the leadership
}

// failingRerun is the progress of a database that is away.
type failingRerun struct{ feed.Progress }

func (failingRerun) Rerun(context.Context, int64, int64) (int, error) {
	return 0, feed.Unavailable("the database", context.DeadlineExceeded)
}

// failingRead is a server that cannot be reached.
type failingRead struct{ feed.Pulses }

func (failingRead) Read(context.Context) ([]feed.Pulse, error) {
	return nil, feed.Unavailable("the server", context.DeadlineExceeded)
}

// forgetfulLog acknowledges nothing, as if the process had been killed before.
type forgetfulLog struct{ feed.PulseLog }

func (forgetfulLog) Acknowledge(context.Context, feed.Pulse) error { return nil }

// failingRaise is a server that goes away before it is written to.
type failingRaise struct{ feed.Pulses }

func (failingRaise) Raise(context.Context, feed.Pulse, int64) (bool, error) {
	return false, feed.Unavailable("the server", context.DeadlineExceeded)
}

// leading is a store of leaders whose answer a test can set.
type leading struct {
	feed.Leaders
	calls  atomic.Int64
	answer atomic.Pointer[func() (bool, error)]
}

func (l *leading) Lead(ctx context.Context, name, holder string, d time.Duration) (bool, error) {
	l.calls.Add(1)
	if answer := l.answer.Load(); answer != nil {
		return (*answer)()
	}
	return l.Leaders.Lead(ctx, name, holder, d)
}

// from has the store answer so from now on.
func (l *leading) from(leads bool, err error) {
	answer := func() (bool, error) { return leads, err }
	l.answer.Store(&answer)
}

// contender returns one of several who would lead for d.
func contender(l feed.Leaders, holder string, d time.Duration) inbox.Leadership {
	return inbox.Leadership{Leaders: l, Name: "work", Holder: holder, For: d}
}

// does says whether the work was done.
func does(t *testing.T, l inbox.Leadership) bool {
	t.Helper()
	done := false
	if err := l.Do(t.Context(), func(context.Context) error { done = true; return nil }); err != nil {
		t.Fatal(err)
	}
	return done
}

func TestLeadership_OneLeadsUntilItResigns(t *testing.T) {
	store := sqlitetest.New(t, time.Now)
	one, two := contender(store, "one", time.Hour), contender(store, "two", time.Hour)
	if !does(t, one) || does(t, two) || !does(t, one) {
		t.Error("the first does not lead alone")
	}
	if err := two.Resign(t.Context()); err != nil || does(t, two) || !does(t, one) {
		t.Errorf("the resignation of one who does not lead changes who does, or is an error: %v", err)
	}
	if err := one.Resign(t.Context()); err != nil || !does(t, two) || does(t, one) {
		t.Errorf("no process leads after the resignation: %v", err)
	}
}

func TestLeadership_DoesNothingWithoutStore(t *testing.T) {
	l := &leading{}
	want := errors.New("away")
	l.from(false, want)
	err := contender(l, "one", time.Hour).Do(t.Context(), func(context.Context) error {
		t.Error("it was done")
		return nil
	})
	fixture.Fails(t, err, want)
}

// renewed returns when the store has been called n times, or the context has ended.
func (l *leading) renewed(ctx context.Context, n int64) error {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for l.calls.Load() < n && ctx.Err() == nil {
		<-ticker.C
	}
	return ctx.Err()
}

// The work goes on until the tenth renewal, long after the end of the first lease.
func TestLeadership_RenewsDuringLongWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &leading{Leaders: sqlitetest.New(t, time.Now)}
		err := contender(l, "one", 300*time.Millisecond).Do(t.Context(), func(ctx context.Context) error { return l.renewed(ctx, 10) })
		if err != nil {
			t.Error(err)
		}
	})
}

// The same holds if the store has just renewed the lease. A late renewal must not take the resignation
// back.
func TestLeadership_ResignsAfterFailure(t *testing.T) {
	for calls, lease := range map[int64]time.Duration{1: time.Hour, 5: 30 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			l := &leading{Leaders: sqlitetest.New(t, time.Now)}
			one, two := contender(l, "one", lease), contender(l, "two", time.Hour)
			want := errors.New("no way to it")
			for range 2 {
				err := one.Do(t.Context(), func(ctx context.Context) error {
					if leads, err := l.Leaders.Lead(ctx, two.Name, two.Holder, two.For); leads || err != nil {
						t.Errorf("another process leads during the work, %v", err)
					}
					return errors.Join(l.renewed(ctx, calls), want)
				})
				fixture.Fails(t, err, want)
			}
			if !does(t, two) || does(t, one) {
				t.Error("no process takes over after one whose work failed")
			}
		})
	}
}

// late is a store that receives a renewal only when the leader's context ends.
type late struct {
	feed.Leaders
	calls atomic.Int64
}

func (l *late) Lead(ctx context.Context, name, holder string, d time.Duration) (bool, error) {
	if l.calls.Add(1) > 1 && d > 0 {
		<-ctx.Done()
	}
	return l.Leaders.Lead(context.WithoutCancel(ctx), name, holder, d)
}

func TestLeadership_ResignsAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := sqlitetest.New(t, time.Now)
		err := contender(&late{Leaders: store}, "one", 300*time.Millisecond).Do(t.Context(), func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if err == nil {
			t.Error("there was no error")
		}
		if !does(t, contender(store, "two", time.Hour)) {
			t.Error("no process takes over after one whose time was over")
		}
	})
}

// A stopping process resigns by itself, so Do must not.
func TestLeadership_CanceledLeaderDoesNotResign(t *testing.T) {
	l := &leading{Leaders: sqlitetest.New(t, time.Now)}
	ctx, stop := context.WithCancel(t.Context())
	err := contender(l, "one", time.Hour).Do(ctx, func(ctx context.Context) error {
		stop()
		return ctx.Err()
	})
	if !errors.Is(err, context.Canceled) || l.calls.Load() != 1 {
		t.Errorf("the store was asked %d times, and the error is %v", l.calls.Load(), err)
	}
}

func TestLeadership_EndsWorkWhenLost(t *testing.T) {
	for name, c := range map[string]struct {
		leads bool
		err   error
		// after is the earliest time at which the work may end.
		after time.Duration
	}{
		"as soon as another one leads":                {false, nil, 0},
		"when its time is over and the store is away": {true, errors.New("cut"), 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &leading{Leaders: sqlitetest.New(t, time.Now)}
				began := time.Now()
				var stopped time.Duration
				err := contender(l, "one", 300*time.Millisecond).Do(t.Context(), func(ctx context.Context) error {
					l.from(c.leads, c.err)
					<-ctx.Done()
					stopped = time.Since(began)
					return ctx.Err()
				})
				if err == nil || stopped < c.after {
					t.Errorf("the leader stopped after %v with %v", stopped, err)
				}
			})
		})
	}
}
