package inbox_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
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
