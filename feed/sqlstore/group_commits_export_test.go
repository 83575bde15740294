package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// ReactTogether makes or undoes reactions of users to a post in one transaction.
func (s *Store) ReactTogether(ctx context.Context, r feed.Reaction, post feed.PostID, on bool, users []feed.UserID, at int64) ([]error, error) {
	parts := make([]reaction, len(users))
	for i, user := range users {
		parts[i] = reaction{user, at}
	}
	return s.react(ctx, reacting{post, r, on}, parts)
}

// FollowTogether makes users follow an author in one transaction, each within the limit.
func (s *Store) FollowTogether(ctx context.Context, followee feed.UserID, followers []feed.UserID, at int64, limit int) ([]error, error) {
	parts := make([]follow, len(followers))
	for i, follower := range followers {
		parts[i] = follow{follower, at, limit}
	}
	return s.follow(ctx, followee, parts)
}

// FollowWhile stores a follow and calls meanwhile before the commit.
func (s *Store) FollowWhile(ctx context.Context, follower, followee feed.UserID, meanwhile func() error) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := s.followIn(ctx, tx, followee, []follow{{follower, 1, 1}}); err != nil {
			return err
		}
		return meanwhile()
	})
}

// UnfollowTogether ends follows of an author in one transaction.
func (s *Store) UnfollowTogether(ctx context.Context, followee feed.UserID, followers []feed.UserID) error {
	_, err := s.unfollowAll(ctx, followee, followers)
	return err
}

// ReactWhile stores a reaction and calls meanwhile before the commit.
func (s *Store) ReactWhile(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.PostID, meanwhile func() error) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := s.reactIn(ctx, tx, reacting{post, r, true}, []reaction{{user, 1}}); err != nil {
			return err
		}
		return meanwhile()
	})
}
