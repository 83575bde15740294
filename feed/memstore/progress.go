package memstore

import (
	"context"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// StoredPulses implements [feed.PulseLog].
func (s *Store) StoredPulses(ctx context.Context) ([]feed.StoredPulse, error) {
	return inTx(ctx, s, func() []feed.StoredPulse { return slices.Collect(maps.Values(s.pulses)) })
}

// Acknowledge implements [feed.PulseLog].
func (s *Store) Acknowledge(ctx context.Context, p feed.Pulse) error {
	return s.change(ctx, func() {
		s.pulses[p.Server] = feed.StoredPulse{Pulse: p, Promised: max(s.pulses[p.Server].Promised, p.Number)}
	})
}

// Promise implements [feed.PulseLog].
func (s *Store) Promise(ctx context.Context, server string, number int64) error {
	return s.change(ctx, func() {
		p := s.pulses[server]
		p.Server, p.Promised = server, max(p.Promised, number)
		s.pulses[server] = p
	})
}

// RaiseGeneration implements [feed.PulseLog].
func (s *Store) RaiseGeneration(ctx context.Context) error {
	return s.change(ctx, func() {
		s.raiseGeneration()
	})
}

// raiseGeneration sets the generation to the time, or to the next number if that is higher, and logs
// a reset. The mutex is held.
func (s *Store) raiseGeneration() {
	s.generation = max(s.generation+1, s.now())
	s.log(feed.Change{Kind: feed.ChangeReset})
}

// IsAnyDue implements [feed.Progress].
func (s *Store) IsAnyDue(ctx context.Context, now int64) (bool, error) {
	return inTx(ctx, s, func() bool {
		by := feed.Waits{}.DueBy(now)
		isDue := func(w *schedule) bool { return w.overdueFor(by) >= 0 }
		return slices.ContainsFunc(s.openEvents(), func(e scheduled[feed.PostID]) bool { return isDue(e.schedule) }) ||
			slices.ContainsFunc(s.allOpenSlices(), func(sl scheduled[feed.SliceRef]) bool { return isDue(sl.schedule) })
	})
}

// Backlog implements [feed.Progress].
func (s *Store) Backlog(ctx context.Context, limit int) (int, error) {
	return inTx(ctx, s, func() int { return min(len(s.allOpenSlices()), limit) })
}

// Rerun implements [feed.Progress].
func (s *Store) Rerun(ctx context.Context, since, dueAt int64) (int, error) {
	return inTx(ctx, s, func() int {
		n := 0
		for _, p := range s.plans {
			for _, sl := range p.slices {
				// In SQL, fencing is a separate statement for all slices. Here too, it raises
				// Attempt first.
				sl.fence(dueAt)
				if sl.movedAt == 0 || sl.movedAt < since {
					continue
				}
				sl.Attempt++
				sl.Progress = sl.First - 1
				sl.done, sl.running, sl.due, sl.movedAt = false, false, dueAt, 0
				n++
			}
		}
		return n
	})
}

// fence makes the store refuse further progress of the current attempt at an unfinished slice.
func (sl *slice) fence(dueAt int64) {
	if !sl.done && sl.Attempt > 0 {
		sl.Attempt++
		sl.running, sl.due = false, dueAt
	}
}

// overdueAfter is the delay in milliseconds after which due work is overdue.
const overdueAfter = 60_000

// Pending implements [feed.Progress].
func (s *Store) Pending(ctx context.Context, now int64, by feed.DueBy) (feed.Pending, error) {
	return inTx(ctx, s, func() feed.Pending {
		var p feed.Pending
		for _, e := range s.openEvents() {
			p.Events++
			p.Overdue += overdue(e.schedule, feed.DueBy{Waiting: by.Events})
		}
		for _, sl := range s.allOpenSlices() {
			p.Slices++
			p.Overdue += overdue(sl.schedule, by)
			if sl.running && sl.due > now {
				p.Running++
			}
		}
		return p
	})
}

// overdue returns 1 if the work is overdue, otherwise 0.
func overdue(w *schedule, by feed.DueBy) int {
	if w.overdueFor(by) > overdueAfter {
		return 1
	}
	return 0
}

// IsPending implements [feed.Progress].
func (s *Store) IsPending(ctx context.Context, posts []feed.PostID) ([]bool, error) {
	return readEach(ctx, s, posts, s.isPending)
}

// PendingAuthors implements [feed.PendingAuthors].
func (s *Store) PendingAuthors(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	return inTx(ctx, s, func() []feed.UserID {
		pending := map[feed.UserID]bool{}
		for id, p := range s.posts {
			if !pending[p.Author] && s.isFollowing(viewer, p.Author) && s.isPending(id) {
				pending[p.Author] = true
			}
		}
		return slices.Collect(maps.Keys(pending))
	})
}

// LastCommit implements [feed.Commits]. Changes are numbered in the transaction that makes them.
func (s *Store) LastCommit(ctx context.Context) (feed.CommitPlace, error) {
	last, err := s.LastChange(ctx)
	return feed.CommitPlace(last), err
}

func (s *Store) isPending(name feed.PostID) bool {
	_, planned := s.plans[name]
	return s.events[name] != nil && !planned || len(s.openSlices(name)) > 0
}

// Cleanup implements [feed.Cleaner].
func (s *Store) Cleanup(ctx context.Context, plansBefore, keysBefore int64, limit int) (bool, error) {
	return inTx(ctx, s, func() bool {
		plans := 0
		for id, p := range s.plans {
			if plans < limit && p.at < plansBefore && len(s.openSlices(id)) == 0 {
				delete(s.plans, id)
				delete(s.events, id)
				plans++
			}
		}
		keys := 0
		for k, used := range s.idempotencyKeys {
			if keys < limit && used.at < keysBefore {
				delete(s.idempotencyKeys, k)
				keys++
			}
		}
		return plans == limit || keys == limit
	})
}

// DropEndedVersions implements [feed.Cleaner].
func (s *Store) DropEndedVersions(ctx context.Context, before int64, limit int) (bool, error) {
	return inTx(ctx, s, func() bool {
		dropped := 0
		for object, at := range s.sources.endedAt {
			if dropped < limit && at < before {
				delete(s.sources.endedAt, object)
				delete(s.sources.ended, object)
				delete(s.sources.versions, object)
				dropped++
			}
		}
		return dropped == limit
	})
}
