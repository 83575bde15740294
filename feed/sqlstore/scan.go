package sqlstore

import (
	"context"
	"database/sql"
)

// scanner is one row: a *sql.Row, or the current one of *sql.Rows.
type scanner interface {
	Scan(dest ...any) error
}

func one[T any](row scanner) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

// into returns a function that scans a row into a value; columns returns the targets in the value.
func into[T any](columns func(v *T) []any) func(scanner) (T, error) {
	return func(row scanner) (v T, err error) {
		err = row.Scan(columns(&v)...)
		return v, err
	}
}

// queryer is a *sql.Tx, or a *sql.DB for a single query.
type queryer interface {
	QueryContext(ctx context.Context, stmt string, args ...any) (*sql.Rows, error)
}

// collect runs a query and scans every row with scan.
func collect[T any](ctx context.Context, on queryer, stmt string, args []any, scan func(scanner) (T, error)) ([]T, error) {
	rows, err := on.QueryContext(ctx, stmt, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// collectMap runs a query and scans every row into a key, its first column, and a value.
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

// itself is the target for a value of one column.
func itself[V any](v *V) []any { return []any{v} }

// mapped returns the results of of for the elements of a list.
func mapped[T, V any](list []T, of func(T) V) []V {
	out := make([]V, len(list))
	for i, v := range list {
		out[i] = of(v)
	}
	return out
}

func setOf[T comparable](list []T) map[T]bool {
	set := make(map[T]bool, len(list))
	for _, v := range list {
		set[v] = true
	}
	return set
}
