package memstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// schedule says when an event or slice is to be dispatched again.
type schedule struct {
	// due is the due time, or the end of the lease while running.
	due        int64
	running    bool
	dispatches int
}

// late is for how long it has been due, less than 0 when it is not.
func (w *schedule) late(by feed.DueBy) int64 {
	if w.running {
		return by.Running - w.due
	}
	return by.Waiting - w.due
}

// rank is higher for what is taken first.
func (w *schedule) rank() int {
	if w.running {
		return 1
	}
	return 0
}

// plan is a stored plan, when it was stored, and whether its content was announced.
type plan struct {
	slices    []*slice
	at        int64
	announced bool
}

// slice is one slice of a stored plan.
type slice struct {
	feed.Slice
	schedule
	done bool
	// movedAt is when progress was last stored.
	movedAt int64
}

// StorePlan implements [feed.Plans]. An event is pending until its plan is stored,
// so storing the plan is the end of its planning.
func (s *Store) StorePlan(ctx context.Context, p feed.Plan, dueAt int64) ([]feed.SliceRef, error) {
	return inTx(ctx, s, func() []feed.SliceRef {
		if _, stored := s.plans[p.Post]; !stored {
			s.plans[p.Post] = &plan{slices: newSlices(p, dueAt), at: s.now()}
		}
		return s.openSlices(p.Post)
	})
}

func newSlices(p feed.Plan, dueAt int64) []*slice {
	all := make([]*slice, len(p.Slices))
	for i, sl := range p.Slices {
		all[i] = &slice{
			Slice: feed.Slice{
				SliceRef:  feed.SliceRef{Post: p.Post, Task: sl.Task},
				First:     sl.First,
				Last:      sl.Last,
				Progress:  sl.First - 1,
				Selective: p.Selective,
				Author:    p.Author,
			},
			schedule: schedule{due: dueAt},
		}
	}
	return all
}

// PlanOf implements [feed.Plans].
func (s *Store) PlanOf(ctx context.Context, content feed.PostID) (open []feed.SliceRef, stored bool, err error) {
	if err := s.begin(ctx); err != nil {
		return nil, false, err
	}
	defer s.mu.Unlock()
	_, stored = s.plans[content]
	return s.openSlices(content), stored, nil
}

func (s *Store) openSlices(content feed.PostID) []feed.SliceRef {
	var open []feed.SliceRef
	for _, sl := range s.slicesOf(content) {
		if !sl.done {
			open = append(open, sl.SliceRef)
		}
	}
	return open
}

// slicesOf returns the slices of a content's plan; none when none is stored.
func (s *Store) slicesOf(content feed.PostID) []*slice {
	if p := s.plans[content]; p != nil {
		return p.slices
	}
	return nil
}

// slice returns the stored slice; nil when there is none.
func (s *Store) slice(ref feed.SliceRef) *slice {
	for _, sl := range s.slicesOf(ref.Post) {
		if sl.SliceRef == ref {
			return sl
		}
	}
	return nil
}

// ClaimSlice implements [feed.Plans].
func (s *Store) ClaimSlice(ctx context.Context, ref feed.SliceRef, now, leaseUntil int64) (*feed.Slice, error) {
	return inTx(ctx, s, func() *feed.Slice {
		sl := s.slice(ref)
		if sl == nil || sl.done || sl.running && sl.due > now {
			return nil
		}
		claimed := sl.claim(leaseUntil)
		claimed.Others = len(s.together(claimed)) > 0
		return &claimed
	})
}

// ClaimTogether implements [feed.Plans].
func (s *Store) ClaimTogether(ctx context.Context, held feed.Slice, leaseUntil int64, limit int) ([]feed.Slice, error) {
	return inTx(ctx, s, func() []feed.Slice {
		var claimed []feed.Slice
		for _, sl := range s.together(held) {
			if len(claimed) < limit {
				claimed = append(claimed, sl.claim(leaseUntil))
			}
		}
		return claimed
	})
}

func (sl *slice) claim(leaseUntil int64) feed.Slice {
	sl.Attempt++
	sl.running, sl.due = true, leaseUntil
	return sl.Slice
}

// together returns the slices that wait and serve the same followers as held, by content.
func (s *Store) together(held feed.Slice) []*slice {
	var alike []*slice
	for content, plan := range s.plans {
		for _, sl := range plan.slices {
			same := sl.Author == held.Author && sl.Selective == held.Selective &&
				sl.First == held.First && sl.Last == held.Last && sl.Progress == held.Progress
			if same && held.Author > 0 && content != held.Post && !sl.done && !sl.running {
				alike = append(alike, sl)
			}
		}
	}
	slices.SortFunc(alike, func(a, b *slice) int { return cmp.Compare(a.Post, b.Post) })
	return alike
}

// AdvanceSlice implements [feed.Plans].
func (s *Store) AdvanceSlice(ctx context.Context, held feed.Slice, done bool, leaseUntil int64) (feed.Advance, error) {
	return inTx(ctx, s, func() feed.Advance {
		sl := s.slice(held.SliceRef)
		if sl == nil || sl.Attempt != held.Attempt {
			return feed.AdvanceFenced
		}
		sl.Progress, sl.movedAt = held.Progress, s.now()
		sl.running, sl.due = true, leaseUntil
		ended := done && !sl.done
		sl.done = sl.done || done
		if ended && len(s.openSlices(held.Post)) == 0 {
			return feed.AdvanceLast
		}
		return feed.AdvanceStored
	})
}

// Due implements [feed.Plans].
func (s *Store) Due(ctx context.Context, by feed.DueBy, limit int, nextDue func(dispatches int) int64) (feed.Due, error) {
	if err := s.begin(ctx); err != nil {
		return feed.Due{}, err
	}
	defer s.mu.Unlock()
	return feed.Due{
		Events: take(s.openEvents(), feed.DueBy{Waiting: by.Events}, limit, nextDue),
		Slices: take(s.allOpenSlices(), by, limit, nextDue),
	}, nil
}

// Requeue implements [feed.Plans].
func (s *Store) Requeue(ctx context.Context, now int64) error {
	return s.change(ctx, func() {
		for _, w := range s.openEvents() {
			w.due = now
		}
		for _, w := range s.allOpenSlices() {
			w.due, w.running = now, false
		}
	})
}

// PostponeEvent implements [feed.Plans].
func (s *Store) PostponeEvent(ctx context.Context, content feed.PostID, dueAt int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.events[content]; e != nil && s.plans[content] == nil {
		e.due = max(e.due, dueAt)
	}
	return nil
}

// waiting is an event or a slice with its schedule.
type waiting[T any] struct {
	ref T
	*schedule
}

// openEvents returns the events without a plan, by content.
func (s *Store) openEvents() []waiting[feed.PostID] {
	var open []waiting[feed.PostID]
	for id, e := range s.events {
		if _, planned := s.plans[id]; !planned {
			open = append(open, waiting[feed.PostID]{id, e})
		}
	}
	slices.SortFunc(open, func(a, b waiting[feed.PostID]) int { return cmp.Compare(a.ref, b.ref) })
	return open
}

// allOpenSlices returns the slices that are not done, by content and number.
func (s *Store) allOpenSlices() []waiting[feed.SliceRef] {
	var open []waiting[feed.SliceRef]
	for _, plan := range s.plans {
		for _, sl := range plan.slices {
			if !sl.done {
				open = append(open, waiting[feed.SliceRef]{sl.SliceRef, &sl.schedule})
			}
		}
	}
	slices.SortFunc(open, func(a, b waiting[feed.SliceRef]) int {
		return cmp.Or(cmp.Compare(a.ref.Post, b.ref.Post), cmp.Compare(a.ref.Task, b.ref.Task))
	})
	return open
}

// take dispatches the oldest of what is due, what runs before what waits. A lease that
// has ended is over for good: what was running under it waits like everything else.
func take[T any](open []waiting[T], by feed.DueBy, limit int, nextDue func(dispatches int) int64) []feed.Dispatchable[T] {
	open = slices.DeleteFunc(open, func(w waiting[T]) bool { return w.late(by) < 0 })
	slices.SortStableFunc(open, func(a, b waiting[T]) int { return cmp.Compare(a.due, b.due) })
	slices.SortStableFunc(open, func(a, b waiting[T]) int { return cmp.Compare(b.rank(), a.rank()) })
	var taken []feed.Dispatchable[T]
	for _, w := range open[:min(limit, len(open))] {
		w.dispatches++
		w.due, w.running = nextDue(w.dispatches), false
		taken = append(taken, feed.Dispatchable[T]{Ref: w.ref, Dispatches: w.dispatches})
	}
	return taken
}
