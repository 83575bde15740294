package cli

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func TestExport_PrintsOnlyRecordsToStandardOutput(t *testing.T) {
	code, stdout, stderr := run(t, "export", "--data-dir", imported(t, recordAnn, recordBob))
	if code != 0 || stdout != recordAnn+"\n"+recordBob+"\n" {
		t.Errorf("exit code %d, on standard output\n%s", code, stdout)
	}
	if !strings.Contains(stderr, "standard output: 2 lines: 2 users, 0 follows, 0 posts, 0 likes and favorites, 0 mutes, hides and blocks, 0 live sessions, 0 lists with 0 members, 0 counters, in ") {
		t.Errorf("on standard error %q", stderr)
	}
}

func TestExport_KeepsExistingFile(t *testing.T) {
	dataDir, dir := imported(t, recordAnn), t.TempDir()
	file, link := filepath.Join(dir, "out.ndjson"), filepath.Join(dir, "link")
	check(t, os.WriteFile(file, []byte("precious"), 0o600))
	check(t, os.Symlink(file, link))
	holds := func() string {
		text, err := os.ReadFile(file)
		check(t, err)
		return string(text)
	}
	for args, want := range map[string]string{
		file:                                 "already exists; choose another file, or overwrite it with --force",
		link + " --force":                    "is not a file",
		dir + " --force":                     "is not a file",
		filepath.Join(dir, "nowhere", "out"): "choose a file in a writable directory",
	} {
		code, _, stderr := run(t, append([]string{"export", "--data-dir", dataDir}, strings.Fields(args)...)...)
		if code != 2 || !strings.Contains(stderr, want) || holds() != "precious" {
			t.Errorf("export %s: exit code %d, %s; the file holds %q", args, code, stderr, holds())
		}
	}
	if code, _, stderr := run(t, "export", file, "--force", "--data-dir", dataDir); code != 0 || holds() != recordAnn+"\n" {
		t.Errorf("exit code %d, %s; after --force the file holds %q", code, stderr, holds())
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("a partial file is left: %v (error %v)", entries, err)
	}
}

// Imports may add handles that look alike. The doctor lists them, but not as errors.
func TestDoctor_ListsHandlesThatLookAlike(t *testing.T) {
	var lines []string
	for i, handle := range []string{"alice", "\u0430lice", "a1ice", "bob", "carol", "caro1"} {
		lines = append(lines, strings.NewReplacer(`"1"`, `"`+string(rune('1'+i))+`"`, "ann", handle).Replace(recordAnn))
	}
	for dir, want := range map[string][]string{
		imported(t, recordAnn): {"handles: no two look alike"},
		imported(t, lines...): {
			"handles that look alike (ask their users to choose others):",
			`  "alice" (user 1), "\u0430lice" (user 2), "a1ice" (user 3)`, `  "carol" (user 5), "caro1" (user 6)`,
		},
	} {
		code, stdout, stderr := run(t, "doctor", "--inbox=sql", "--data-dir", dir)
		for _, line := range want {
			if code != 0 || !strings.Contains(stdout, line) {
				t.Errorf("exit code %d without %q\n%s%s", code, line, stdout, stderr)
			}
		}
	}
}

func TestDoctor_ReportsAsJSON(t *testing.T) {
	code, stdout, stderr := run(t, "doctor", "--json", "--inbox=sql", "--data-dir", imported(t, recordAnn), "--user=1")
	var r struct {
		Users            struct{ Examined, Absent int }
		Found            map[examine.Kind]int
		Wrong            int
		Queues           []any
		LookalikeHandles []any
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if r.Users.Examined != 1 || r.Users.Absent != 1 || len(r.Found) != len(examine.Kinds()) || r.Wrong != 0 || r.Queues != nil || r.LookalikeHandles == nil {
		t.Errorf("the report is\n%s", stdout)
	}
}

func TestDoctor_RefusesWrongNumbers(t *testing.T) {
	dir := imported(t, recordAnn)
	for args, want := range map[string]string{
		"doctor --user x":   `--user: "x" is not a user id`,
		"doctor --sample 0": "--sample must be from 1",
		"doctor --depth=-1": "--depth must be from 0",
		"rebuild --user 0":  `--user: "0" is not a user id`,
	} {
		if code, stdout, stderr := run(t, append(strings.Fields(args), "--inbox=sql", "--data-dir", dir)...); code != 2 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("tideline %s: exit code %d, %q, %s", args, code, stdout, stderr)
		}
	}
}

func TestDoctor_NeedsServerOfEmbeddedRedis(t *testing.T) {
	dir := imported(t, recordAnn)
	for _, text := range []string{"", "\n", "hunter2", "redis://:hunter2@127.0.0.1:1/0"} {
		check(t, os.WriteFile(filepath.Join(dir, "redis.url"), []byte(text), 0o600))
		for _, command := range []string{"doctor", "rebuild"} {
			code, stdout, stderr := run(t, command, "--data-dir", dir)
			if code != 2 || !strings.Contains(stderr, "no server with an embedded Redis runs on") || strings.Contains(stdout+stderr, "hunter2") {
				t.Errorf("%s beside the file %q: exit code %d, %s%s", command, text, code, stdout, stderr)
			}
		}
	}
}

// A database that is from a backup draws numbers of changes again.
func TestRebuildAndEpochNew_BeginEpochOfChangeLog(t *testing.T) {
	dir := imported(t, recordAnn)
	store := storeIn(t, dir)
	var epochs []int64
	for _, command := range []string{"rebuild --inbox=sql --user=1", "rebuild --inbox=sql --user=1", "rebuild --inbox=sql", "rebuild --inbox=sql --active", "epoch new"} {
		if code, stdout, stderr := run(t, append(strings.Fields(command), "--data-dir", dir)...); code != 0 || stdout == "" {
			t.Fatalf("%s ended with exit code %d:\n%s%s", command, code, stdout, stderr)
		}
		last, err := store.LastChange(t.Context())
		check(t, err)
		epochs = append(epochs, last.Epoch)
	}
	if epochs[0] != epochs[1] {
		t.Errorf("a rebuild of one user begins an epoch: %v", epochs)
	}
	if every := slices.Compact(epochs[1:]); len(every) < 3 || every[1] == 0 || epochs[3] == epochs[4] {
		t.Errorf("the epochs are %v", epochs)
	}
}

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
