package sqlstore

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// binaryRow is a row in PostgreSQL's wire format. It scans numbers, texts and lists, which is all
// that pages read; only lists may be null. A number other than 0 is true. Without pgx's conversions
// a page saves hundreds of calls.
type binaryRow struct {
	fields []pgconn.FieldDescription
	values [][]byte
}

// eachRow calls do with each row and closes the rows. A row is valid until do returns.
func eachRow(rows pgx.Rows, do func(scanner) error) error {
	defer rows.Close()
	row := &binaryRow{}
	for rows.Next() {
		row.fields, row.values = rows.FieldDescriptions(), rows.RawValues()
		if err := do(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Scan implements [scanner].
func (r *binaryRow) Scan(dest ...any) error {
	if len(dest) != len(r.values) {
		return fmt.Errorf("scan of %d columns from a row of %d", len(dest), len(r.values))
	}
	for i, d := range dest {
		if err := r.scan(i, d); err != nil {
			return fmt.Errorf("column %s: %w", r.fields[i].Name, err)
		}
	}
	return nil
}

func (r *binaryRow) scan(i int, dest any) error {
	switch d := dest.(type) {
	case *string:
		*d = string(r.values[i])
	case *feed.ExternalID:
		*d = feed.ExternalID(r.values[i])
	case *feed.CustomFields:
		*d = feed.CustomFields(r.values[i])
	case *feed.Kind:
		*d = kindOf(r.values[i])
	case *feed.Reaction:
		*d = feed.Reaction(r.values[i])
	case *bool:
		var n int
		err := number(r, i, &n)
		*d = n != 0
		return err
	case *int64:
		return number(r, i, d)
	case *feed.UserID:
		return number(r, i, d)
	case *feed.PostID:
		return number(r, i, d)
	case *int:
		return number(r, i, d)
	case *feed.OtherMedia:
		return number(r, i, d)
	case *feed.PostAudience:
		return number(r, i, d)
	case *feed.HiddenFor:
		return number(r, i, d)
	case *feed.PostAccounts:
		return number(r, i, d)
	case *feed.ChangeKind:
		return number(r, i, d)
	case *feed.CoverageFlag:
		return number(r, i, d)
	case *feed.InboxState:
		return number(r, i, d)
	case *live.ID:
		return number(r, i, d)
	case *live.State:
		return number(r, i, d)
	case list:
		if r.fields[i].Format == pgx.TextFormatCode {
			return d.parse(r.values[i])
		}
		return d.decode(r.values[i])
	default:
		return fmt.Errorf("cannot scan into a %T", dest)
	}
	return nil
}

// kindOf returns a kind of post without allocating a text.
func kindOf(v []byte) feed.Kind {
	for _, k := range [...]feed.Kind{feed.KindPost, feed.KindRepost, feed.KindComment} {
		if string(v) == string(k) {
			return k
		}
	}
	return feed.Kind(v)
}

// number reads column i. Numbers arrive as text if a pooler disables prepared statements.
func number[N ~int | ~int64](r *binaryRow, i int, dest *N) error {
	v := r.values[i]
	switch {
	case r.fields[i].Format == pgx.TextFormatCode:
		n, err := strconv.ParseInt(string(v), 10, 64)
		*dest = N(n)
		return err
	case len(v) == 8:
		*dest = N(int64(binary.BigEndian.Uint64(v)))
	case len(v) == 4:
		*dest = N(int32(binary.BigEndian.Uint32(v)))
	case len(v) == 2:
		*dest = N(int16(binary.BigEndian.Uint16(v)))
	default:
		return fmt.Errorf("cannot decode a number of %d bytes", len(v))
	}
	return nil
}
