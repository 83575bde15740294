package memstore

import (
	"context"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Replays returns the replays of a [Store] as lists of posts. It implements [feed.Posts],
// [feed.Outboxes], [feed.Reference], [feed.Coverage] and [feed.PendingAuthors]. Use [NewReplays].
type Replays struct{ store *Store }

var (
	_ feed.Posts          = (*Replays)(nil)
	_ feed.Outboxes       = (*Replays)(nil)
	_ feed.Reference      = (*Replays)(nil)
	_ feed.Coverage       = (*Replays)(nil)
	_ feed.PendingAuthors = (*Replays)(nil)
)

// NewReplays returns the replays in a store.
func NewReplays(s *Store) *Replays { return &Replays{s} }

// where returns the keys in r of the replays by hosts for which want returns true.
func (v *Replays) where(ctx context.Context, r feed.Range, want func(host feed.UserID) bool) ([]feed.Key, error) {
	return inTx(ctx, v.store, func() []feed.Key {
		var keys []feed.Key
		for _, session := range v.store.replays(want) {
			keys = append(keys, feed.Key{TS: session.EndedAt, ID: int64(session.ID)})
		}
		return page(keys, r)
	})
}

func (s *Store) replays(want func(host feed.UserID) bool) []*live.Session {
	return s.sessionsWhere(math.MaxInt64, func(session *live.Session) bool {
		return session.State == live.Replay && want(session.Host)
	})
}

// Posts implements [feed.Posts]. It is for fan-outs, to which absent hosts count as there.
func (v *Replays) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	return readEach(ctx, v.store, ids, func(id feed.PostID) *feed.Post {
		return live.ReplayPost(id, v.store.session(live.ID(id), math.MaxInt64))
	})
}

// Outbox implements [feed.Outboxes].
func (v *Replays) Outbox(ctx context.Context, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	return v.where(ctx, r, func(host feed.UserID) bool { return slices.Contains(authors, host) && !v.store.absent[host] })
}

// Feed implements [feed.Reference].
func (v *Replays) Feed(ctx context.Context, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	return v.where(ctx, r, func(host feed.UserID) bool { return v.store.isSource(viewer, host) })
}

// Covered implements [feed.Coverage].
func (v *Replays) Covered(ctx context.Context, viewer feed.UserID, filter feed.FolloweeFilter, r feed.Range) ([]feed.Key, error) {
	return v.where(ctx, r, func(host feed.UserID) bool { return v.store.isCovered(viewer, host, filter) })
}

// Unfollowed implements [feed.Coverage].
func (v *Replays) Unfollowed(ctx context.Context, viewer feed.UserID, since int64) ([]feed.UserID, error) {
	return v.store.Unfollowed(ctx, viewer, since)
}

// PendingAuthors implements [feed.PendingAuthors].
func (v *Replays) PendingAuthors(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	return inTx(ctx, v.store, func() []feed.UserID {
		var hosts []feed.UserID
		for _, session := range v.store.replays(func(host feed.UserID) bool { return v.store.isFollowing(viewer, host) }) {
			if v.store.isPending(feed.ReplayRef(int64(session.ID))) && !slices.Contains(hosts, session.Host) {
				hosts = append(hosts, session.Host)
			}
		}
		return hosts
	})
}
