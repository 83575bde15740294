package memstore

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Follow implements [feed.Follows].
func (s *Store) Follow(ctx context.Context, follower, followee feed.UserID, at int64, limit int) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if s.users[follower] == nil || s.users[followee] == nil {
		return errNoUser()
	}
	if s.isFollowing(follower, followee) {
		return nil
	}
	if s.countFollowing(follower) >= int64(limit) {
		return feed.Errorf(feed.CodeFollowLimit, "nobody may follow more than %d users", limit)
	}
	s.addFollow(s.newChange(), pair{follower, followee}, at)
	return nil
}

// addFollow stores an edge that is not there yet.
func (s *Store) addFollow(c change, p pair, at int64) {
	s.follows[p] = follow{at: at, version: c.version(p.follower)}
}

// Unfollow implements [feed.Follows].
func (s *Store) Unfollow(ctx context.Context, follower, followee feed.UserID) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if s.isFollowing(follower, followee) {
		delete(s.follows, pair{follower, followee})
		s.newChange().version(follower)
	}
	return nil
}

// FollowerIDs implements [feed.Audience].
func (s *Store) FollowerIDs(ctx context.Context, author, after, upTo feed.UserID, limit int) ([]feed.UserID, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var ids []feed.UserID
	for p := range s.follows {
		if p.followee == author && after < p.follower && p.follower <= upTo {
			ids = append(ids, p.follower)
		}
	}
	slices.Sort(ids)
	return ids[:min(len(ids), limit)], nil
}

// FollowerCount implements [feed.Audience].
func (s *Store) FollowerCount(ctx context.Context, author feed.UserID) (int64, error) {
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	return s.countFollowers(author), nil
}

// MarkPulled implements [feed.Audience].
func (s *Store) MarkPulled(ctx context.Context, author feed.UserID) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if u := s.users[author]; u != nil {
		u.Pulled = true
	}
	return nil
}
