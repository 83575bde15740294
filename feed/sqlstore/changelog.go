package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

var (
	_ feed.ChangeLog      = (*Store)(nil)
	_ feed.ChangeNumberer = (*Store)(nil)
)

// Changes are logged in the transaction that makes them: on SQLite in the table changes, where they
// draw their numbers, and on PostgreSQL in change_queue. If PostgreSQL's transactions drew numbers,
// they would commit in another order, and a reader would pass by those that commit late. Only large
// batches of records draw numbers, at their end, under the lock that the numbering process takes.

// OnChange sets a function to call after each commit that has logged changes. It must not block.
// Call OnChange before the store is used concurrently.
func (s *Store) OnChange(call func()) { s.onChange = call }

// changed reports a commit that has logged changes.
func (s *Store) changed() {
	if s.onChange != nil {
		s.onChange()
	}
}

// willLog notes that a transaction logs changes.
func (s *Store) willLog(tx *sql.Tx) { s.loggers.Store(tx, nil) }

// log logs changes by a statement of its own.
func (s *Store) log(ctx context.Context, tx *sql.Tx, changes ...feed.Change) error {
	rows, args := s.changeRows(0, changes)
	if s.d.isPostgres() {
		s.willLog(tx)
		return exec(ctx, tx, queueChanges+rows, args...)
	}
	return s.logRows(ctx, tx, rows, args...)
}

// changeRows returns the query for changes, without its SELECT, and its arguments, which follow
// those before.
func (s *Store) changeRows(before int, changes []feed.Change) (rows string, args []any) {
	columns := changeColumns(changes)
	from, args := s.d.tableAfter(before, columns)
	return columnNames(columns, "r.") + " FROM " + from, args
}

func changeColumns(changes []feed.Change) []column {
	return []column{
		intColumn("kind", changes, func(c feed.Change) feed.ChangeKind { return c.Kind }),
		intColumn("user_id", changes, func(c feed.Change) feed.UserID { return c.User }),
		intColumn("other_id", changes, func(c feed.Change) feed.UserID { return c.Other }),
		intColumn("content_id", changes, func(c feed.Change) feed.PostID { return c.Post }),
	}
}

// logging logs changes in the transaction and returns a statement to run next with its arguments.
// On PostgreSQL that statement also logs the changes, which saves a round trip.
func (s *Store) logging(
	ctx context.Context, tx *sql.Tx, changes []feed.Change, stmt string, args []any,
) (string, []any, error) {
	if len(changes) == 0 {
		return stmt, args, nil
	}
	if !s.d.isPostgres() {
		return stmt, args, s.log(ctx, tx, changes...)
	}
	s.willLog(tx)
	rows, more := s.changeRows(len(args), changes)
	return withLogged(rows, stmt), append(args, more...), nil
}

// execLogging runs a statement and logs changes.
func (s *Store) execLogging(ctx context.Context, tx *sql.Tx, changes []feed.Change, stmt string, args ...any) error {
	stmt, args, err := s.logging(ctx, tx, changes, stmt, args)
	if err != nil {
		return err
	}
	return exec(ctx, tx, stmt, args...)
}

// execLoggingRows is execLogging for the rows of a query, given without its SELECT, which has the
// same arguments as the statement.
func (s *Store) execLoggingRows(ctx context.Context, tx *sql.Tx, rows, stmt string, args ...any) error {
	if s.d.isPostgres() {
		s.willLog(tx)
		return exec(ctx, tx, withLogged(rows, stmt), args...)
	}
	if err := s.logRows(ctx, tx, rows, args...); err != nil {
		return err
	}
	return exec(ctx, tx, stmt, args...)
}

// queueChanges is PostgreSQL's statement to log the rows of the query that follows.
const queueChanges = "INSERT INTO change_queue (kind, user_id, other_id, content_id) SELECT "

// withLogged adds the rows of a query, given without its SELECT, to a statement of PostgreSQL.
func withLogged(rows, stmt string) string {
	logged := "WITH logged AS (" + queueChanges + rows + ")"
	if others, has := strings.CutPrefix(strings.TrimSpace(stmt), "WITH "); has {
		return logged + ", " + others
	}
	return logged + " " + stmt
}

// logRows logs the rows of a query, given without its SELECT, on SQLite.
func (s *Store) logRows(ctx context.Context, tx *sql.Tx, rows string, args ...any) error {
	s.willLog(tx)
	now, args := s.now(args...)
	return exec(ctx, tx, "INSERT INTO changes (numbered_at, kind, user_id, other_id, content_id) SELECT "+now+", "+rows, args...)
}

// arrivalRows selects the row for the end of the fan-out of post $1, without the SELECT. Replays
// have no row.
func arrivalRows() string {
	return fmt.Sprintf("%d, arrived.author_id, 0, arrived.id FROM contents AS arrived WHERE arrived.id = $1", feed.ChangeArrived)
}

// LastChange implements [feed.ChangeLog].
func (s *Store) LastChange(ctx context.Context) (feed.ChangePlace, error) {
	found, err := fetch(ctx, s, "SELECT state.epoch, "+s.d.lastChange+" FROM change_state AS state WHERE state.id = 1", nil,
		into(func(p *feed.ChangePlace) []any { return []any{&p.Epoch, &p.Number} }))
	if err != nil {
		return feed.ChangePlace{}, err
	}
	if len(found) != 1 {
		return feed.ChangePlace{}, errNoChangeState
	}
	return found[0], nil
}

// errNoChangeState says that a row that a migration inserts is missing.
var errNoChangeState = errors.New("the table change_state has no row; migrate the database")

// Changes implements [feed.ChangeLog].
func (s *Store) Changes(ctx context.Context, since feed.ChangePlace, limit int) ([]feed.Change, feed.ChangePlace, error) {
	return s.readChanges(ctx, `
SELECT number, kind, user_id, other_id, content_id FROM changes
WHERE number > $1 ORDER BY number LIMIT $2`, since, limit)
}

// SightChanges implements [feed.SightLog].
func (s *Store) SightChanges(
	ctx context.Context, viewer feed.UserID, authors []feed.UserID, posts []feed.PostID, since feed.ChangePlace,
) ([]feed.Change, error) {
	// Resets are rows of user 0.
	users := append(slices.Clone(authors), viewer, 0)
	list, state, err := readLog(ctx, s, query, sightQuery(s.d), viewer, ids(s.d, users), ids(s.d, posts))
	list, _, err = placed(list, state, since, 0, err)
	for i, row := range slices.Backward(list) {
		if row.Kind == feed.ChangeReset {
			return list[i+1:], err
		}
	}
	return list, err
}

// sightQuery reads the rows of viewer $1, one of the users $2, about these users, and those of the users
// about posts $3 and their accounts, since the last reset with a number. PostgreSQL's queue with its
// resets, and rows of absent users, follow.
func sightQuery(d dialect) string {
	of := fmt.Sprintf(`
WHERE %s AND (c.kind IN (%d, %d, %d) OR c.kind = %d AND c.other_id <> 0 OR c.kind = %d AND c.user_id = $1 AND c.content_id <> 0 AND %s
  OR (c.kind IN (%d, %d, %d, %d, %d) OR c.kind = %d AND c.other_id <> 0) AND %s)`, d.in("c.user_id", 2), feed.ChangeAccount, feed.ChangeSuspended, feed.ChangeReset, feed.ChangeProfile, feed.ChangeRelation, d.in("c.other_id", 2),
		feed.ChangePublished, feed.ChangeDeleted, feed.ChangeScheduled, feed.ChangeSession, feed.ChangeTakenDown, feed.ChangeEdited, d.in("c.content_id", 3))
	list := "SELECT c.number, c.kind, c.user_id, c.other_id, c.content_id FROM changes AS c" + of +
		" AND c.number > COALESCE((SELECT MAX(number) FROM changes WHERE user_id = 0), 0)"
	if d.isPostgres() {
		list += `
UNION ALL
SELECT state.last + c.id, c.kind, c.user_id, c.other_id, c.content_id FROM change_queue AS c JOIN change_state AS state ON state.id = 1` + of
	}
	list += fmt.Sprintf(`
UNION ALL
SELECT %d, %d, u.id, u.id, %d FROM users AS u WHERE u.absent > 0 AND %s`,
		int64(math.MaxInt64), feed.ChangeAccount, feed.AuthorAbsent, d.in("u.id", 2))
	return list
}

// fewChanges is the number of changes since a token up to which reading all of them costs less than
// a lookup for each followee. A client that polls seldom has more.
const fewChanges = 300

// HomeChanges implements [feed.ChangeLog].
func (s *Store) HomeChanges(
	ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int,
) ([]feed.Change, feed.ChangePlace, error) {
	return s.feedChanges(ctx, homeKinds(), viewer, since, limit)
}

// LiveChanges implements [feed.ChangeLog].
func (s *Store) LiveChanges(
	ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int,
) ([]feed.Change, feed.ChangePlace, error) {
	return s.feedChanges(ctx, liveKinds(), viewer, since, limit)
}

// feedChanges reads the changes of viewer, all resets, and some kinds of changes of followees.
func (s *Store) feedChanges(
	ctx context.Context, kinds string, viewer feed.UserID, since feed.ChangePlace, limit int,
) ([]feed.Change, feed.ChangePlace, error) {
	if s.d.isPostgres() {
		list, state, err := readLog(ctx, s, fetch, fewChangesQuery(kinds), since.Number, limit, viewer)
		if err != nil || state.last-since.Number <= fewChanges {
			return placed(list, state, since, limit, err)
		}
	}
	return s.readChanges(ctx, feedChangesQuery(s.d, kinds), since, limit, viewer)
}

// homeKinds and liveKinds select the changes c of followees that change a home feed or a live feed.
func homeKinds() string {
	return fmt.Sprintf("c.kind IN (%d, %d, %d, %d, %d, %d, %d, %d)", feed.ChangeArrived, feed.ChangeEdited, feed.ChangeDeleted, feed.ChangeAccount,
		feed.ChangeNarrowed, feed.ChangeWidened, feed.ChangeTakenDown, feed.ChangeSuspended)
}

func liveKinds() string {
	return fmt.Sprintf("c.kind IN (%d, %d, %d, %d)", feed.ChangeAccount, feed.ChangeScheduled, feed.ChangeSession, feed.ChangeSuspended)
}

// fewChangesQuery picks the changes of viewer $3, and those of some kinds of each user they follow,
// from all changes since $1. It finds none if these are more than fewChanges.
func fewChangesQuery(kinds string) string {
	return fmt.Sprintf(`
SELECT c.number, c.kind, c.user_id, c.other_id, c.content_id FROM changes AS c
WHERE (SELECT last FROM change_state WHERE id = 1) <= $1 + %[1]d AND c.number > $1 AND c.number <= $1 + %[1]d
  AND (c.user_id IN (0, $3) OR %[2]s AND EXISTS (
  SELECT 1 FROM follows AS f WHERE f.follower_id = $3 AND f.followee_id = c.user_id AND f.active = 1 OFFSET 0))
ORDER BY c.number LIMIT $2`, fewChanges, kinds)
}

// feedChangesQuery is fewChangesQuery for many changes: it reads the first of each user from the index.
func feedChangesQuery(d dialect, kinds string) string {
	users := `
  SELECT CAST(0 AS BIGINT) AS id, TRUE AS own UNION ALL SELECT CAST($3 AS BIGINT), TRUE
  UNION ALL SELECT followee_id, FALSE FROM follows WHERE follower_id = $3 AND active = 1 AND followee_id <> $3`
	concerns := "(u.own OR " + kinds + ")"
	if d.isPostgres() {
		return `
SELECT found.* FROM (` + users + `) AS u CROSS JOIN LATERAL (
  SELECT c.number, c.kind, c.user_id, c.other_id, c.content_id FROM changes AS c
  WHERE c.user_id = u.id AND c.number > $1 AND ` + concerns + ` ORDER BY c.number LIMIT $2) AS found
ORDER BY found.number LIMIT $2`
	}
	return `
SELECT c.number, c.kind, c.user_id, c.other_id, c.content_id FROM (` + users + `) AS u CROSS JOIN changes AS c
WHERE c.user_id = u.id AND c.number > $1 AND ` + concerns + ` ORDER BY c.number LIMIT $2`
}

// Followees implements [feed.Relations].
func (s *Store) Followees(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	return query(ctx, s, followeesQuery, []any{viewer}, into(func(id *feed.UserID) []any { return []any{id} }))
}

const followeesQuery = `SELECT followee_id FROM follows WHERE follower_id = $1 AND active = 1 AND followee_id <> $1`

// PostsOf implements [feed.ChangeLog]. It reads present and deleted posts from an index each.
func (s *Store) PostsOf(ctx context.Context, author feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.keys(ctx, postsOfQuery(s.d, r), filterArgs(author, r))
}

func postsOfQuery(d dialect, r feed.Range) string {
	part := func(condition string) string {
		return "SELECT * FROM (SELECT c.published_at, c.id FROM contents AS c WHERE c.author_id = $1 AND " + condition +
			"\n  AND " + within("c.published_at", "c.id") + " AND " + d.matches(r.Filter, 7) + "\n  " + ordered("c.published_at", "c.id", r) + ") AS part"
	}
	return "SELECT all_of.published_at, all_of.id FROM (\n" + part("c.deleted_at = 0") + "\nUNION ALL\n" + part("c.deleted_at <> 0") + ") AS all_of\n" +
		ordered("all_of.published_at", "all_of.id", r)
}

// logState is what a read of the log finds besides changes.
type logState struct{ epoch, last, trimmed int64 }

// readChanges reads the changes that a query selects, and the place up to which they are complete.
// Its parameters are the number of since, the limit, and more.
func (s *Store) readChanges(
	ctx context.Context, changes string, since feed.ChangePlace, limit int, more ...any,
) ([]feed.Change, feed.ChangePlace, error) {
	list, state, err := readLog(ctx, s, query, changes, append([]any{since.Number, limit}, more...)...)
	return placed(list, state, since, limit, err)
}

// logRow is a row of [readLog]: the state of the log, or a change.
type logRow struct {
	logState
	feed.Change // of kind 0 for the state
}

// readLog reads changes and the state of the log in one statement, and so in one snapshot. read is
// query or fetch.
func readLog(
	ctx context.Context, s *Store, read func(context.Context, *Store, string, []any, func(scanner) (logRow, error)) ([]logRow, error),
	changes string, args ...any,
) (list []feed.Change, state logState, err error) {
	found, err := read(ctx, s, `
SELECT state.epoch, `+s.d.lastChange+`, state.trimmed, 0, 0, 0, 0, 0 FROM change_state AS state WHERE state.id = 1
UNION ALL
SELECT 0, 0, 0, found.number, found.kind, found.user_id, found.other_id, found.content_id FROM (`+changes+`) AS found`,
		args, into(func(r *logRow) []any {
			return []any{&r.epoch, &r.last, &r.trimmed, &r.Number, &r.Kind, &r.User, &r.Other, &r.Post}
		}))
	for _, r := range found {
		if r.Kind == 0 {
			state = r.logState
		} else {
			list = append(list, r.Change)
		}
	}
	return list, state, err
}

// placed returns changes since a place in order, and the place up to which they are complete.
func placed(list []feed.Change, state logState, since feed.ChangePlace, limit int, err error) ([]feed.Change, feed.ChangePlace, error) {
	if err != nil {
		return nil, feed.ChangePlace{}, err
	}
	if since.Epoch != state.epoch || since.Number > state.last || since.Number < state.trimmed {
		return nil, feed.ChangePlace{}, feed.ErrChangesGone
	}
	// UNION ALL promises no order.
	slices.SortFunc(list, func(a, b feed.Change) int { return cmp.Compare(a.Number, b.Number) })
	next := feed.ChangePlace{Epoch: state.epoch, Number: state.last}
	if len(list) == limit && limit > 0 {
		next.Number = list[limit-1].Number
	}
	return list, next, nil
}

// NumberChanges implements [feed.ChangeNumberer]. If nothing waits, it is one read. Otherwise it
// locks the state of the log until its commit, so numbers become visible in ascending order.
func (s *Store) NumberChanges(ctx context.Context, limit int) (more bool, last feed.ChangePlace, err error) {
	var waiting, reposts, audiences bool
	err = s.row(ctx, "SELECT state.epoch, "+s.d.lastChange+", "+s.d.changesWait+", EXISTS (SELECT 1 FROM repost_changes), EXISTS (SELECT 1 FROM audience_changes)\n"+
		"FROM change_state AS state WHERE state.id = 1", nil, &last.Epoch, &last.Number, &waiting, &reposts, &audiences)
	if err != nil {
		return false, feed.ChangePlace{}, err
	}
	if more, err = s.logPending(ctx, reposts, audiences, limit); err != nil {
		return false, feed.ChangePlace{}, err
	}
	switch {
	case s.d.isPostgres() && (waiting || reposts || audiences):
		full, last, err := s.numberWaiting(ctx, limit)
		return more || full, last, err
	case reposts || audiences:
		last, err = s.LastChange(ctx)
	}
	return more, last, err
}

// logPending logs what pending reposts and audiences concern, up to limit rows of each.
func (s *Store) logPending(ctx context.Context, reposts, audiences bool, limit int) (more bool, err error) {
	if reposts {
		if more, err = s.logReposts(ctx, limit); err != nil {
			return false, err
		}
	}
	if !audiences {
		return more, nil
	}
	further, err := s.logAudiences(ctx, limit)
	return more || further, err
}

// WaitingChanges implements [feed.ChangeNumberer].
func (s *Store) WaitingChanges(ctx context.Context, limit int) (feed.WaitingChanges, error) {
	if !s.d.isPostgres() {
		return feed.WaitingChanges{}, ctx.Err()
	}
	var w feed.WaitingChanges
	var waited int64
	err := s.row(ctx, `
SELECT COUNT(*), GREATEST(`+s.d.now+` - COALESCE(MIN(queued_at), `+s.d.now+`), 0)
FROM (SELECT queued_at FROM change_queue ORDER BY id LIMIT $1) AS waiting`, []any{limit}, &w.Changes, &waited)
	w.Oldest = time.Duration(waited) * time.Millisecond
	return w, err
}

func (s *Store) numberWaiting(ctx context.Context, limit int) (more bool, last feed.ChangePlace, err error) {
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		state, _, err := s.lockLog(ctx, tx)
		if err != nil {
			return err
		}
		last.Epoch = state.epoch
		more, last.Number, err = s.numberQueued(ctx, tx, state, limit)
		return err
	})
	if err != nil {
		return false, feed.ChangePlace{}, err
	}
	return more, last, nil
}

// numberQueued numbers up to limit queued changes in the transaction, which has locked the state.
func (s *Store) numberQueued(ctx context.Context, tx *sql.Tx, state logState, limit int) (more bool, last int64, err error) {
	now, args := s.now(state.last, limit)
	err = tx.QueryRowContext(ctx, `
WITH waiting AS (SELECT id FROM change_queue ORDER BY id LIMIT $2),
taken AS (DELETE FROM change_queue AS q USING waiting WHERE q.id = waiting.id RETURNING q.*),
numbered AS (
  INSERT INTO changes (number, numbered_at, kind, user_id, other_id, content_id)
  SELECT $1::bigint + row_number() OVER (ORDER BY id), `+now+`, kind, user_id, other_id, content_id FROM taken
  RETURNING 1)
UPDATE change_state SET last = last + (SELECT COUNT(*) FROM numbered) WHERE id = 1 RETURNING last`, args...).Scan(&last)
	return last-state.last == int64(limit), last, err
}

// lockLog locks the state of the log on PostgreSQL. If another database has drawn the last number,
// it draws a new epoch: that database may have drawn numbers which this one has not received and
// would draw again. For the same reason the commit waits for the disk, whatever the session says.
func (s *Store) lockLog(ctx context.Context, tx *sql.Tx) (state logState, changed bool, err error) {
	var drawnBy, origin string
	err = tx.QueryRowContext(ctx, `
SELECT state.epoch, state.last, state.origin, change_origin(), set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, TRUE)
FROM change_state AS state WHERE state.id = 1`+s.d.forUpdate).Scan(&state.epoch, &state.last, &drawnBy, &origin, new(string))
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoChangeState
	}
	if err != nil || origin == drawnBy {
		return state, false, err
	}
	state.epoch = s.epochs()
	return state, true, exec(ctx, tx, `UPDATE change_state SET epoch = $1, origin = $2 WHERE id = 1`, state.epoch, origin)
}

// TrimChanges implements [feed.ChangeNumberer].
func (s *Store) TrimChanges(ctx context.Context, before int64, limit int) (more bool, err error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		// Up to the first that is not old, so that the rest has no gap, whatever the clock did.
		upTo, err := one[sql.NullInt64](tx.QueryRowContext(ctx, `
SELECT COALESCE(MIN(number) FILTER (WHERE numbered_at >= $1) - 1, MAX(number))
FROM (SELECT number, numbered_at FROM changes ORDER BY number LIMIT $2) AS oldest`, before, limit))
		if err != nil || !upTo.Valid {
			return false, err
		}
		removed, err := execRows(ctx, tx, `DELETE FROM changes WHERE number <= $1`, upTo.Int64)
		if err != nil || removed == 0 {
			return false, err
		}
		err = exec(ctx, tx, `UPDATE change_state SET trimmed = $1 WHERE id = 1 AND trimmed < $1`, upTo.Int64)
		return removed == int64(limit), err
	})
}

// CheckEpoch implements [feed.ChangeNumberer]. On SQLite the process that ran before may have lost
// its last commits, and with them numbers, in a power failure.
func (s *Store) CheckEpoch(ctx context.Context) (changed bool, err error) {
	if !s.d.isPostgres() {
		return true, s.NewEpoch(ctx)
	}
	return inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		_, changed, err := s.lockLog(ctx, tx)
		return changed, err
	})
}

// NewEpoch implements [feed.ChangeNumberer].
func (s *Store) NewEpoch(ctx context.Context) error {
	_, err := s.change(ctx, `UPDATE change_state SET epoch = $1 WHERE id = 1`, s.epochs())
	return err
}

// randomEpoch returns a number that no other epoch is likely to have.
func randomEpoch() int64 { return 1 + rand.Int64N(math.MaxInt64) }
