package memstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

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
