package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/apply"
)

// Changes that tests pause, or make in part.

// pause makes a change and calls meanwhile before the commit.
func (s *Store) pause(ctx context.Context, change func(tx *sql.Tx) error, meanwhile func() error) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		return meanwhile()
	})
}

// undone makes a change and rolls it back.
func (s *Store) undone(ctx context.Context, change func(tx *sql.Tx) error) error {
	undo := errors.New("undo")
	err := s.inTx(ctx, func(tx *sql.Tx) error { return cmp.Or(change(tx), undo) })
	if errors.Is(err, undo) {
		return nil
	}
	return err
}

// Rows counts the rows of a table.
func (s *Store) Rows(ctx context.Context, table string) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table).Scan(&n)
	return n, err
}

// OpenSlices returns the number of open slices in a stored plan.
func (s *Store) OpenSlices(ctx context.Context, content feed.PostID) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, "SELECT open_slices FROM plans WHERE content_id = $1", content).Scan(&n)
	return n, err
}

// Row is a row of [Store.Echo].
type Row struct {
	Number int64
	Text   string
}

// Echo sends rows to the database as a table and reads the table.
func (s *Store) Echo(ctx context.Context, rows []Row) (back []Row, err error) {
	from, args := s.d.table([]column{
		intColumn("number", rows, func(r Row) int64 { return r.Number }),
		textColumn("text", rows, func(r Row) string { return r.Text }),
	})
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		back, err = collect(ctx, tx, "SELECT r.number, r.text FROM "+from, args, into(func(r *Row) []any { return []any{&r.Number, &r.Text} }))
		return err
	})
	return back, err
}

// ImportOnce tries an import once and calls meanwhile between judging and writing the batch. update
// is that of [feed.Batch]. It reports whether the import was overtaken.
func (s *Store) ImportOnce(ctx context.Context, batch []feed.Record, update bool, meanwhile func() error) (overtaken bool, err error) {
	err = s.inConnTx(ctx, func(tx *sql.Tx, conn *sql.Conn) error {
		checked := apply.Check(&feed.Batch{Records: batch, Update: update}, time.Now().UnixMilli())
		k, err := s.load(ctx, tx, checked.Names())
		if err != nil {
			return err
		}
		changes, _ := checked.Fold(k)
		if err := meanwhile(); err != nil {
			return err
		}
		return newWriter(s, tx, conn, &feed.Batch{}, &changes, 0).write(ctx)
	})
	if errors.Is(err, errOvertaken) {
		return true, nil
	}
	return false, err
}

// DumpPage is how many rows one query of an export reads.
const DumpPage = dumpPage

// DeleteAccountWhile deletes an account and calls meanwhile before the commit.
func (s *Store) DeleteAccountWhile(ctx context.Context, user feed.UserID, at int64, meanwhile func() error) error {
	return s.pause(ctx, func(tx *sql.Tx) error { return s.deleteAccount(ctx, tx, user, at) }, meanwhile)
}

// UnfollowWhile ends a follow and calls meanwhile before the commit.
func (s *Store) UnfollowWhile(ctx context.Context, follower, followee feed.UserID, meanwhile func() error) error {
	return s.pause(ctx, func(tx *sql.Tx) error { return s.unfollow(ctx, tx, []feed.UserID{follower}, followee) }, meanwhile)
}

// DeleteWhile deletes a post and calls meanwhile before the commit.
func (s *Store) DeleteWhile(ctx context.Context, id feed.PostID, meanwhile func() error) error {
	return s.pause(ctx, func(tx *sql.Tx) error { return s.deletePost(ctx, tx, id, 1) }, meanwhile)
}

// Waiting counts the statements on PostgreSQL that wait for a lock.
func (s *Store) Waiting(ctx context.Context) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, `
SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n)
	return n, err
}

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
	return s.pause(ctx, func(tx *sql.Tx) error {
		_, err := s.followIn(ctx, tx, followee, []follow{{follower, 1, 1}})
		return err
	}, meanwhile)
}

// UnfollowTogether ends follows of an author in one transaction.
func (s *Store) UnfollowTogether(ctx context.Context, followee feed.UserID, followers []feed.UserID) error {
	_, err := s.unfollowAll(ctx, followee, followers)
	return err
}

// ReactWhile stores a reaction and calls meanwhile before the commit.
func (s *Store) ReactWhile(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.PostID, meanwhile func() error) error {
	return s.pause(ctx, func(tx *sql.Tx) error {
		_, err := s.reactIn(ctx, tx, reacting{post, r, true}, []reaction{{user, 1}})
		return err
	}, meanwhile)
}

// Set applies an option to an open store.
func (s *Store) Set(option Option) { option(s) }

// CleanupWhile drops plans as [Store.Cleanup] does, calls meanwhile before the commit, and rolls
// back.
func (s *Store) CleanupWhile(ctx context.Context, before int64, limit int, meanwhile func(dropped []feed.PostID) error) error {
	return s.undone(ctx, func(tx *sql.Tx) error {
		dropped, _, err := s.dropOldPlans(ctx, tx, before, limit)
		if err != nil {
			return err
		}
		return meanwhile(dropped)
	})
}

// DueEventsWhile takes events as [Store.Due] does, calls meanwhile before the commit, and rolls
// back.
func (s *Store) DueEventsWhile(
	ctx context.Context, now int64, limit int, meanwhile func(taken []feed.Dispatchable[feed.PostID]) error,
) error {
	return s.undone(ctx, func(tx *sql.Tx) error {
		taken, err := s.dueEvents(ctx, tx, now, limit, func(int) int64 { return now + 1 })
		if err != nil {
			return err
		}
		return meanwhile(taken)
	})
}

// NumberFrom sets the number of changes from which a batch numbers them itself.
func NumberFrom(n int) Option { return func(s *Store) { s.numberFrom = n } }
