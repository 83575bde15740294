package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// Set applies an option to an open store.
func (s *Store) Set(option Option) { option(s) }

// CleanupWhile drops plans as [Store.Cleanup] does, calls meanwhile before the commit, and rolls
// back.
func (s *Store) CleanupWhile(ctx context.Context, before int64, limit int, meanwhile func(dropped []feed.PostID) error) error {
	undo := errors.New("undo")
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		dropped, _, err := s.dropOldPlans(ctx, tx, before, limit)
		if err == nil {
			err = meanwhile(dropped)
		}
		return cmp.Or(err, undo)
	})
	if errors.Is(err, undo) {
		return nil
	}
	return err
}

// DueEventsWhile takes events as [Store.Due] does, calls meanwhile before the commit, and rolls
// back.
func (s *Store) DueEventsWhile(
	ctx context.Context, now int64, limit int, meanwhile func(taken []feed.Dispatchable[feed.PostID]) error,
) error {
	undo := errors.New("undo")
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		taken, err := s.dueEvents(ctx, tx, now, limit, func(int) int64 { return now + 1 })
		if err == nil {
			err = meanwhile(taken)
		}
		return cmp.Or(err, undo)
	})
	if errors.Is(err, undo) {
		return nil
	}
	return err
}
