package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// edges is a table of follows, reactions or relations, with a record R per row.
type edges[R comparable] struct {
	table string
	// key are the columns of the primary key, in order, and at is the time of the edge. until is when it ends by
	// itself, in tables of edges that can; else it is nil.
	key fields[R]
	at  func(*R) *int64
	// since is the column of that time, created_at if it is empty.
	since string
	until func(*R) *int64
	// options are those of follows; nil for other edges.
	options func(*R) *feed.FollowOptions
	record  func(*R) feed.Record
	// undone is the condition on a row t that the edge was undone. If it is empty, undone edges are
	// rows of absent_edges with the columns absent.
	undone string
	absent fields[R]
	// exported is the condition on the rows of an export.
	exported string
}

// keyOf returns the record without its times, which identifies the edge.
func (e edges[R]) keyOf(r *R) R { return e.with(*r, feed.StoredEdge{}) }

// with returns a record with the times of a stored edge.
func (e edges[R]) with(r R, times feed.StoredEdge) R {
	*e.at(&r) = times.CreatedAt
	if e.until != nil {
		*e.until(&r) = times.Until
	}
	if e.options != nil {
		*e.options(&r) = times.Options
	}
	return r
}

func (e edges[R]) sinceColumn() string { return cmp.Or(e.since, "created_at") }

func (e edges[R]) fields() fields[R] {
	f := e.key.and(intField(e.sinceColumn(), e.at))
	if e.until != nil {
		f = f.and(intField("until", e.until))
	}
	if e.options != nil {
		f = f.and(intField("options", e.options))
	}
	return f
}

// load returns the stored edges of records, including undone ones, by [edges.keyOf].
func (e edges[R]) load(ctx context.Context, d dialect, tx *sql.Tx, list []*R) (map[R]feed.StoredEdge, error) {
	found := map[R]feed.StoredEdge{}
	if len(list) == 0 {
		return found, nil
	}
	until, options := "0", "0"
	if e.until != nil {
		until = "t.until"
	}
	if e.options != nil {
		options = "t.options"
	}
	stored := "t." + e.sinceColumn() + ", " + until + ", " + options + ", "
	if e.undone != "" {
		return found, e.loadFrom(ctx, d, tx, list, e.table, stored+e.undone, e.key, found)
	}
	// An edge that was made again is in both tables.
	err := e.loadFrom(ctx, d, tx, list, "absent_edges", "0, 0, 0, TRUE", e.absent, found)
	if err == nil {
		err = e.loadFrom(ctx, d, tx, list, e.table, stored+"FALSE", e.key, found)
	}
	return found, err
}

// loadFrom adds to found the edges that have a row in table, as t. key are the columns that
// identify the row, and read selects the times and whether the edge was undone.
func (e edges[R]) loadFrom(
	ctx context.Context, d dialect, tx *sql.Tx, list []*R, table, read string, key fields[R], found map[R]feed.StoredEdge,
) error {
	columns := append(key.take(list), placeColumn(len(list)))
	from, args := d.table(columns)
	// CROSS JOIN makes SQLite look up each record instead of scanning the table.
	_, err := collect(ctx, tx, fmt.Sprintf(`SELECT r.place, %s FROM %s CROSS JOIN %s AS t WHERE %s`, read, from, table, e.same(key, "t")), args,
		func(rows scanner) (i int, err error) {
			var edge feed.StoredEdge
			err = rows.Scan(&i, &edge.CreatedAt, &edge.Until, &edge.Options, &edge.Undone)
			found[e.keyOf(list[i])] = edge
			return i, err
		})
	return err
}

func (e edges[R]) same(key fields[R], table string) string {
	on := make([]string, len(key))
	for i, c := range key {
		on[i] = fmt.Sprintf("%[2]s.%[1]s = r.%[1]s", c.name, table)
	}
	return strings.Join(on, " AND ")
}

// wasUndone reports whether the edge of a record was undone.
func (e edges[R]) wasUndone(ctx context.Context, d dialect, tx *sql.Tx, r *R) (bool, error) {
	found, err := e.load(ctx, d, tx, []*R{r})
	return found[e.keyOf(r)].Undone, err
}

func (e edges[R]) dump(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return e.dumpWhere(e.exported)(ctx, tx, emit)
}

// dumpWhere returns a function that emits the rows that meet a condition, in the order of their key.
func (e edges[R]) dumpWhere(condition string) func(context.Context, *sql.Tx, emitter) error {
	n, names := len(e.key), e.key.names("")
	pages := walk[*R]{
		stmt: fmt.Sprintf(`
SELECT %s FROM %s
WHERE (%s) > (%s) AND %s
ORDER BY %s LIMIT $%d`, e.fields().names(""), e.table, names, strings.Join(parameters(1, n), ", "), condition, names, n+1),
		start: e.key.args(new(R)),
		key:   e.key.args,
		scan:  e.fields().scan(),
	}
	return func(ctx context.Context, tx *sql.Tx, emit emitter) error {
		return pages.records(ctx, tx, e.record, emit)
	}
}
