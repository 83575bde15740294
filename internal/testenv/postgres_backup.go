package testenv

import (
	"net/url"
	"path/filepath"
	"testing"
)

// Backup is a copy of a database made by pg_dump. Others may write to the database meanwhile.
type Backup struct{ file string }

// BackUp backs up a database of [Postgres].
func BackUp(t testing.TB, database string) Backup {
	t.Helper()
	b := Backup{filepath.Join(t.TempDir(), "backup")}
	postgresTool(t, "pg_dump", "--format=custom", "--file="+b.file, "--dbname="+database)
	return b
}

// Restore returns the URL of a new database with the backup's data. It is dropped when the test
// ends.
func (b Backup) Restore(t testing.TB) string {
	t.Helper()
	database := Postgres(t)
	b.restoreInto(t, database)
	return database
}

// RestoreOver replaces the content of a database with the backup and keeps its URL. It closes all
// connections.
func (b Backup) RestoreOver(t testing.TB, database string) {
	t.Helper()
	server, err := sharedPostgres()
	check(t, err)
	u, err := url.Parse(database)
	check(t, err)
	name := filepath.Base(u.Path)
	for _, statement := range []string{"DROP DATABASE " + name + " WITH (FORCE)", "CREATE DATABASE " + name + " TEMPLATE template1"} {
		check(t, server.execute(t.Context(), statement))
	}
	b.restoreInto(t, database)
}

// restoreInto restores the backup into an empty database.
func (b Backup) restoreInto(t testing.TB, database string) {
	t.Helper()
	postgresTool(t, "pg_restore", "--exit-on-error", "--no-owner", "--dbname="+database, b.file)
}

// postgresTool runs one of the server's programs as the test's user.
func postgresTool(t testing.TB, name string, args ...string) {
	t.Helper()
	bin, err := postgresPrograms()
	if err == nil {
		err = postgresHome{bin: bin}.run(t.Context(), name, args...)
	}
	check(t, err)
}
