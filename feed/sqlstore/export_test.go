package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

// Exec runs a statement.
func (s *Store) Exec(ctx context.Context, stmt string) error {
	_, err := s.db.ExecContext(ctx, stmt)
	return err
}

// Tables returns the names of the tables.
func (s *Store) Tables(ctx context.Context) ([]string, error) { return s.tables(ctx) }

// Wipe empties a migrated PostgreSQL database. Most tests leave a few rows in a few tables: to delete
// them takes a fifth of the time of a TRUNCATE of all, after which every statement is planned again. A
// table that deleted rows have made large is truncated.
func (s *Store) Wipe(ctx context.Context) error {
	return s.Exec(ctx, `DO $$
DECLARE
	name text;
	used boolean;
BEGIN
	FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_versions' LOOP
		EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO used;
		IF pg_relation_size(name::regclass) > 65536 THEN
			EXECUTE format('TRUNCATE %I', name);
		ELSIF used THEN
			EXECUTE format('DELETE FROM %I', name);
		END IF;
	END LOOP;
	FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL LOOP
		PERFORM setval(name::regclass, 1, false);
	END LOOP;
END $$;
INSERT INTO feed_state (id, generation) VALUES (1, 1);
INSERT INTO live_clock (id, number) VALUES (1, 0);
INSERT INTO change_state (id) VALUES (1)`)
}

// KnownRows returns the planner's estimate of the rows of a table.
func (s *Store) KnownRows(ctx context.Context, table string) (n int64, err error) {
	// SQLite's text begins with the number of rows. Some indexes are partial.
	known := `SELECT COALESCE(MAX(CAST(stat AS INTEGER)), 0) FROM sqlite_stat1 WHERE tbl = $1`
	if s.d.isPostgres() {
		known = `SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE relname = $1`
	}
	err = s.ro.QueryRowContext(ctx, known, table).Scan(&n)
	return n, err
}

// Empties returns how many tables and indexes SQLite considers empty.
func (s *Store) Empties(ctx context.Context) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) = 0`).Scan(&n)
	return n, err
}

// Begin begins a transaction, which the test ends.
func (s *Store) Begin(ctx context.Context) (*sql.Tx, error) { return s.db.BeginTx(ctx, nil) }

// Reads and constants that only tests use.

// RerunBatch and SlicesPerCleanup limit the slices that one transaction resets, and drops.
const (
	RerunBatch       = rerunBatch
	SlicesPerCleanup = slicesPerCleanup
)

// RerunPart is [Store.Rerun] that dies after resetting some slices.
func (s *Store) RerunPart(ctx context.Context, part []feed.SliceRef, since, dueAt int64) (int, error) {
	p := pass{since: since, dueAt: dueAt}
	if err := s.fenceAll(ctx, &p); err != nil {
		return 0, err
	}
	return s.rerun(ctx, part, p)
}

// Miscounted returns the number of plans whose number of open slices is wrong.
func (s *Store) Miscounted(ctx context.Context) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, `
SELECT COUNT(*) FROM plans AS p WHERE p.open_slices <> (
  SELECT COUNT(*) FROM plan_slices AS s WHERE s.content_id = p.content_id AND s.state < 2)`).Scan(&n)
	return n, err
}

// Writers returns how many transactions have written the rows of a table on PostgreSQL.
func (s *Store) Writers(ctx context.Context, table string) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, `SELECT COUNT(DISTINCT CAST(xmin AS TEXT)) FROM `+table).Scan(&n)
	return n, err
}

// PendingAuthorsUpTo is [Store.PendingAuthors] with another limit of events and slices.
func (s *Store) PendingAuthorsUpTo(ctx context.Context, viewer feed.UserID, limit int) ([]feed.UserID, error) {
	return s.pendingAuthors(ctx, viewer, limit)
}

// PushMost is how many viewers one transaction of [Inboxes.Push] serves.
const PushMost = pushMost

// Misfits counts the headers with a wrong count, and the entries that are not above the floor of a
// header.
func (s *Inboxes) Misfits(ctx context.Context) (n int, err error) {
	err = s.store.ro.QueryRowContext(ctx, `
SELECT (SELECT COUNT(*) FROM `+s.headers+` AS h
        WHERE h.entry_count <> (SELECT COUNT(*) FROM `+s.entries+` AS e WHERE e.user_id = h.user_id))
     + (SELECT COUNT(*) FROM `+s.entries+` AS e
        WHERE NOT EXISTS (SELECT 1 FROM `+s.headers+` AS h
          WHERE h.user_id = e.user_id AND (h.floor_ts, h.floor_id) < (e.publish_time, e.content_id)))`).Scan(&n)
	return n, err
}

// SinceAtOnce is [Live.Since] for concurrent callers, each with a number and a limit.
func (l *Live) SinceAtOnce(ctx context.Context, asked [][2]int) ([][]live.HostTransition, error) {
	keys := make([]after, len(asked))
	for i, a := range asked {
		keys[i] = after{int64(a[0]), a[1]}
	}
	return l.store.lookups.transitions.All(ctx, keys)
}

// FollowedAtOnce returns for each of several concurrent callers, by viewer and version, whether
// they follow the host.
func (l *Live) FollowedAtOnce(ctx context.Context, host feed.UserID, asked [][2]int64) ([]bool, error) {
	keys := make([]following, len(asked))
	for i, a := range asked {
		keys[i] = following{feed.UserID(a[0]), host, a[1]}
	}
	return l.store.lookups.followed.All(ctx, keys)
}

// Remembered returns how many leases are cached after reading those of the users 1 to last, a
// thousand at a time.
func Remembered(last int) int {
	var l leases
	for first := 1; first <= last; first += 1000 {
		found := make([]lease, 1000)
		for i := range found {
			found[i] = lease{user: feed.UserID(first + i), until: 1}
		}
		l.put(found)
	}
	return len(l.until)
}

// DescribedColumns returns the columns of each table that tables.go describes.
func DescribedColumns() map[string]string {
	return map[string]string{
		"users":         newUserColumns.and(lastSeenColumn, deletedAtColumn).names(""),
		"contents":      postColumns.names(""),
		"live_sessions": sessionColumns.names(""),
		"follows":       followEdges.fields().names(""),
		"reactions":     reactionEdges.fields().names(""),
		"relations":     relationEdges.fields().names(""),

		"source_user_counters":    userCounterColumns.names(""),
		"source_content_counters": postCounterColumns.names(""),
	}
}

// ColumnsOf returns the columns that a table has.
func (s *Store) ColumnsOf(ctx context.Context, table string) ([]string, error) {
	rows, err := s.ro.QueryContext(ctx, "SELECT * FROM "+table+" LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	return columns, rows.Err()
}

// StatementsKept is how many statements a connection keeps.
const StatementsKept = statementsKept

// OpenKeeping makes a pool of connections that keep their statements.
func OpenKeeping(c driver.Connector) *sql.DB { return sql.OpenDB(keepingConnector{Connector: c}) }

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
		parts[i] = follow{follower: follower, at: at, limit: limit}
	}
	return s.follow(ctx, followee, parts)
}

// FollowWhile stores a follow and calls meanwhile before the commit.
func (s *Store) FollowWhile(ctx context.Context, follower, followee feed.UserID, meanwhile func() error) error {
	return s.pause(ctx, func(tx *sql.Tx) error {
		_, err := s.followIn(ctx, tx, followee, []follow{{follower: follower, at: 1, limit: 1}})
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

// SettleMax sets the number of posts that a batch settles.
func SettleMax(n int) Option { return func(s *Store) { s.settleMax = n } }
