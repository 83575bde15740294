package sqlstore

import (
	"context"
	"database/sql"
	"strings"

	"github.com/jackc/pgx/v5"
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
