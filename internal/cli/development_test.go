package cli

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// Every command that opens the database says the same in one line.
func TestRun_RefusesDevelopmentDatabase(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "tideline.db"))
	check(t, err)
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE feed_state (id INTEGER PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	check(t, db.Close())
	for _, args := range [][]string{
		{"migrate"},
		{"export"},
		{"import", filepath.Join(storedExports, "numbers.ndjson")},
		{"doctor"},
		{"rebuild"},
		{"mirror", "resnapshot"},
		{"serve", "--addr=127.0.0.1:0"},
	} {
		var stdout, stderr bytes.Buffer
		code := Run(t.Context(), append(args, "--data-dir="+dir), &stdout, &stderr)
		if want := "tideline: " + sqlstore.ErrDevelopmentSchema.Error() + "\n"; code != 1 || stdout.Len() > 0 || stderr.String() != want {
			t.Errorf("%v: exit code %d, %s%s, want 1 and %s", args, code, &stdout, &stderr, want)
		}
	}
}
