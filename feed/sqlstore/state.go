package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// Ping returns nil when the database answers, and else an error of code
// [feed.CodeUnavailable].
func (s *Store) Ping(ctx context.Context) error {
	if err := s.ro.PingContext(ctx); err != nil {
		return feed.Unavailable("the database", err)
	}
	return nil
}

// Empty says whether no user is stored.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	var any bool
	err := s.row(ctx, "SELECT EXISTS (SELECT 1 FROM users)", nil, &any)
	return !any, err
}

// MarkDemo notes that the users stored are made up, which is what lets anybody on
// this machine sign in as one of them.
func (s *Store) MarkDemo(ctx context.Context) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE feed_state SET demo = 1 WHERE id = 1")
		return err
	})
}

// IsDemo says whether [Store.MarkDemo] was called on this database.
func (s *Store) IsDemo(ctx context.Context) (bool, error) {
	var demo int
	err := s.row(ctx, "SELECT demo FROM feed_state WHERE id = 1", nil, &demo)
	return demo == 1, err
}
