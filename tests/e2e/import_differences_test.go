package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// firstImport has a record of every type.
func firstImport() []string {
	return []string{
		harness.UserRecord(1),
		harness.UserRecord(2),
		harness.FollowRecord(1, 2),
		`{"type":"post","id":"10","author":"2","kind":"POST","text":"a","publishedAt":"2026-01-03T00:00:00Z"}`,
		`{"type":"like","user":"1","post":"10","createdAt":"2026-01-04T00:00:00Z"}`,
		`{"type":"mute","user":"1","target":"2","createdAt":"2026-01-04T00:00:00Z"}`,
		`{"type":"block","user":"2","target":"1","createdAt":"2026-01-04T00:00:00Z"}`,
		`{"type":"live","id":"5","host":"2","title":"tea","scheduledAt":"2026-01-05T00:00:00Z"}`,
	}
}

// changedImport is firstImport after changes in the source system: a rename, a deleted account, an
// edit, and an ended session.
func changedImport() []string {
	lines := firstImport()
	lines[0] = `{"type":"user","id":"1","handle":"u1","name":"Other","createdAt":"2026-01-01T00:00:00Z"}`
	lines[1] = `{"type":"user","id":"2","deletedAt":"2026-01-06T00:00:00Z","createdAt":"2026-01-01T00:00:00Z"}`
	lines[3] = `{"type":"post","id":"10","author":"2","kind":"POST","text":"b","publishedAt":"2026-01-03T00:00:00Z","editedAt":"2026-01-04T00:00:00Z"}`
	lines[7] = `{"type":"live","id":"5","host":"2","title":"tee","scheduledAt":"2026-01-05T00:00:00Z","startedAt":"2026-01-05T00:00:00Z","endedAt":"2026-01-05T01:00:00Z"}`
	return lines
}

// importAgain imports a file into a data directory, with further arguments.
func importAgain(t *testing.T, dir, file string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return harness.RunMain(t, append([]string{"import", "--data-dir=" + dir, file}, args...)...)
}

// imported returns a data directory with a file's records.
func imported(t *testing.T, lines []string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if code, _, stderr := importAgain(t, dir, harness.RecordsFile(t, lines)); code != 0 {
		t.Fatalf("the first import ended with exit code %d: %s", code, stderr)
	}
	return dir
}

// storeIn opens the database in a data directory.
func storeIn(t *testing.T, dir string) *sqlstore.Store {
	t.Helper()
	store, err := sqlstore.Open(t.Context(), "sqlite://"+filepath.Join(dir, "tideline.db"))
	harness.Check(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func TestImport_NamesDifferences(t *testing.T) {
	dir, file := imported(t, firstImport()), harness.RecordsFile(t, changedImport())
	code, stdout, stderr := importAgain(t, dir, file)
	if code != 0 || !strings.Contains(stdout, "8 lines, 0 new, 4 known, 0 bad, 4 different, in") {
		t.Errorf("the import ended with exit code %d and printed %q", code, stdout)
	}
	for line, want := range map[string]string{
		":1: ": "user 1 is stored with other content, which stays: name\n",
		":2: ": "user 2 is stored with other content, which stays: deletedAt\n",
		":4: ": "post 10 is stored with other content, which stays: text, editedAt\n",
		":8: ": "live 5 is stored with other content, which stays: title, startedAt, endedAt\n",
	} {
		if !strings.Contains(stderr, file+line+want) {
			t.Errorf("missing: %s%s; the output is: %s", line, want, stderr)
		}
	}
	users, err := storeIn(t, dir).Users(t.Context(), []feed.UserID{1, 2})
	if err != nil || users[0].Name != "User 1" || users[1] == nil {
		t.Errorf("the users are %+v: %v", users, err)
	}
}

func TestImport_StrictStopsAtDifference(t *testing.T) {
	dir := imported(t, firstImport())
	for name, change := range map[string]func(lines []string) int{
		"a rename":          func(lines []string) int { lines[0] = changedImport()[0]; return 1 },
		"a deleted account": func(lines []string) int { lines[1] = changedImport()[1]; return 2 },
		"an edit":           func(lines []string) int { lines[3] = changedImport()[3]; return 4 },
		"another time":      func(lines []string) int { lines[4] = strings.Replace(lines[4], "01-04", "01-05", 1); return 5 },
		"a transition":      func(lines []string) int { lines[7] = changedImport()[7]; return 8 },
		"a difference before a bad line": func(lines []string) int {
			lines[0], lines[3] = changedImport()[0], "x"
			return 1
		},
		"a bad line before a difference": func(lines []string) int {
			lines[0], lines[3] = "x", changedImport()[3]
			return 1
		},
	} {
		lines := firstImport()
		line := change(lines)
		file := harness.RecordsFile(t, lines)
		code, _, stderr := importAgain(t, dir, file, "--strict")
		if code != 1 || strings.Count(stderr, file+":") != 2 || !strings.Contains(stderr, file+":"+string(rune('0'+line))+": ") {
			t.Errorf("%s: the import ended with exit code %d: %s", name, code, stderr)
		}
	}
	if code, stdout, stderr := importAgain(t, dir, harness.RecordsFile(t, firstImport()), "--strict"); code != 0 {
		t.Errorf("without a difference the import ended with exit code %d: %s%s", code, stdout, stderr)
	}
}

// undoAll undoes every edge of [firstImport].
func undoAll(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	harness.Check(t, s.Unfollow(t.Context(), 1, 2))
	harness.Check(t, s.Unreact(t.Context(), feed.ReactionLike, 1, 10))
	harness.Check(t, s.Unrelate(t.Context(), feed.RelationMute, 1, 2))
	harness.Check(t, s.Unrelate(t.Context(), feed.RelationBlock, 2, 1))
}

func TestImport_KeepsUndoneEdges(t *testing.T) {
	dir, file := imported(t, firstImport()), harness.RecordsFile(t, firstImport())
	undoAll(t, storeIn(t, dir))
	for range 2 {
		code, stdout, stderr := importAgain(t, dir, file)
		if code != 0 || !strings.Contains(stdout, "8 lines, 0 new, 4 known, 0 bad, 4 undone since, in") {
			t.Errorf("the import ended with exit code %d and printed %q", code, stdout)
		}
		for line, object := range map[string]string{":3: ": "follow 1 2", ":5: ": "like 1 10", ":6: ": "mute 1 2", ":7: ": "block 2 1"} {
			if want := file + line + object + " was undone since and stays undone\n"; !strings.Contains(stderr, want) {
				t.Errorf("missing: %s; the output is: %s", want, stderr)
			}
		}
	}
	edges, err := storeIn(t, dir).Edges(t.Context(), 1, []feed.UserID{2})
	if err != nil || edges[0] != (feed.Edge{}) {
		t.Errorf("between the users is %+v: %v", edges, err)
	}
	if code, _, stderr := importAgain(t, dir, file, "--strict"); code != 1 || !strings.Contains(stderr, file+":3: follow 1 2 was undone since") {
		t.Errorf("the strict import ended with exit code %d: %s", code, stderr)
	}
}

func TestImport_UpdateAppliesTheFile(t *testing.T) {
	dir, file := imported(t, firstImport()), harness.RecordsFile(t, changedImport())
	code, stdout, stderr := importAgain(t, dir, file, "--update", "--strict")
	if code != 1 || !strings.Contains(stderr, file+":3: no user 2") {
		t.Errorf("the strict import ended with exit code %d and printed %q, %q", code, stdout, stderr)
	}
	dir = imported(t, firstImport())
	lines := changedImport()
	lines[1] = firstImport()[1]
	file = harness.RecordsFile(t, lines)
	code, stdout, stderr = importAgain(t, dir, file, "--update", "--strict")
	if code != 0 || !strings.Contains(stdout, "8 lines, 0 new, 5 known, 0 bad, 3 updated, in") {
		t.Errorf("the import ended with exit code %d and printed %q, %q", code, stdout, stderr)
	}
	for line, want := range map[string]string{
		":1: ": "user 1 is updated: name\n", ":4: ": "post 10 is updated: text, editedAt\n",
		":8: ": "live 5 is updated: title, startedAt, endedAt\n",
	} {
		if !strings.Contains(stderr, file+line+want) {
			t.Errorf("missing: %s%s; the output is: %s", line, want, stderr)
		}
	}
	store := storeIn(t, dir)
	users, err := store.Users(t.Context(), []feed.UserID{1})
	harness.Check(t, err)
	posts, err := store.Posts(t.Context(), []feed.PostID{10})
	if err != nil || users[0].Name != "Other" || posts[0].Text != "b" {
		t.Errorf("stored are %+v and %+v: %v", users[0], posts[0], err)
	}
	if code, stdout, _ := importAgain(t, dir, file, "--update"); code != 0 || !strings.Contains(stdout, "8 known, 0 bad, in") {
		t.Errorf("the second import ended with exit code %d and printed %q", code, stdout)
	}
}

func TestImport_UpdateMakesUndoneEdgesAgain(t *testing.T) {
	dir, file := imported(t, firstImport()), harness.RecordsFile(t, firstImport())
	undoAll(t, storeIn(t, dir))
	code, stdout, stderr := importAgain(t, dir, file, "--update")
	if code != 0 || !strings.Contains(stdout, "4 known, 0 bad, 4 updated, in") || !strings.Contains(stderr, file+":3: follow 1 2 was undone since and is made again\n") {
		t.Errorf("the import ended with exit code %d and printed %q, %q", code, stdout, stderr)
	}
	edges, err := storeIn(t, dir).Edges(t.Context(), 1, []feed.UserID{2})
	if err != nil || !edges[0].Follows || !edges[0].Mutes || !edges[0].BlockedBy {
		t.Errorf("between the users is %+v: %v", edges, err)
	}
}

func TestImport_UpdateRefusesLive(t *testing.T) {
	code, _, stderr := importInto(t, "--update", "--live", fileOf(t, harness.UserRecord(1)))
	if code == 0 || !strings.Contains(stderr, "--update does not work with --live") {
		t.Errorf("the import ended with exit code %d: %s", code, stderr)
	}
}
