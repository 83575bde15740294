package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/apply"
)

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
