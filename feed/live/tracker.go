package live

import (
	"context"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// ChangeTracker knows which hosts' sessions have changed between two moments. It reads transitions
// when a caller needs them, once for all callers. It is safe for concurrent use.
type ChangeTracker struct {
	changes Changes
	policy  Policy

	mu sync.Mutex
	// last has each host's last transition after since and up to until, all of one generation.
	last         map[feed.UserID]int64
	generation   int64
	since, until int64
}

// NewChangeTracker returns a tracker without history. It begins with its first use.
func NewChangeTracker(c Changes, p Policy) *ChangeTracker {
	return &ChangeTracker{changes: c, policy: p, generation: -1}
}

// Start begins the history of a new tracker at a moment.
func (t *ChangeTracker) Start(m Moment) { t.begin(m) }

// Unchanged reports whether none of the hosts has had a transition after number from up to moment
// to. It returns false if it cannot tell, as for hosts with a transition after to.
func (t *ChangeTracker) Unchanged(ctx context.Context, from int64, to Moment, hosts []feed.UserID) (bool, error) {
	if from == to.Number {
		return true, nil
	}
	if err := t.reach(ctx, to); err != nil {
		return false, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.generation != to.Generation || from < t.since {
		return false, nil
	}
	for _, host := range hosts {
		if t.last[host] > from {
			return false, nil
		}
	}
	return true, nil
}

// reach extends the history to a moment, unless it is of a later generation.
func (t *ChangeTracker) reach(ctx context.Context, to Moment) error {
	for {
		after, there := t.begin(to)
		if there {
			return nil
		}
		found, err := t.changes.Since(ctx, after, t.policy.PollMax)
		if err != nil {
			return err
		}
		t.add(to, found)
	}
}

// begin returns the number from which to extend the history, and whether it includes the moment
// already. It restarts a history of an earlier generation, or one too far behind.
func (t *ChangeTracker) begin(to Moment) (after int64, there bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.generation < to.Generation || t.until+t.policy.PollGap < to.Number {
		t.generation = to.Generation
		t.restart(to.Number)
	}
	return t.until, t.generation > to.Generation || t.until >= to.Number
}

// add adds the transitions after the last known one. If there are fewer than the limit, they are
// all up to the moment, which was read before.
func (t *ChangeTracker) add(to Moment, found []HostTransition) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.generation != to.Generation {
		return
	}
	until := to.Number
	if len(found) == t.policy.PollMax {
		until = found[len(found)-1].Number
	}
	for _, transition := range found {
		t.last[transition.Host] = max(t.last[transition.Host], transition.Number)
		until = max(until, transition.Number)
	}
	t.until = max(t.until, until)
	if len(t.last) > t.policy.TrackedMax {
		t.restart(t.until)
	}
}

// restart needs the mutex held.
func (t *ChangeTracker) restart(number int64) {
	t.last, t.since, t.until = map[feed.UserID]int64{}, number, number
}
