package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

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
