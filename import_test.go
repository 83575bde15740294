package main

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// refuseLooks has a database refuse whoever wants it to look at how much it holds.
const refuseLooks = `
CREATE FUNCTION unlooked(n bigint) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS '
BEGIN
	IF current_query() LIKE ''ANALYZE%'' THEN RAISE EXCEPTION ''not now''; END IF;
	RETURN n;
END';
CREATE INDEX ON users (unlooked(id))`

// What is stored is stored without it too, so it is worth a line and not the import.
func TestAnImportGoesOnWhenTheDatabaseCannotLookAtItself(t *testing.T) {
	database := testenv.Postgres(t)
	if code, _, stderr := runMain(t, "migrate", "--database-url="+database); code != 0 {
		t.Fatal(stderr)
	}
	conn, err := pgx.Connect(t.Context(), database)
	check(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.Exec(t.Context(), refuseLooks)
	check(t, err)
	first, second := recordsFile(t, []string{userRecord(1)}), recordsFile(t, []string{userRecord(2)})
	code, stdout, stderr := runMain(t, "import", "--database-url="+database, first, second)
	if code != 0 || strings.Count(stdout, " 1 new, 0 known, 0 bad") != 2 {
		t.Errorf("the import ended with %d and says %q", code, stdout)
	}
	for _, name := range []string{first, second} {
		if !strings.Contains(stderr, name+": the database could not look at how much it holds") || !strings.Contains(stderr, "not now") {
			t.Errorf("nothing warns of it for %s: %q", name, stderr)
		}
	}
}
