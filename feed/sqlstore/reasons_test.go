package sqlstore_test

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// mustSay checks that an error is UNAVAILABLE with a message for clients.
func mustSay(t *testing.T, err error, message string) {
	t.Helper()
	var known *feed.Error
	if !errors.As(err, &known) || known.Code != feed.CodeUnavailable || known.Message != message {
		t.Errorf("got error %v, want the message %q", err, message)
	}
}

func TestUnavailable_NamesTheCause(t *testing.T) {
	s := opened(t, "sqlite://"+filepath.Join(testenv.Dir(t), "tideline.db"))
	for code, message := range map[string]string{
		"53100": "the database has no room left",
		"58030": "the database cannot read or write its files",
		"25006": "the database takes no writes at the moment",
		"53200": "the database has no memory left",
		"53300": "the database has no connection left",
		"40001": "the database is too busy: other requests change the same",
		"40P01": "the database is too busy: other requests change the same",
		"55P03": "the database is too busy: other requests change the same",
		"57014": "the database took too long",
		"57P01": "the database cannot be reached",
		"08006": "the database cannot be reached",
	} {
		mustSay(t, s.Change(t.Context(), func(*sql.Tx) error {
			return fmt.Errorf("a statement: %w", &pgconn.PgError{Code: code})
		}), message)
	}
}

// fill makes a statement fail because there is no room.
func fill(t *testing.T, s *sqlstore.Store) error {
	t.Helper()
	return s.Change(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "INSERT INTO filler VALUES (zeroblob(10000000))")
		return err
	})
}

func TestFullSQLite_NamesTheCause(t *testing.T) {
	s := opened(t, emptyTemplate.url(t, "sqlite"))
	mustBe(t, "", s.Exec(t.Context(), "CREATE TABLE filler (bytes BLOB)"))
	mustBe(t, "", s.CheckWrites(t.Context()))
	mustBe(t, "", s.Refused())
	mustBe(t, "", s.Exec(t.Context(), "PRAGMA max_page_count = 1"))
	const full = "the database has no room left"
	mustSay(t, fill(t, s), full)
	mustSay(t, s.Refused(), full)
	mustSay(t, s.CheckWrites(t.Context()), full)
}

func TestReadOnlySQLite_NamesTheCause(t *testing.T) {
	s := opened(t, emptyTemplate.url(t, "sqlite"))
	mustBe(t, "", s.Exec(t.Context(), "CREATE TABLE filler (bytes BLOB)"))
	mustBe(t, "", s.Exec(t.Context(), "PRAGMA query_only = ON"))
	const readOnly = "the database takes no writes at the moment"
	mustSay(t, fill(t, s), readOnly)
	mustSay(t, s.Refused(), readOnly)
	mustSay(t, s.CheckWrites(t.Context()), readOnly)
}
