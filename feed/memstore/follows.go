package memstore

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Follow implements [feed.Follows].
func (s *Store) Follow(ctx context.Context, follower, followee feed.UserID, at int64, limit int) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if !s.isPresent(follower) || !s.isPresent(followee) {
		return errNoUser()
	}
	if s.isFollowing(follower, followee) {
		return nil
	}
	if s.countFollowing(follower) >= int64(limit) {
		return feed.Errorf(feed.CodeFollowLimit, "a user may follow at most %d users", limit)
	}
	s.addFollow(s.newChange(), pair{follower, followee}, at)
	s.log(feed.FollowChange(follower, followee))
	return nil
}

// addFollow stores a new edge.
func (s *Store) addFollow(c change, p pair, at int64) {
	version := c.version(p.follower)
	s.follows[p] = follow{at: at, version: version, followed: version}
	delete(s.ended, p)
}

// Unfollow implements [feed.Follows].
func (s *Store) Unfollow(ctx context.Context, follower, followee feed.UserID) error {
	return s.change(ctx, func() {
		if s.isFollowing(follower, followee) {
			s.endFollow(s.newChange(), pair{follower, followee})
			s.log(feed.FollowChange(follower, followee))
		}
	})
}

// endFollow removes an existing edge.
func (s *Store) endFollow(c change, p pair) {
	delete(s.follows, p)
	s.ended[p] = c.version(p.follower)
}

// FollowerIDs implements [feed.Audience].
func (s *Store) FollowerIDs(ctx context.Context, author feed.UserID, r feed.FollowerRange) ([]feed.UserID, error) {
	return inTx(ctx, s, func() []feed.UserID {
		var ids []feed.UserID
		for p := range s.follows {
			if p.followee == author && r.After < p.follower && p.follower <= r.UpTo && (!r.Active || s.isActive(p.follower, r.Grace)) {
				ids = append(ids, p.follower)
			}
		}
		slices.Sort(ids)
		return ids[:min(len(ids), r.Limit)]
	})
}

// FollowerBounds implements [feed.Audience].
func (s *Store) FollowerBounds(ctx context.Context, author, after feed.UserID, size, most int) ([]feed.UserID, error) {
	ids, err := s.FollowerIDs(ctx, author, feed.FollowerRange{After: after, UpTo: math.MaxInt64, Limit: math.MaxInt})
	var bounds []feed.UserID
	for run := range slices.Chunk(ids, size) {
		if len(bounds) < most {
			bounds = append(bounds, run[len(run)-1])
		}
	}
	return bounds, err
}

// Reach implements [feed.Audience].
func (s *Store) Reach(ctx context.Context, author feed.UserID) (int64, feed.CoverageFlag, error) {
	if err := s.begin(ctx); err != nil {
		return 0, feed.FlagNone, err
	}
	defer s.mu.Unlock()
	return s.countFollowers(author), s.flagOf(author), nil
}

// isActive reports whether the user's lease, extended by grace, has not ended.
func (s *Store) isActive(user feed.UserID, grace time.Duration) bool {
	return s.activeUntil[user]+grace.Milliseconds() > s.now()
}
