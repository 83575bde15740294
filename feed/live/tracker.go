package live

import (
	"context"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// Journal tells whose sessions have changed between two moments, as far as this process has
// followed what happens to all of them. It asks only for what is new, when somebody wants
// to know, once for all who do. Use [NewJournal]; it may be used by many goroutines.
type ChangeTracker struct {
	changes Changes
	policy  Policy

	mu sync.Mutex
	// last has, for every host with a transition later than since and up to until, the
	// number of his last one. Numbers are those of one generation.
	last         map[feed.UserID]int64
	generation   int64
	since, until int64
}

// NewJournal returns a journal that knows of nothing before it is first used.
func NewChangeTracker(c Changes, p Policy) *ChangeTracker {
	return &ChangeTracker{changes: c, policy: p, generation: -1}
}

// Start has a journal that knows of nothing yet know of what happens from a moment on.
func (j *ChangeTracker) Start(m Moment) { j.begin(m) }

// Quiet says whether none of the hosts has had a transition later than the number from, up
// to the moment to. It says no as well when it cannot tell: about what came before the
// journal began, and about a host whose last transition is later than to.
func (j *ChangeTracker) Unchanged(ctx context.Context, from int64, to Moment, hosts []feed.UserID) (bool, error) {
	if from == to.Number {
		return true, nil
	}
	if err := j.reach(ctx, to); err != nil {
		return false, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.generation != to.Generation || from < j.since {
		return false, nil
	}
	for _, host := range hosts {
		if j.last[host] > from {
			return false, nil
		}
	}
	return true, nil
}

// reach has the journal know of everything up to a moment, unless it knows of another
// generation that is later.
func (j *ChangeTracker) reach(ctx context.Context, to Moment) error {
	for {
		after, there := j.begin(to)
		if there {
			return nil
		}
		found, err := j.changes.Since(ctx, after, j.policy.PollMax)
		if err != nil {
			return err
		}
		j.add(to, found)
	}
}

// begin returns from where on the journal has to be brought forward to know of a moment,
// and whether it knows of it already. One of an earlier generation, or too far behind,
// begins at the moment.
func (j *ChangeTracker) begin(to Moment) (after int64, there bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.generation < to.Generation || j.until+j.policy.PollGap < to.Number {
		j.generation = to.Generation
		j.restart(to.Number)
	}
	return j.until, j.generation > to.Generation || j.until >= to.Number
}

// add takes the transitions that follow the last one known, in their order. When they are
// fewer than were asked for they are all up to the moment, which was found before.
func (j *ChangeTracker) add(to Moment, found []HostTransition) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.generation != to.Generation {
		return
	}
	until := to.Number
	if len(found) == j.policy.PollMax {
		until = found[len(found)-1].Number
	}
	for _, mark := range found {
		j.last[mark.Host] = max(j.last[mark.Host], mark.Number)
		until = max(until, mark.Number)
	}
	j.until = max(j.until, until)
	if len(j.last) > j.policy.TrackedMax {
		j.restart(j.until)
	}
}

// restart forgets everything up to a number. The mutex is held.
func (j *ChangeTracker) restart(number int64) {
	j.last, j.since, j.until = map[feed.UserID]int64{}, number, number
}
