package memstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// schedule is the dispatch state of an event or slice.
type schedule struct {
	// due is the due time, or the end of the lease while running.
	due        int64
	running    bool
	dispatches int
	// large is set for slices of large plans.
	large bool
}

// overdueFor returns for how many milliseconds it has been due, negative before the due time.
func (w *schedule) overdueFor(by feed.DueBy) int64 {
	if w.running {
		return by.Running - w.due
	}
	if w.large {
		return by.WaitingLarge - w.due
	}
	return by.Waiting - w.due
}

// rank orders due work: higher ranks are taken first.
func (w *schedule) rank() (rank int) {
	if w.running {
		rank = 2
	}
	if !w.large {
		rank++
	}
	return rank
}

// event is a fan-out that has begun. The attempts of its slices are above attempt.
type event struct {
	schedule
	attempt int64
}

// plan is a stored plan. at is when it was stored.
type plan struct {
	slices    []*slice
	at        int64
	announced bool
	selective bool
}

// slice is one slice of a stored plan.
type slice struct {
	feed.Slice
	schedule
	done bool
	// movedAt is when progress was last stored, 0 for never.
	movedAt int64
}

// StorePlan implements [feed.Plans].
func (s *Store) StorePlan(ctx context.Context, p feed.Plan, dueAt int64) ([]feed.Dispatchable[feed.SliceRef], error) {
	return inTx(ctx, s, func() []feed.Dispatchable[feed.SliceRef] {
		if _, stored := s.plans[p.Post]; !stored && p.Attempt == s.attemptOf(p.Post) {
			s.plans[p.Post] = &plan{slices: newSlices(p, dueAt), at: s.now(), selective: p.Selective}
			if len(p.Slices) == 0 {
				s.logArrival(p.Post)
			}
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
				Attempt:   p.Attempt,
				First:     sl.First,
				Last:      sl.Last,
				Progress:  sl.First - 1,
				Selective: p.Selective,
				Author:    p.Author,
			},
			schedule: schedule{due: dueAt, large: p.Large},
		}
	}
	return all
}

// PlanOf implements [feed.Plans].
func (s *Store) PlanOf(ctx context.Context, post feed.PostID) (feed.PlanState, error) {
	if err := s.begin(ctx); err != nil {
		return feed.PlanState{}, err
	}
	defer s.mu.Unlock()
	_, stored := s.plans[post]
	return feed.PlanState{Stored: stored, Open: s.openSlices(post), Attempt: s.attemptOf(post)}, nil
}

// attemptOf returns the attempt of a post's event; 0 without one.
func (s *Store) attemptOf(post feed.PostID) int64 {
	if e := s.events[post]; e != nil {
		return e.attempt
	}
	return 0
}

// endFanout forgets the fan-out of a post, and returns the attempt for the next one.
func (s *Store) endFanout(post feed.PostID) int64 {
	last := s.attemptOf(post)
	for _, sl := range s.slicesOf(post) {
		last = max(last, sl.Attempt)
	}
	delete(s.events, post)
	delete(s.plans, post)
	return last + 1
}

func (s *Store) openSlices(post feed.PostID) []feed.Dispatchable[feed.SliceRef] {
	var open []feed.Dispatchable[feed.SliceRef]
	for _, sl := range s.slicesOf(post) {
		if !sl.done {
			open = append(open, feed.Dispatchable[feed.SliceRef]{Ref: sl.SliceRef, Large: sl.large})
		}
	}
	return open
}

// slicesOf returns the slices of a post's plan, if stored.
func (s *Store) slicesOf(post feed.PostID) []*slice {
	if p := s.plans[post]; p != nil {
		return p.slices
	}
	return nil
}

// slice returns a stored slice or nil.
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
		claimed := s.claim(sl, leaseUntil)
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
				claimed = append(claimed, s.claim(sl, leaseUntil))
			}
		}
		return claimed
	})
}

func (s *Store) claim(sl *slice, leaseUntil int64) feed.Slice {
	sl.Attempt++
	sl.running, sl.due = true, leaseUntil
	claimed := sl.Slice
	claimed.Dropped = s.load.Since > 0
	if p := s.post(sl.Post); p != nil {
		claimed.Stored = feed.SlicePost{Key: p.Key(), Author: p.Author, Deleted: p.DeletedAt != 0}
	}
	return claimed
}

// together returns the waiting slices of the same author and followers as held, by post.
func (s *Store) together(held feed.Slice) []*slice {
	var alike []*slice
	for post, plan := range s.plans {
		for _, sl := range plan.slices {
			same := sl.Author == held.Author && sl.Selective == held.Selective &&
				sl.First == held.First && sl.Last == held.Last && sl.Progress == held.Progress
			if same && held.Author > 0 && post != held.Post && !sl.done && !sl.running {
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
		if p := s.plans[held.Post]; ended && len(s.openSlices(held.Post)) == 0 {
			s.logArrival(held.Post)
			if p.announced {
				return feed.AdvanceStored
			}
			p.announced = true
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
func (s *Store) PostponeEvent(ctx context.Context, post feed.PostID, dueAt int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.events[post]; e != nil && s.plans[post] == nil {
		e.due = max(e.due, dueAt)
	}
	return nil
}

// scheduled is an event or a slice with its schedule.
type scheduled[T any] struct {
	ref T
	*schedule
}

// openEvents returns the events without a plan, by post.
func (s *Store) openEvents() []scheduled[feed.PostID] {
	var open []scheduled[feed.PostID]
	for id, e := range s.events {
		if _, planned := s.plans[id]; !planned {
			open = append(open, scheduled[feed.PostID]{id, &e.schedule})
		}
	}
	slices.SortFunc(open, func(a, b scheduled[feed.PostID]) int { return cmp.Compare(a.ref, b.ref) })
	return open
}

// allOpenSlices returns the unfinished slices, by post and number.
func (s *Store) allOpenSlices() []scheduled[feed.SliceRef] {
	var open []scheduled[feed.SliceRef]
	for _, plan := range s.plans {
		for _, sl := range plan.slices {
			if !sl.done {
				open = append(open, scheduled[feed.SliceRef]{sl.SliceRef, &sl.schedule})
			}
		}
	}
	slices.SortFunc(open, func(a, b scheduled[feed.SliceRef]) int {
		return cmp.Or(cmp.Compare(a.ref.Post, b.ref.Post), cmp.Compare(a.ref.Task, b.ref.Task))
	})
	return open
}

// take dispatches up to limit due items: first those that were running, then the oldest. A running
// item whose lease has ended becomes a waiting one.
func take[T any](open []scheduled[T], by feed.DueBy, limit int, nextDue func(dispatches int) int64) []feed.Dispatchable[T] {
	open = slices.DeleteFunc(open, func(w scheduled[T]) bool { return w.overdueFor(by) < 0 })
	slices.SortStableFunc(open, func(a, b scheduled[T]) int { return cmp.Compare(a.due, b.due) })
	slices.SortStableFunc(open, func(a, b scheduled[T]) int { return cmp.Compare(b.rank(), a.rank()) })
	var taken []feed.Dispatchable[T]
	for _, w := range open[:min(limit, len(open))] {
		w.dispatches++
		w.due, w.running = nextDue(w.dispatches), false
		taken = append(taken, feed.Dispatchable[T]{Ref: w.ref, Dispatches: w.dispatches, Large: w.large})
	}
	return taken
}

var _ feed.Fanouts = (*Store)(nil)

// FanoutOf implements [feed.Fanouts].
func (s *Store) FanoutOf(ctx context.Context, post feed.PostID, limit int) (*feed.FanoutState, error) {
	return inTx(ctx, s, func() *feed.FanoutState {
		f := feed.FanoutState{Post: post}
		p := s.plans[post]
		if p == nil {
			if e := s.events[post]; e != nil {
				f.Event = feed.EventState{DueAt: e.due, Dispatches: e.dispatches}
				return &f
			}
			return nil
		}
		f.Planned, f.PlannedAt, f.Selective, f.Slices = true, p.at, p.selective, len(p.slices)
		for _, sl := range p.slices {
			addSlice(&f, sl, limit)
		}
		f.Reached = f.Last
		for _, sl := range p.slices {
			if !sl.done {
				f.Reached = min(f.Reached, sl.Progress)
			}
		}
		return &f
	})
}

func addSlice(f *feed.FanoutState, sl *slice, limit int) {
	f.Large = f.Large || sl.large
	f.Last = max(f.Last, sl.Slice.Last)
	f.Attempts += sl.Attempt
	f.Dispatches += int64(sl.dispatches)
	f.MovedAt = max(f.MovedAt, sl.movedAt)
	if sl.done {
		f.Done++
		return
	}
	if sl.running {
		f.Running++
	}
	if len(f.Open) < limit {
		f.Open = append(f.Open, feed.OpenSlice{
			Task: sl.Task, First: sl.First, Last: sl.Slice.Last, Progress: sl.Progress, Running: sl.running,
			DueAt: sl.due, Attempt: sl.Attempt, Dispatches: sl.dispatches,
		})
	}
}

// PushedAt implements [feed.Fanouts].
func (s *Store) PushedAt(ctx context.Context, post feed.PostID, follower feed.UserID) (int64, error) {
	return inTx(ctx, s, func() (at int64) {
		for _, sl := range s.slicesOf(post) {
			if sl.First <= follower && follower <= sl.Slice.Last && (sl.done || sl.Progress >= follower) {
				at = max(at, sl.movedAt)
			}
		}
		return at
	})
}

// SlowestFanouts implements [feed.Fanouts].
func (s *Store) SlowestFanouts(ctx context.Context, since int64, limit int) ([]feed.SlowFanout, error) {
	return inTx(ctx, s, func() []feed.SlowFanout {
		var all []feed.SlowFanout
		for post, p := range s.plans {
			f := feed.SlowFanout{Post: post, BeganAt: p.at, Slices: len(p.slices)}
			for _, sl := range p.slices {
				f.MovedAt = max(f.MovedAt, sl.movedAt)
				if sl.done {
					f.Done++
				}
			}
			if f.MovedAt > 0 && f.MovedAt >= since {
				all = append(all, f)
			}
		}
		slices.SortFunc(all, func(a, b feed.SlowFanout) int {
			return cmp.Or(cmp.Compare(b.MovedAt-b.BeganAt, a.MovedAt-a.BeganAt), cmp.Compare(b.Post, a.Post))
		})
		return all[:min(limit, len(all))]
	})
}
