package sqlstore

import (
	"context"
	"database/sql/driver"

	"github.com/jackc/pgx/v5"
)

// Begin is called before a statement runs, with its text, in which values are parameters. The
// function that it returns is called when the statement has ended. For a query that is after
// reading all rows on PostgreSQL, and before reading them on SQLite.
type Begin func(ctx context.Context, statement string) (context.Context, func(error))

// WithBegin sets a function to call with every statement.
func WithBegin(begin Begin) Option {
	return func(s *Store) { s.begin = begin }
}

// queryTracer reports statements on PostgreSQL.
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

// observedStmt reports a statement on SQLite.
type observedStmt struct {
	*keptStmt
	begin Begin
}

// ExecContext implements [driver.StmtExecContext].
func (s observedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	ctx, end := s.begin(ctx, s.text)
	result, err := s.keptStmt.ExecContext(ctx, args)
	end(err)
	return result, err
}

// QueryContext implements [driver.StmtQueryContext].
func (s observedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	ctx, end := s.begin(ctx, s.text)
	rows, err := s.keptStmt.QueryContext(ctx, args)
	end(err)
	return rows, err
}
