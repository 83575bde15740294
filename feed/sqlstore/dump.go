package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// An export reads every table in pages along its primary key, in one read-only transaction. So it
// needs memory for one page, and blocks nothing however long it takes.

// dumpPage is how many rows one query of an export reads: a few megabytes of longest texts.
const dumpPage = 1000

type emitter = func(feed.Record) error

// Export implements [feed.Exporter]. Besides a page it holds the ids of posts that were emitted
// early, see [parentsFirst].
func (s *Store) Export(ctx context.Context, emit func(feed.Record) error) error {
	return s.atOneMoment(ctx, func(tx *sql.Tx) error { return s.export(ctx, tx, emit) })
}

func (s *Store) export(ctx context.Context, tx *sql.Tx, emit emitter) error {
	emit = s.withSanctions(ctx, tx, emit)
	for _, table := range []func(context.Context, *sql.Tx, emitter) error{
		dumpUsers, followEdges.dump, requestEdges.dump, s.dumpPosts, reactionEdges.dump, relationEdges.dump,
		// Of the sessions of deleted accounts, a purge leaves only the ids.
		dumpSessions("s.host_id NOT IN " + leavers),
		dumpLists(keptLists), memberEdges.dump,
		countersOfUsers().dump, countersOfPosts().dump,
	} {
		if err := table(ctx, tx, emit); err != nil {
			return err
		}
	}
	return nil
}

type walk[T any] struct {
	// stmt reads rows after a key, in order. Its parameters are the columns of the key and a limit.
	stmt string
	// start is before all keys, and key returns the key of a row.
	start []any
	key   func(T) []any
	scan  func(scanner) (T, error)
}

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

// dumpUsers exports deleted accounts with only id and times, because their rows hold nothing else.
// Absent users keep their profiles.
func dumpUsers(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return dumpUsersWhere(ctx, tx, "TRUE", emit)
}

func dumpUsersWhere(ctx context.Context, tx *sql.Tx, condition string, emit emitter) error {
	return walk[*feed.UserRecord]{
		stmt:  "SELECT " + storedUserColumns.names("") + " FROM users WHERE id > $1 AND " + condition + " ORDER BY id LIMIT $2",
		start: []any{0},
		key:   func(u *feed.UserRecord) []any { return []any{u.ID} },
		scan:  storedUserColumns.scan(),
	}.records(ctx, tx, func(u *feed.UserRecord) feed.Record { return feed.Record{User: u} }, emit)
}
