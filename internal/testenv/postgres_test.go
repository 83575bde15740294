package testenv_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	check(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return conn
}

// A database is dropped with its test, even if connections are open.
func TestPostgres_DropsDatabaseAfterTest(t *testing.T) {
	var name string
	t.Run("user", func(t *testing.T) {
		url := testenv.Postgres(t)
		conn, err := pgx.Connect(t.Context(), url)
		check(t, err)
		name = conn.Config().Database
	})
	var exists bool
	err := connect(t, testenv.Postgres(t)).
		QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&exists)
	if err != nil || exists {
		t.Errorf("the database %q still exists: %v (%v)", name, exists, err)
	}
}

// Text is UTF-8 and sorts by bytes, whatever the language of the machine. Tests therefore give the
// same result everywhere.
func TestPostgres_IgnoresLanguageOfMachine(t *testing.T) {
	conn := connect(t, testenv.Postgres(t))
	var encoding, collation string
	err := conn.QueryRow(t.Context(),
		"SELECT pg_encoding_to_char(encoding), datcollate FROM pg_database WHERE datname = current_database()").
		Scan(&encoding, &collation)
	if err != nil || encoding != "UTF8" || collation != "C" {
		t.Errorf("encoding %q and collation %q (%v), want UTF8 and C", encoding, collation, err)
	}
}
