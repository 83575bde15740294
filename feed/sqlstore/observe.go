package sqlstore

import (
	"context"
	"database/sql/driver"

	"github.com/jackc/pgx/v5"
)

// Begin is called before a statement is run, with its text, in which values are parameters,
// and what it returned when the statement has been run. For a query that is when its rows
// have been read, on PostgreSQL, and when there are some, on SQLite.
type Begin func(ctx context.Context, statement string) (context.Context, func(error))

// WithBegin tells of every statement.
func WithBegin(begin Begin) Option {
	return func(s *Store) { s.begin = begin }
}

// queryTracer tells of statements on PostgreSQL.
type queryTracer struct{ begin Begin }

type endKey struct{}

// TraceQueryStart implements pgx.QueryTracer.
func (q queryTracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	ctx, end := q.begin(ctx, data.SQL)
	return context.WithValue(ctx, endKey{}, end)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (q queryTracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if end, ok := ctx.Value(endKey{}).(func(error)); ok {
		end(data.Err)
	}
}

// observedStmt tells of a statement on SQLite.
type observedStmt struct {
	*keptStmt
	begin Begin
}

// ExecContext runs it.
func (s observedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	ctx, end := s.begin(ctx, s.text)
	result, err := s.keptStmt.ExecContext(ctx, args)
	end(err)
	return result, err
}

// QueryContext runs it.
func (s observedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	ctx, end := s.begin(ctx, s.text)
	rows, err := s.keptStmt.QueryContext(ctx, args)
	end(err)
	return rows, err
}
