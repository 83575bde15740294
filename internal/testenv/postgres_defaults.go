package testenv

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// StrictDefaults returns unusual session defaults as assignments for ALTER DATABASE … SET. The
// program must work with all of them.
func StrictDefaults() []string {
	return []string{
		"default_transaction_isolation = 'serializable'",
		"default_transaction_read_only = on",
		"client_encoding = 'LATIN1'",
		"standard_conforming_strings = off",
		"bytea_output = 'escape'",
		"TimeZone = 'Asia/Kathmandu'",
		"DateStyle = 'German, DMY'",
		"IntervalStyle = 'sql_standard'",
		"statement_timeout = '1s'",
		"lock_timeout = '1ms'",
		"idle_in_transaction_session_timeout = '1s'",
		"idle_session_timeout = '1s'",
		"synchronous_commit = off",
	}
}

// SetDefaults sets session defaults of a PostgreSQL database. New connections begin with them.
func SetDefaults(t testing.TB, databaseURL string, assignments ...string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	check(t, err)
	conn, err := pgx.Connect(t.Context(), databaseURL)
	check(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	for _, assignment := range assignments {
		// An earlier default may have made transactions read-only.
		statement := fmt.Sprintf("BEGIN READ WRITE; ALTER DATABASE %s SET %s; COMMIT", strings.TrimPrefix(u.Path, "/"), assignment)
		if _, err := conn.Exec(t.Context(), statement, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatalf("testenv: %s: %v", statement, err)
		}
	}
}
