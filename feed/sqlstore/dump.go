package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// An export reads every table page by page, along its primary key, in one
// transaction that only reads. So it holds a page at a time, and changes nothing and
// stands in nobody's way however long it takes.

// dumpPage is how many rows one query of an export reads: enough that its round trip
// is lost among the rows, few enough that a page of the longest texts is some
// megabytes.
const dumpPage = 1000

// emitter takes the records of an export.
type emitter = func(feed.Record) error

// Export implements [feed.Exporter]. Besides a page it holds an id of each content
// that had to be handed out before its turn, which [parentsFirst] explains.
func (s *Store) Export(ctx context.Context, emit func(feed.Record) error) error {
	return s.conns.run(ctx, func() error { return s.export(ctx, emit) })
}

func (s *Store) export(ctx context.Context, emit emitter) error {
	// Both databases show a transaction like this what was committed when it began
	// to read: PostgreSQL by the level asked for, SQLite always.
	tx, err := s.ro.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return classify(ctx, err)
	}
	defer func() { _ = tx.Rollback() }()
	if s.d.isPostgres() {
		// What the records go to may take its time.
		if err := exec(ctx, tx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
			return classify(ctx, err)
		}
	}
	for _, table := range []func(context.Context, *sql.Tx, emitter) error{
		dumpUsers, followEdges.dump, s.dumpPosts, reactionEdges.dump, relationEdges.dump, dumpLive,
	} {
		if err := table(ctx, tx, emit); err != nil {
			return err
		}
	}
	return nil
}

// walk is a way through a table along its key.
type walk[T any] struct {
	// stmt reads the rows behind a key in the order of the key. Its parameters are
	// the key's columns and a limit.
	stmt string
	// start is before every key, and key returns a row's own.
	start []any
	key   func(T) []any
	scan  func(scanner) (T, error)
}

// pages hands the table to each, page by page.
func (w walk[T]) pages(ctx context.Context, tx *sql.Tx, each func(page []T) error) error {
	for key := w.start; ; {
		page, err := collect(ctx, tx, w.stmt, append(key, dumpPage), w.scan)
		if err != nil {
			return classify(ctx, err)
		}
		if err := each(page); err != nil {
			return err
		}
		if len(page) < dumpPage {
			return nil
		}
		key = w.key(page[len(page)-1])
	}
}

// records hands the table to emit, row by row.
func (w walk[T]) records(ctx context.Context, tx *sql.Tx, record func(T) feed.Record, emit emitter) error {
	return w.pages(ctx, tx, func(page []T) error {
		for _, row := range page {
			if err := emit(record(row)); err != nil {
				return err
			}
		}
		return nil
	})
}

// dumpUsers finds nothing but id and times in the row of a deleted account.
func dumpUsers(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return walk[*feed.UserRecord]{
		stmt:  "SELECT " + userRecordColumns.names("") + " FROM users WHERE id > $1 ORDER BY id LIMIT $2",
		start: []any{0},
		key:   func(u *feed.UserRecord) []any { return []any{u.ID} },
		scan:  userRecordColumns.scan(),
	}.records(ctx, tx, func(u *feed.UserRecord) feed.Record { return feed.Record{User: u} }, emit)
}

// dumpLive leaves out what deleted accounts have left, of which nothing but ids stays
// after a purge.
func dumpLive(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return walk[*live.Session]{
		stmt: `
SELECT ` + sessionColumns.names("s.") + ` FROM live_sessions AS s
WHERE s.id > $1 AND s.number > 0 AND s.host_id NOT IN ` + leavers + `
ORDER BY s.id LIMIT $2`,
		start: []any{0},
		key:   func(s *live.Session) []any { return []any{s.ID} },
		scan:  sessionColumns.scan(),
	}.records(ctx, tx, func(s *live.Session) feed.Record {
		r := live.Record(*s)
		return feed.Record{Live: &r}
	}, emit)
}
