package live_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// transitions is a [live.Changes] whose n-th transition is by the n-th host.
type transitions struct {
	live.Changes
	hosts []feed.UserID
	// now is the number of transitions so far.
	now   int64
	asked int
	err   error
}

func (h *transitions) Since(_ context.Context, number int64, limit int) ([]live.HostTransition, error) {
	h.asked++
	var found []live.HostTransition
	for i := number; i < h.now && len(found) < limit; i++ {
		found = append(found, live.HostTransition{Host: h.hosts[i], Number: i + 1})
	}
	return found, h.err
}

// unchanged asks a tracker about bob.
func (h *transitions) unchanged(t *testing.T, tracker *live.ChangeTracker, from, to int64) bool {
	t.Helper()
	h.now = max(h.now, to)
	quiet, err := tracker.Unchanged(t.Context(), from, live.Moment{Number: to}, []feed.UserID{bob})
	if err != nil {
		t.Fatal(err)
	}
	return quiet
}

func TestChangeTracker_KnowsChangesSinceStart(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{bob, cem, dee, bob, cem, dee, dee}}
	tracker := live.NewChangeTracker(h, live.DefaultPolicy())
	tracker.Start(live.Moment{Number: 1})
	for _, c := range []struct {
		from, to int64
		quiet    bool
	}{
		{1, 1, true}, // nothing has happened
		{1, 3, true},
		{1, 4, false}, // bob's second
		{3, 4, false},
		{4, 7, true},
		{0, 7, false}, // it does not know what came before it began
		{3, 3, true},
		{2, 3, false}, // bob's second is later than that, and may be what the asker has seen
	} {
		if got := h.unchanged(t, tracker, c.from, c.to); got != c.quiet {
			t.Errorf("from %d to %d: unchanged is %t", c.from, c.to, got)
		}
	}
	before := h.asked
	h.unchanged(t, tracker, 5, 7)
	if h.asked != before {
		t.Error("the tracker polled again for known transitions")
	}
}

// A process that was idle catches up in several polls, and restarts if that would take too long.
func TestChangeTracker_CatchesUpOrRestarts(t *testing.T) {
	p := live.DefaultPolicy()
	p.PollMax, p.PollGap = 2, 5
	h := &transitions{hosts: []feed.UserID{cem, cem, cem, bob, cem, cem, cem, cem, cem, cem, cem, cem}}
	tracker := live.NewChangeTracker(h, p)
	tracker.Start(live.Moment{})
	if !h.unchanged(t, tracker, 0, 3) || h.asked != 2 {
		t.Errorf("bob changed by the third, after %d polls", h.asked)
	}
	if h.unchanged(t, tracker, 0, 5) {
		t.Error("bob is unchanged by the fifth")
	}
	before := h.asked
	if h.unchanged(t, tracker, 4, 12) || h.asked != before {
		t.Errorf("a tracker that lags by seven caught up, with %d polls", h.asked-before)
	}
	if !h.unchanged(t, tracker, 12, 12) || h.unchanged(t, tracker, 11, 12) {
		t.Error("it has not restarted at the twelfth")
	}
}

func TestChangeTracker_RestartsWhenFull(t *testing.T) {
	p := live.DefaultPolicy()
	p.TrackedMax = 2
	h := &transitions{hosts: []feed.UserID{cem, dee, ann, cem}}
	tracker := live.NewChangeTracker(h, p)
	tracker.Start(live.Moment{})
	if !h.unchanged(t, tracker, 0, 2) {
		t.Error("the tracker is full with two hosts")
	}
	if h.unchanged(t, tracker, 0, 3) || h.unchanged(t, tracker, 2, 3) || !h.unchanged(t, tracker, 3, 4) {
		t.Error("the tracker has not restarted with three hosts")
	}
}

func TestChangeTracker_ForgetsOldGeneration(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{cem, cem, cem}, now: 3}
	tracker := live.NewChangeTracker(h, live.DefaultPolicy())
	tracker.Start(live.Moment{Generation: 7, Number: 2})
	for generation, want := range map[int64]bool{6: false, 7: true} {
		quiet, err := tracker.Unchanged(t.Context(), 2, live.Moment{Generation: generation, Number: 3}, nil)
		if quiet != want || err != nil {
			t.Errorf("generation %d: unchanged is %t, %v", generation, quiet, err)
		}
	}
	tracker.Start(live.Moment{Generation: 8, Number: 1})
	if quiet, err := tracker.Unchanged(t.Context(), 1, live.Moment{Generation: 7, Number: 3}, nil); quiet || err != nil {
		t.Errorf("earlier generation: unchanged is %t, %v", quiet, err)
	}
	if quiet, err := tracker.Unchanged(t.Context(), 1, live.Moment{Generation: 8, Number: 3}, nil); !quiet || err != nil {
		t.Errorf("new generation: unchanged is %t, %v", quiet, err)
	}
}

// After a failed poll, the tracker polls again.
func TestChangeTracker_ReportsFailedPoll(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{bob}, now: 1, err: feed.Unavailable("the database", errors.New("gone"))}
	tracker := live.NewChangeTracker(h, live.DefaultPolicy())
	tracker.Start(live.Moment{})
	if _, err := tracker.Unchanged(t.Context(), 0, live.Moment{Number: 1}, nil); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("the error is %v", err)
	}
	h.err = nil
	if h.unchanged(t, tracker, 0, 1) {
		t.Error("bob's transition is missing")
	}
}
