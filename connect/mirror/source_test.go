package mirror_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// source is a database with the tables of a system to mirror.
type source struct {
	t    *testing.T
	conn *pgx.Conn
}

func newSource(t *testing.T, sql string) *source {
	t.Helper()
	config, err := pgx.ParseConfig(testenv.Postgres(t))
	check(t, err)
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(t.Context(), config)
	check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	s := &source{t, conn}
	s.exec(sql)
	return s
}

func (s *source) exec(sql string) {
	s.t.Helper()
	if _, err := s.conn.Exec(s.t.Context(), sql); err != nil {
		s.t.Fatal(err)
	}
}

func (s *source) catalog() *mirror.Catalog {
	s.t.Helper()
	c, err := mirror.Inspect(s.t.Context(), s.conn)
	check(s.t, err)
	return c
}

func (s *source) mapper(file string) *mirror.Mapper {
	s.t.Helper()
	m, err := mirror.NewMapper([]byte(file), s.catalog())
	check(s.t, err)
	return m
}

// rows returns the rows of a table as PostgreSQL writes them.
func (s *source) rows(t *mirror.Table, order string) [][]mirror.Cell {
	s.t.Helper()
	var columns []string
	for _, c := range t.Columns {
		columns = append(columns, pgx.Identifier{c.Name}.Sanitize())
	}
	rows, err := s.conn.Query(s.t.Context(), "SELECT "+strings.Join(columns, ", ")+" FROM "+t.Quoted+" ORDER BY "+order)
	check(s.t, err)
	var list [][]mirror.Cell
	for rows.Next() {
		var row []mirror.Cell
		for _, text := range rows.RawValues() {
			row = append(row, mirror.Cell{Text: append([]byte(nil), text...), Null: text == nil})
		}
		list = append(list, row)
	}
	check(s.t, rows.Err())
	return list
}

var changedAt = time.Date(2026, 5, 6, 7, 8, 9, 123456789, time.UTC)

// lines returns the lines of a change as text; bad ones have the reason before them.
func lines(m *mirror.Mapper, c mirror.RowChange) string {
	var out []string
	for _, line := range m.Lines(c, changedAt) {
		text := string(line.Text())
		if line.Bad != "" {
			text = "BAD " + line.Bad + ": " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// With PgBouncer's defaults. It refuses most settings when a connection starts.
func TestConnect_WorksBehindSessionPooler(t *testing.T) {
	conn, err := mirror.Connect(t.Context(), testenv.StartPgBouncer(t, testenv.Postgres(t), "pool_mode = session"))
	check(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	for name, want := range map[string]string{"statement_timeout": "0", "intervalstyle": "postgres", "timezone": "UTC", "bytea_output": "hex", "extra_float_digits": "1"} {
		var got string
		if err := conn.QueryRow(t.Context(), "SELECT current_setting($1)", name).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", name, got, err, want)
		}
	}
}
