package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// DeleteAccountWhile deletes an account and calls meanwhile before the commit.
func (s *Store) DeleteAccountWhile(ctx context.Context, user feed.UserID, at int64, meanwhile func() error) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if err := s.deleteAccount(ctx, tx, user, at); err != nil {
			return err
		}
		return meanwhile()
	})
}

// UnfollowWhile ends a follow and calls meanwhile before the commit.
func (s *Store) UnfollowWhile(ctx context.Context, follower, followee feed.UserID, meanwhile func() error) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if err := s.unfollow(ctx, tx, []feed.UserID{follower}, followee); err != nil {
			return err
		}
		return meanwhile()
	})
}

// DeleteWhile deletes a post and calls meanwhile before the commit.
func (s *Store) DeleteWhile(ctx context.Context, id feed.PostID, meanwhile func() error) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if err := s.deletePost(ctx, tx, id, 1); err != nil {
			return err
		}
		return meanwhile()
	})
}

// Waiting counts the statements on PostgreSQL that wait for a lock.
func (s *Store) Waiting(ctx context.Context) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, `
SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n)
	return n, err
}
