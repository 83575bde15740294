package sqlstore

import (
	"context"
	"database/sql"
)

// scanner is one row: a *sql.Row, or the current one of *sql.Rows.
type scanner interface {
	Scan(dest ...any) error
}

// one scans a row of one column.
func one[T any](row scanner) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

// into returns what scans a row into a value, given where its columns go.
func into[T any](columns func(v *T) []any) func(scanner) (T, error) {
	return func(row scanner) (v T, err error) {
		err = row.Scan(columns(&v)...)
		return v, err
	}
}

// collectMap is collect for rows of a key and, behind it, the columns of a value.
func collectMap[K comparable, V any](
	ctx context.Context, tx *sql.Tx, stmt string, args []any, columns func(v *V) []any,
) (map[K]V, error) {
	found := map[K]V{}
	_, err := collect(ctx, tx, stmt, args, func(row scanner) (k K, err error) {
		var v V
		err = row.Scan(append([]any{&k}, columns(&v)...)...)
		found[k] = v
		return k, err
	})
	return found, err
}

// itself is the column of a value that is one.
func itself[V any](v *V) []any { return []any{v} }

// mapped returns what of makes of each element of a list.
func mapped[T, V any](list []T, of func(T) V) []V {
	out := make([]V, len(list))
	for i, v := range list {
		out[i] = of(v)
	}
	return out
}
