package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
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
	// Both databases show a transaction like this what was committed when it began
	// to read: PostgreSQL by the level asked for, SQLite always.
	if err := s.turns.take(ctx); err != nil {
		return err
	}
	defer s.turns.giveBack()
	tx, err := s.ro.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return classify(ctx, err)
	}
	defer func() { _ = tx.Rollback() }()
	if s.d.isPostgres() {
		// What the records go to may take its time.
		if _, err := tx.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
			return classify(ctx, err)
		}
	}
	for _, table := range []func(context.Context, *sql.Tx, emitter) error{
		dumpUsers, dumpFollows, s.dumpPosts, dumpReactions, dumpRelations, dumpLive,
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
	scan  func(*sql.Rows) (T, error)
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
		stmt: `
SELECT id, handle, name, avatar_url, created_at, last_seen_at, deleted_at FROM users
WHERE id > $1 ORDER BY id LIMIT $2`,
		start: []any{0},
		key:   func(u *feed.UserRecord) []any { return []any{u.ID} },
		scan: func(rows *sql.Rows) (*feed.UserRecord, error) {
			var u feed.UserRecord
			return &u, rows.Scan(&u.ID, &u.Handle, &u.Name, &u.AvatarURL, &u.CreatedAt, &u.LastSeenAt, &u.DeletedAt)
		},
	}.records(ctx, tx, func(u *feed.UserRecord) feed.Record { return feed.Record{User: u} }, emit)
}

func dumpFollows(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return walk[*feed.FollowRecord]{
		stmt: `
SELECT follower_id, followee_id, created_at FROM follows
WHERE (follower_id, followee_id) > ($1, $2) AND active = 1 AND follower_id <> followee_id
  AND follower_id NOT IN ` + leavers + ` AND followee_id NOT IN ` + leavers + `
ORDER BY follower_id, followee_id LIMIT $3`,
		start: []any{0, 0},
		key:   func(f *feed.FollowRecord) []any { return []any{f.Follower, f.Followee} },
		scan: func(rows *sql.Rows) (*feed.FollowRecord, error) {
			var f feed.FollowRecord
			return &f, rows.Scan(&f.Follower, &f.Followee, &f.CreatedAt)
		},
	}.records(ctx, tx, func(f *feed.FollowRecord) feed.Record { return feed.Record{Follow: f} }, emit)
}

// dumpReactions looks at each content by itself: a join would leave it to the
// database to read all contents again for every page.
func dumpReactions(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return walk[*feed.ReactionRecord]{
		stmt: `
SELECT content_id, kind, user_id, created_at FROM reactions
WHERE (content_id, kind, user_id) > ($1, $2, $3)
  AND (SELECT c.deleted_at FROM contents AS c WHERE c.id = reactions.content_id AND c.author_id NOT IN ` + leavers + `) = 0
  AND user_id NOT IN ` + leavers + `
ORDER BY content_id, kind, user_id LIMIT $4`,
		start: []any{0, "", 0},
		key:   func(r *feed.ReactionRecord) []any { return []any{r.Post, r.Reaction, r.User} },
		scan: func(rows *sql.Rows) (*feed.ReactionRecord, error) {
			var r feed.ReactionRecord
			return &r, rows.Scan(&r.Post, &r.Reaction, &r.User, &r.CreatedAt)
		},
	}.records(ctx, tx, func(r *feed.ReactionRecord) feed.Record { return feed.Record{Reaction: r} }, emit)
}

func dumpRelations(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return walk[*feed.RelationRecord]{
		stmt: `
SELECT user_id, kind, target_id, created_at FROM relations
WHERE (user_id, kind, target_id) > ($1, $2, $3) AND user_id <> target_id
  AND user_id NOT IN ` + leavers + ` AND target_id NOT IN ` + leavers + `
ORDER BY user_id, kind, target_id LIMIT $4`,
		start: []any{0, "", 0},
		key:   func(r *feed.RelationRecord) []any { return []any{r.User, r.Kind, r.Target} },
		scan: func(rows *sql.Rows) (*feed.RelationRecord, error) {
			var r feed.RelationRecord
			return &r, rows.Scan(&r.User, &r.Kind, &r.Target, &r.CreatedAt)
		},
	}.records(ctx, tx, func(r *feed.RelationRecord) feed.Record { return feed.Record{Relation: r} }, emit)
}
