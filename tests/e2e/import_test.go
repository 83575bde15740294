package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// importInto imports into a new SQLite database, with further arguments.
func importInto(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return harness.RunMain(t, append([]string{"import", "--data-dir=" + t.TempDir()}, args...)...)
}

// fileOf returns the name of a new file with a text.
func fileOf(t *testing.T, text string) string {
	t.Helper()
	return harness.RecordsFile(t, []string{text})
}

func TestImport_FailsWhenEveryLineIsBad(t *testing.T) {
	bad, good := fileOf(t, "x\ny\n\n"), fileOf(t, harness.UserRecord(1)+"\nx")
	code, stdout, stderr := importInto(t, bad, good)
	if code != 1 || !strings.Contains(stderr, bad+": every line is bad") {
		t.Errorf("the import ended with exit code %d: %s", code, stderr)
	}
	if !strings.Contains(stdout, "3 lines, 0 new, 0 known, 2 bad, 1 skipped") || !strings.Contains(stdout, "2 lines, 1 new, 0 known, 1 bad,") {
		t.Errorf("the import prints %q", stdout)
	}
	if code, _, stderr := importInto(t, good); code != 0 {
		t.Errorf("the import of a good line ended with exit code %d: %s", code, stderr)
	}
}

func TestImport_ReportsEmptyFile(t *testing.T) {
	for _, text := range []string{"", "\n", "\ufeff"} {
		file := fileOf(t, text)
		if code, _, stderr := importInto(t, file); code != 0 || !strings.Contains(stderr, file+": no records") {
			t.Errorf("%q: the import ended with exit code %d: %s", text, code, stderr)
		}
	}
}

func TestImport_NamesWhatItSkips(t *testing.T) {
	file := fileOf(t, "\ufeff# ids\r\nid_1,id_2\r\n1,2\r\n")
	code, stdout, stderr := importInto(t, "--graph", file)
	for _, want := range []string{":1: a byte order mark is ignored", ":1: a comment is skipped", ":2: the header is skipped"} {
		if !strings.Contains(stderr, file+want) {
			t.Errorf("missing: %s; the output is: %s", want, stderr)
		}
	}
	if code != 0 || !strings.Contains(stdout, "edges are mutual") || !strings.Contains(stdout, "3 lines, 4 new, 0 known, 0 bad, 2 skipped") {
		t.Errorf("the import ended with exit code %d and printed %q", code, stdout)
	}
}

func TestImport_OmitsMutualEdgesOfDirectedGraph(t *testing.T) {
	code, stdout, stderr := importInto(t, "--directed", "--id-offset=1", "--graph", fileOf(t, "0,2\n"))
	if code != 0 || strings.Contains(stdout, "mutual") || !strings.Contains(stdout, "1 lines, 3 new,") {
		t.Errorf("the import ended with exit code %d and printed %q, %q", code, stdout, stderr)
	}
	if code, _, stderr := importInto(t, "--directed", fileOf(t, harness.UserRecord(1))); code == 0 || !strings.Contains(stderr, "--directed and --id-offset need --graph") {
		t.Errorf("without --graph the import ended with exit code %d: %s", code, stderr)
	}
}

func TestImport_LeaseLastsActiveFor(t *testing.T) {
	dir, seen := t.TempDir(), time.Now().Add(-2*time.Hour).UTC()
	file := fileOf(t, fmt.Sprintf(`{"type":"user","id":"1","handle":"u1","name":"U","createdAt":"2026-01-01T00:00:00Z","lastSeenAt":%q}`,
		seen.Format(time.RFC3339)))
	for activeFor, active := range map[string]bool{"3h": true, "1h": false} {
		at := filepath.Join(dir, activeFor)
		if code, _, stderr := harness.RunMain(t, "import", "--data-dir="+at, "--active-for="+activeFor, file); code != 0 {
			t.Fatalf("the import ended with exit code %d: %s", code, stderr)
		}
		store, err := sqlstore.Open(t.Context(), "sqlite://"+filepath.Join(at, "tideline.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		dormant, err := store.Dormant(t.Context(), []feed.UserID{1}, 0)
		if err != nil || (len(dormant) == 0) != active {
			t.Errorf("with --active-for=%s dormant are %v: %v", activeFor, dormant, err)
		}
	}
}

// Dates of records alone must not make a post newest, a session live or a user active.
func TestImport_RefusesTheFuture(t *testing.T) {
	file := fileOf(t, strings.Join([]string{
		harness.UserRecord(1),
		`{"type":"user","id":"2","handle":"u2","name":"U","createdAt":"2026-01-01T00:00:00Z","lastSeenAt":"2999-01-01T00:00:00Z"}`,
		`{"type":"post","id":"1","author":"1","kind":"POST","text":"a","publishedAt":"2999-01-01T00:00:00Z"}`,
		`{"type":"live","id":"1","host":"1","title":"tea","scheduledAt":"2026-01-01T00:00:00Z","startedAt":"2999-01-01T00:00:00Z"}`,
		`{"type":"live","id":"2","host":"1","title":"tea","scheduledAt":"2999-01-01T00:00:00Z"}`,
	}, "\n"))
	for _, live := range []string{"--live=false", "--live"} {
		code, stdout, stderr := importInto(t, live, file)
		for i, field := range []string{"lastSeenAt", "publishedAt", "startedAt", "scheduledAt"} {
			if want := fmt.Sprintf("%s:%d: the field %q: ", file, i+2, field); !strings.Contains(stderr, want) {
				t.Errorf("%s: missing: %s; the output is: %s", live, want, stderr)
			}
		}
		if code != 0 || !strings.Contains(stdout, "0 known, 4 bad") {
			t.Errorf("%s: the import ended with exit code %d and printed %q", live, code, stdout)
		}
	}
}

// refuseStatistics makes a database refuse queries of its statistics.
const refuseStatistics = `
CREATE FUNCTION unlooked(n bigint) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS '
BEGIN
	IF current_query() LIKE ''ANALYZE%'' THEN RAISE EXCEPTION ''not now''; END IF;
	RETURN n;
END';
CREATE INDEX ON users (unlooked(id))`

// The import does not need statistics, so it logs a warning and goes on.
func TestImport_GoesOnWithoutStatistics(t *testing.T) {
	database := testenv.Postgres(t)
	if code, _, stderr := harness.RunMain(t, "migrate", "--database-url="+database); code != 0 {
		t.Fatal(stderr)
	}
	conn, err := pgx.Connect(t.Context(), database)
	harness.Check(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.Exec(t.Context(), refuseStatistics)
	harness.Check(t, err)
	first, second := harness.RecordsFile(t, []string{harness.UserRecord(1)}), harness.RecordsFile(t, []string{harness.UserRecord(2)})
	code, stdout, stderr := harness.RunMain(t, "import", "--database-url="+database, first, second)
	if code != 0 || strings.Count(stdout, " 1 new, 0 known, 0 bad") != 2 {
		t.Errorf("the import ended with exit code %d and printed %q", code, stdout)
	}
	for _, name := range []string{first, second} {
		if !strings.Contains(stderr, name+": cannot update the database statistics") || !strings.Contains(stderr, "not now") {
			t.Errorf("no warning for %s: %q", name, stderr)
		}
	}
}

func TestImport_EndsKilledLoad(t *testing.T) {
	dir := imported(t, firstImport())
	store := storeIn(t, dir)
	isLoading := func(want bool) feed.ViewerVersion {
		t.Helper()
		v, err := store.ViewerVersion(t.Context(), 0)
		harness.Check(t, err)
		if v.Loading != want {
			t.Errorf("a load is running: %v, want %v", v.Loading, want)
		}
		return v
	}
	before := isLoading(false)
	// A batch of an import that was killed before its end.
	_, err := store.Apply(t.Context(), feed.Batch{Bulk: true, Records: []feed.Record{
		{Line: 1, User: &feed.UserRecord{User: feed.User{ID: 3, Handle: "u3", CreatedAt: before.Now}}},
	}})
	harness.Check(t, err)
	isLoading(true)
	// Everything in the file is known.
	if code, _, stderr := importAgain(t, dir, harness.RecordsFile(t, firstImport())); code != 0 {
		t.Fatalf("the import ended with exit code %d: %s", code, stderr)
	}
	if after := isLoading(false); after.Generation <= before.Generation {
		t.Errorf("the generation is %d, and was %d before the load", after.Generation, before.Generation)
	}
}
