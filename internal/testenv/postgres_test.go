package testenv_test

import (
	"errors"
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

func TestTemplate_CopiesAreEqualAndSeparate(t *testing.T) {
	template, err := testenv.NewPostgresTemplate(t.Context(), func(databaseURL string) error {
		conn, err := pgx.Connect(t.Context(), databaseURL)
		if err != nil {
			return err
		}
		_, err = conn.Exec(t.Context(), "CREATE TABLE posts AS SELECT 7 AS id")
		return errors.Join(err, conn.Close(t.Context()))
	})
	check(t, err)
	first, second := connect(t, template.Copy(t)), connect(t, template.Copy(t))
	if _, err := first.Exec(t.Context(), "DELETE FROM posts"); err != nil {
		t.Fatal(err)
	}
	for conn, want := range map[*pgx.Conn]int{first: 0, second: 1} {
		var n int
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM posts").Scan(&n); err != nil || n != want {
			t.Errorf("a copy has %d posts (%v), want %d", n, err, want)
		}
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
