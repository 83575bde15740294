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

// start starts a tracker at a number.
func (h *transitions) start(number int64, limit func(p *live.Policy)) *live.ChangeTracker {
	p := live.DefaultPolicy()
	limit(&p)
	tracker := live.NewChangeTracker(h, p)
	tracker.Start(live.Moment{Number: number})
	return tracker
}

// unlimited are the default limits.
func unlimited(*live.Policy) {}

func TestChangeTracker_KnowsChangesSinceStart(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{bob, cem, dee, bob, cem, dee, dee}}
	tracker := h.start(1, unlimited)
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
	h := &transitions{hosts: []feed.UserID{cem, cem, cem, bob, cem, cem, cem, cem, cem, cem, cem, cem}}
	tracker := h.start(0, func(p *live.Policy) { p.PollMax, p.PollGap = 2, 5 })
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
	h := &transitions{hosts: []feed.UserID{cem, dee, ann, cem}}
	tracker := h.start(0, func(p *live.Policy) { p.TrackedMax = 2 })
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
	for _, c := range []struct {
		started, asked int64
		unchanged      bool
	}{{7, 6, false}, {7, 7, true}, {8, 7, false}, {8, 8, true}} {
		tracker.Start(live.Moment{Generation: c.started, Number: 1})
		got, err := tracker.Unchanged(t.Context(), 1, live.Moment{Generation: c.asked, Number: 3}, nil)
		if got != c.unchanged || err != nil {
			t.Errorf("started in generation %d, asked about %d: unchanged is %t, %v", c.started, c.asked, got, err)
		}
	}
}

// After a failed poll, the tracker polls again.
func TestChangeTracker_ReportsFailedPoll(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{bob}, now: 1, err: feed.Unavailable("the database", errors.New("gone"))}
	tracker := h.start(0, unlimited)
	if _, err := tracker.Unchanged(t.Context(), 0, live.Moment{Number: 1}, nil); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("the error is %v", err)
	}
	h.err = nil
	if h.unchanged(t, tracker, 0, 1) {
		t.Error("bob's transition is missing")
	}
}
