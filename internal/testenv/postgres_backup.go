package testenv

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// Backup is a copy of a database made by pg_dump. Others may write to the database meanwhile.
type Backup struct{ file string }

// BackUp backs up a database of [Postgres].
func BackUp(t testing.TB, database string) Backup {
	t.Helper()
	b := Backup{filepath.Join(t.TempDir(), "backup")}
	if err := postgresTool(t.Context(), "pg_dump", "--format=custom", "--file="+b.file, "--dbname="+database); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(u.Path)
	for _, statement := range []string{"DROP DATABASE " + name + " WITH (FORCE)", "CREATE DATABASE " + name + " TEMPLATE template1"} {
		if err := server.execute(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	b.restoreInto(t, database)
}

// restoreInto restores the backup into an empty database.
func (b Backup) restoreInto(t testing.TB, database string) {
	t.Helper()
	if err := postgresTool(t.Context(), "pg_restore", "--exit-on-error", "--no-owner", "--dbname="+database, b.file); err != nil {
		t.Fatal(err)
	}
}

// postgresTool runs one of the programs that come with the server.
func postgresTool(ctx context.Context, name string, args ...string) error {
	bin, err := postgresPrograms()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, eventually.Limit)
	defer cancel()
	if out, err := exec.CommandContext(ctx, filepath.Join(bin, name), args...).CombinedOutput(); err != nil {
		return fmt.Errorf("testenv: %s: %w; its output:\n%s", name, err, out)
	}
	return nil
}
