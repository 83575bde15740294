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
	// now is how many of them there have been.
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

// quiet asks a journal about bob.
func (h *transitions) quiet(t *testing.T, j *live.ChangeTracker, from, to int64) bool {
	t.Helper()
	h.now = max(h.now, to)
	quiet, err := j.Unchanged(t.Context(), from, live.Moment{Number: to}, []feed.UserID{bob})
	if err != nil {
		t.Fatal(err)
	}
	return quiet
}

func TestChangeTracker_KnowsChangesSinceStart(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{bob, cem, dee, bob, cem, dee, dee}}
	j := live.NewChangeTracker(h, live.DefaultPolicy())
	j.Start(live.Moment{Number: 1})
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
		if got := h.quiet(t, j, c.from, c.to); got != c.quiet {
			t.Errorf("from %d to %d it is quiet: %t", c.from, c.to, got)
		}
	}
	before := h.asked
	h.quiet(t, j, 5, 7)
	if h.asked != before {
		t.Error("what is known already was asked for again")
	}
}

// A process that was idle catches up by steps, and begins anew when that would take too long.
func TestChangeTracker_CatchesUpOrRestarts(t *testing.T) {
	p := live.DefaultPolicy()
	p.PollMax, p.PollGap = 2, 5
	h := &transitions{hosts: []feed.UserID{cem, cem, cem, bob, cem, cem, cem, cem, cem, cem, cem, cem}}
	j := live.NewChangeTracker(h, p)
	j.Start(live.Moment{})
	if !h.quiet(t, j, 0, 3) || h.asked != 2 {
		t.Errorf("bob has done something by the third, after %d questions", h.asked)
	}
	if h.quiet(t, j, 0, 5) {
		t.Error("bob has done nothing by the fifth")
	}
	before := h.asked
	if h.quiet(t, j, 4, 12) || h.asked != before {
		t.Errorf("a journal that lags by seven caught up, with %d questions", h.asked-before)
	}
	if !h.quiet(t, j, 12, 12) || h.quiet(t, j, 11, 12) {
		t.Error("it has not begun anew at the twelfth")
	}
}

func TestChangeTracker_RestartsWhenFull(t *testing.T) {
	p := live.DefaultPolicy()
	p.TrackedMax = 2
	h := &transitions{hosts: []feed.UserID{cem, dee, ann, cem}}
	j := live.NewChangeTracker(h, p)
	j.Start(live.Moment{})
	if !h.quiet(t, j, 0, 2) {
		t.Error("with two hosts it is full")
	}
	if h.quiet(t, j, 0, 3) || h.quiet(t, j, 2, 3) || !h.quiet(t, j, 3, 4) {
		t.Error("with three hosts it has not begun anew")
	}
}

func TestChangeTracker_ForgetsOldGeneration(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{cem, cem, cem}, now: 3}
	j := live.NewChangeTracker(h, live.DefaultPolicy())
	j.Start(live.Moment{Generation: 7, Number: 2})
	for generation, want := range map[int64]bool{6: false, 7: true} {
		quiet, err := j.Unchanged(t.Context(), 2, live.Moment{Generation: generation, Number: 3}, nil)
		if quiet != want || err != nil {
			t.Errorf("in the generation %d it is quiet: %t, %v", generation, quiet, err)
		}
	}
	j.Start(live.Moment{Generation: 8, Number: 1})
	if quiet, err := j.Unchanged(t.Context(), 1, live.Moment{Generation: 7, Number: 3}, nil); quiet || err != nil {
		t.Errorf("in an earlier generation it is quiet: %t, %v", quiet, err)
	}
	if quiet, err := j.Unchanged(t.Context(), 1, live.Moment{Generation: 8, Number: 3}, nil); !quiet || err != nil {
		t.Errorf("in the new generation it is quiet: %t, %v", quiet, err)
	}
}

// What could not be asked is not known, and is asked for again.
func TestChangeTracker_ReportsFailedPoll(t *testing.T) {
	h := &transitions{hosts: []feed.UserID{bob}, now: 1, err: feed.Unavailable("the database", errors.New("gone"))}
	j := live.NewChangeTracker(h, live.DefaultPolicy())
	j.Start(live.Moment{})
	if _, err := j.Unchanged(t.Context(), 0, live.Moment{Number: 1}, nil); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("the error is %v", err)
	}
	h.err = nil
	if h.quiet(t, j, 0, 1) {
		t.Error("bob's transition is not known")
	}
}
