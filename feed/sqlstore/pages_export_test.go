package sqlstore

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Plans is how often a prepared statement ran with the generic plan, and with a custom one.
type Plans struct{ Generic, Custom int }

// preparedForPages selects the prepared statements of a connection, except for this query.
const preparedForPages = `FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_prepared_statements%'`

// OnePageConnection leaves pages a single connection.
func (s *Store) OnePageConnection() { s.pages.SetMaxOpenConns(1) }

// PagePlans returns the plans of the prepared statements on the connection for pages.
func (s *Store) PagePlans(ctx context.Context) (map[string]Plans, error) {
	rows, err := s.pages.QueryContext(ctx, `SELECT statement, generic_plans, custom_plans `+preparedForPages)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	plans := map[string]Plans{}
	for rows.Next() {
		var text string
		var p Plans
		if err := rows.Scan(&text, &p.Generic, &p.Custom); err != nil {
			return nil, err
		}
		plans[text] = p
	}
	return plans, rows.Err()
}

// EndOtherConnections ends all connections to the database but its own, and waits for their end.
func (s *Store) EndOtherConnections(ctx context.Context) error {
	var ended sql.NullBool
	return s.db.QueryRowContext(ctx, `SELECT bool_and(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()`).Scan(&ended)
}

// ExplainPages returns the generic plans of the prepared statements on the connection for pages.
func (s *Store) ExplainPages(ctx context.Context) (map[string]string, error) {
	conn, err := s.pages.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	prepared, err := lines(ctx, conn, `SELECT 'EXPLAIN EXECUTE "' || name || '"' || COALESCE('(' || NULLIF(array_to_string(array_fill('NULL'::text, ARRAY[cardinality(parameter_types)]), ', '), '') || ')', '') `+preparedForPages+` ORDER BY statement`)
	if err != nil {
		return nil, err
	}
	texts, err := lines(ctx, conn, `SELECT statement `+preparedForPages+` ORDER BY statement`)
	if err != nil {
		return nil, err
	}
	plans := map[string]string{}
	for i, explain := range prepared {
		plan, err := lines(ctx, conn, explain)
		if err != nil {
			return nil, err
		}
		plans[texts[i]] = strings.Join(plan, "\n")
	}
	return plans, nil
}

// lines returns the rows of a query of one text, without preparing it.
func lines(ctx context.Context, conn *sql.Conn, query string) (out []string, err error) {
	rows, err := conn.QueryContext(ctx, query, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, rows.Err()
}

// ErrSilent refuses connections while the server is away.
var ErrSilent = errSilent

// Away reports whether connections to an address are refused because it did not respond.
func (s *Store) Away(address string) bool {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	h := s.watch.hosts[address]
	return h != nil && h.away
}

// Change runs one transaction like every change of the store.
func (s *Store) Change(ctx context.Context, change func(tx *sql.Tx) error) error {
	return s.inTx(ctx, change)
}

// Setting returns a setting of a connection.
func (s *Store) Setting(ctx context.Context, name string) (value string, err error) {
	err = s.row(ctx, "SELECT current_setting($1)", []any{name}, &value)
	return value, err
}

// Unlimited returns a setting of a connection for migrations.
func (s *Store) Unlimited(ctx context.Context, name string) (value string, err error) {
	db := s.unlimitedDB()
	defer func() { _ = db.Close() }()
	err = db.QueryRowContext(ctx, "SELECT current_setting($1)", name).Scan(&value)
	return value, err
}

// Waits returns how long the attempts of a transaction that never succeeds wait, each with the
// given spread, and how many there are.
func Waits(ctx context.Context, spread float64) (tries int, waited time.Duration, err error) {
	s := &Store{spread: func() float64 { return spread }}
	began := time.Now()
	err = s.retrying(ctx, func() error {
		tries++
		return &pgconn.PgError{Code: "40001"}
	})
	return tries, time.Since(began), err
}

// ErrTakesNoWrites refuses connections to a server that takes no writes.
var ErrTakesNoWrites = errTakesNoWrites
