package inbox_test

import (
	"context"
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

func lossesOf(v fixture.Service) *losses {
	l := &losses{}
	v.Heartbeat.Trace = feed.Trace{
		InboxesRolledBack: func(_ string, _ int64, n int) { l.rerun = append(l.rerun, n) },
		InboxesDropped:    func(string, string) { l.dropped++ },
	}
	return l
}

// newPulse is a service in which ann follows star and has an inbox, and the heart beats.
func newPulse(t *testing.T) (fixture.Service, *losses) {
	t.Helper()
	v := fixture.New(t)
	l := lossesOf(v)
	v.Cover(ann, star)
	v.WorkAll()
	beat(v, 3)
	return v, l
}

func TestHeartbeat_ReportsNothingWhenHealthy(t *testing.T) {
	v, l := newPulse(t)
	v.Deliver(star, 1)
	beat(v, 3)
	if len(l.rerun) > 0 || l.dropped > 0 {
		t.Errorf("it tells of %+v", *l)
	}
}

// The inbox that comes back looks whole, and SQL says that every push is done.
func TestHeartbeat_RepeatsPushesAfterRollback(t *testing.T) {
	v, l := newPulse(t)
	v.Deliver(star, 1)
	beat(v, 90)
	v.Server.Save()
	beat(v, 120)
	v.Deliver(star, 2)
	beat(v, 120)
	v.Server.Restore()
	fixture.Same(t, "the feed with the old copy", v.Home(ann), 1)
	beat(v, 1)
	fixture.Same(t, "what was rerun", l.rerun, 1)
	v.Must(v.Fanout.Sweep(t.Context()))
	v.WorkAll()
	fixture.Same(t, "the inbox", v.Entries(ann), 2, 1)
	beat(v, 5)
	fixture.Same(t, "what was rerun since", l.rerun, 1)
}

// The last writes may be gone although the number is still there, since it is written once a
// second. The new run shows it.
func TestHeartbeat_RepeatsLastPushesAfterRestart(t *testing.T) {
	v, l := newPulse(t)
	v.Server.Save()
	v.Deliver(star, 1)
	v.Server.Restore()
	beat(v, 1)
	fixture.Same(t, "what was rerun", l.rerun, 1)
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
	fixture.Same(t, "what was rerun", l.rerun, 1)
}

// An old copy can also be loaded into a running server.
func TestHeartbeat_LowerNumberIsLoss(t *testing.T) {
	v, l := newPulse(t)
	old, err := v.Server.Read(t.Context())
	v.Must(err)
	v.Deliver(star, 1)
	beat(v, 3)
	raise(v, old[0].Number)
	beat(v, 1)
	fixture.Same(t, "what was rerun", l.rerun, 1)
}

func TestHeartbeat_EmptyServerDropsAllInboxes(t *testing.T) {
	v, l := newPulse(t)
	v.Deliver(star, 1)
	copied := v.Header(ann)
	v.Server.Save()
	v.Server.Wipe()
	beat(v, 1)
	if l.dropped != 1 {
		t.Errorf("it tells of %+v", *l)
	}
	stamp, err := v.Backend.Relations.ViewerVersion(t.Context(), ann)
	v.Must(err)
	if stamp.Generation == copied.Generation {
		t.Error("the generation has not risen")
	}
	beat(v, 5)
	if l.dropped != 1 {
		t.Error("the same loss is found again")
	}
}

// A database that comes from a backup knows nothing of what was pushed since, and its
// versions have been given before.
func TestHeartbeat_RestoredDatabaseDropsAllInboxes(t *testing.T) {
	v, l := newPulse(t)
	promised, err := v.PulseLog.StoredPulses(t.Context())
	v.Must(err)
	before, err := v.Backend.Changes.LastChange(t.Context())
	v.Must(err)
	raise(v, promised[0].Promised+1)
	beat(v, 1)
	if l.dropped != 1 {
		t.Errorf("it tells of %+v", *l)
	}
	if after, err := v.Backend.Changes.LastChange(t.Context()); err != nil || after.Epoch == before.Epoch {
		t.Errorf("the change log went from %+v to %+v, %v", before, after, err)
	}
	beat(v, 5)
	if l.dropped != 1 {
		t.Error("the same loss is found again")
	}
}

// raise makes the server say another number than it was given.
func raise(v fixture.Service, number int64) {
	v.Helper()
	present, err := v.Server.Read(v.Context())
	v.Must(err)
	raised, err := v.Server.Raise(v.Context(), present[0], number)
	v.Must(err)
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
	if l.dropped != 0 {
		t.Error("a week without a heartbeat is taken for a loss")
	}
	v.Server.Restore()
	beat(v, 1)
	if l.dropped != 1 || len(l.rerun) != 0 {
		t.Errorf("it tells of %+v", *l)
	}
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
	if err := v.Heartbeat.Beat(t.Context()); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("the beat returns %v", err)
	}
	v.Heartbeat.Progress = v.Progress
	beat(v, 1)
	fixture.Same(t, "what was rerun", l.rerun, 1)
}

// A leader that dies before it could note what it wrote is no loss.
func TestHeartbeat_UnstoredNumberIsNoLoss(t *testing.T) {
	v, l := newPulse(t)
	old, err := v.PulseLog.StoredPulses(t.Context())
	v.Must(err)
	beat(v, 1)
	v.Must(v.PulseLog.Acknowledge(t.Context(), old[0].Pulse))
	beat(v, 2)
	if len(l.rerun) > 0 || l.dropped > 0 {
		t.Errorf("it tells of %+v", *l)
	}
}

// A server that has not acknowledged a number never had it, and so cannot have lost it.
func TestHeartbeat_UnacknowledgedNumberIsNoLoss(t *testing.T) {
	v, l := newPulse(t)
	v.Heartbeat.Pulses = failingRaise{v.Server}
	if err := v.Heartbeat.Beat(t.Context()); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("the beat returns %v", err)
	}
	v.Heartbeat.Pulses = v.Server
	beat(v, 2)
	if len(l.rerun) > 0 || l.dropped > 0 {
		t.Errorf("it tells of %+v", *l)
	}
}

func TestHeartbeat_RunsInOneProcess(t *testing.T) {
	v, _ := newPulse(t)
	other := *v.Heartbeat
	other.Holder = "the other one"
	before, err := v.PulseLog.StoredPulses(t.Context())
	v.Must(err)
	v.Must(other.Beat(t.Context()))
	after, err := v.PulseLog.StoredPulses(t.Context())
	v.Must(err)
	fixture.Same(t, "the pulse", after, before...)
	v.Clock.Advance(5 * time.Second)
	v.Must(other.Beat(t.Context()))
	if after, err = v.PulseLog.StoredPulses(t.Context()); err != nil || after[0] == before[0] {
		t.Errorf("no process took over: %v, %v", after, err)
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
	if err := v.Heartbeat.Beat(t.Context()); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("the beat returns %v", err)
	}
	v.Must(other.Beat(t.Context()))
	if l.dropped != 1 {
		t.Errorf("the other one tells of %+v", *l)
	}
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

// failingRaise is a server that goes away before it is written to.
type failingRaise struct{ feed.Pulses }

func (failingRaise) Raise(context.Context, feed.Pulse, int64) (bool, error) {
	return false, feed.Unavailable("the server", context.DeadlineExceeded)
}
