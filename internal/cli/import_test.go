package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// Records of a source system, the last two after changes.
const (
	recordAnn     = `{"type":"user","id":"1","handle":"ann","name":"Ann","createdAt":"2026-01-01T00:00:00.000Z"}`
	recordBob     = `{"type":"user","id":"2","handle":"bob","name":"Bob","createdAt":"2026-01-01T00:00:00.000Z"}`
	recordFollow  = `{"type":"follow","follower":"1","followee":"2","createdAt":"2026-01-02T00:00:00.000Z"}`
	recordRenamed = `{"type":"user","id":"1","handle":"ann","name":"Other","createdAt":"2026-01-01T00:00:00.000Z"}`
	recordGone    = `{"type":"user","id":"2","deletedAt":"2026-01-06T00:00:00.000Z","createdAt":"2026-01-01T00:00:00.000Z"}`
)

// fileOf writes lines to a new file and returns its name.
func fileOf(t *testing.T, lines ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "records.ndjson")
	check(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600))
	return file
}

// imported returns a data directory with records.
func imported(t *testing.T, lines ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if code, _, stderr := run(t, "import", "--data-dir="+dir, fileOf(t, lines...)); code != 0 {
		t.Fatalf("the import ended with exit code %d: %s", code, stderr)
	}
	return dir
}

// storeIn opens the database in a data directory.
func storeIn(t *testing.T, dir string) *sqlstore.Store {
	t.Helper()
	store, err := sqlstore.Open(t.Context(), "sqlite://"+filepath.Join(dir, "tideline.db"))
	check(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// Each case imports into a database with Ann, Bob and an undone follow.
func TestImport_PrintsWhatBecomesOfEachLine(t *testing.T) {
	for name, c := range map[string]struct {
		args  string
		lines []string
		code  int
		sum   string
		// notes are lines on standard error after the file's name.
		notes []string
	}{
		"good lines and bad ones": {"", []string{recordAnn, "x"}, 0, "2 lines, 0 new, 1 known, 1 bad,", []string{":2: not a JSON object"}},
		"bad lines":               {"", []string{"x", "y", "", ""}, 1, "3 lines, 0 new, 0 known, 2 bad, 1 skipped", []string{": every line is bad"}},
		"an empty file":           {"", nil, 0, "", []string{": no records"}},
		"a byte order mark":       {"", []string{"\ufeff"}, 0, "", []string{": no records"}},
		"a graph": {
			"--graph",
			[]string{"\ufeff# ids\r", "id_1,id_2\r", "11,12\r", ""},
			0, "3 lines, 4 new, 0 known, 0 bad, 2 skipped",
			[]string{":1: a byte order mark is ignored", ":1: a comment is skipped", ":2: the header is skipped"},
		},
		"a directed graph": {"--directed --id-offset=11 --graph", []string{"0,2"}, 0, "1 lines, 3 new,", nil},
		"differences": {
			"",
			[]string{recordRenamed, recordGone, recordFollow},
			0, "3 lines, 0 new, 0 known, 0 bad, 2 different, 1 undone since, in",
			[]string{
				":1: user 1 is stored with other content, which stays: name", ":2: user 2 is stored with other content, which stays: deletedAt",
				":3: follow 1 2 was undone since and stays undone",
			},
		},
		"a strict difference":  {"--strict", []string{recordBob, recordRenamed, recordGone}, 1, "", []string{":2: user 1 is stored with other content"}},
		"a strict undone edge": {"--strict", []string{recordFollow}, 1, "", []string{":1: follow 1 2 was undone since"}},
		"an update": {
			"--update",
			[]string{recordRenamed, recordFollow, recordBob},
			0, "3 lines, 0 new, 1 known, 0 bad, 2 updated, in",
			[]string{":1: user 1 is updated: name", ":2: follow 1 2 was undone since and is made again"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := imported(t, recordAnn, recordBob, recordFollow), fileOf(t, c.lines...)
			check(t, storeIn(t, dir).Unfollow(t.Context(), 1, 2))
			args := append([]string{"import", "--data-dir=" + dir}, strings.Fields(c.args)...)
			code, stdout, stderr := run(t, append(args, file)...)
			if code != c.code || !strings.Contains(stdout, c.sum) || strings.Contains(stdout, "edges are mutual") != (name == "a graph") {
				t.Errorf("the import ended with exit code %d and printed %q, %q", code, stdout, stderr)
			}
			for _, note := range c.notes {
				if !strings.Contains(stderr, file+note) {
					t.Errorf("missing: %s; the output is: %s", note, stderr)
				}
			}
		})
	}
}

func TestImport_LeaseLastsActiveFor(t *testing.T) {
	seen := time.Now().Add(-2 * time.Hour).UTC().Format(time.RFC3339)
	file := fileOf(t, strings.Replace(recordAnn, `"name"`, `"lastSeenAt":"`+seen+`","name"`, 1))
	for activeFor, active := range map[string]bool{"3h": true, "1h": false} {
		dir := t.TempDir()
		if code, _, stderr := run(t, "import", "--data-dir="+dir, "--active-for="+activeFor, file); code != 0 {
			t.Fatalf("the import ended with exit code %d: %s", code, stderr)
		}
		dormant, err := storeIn(t, dir).Dormant(t.Context(), []feed.UserID{1}, 0)
		if err != nil || (len(dormant) == 0) != active {
			t.Errorf("with --active-for=%s dormant are %v: %v", activeFor, dormant, err)
		}
	}
}

func TestImport_EndsKilledLoad(t *testing.T) {
	dir := imported(t, recordAnn)
	store := storeIn(t, dir)
	version := func() feed.ViewerVersion {
		v, err := store.ViewerVersion(t.Context(), 0)
		check(t, err)
		return v
	}
	before := version()
	// A batch of an import that was killed before its end.
	_, err := store.Apply(t.Context(), feed.Batch{Bulk: true, Records: []feed.Record{
		{Line: 1, User: &feed.UserRecord{User: feed.User{ID: 3, Handle: "u3", CreatedAt: before.Now}}},
	}})
	if err != nil || !version().Loading {
		t.Fatalf("no load is running: %v", err)
	}
	// Everything in the file is known.
	code, _, stderr := run(t, "import", "--data-dir="+dir, fileOf(t, recordAnn))
	if after := version(); code != 0 || after.Loading || after.Generation <= before.Generation {
		t.Errorf("the import ended with exit code %d: %s\nthe version is %+v, before %+v", code, stderr, after, before)
	}
}

func TestImport_GoesOnWithoutStatistics(t *testing.T) {
	failed := errors.New("not now")
	var warned error
	grown := orWarn(func(context.Context) error { return failed }, func(err error) { warned = err })
	if err := grown(t.Context()); err != nil || !errors.Is(warned, failed) {
		t.Errorf("the error is %v, and the warning %v", err, warned)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := grown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after an interruption the error is %v", err)
	}
}

func TestImport_KeepsTheRate(t *testing.T) {
	const n, rate = 20, 200
	var lines []string
	for id := range n {
		lines = append(lines, fmt.Sprintf(`{"type":"user","id":"%d","handle":"u%d","name":"U","createdAt":"2026-01-01T00:00:00Z"}`, id+1, id+1))
	}
	began := time.Now()
	code, stdout, stderr := run(t, "import", "--live", fmt.Sprint("--rate=", rate), fileOf(t, lines...), "--data-dir="+t.TempDir())
	if took := time.Since(began); code != 0 || !strings.Contains(stdout, "20 lines, 20 played, 0 known, 0 bad") || took < n*time.Second/rate {
		t.Errorf("after %v the exit code is %d, %s%s", took, code, stdout, stderr)
	}
}

// The database stores what sources own, so each process and command must agree.
func TestSources_ChangeOnPurposeOnly(t *testing.T) {
	dir, file := t.TempDir(), fileOf(t, recordAnn, `{"type":"counters","user":"2","followers":1}`)
	for _, step := range []struct {
		flags, says string
		code        int
	}{
		{"--source-owns=user", "changed which types sources own", 0},
		{"--source-owns=post", "--source-owns is post, but in this database sources own user;", 2},
		{"--live", "a source owns records of type user; import them without --live", 1},
		{"--source-owns=none --source-owns-was=user", "changed which types sources own", 0},
		{"", "Tideline counts by itself;", 0},
		{"--counters=source", "changed where counters come from", 0},
		{"--counters=own", "--counters is own, but in this database it is source;", 2},
		{"--live", "a source owns records of type counters; import them without --live", 1},
		{"--counters=own --counters-was=source", "changed where counters come from", 0},
		{"--users=implicit", "changed whether users without a record are shown", 0},
		{"--users=explicit", "--users is explicit, but in this database it is implicit; to change it, set --users-was=implicit", 2},
		{"--users=explicit --users-was=implicit", "changed whether users without a record are shown", 0},
	} {
		code, stdout, stderr := run(t, append([]string{"import", "--data-dir=" + dir, file}, strings.Fields(step.flags)...)...)
		if code != step.code || !strings.Contains(stdout+stderr, step.says) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s%s", step.flags, code, step.code, step.says, stdout, stderr)
		}
	}
}

// storedExports holds exports of the last program before the schema became one migration. numbers.ndjson
// has demo data and every kind of record, texts.ndjson text ids, with users, posts, follows and counters
// of a source. feeds.json has the home feeds that the program showed, by the numbers of users and posts,
// except that only its author now sees a comment on a post that has not arrived.
const storedExports = "testdata/exports"

func TestImport_ReadsExportsOfEarlierProgram(t *testing.T) {
	var feeds map[string]map[feed.UserID][]feed.PostID
	check(t, json.Unmarshal(stored(t, "feeds.json"), &feeds))
	for name, settings := range map[string][]string{
		"numbers": nil,
		"texts":   {"--ids=text", "--source-owns=user,post,follow", "--counters=source"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := name + ".ndjson"
			succeeds(t, append([]string{"import", "--strict", "--data-dir=" + dir, filepath.Join(storedExports, file)}, settings...)...)
			// Exports name what comments and reposts may have from their parents since there is such a thing.
			now := regexp.MustCompile(`"hasMedia":(true|false),"language":"",|"audience":"PUBLIC",|"audienceAuthor":"[^"]*",`).ReplaceAllString(succeeds(t, "export", "--data-dir="+dir), "")
			if diff := cmp.Diff(string(stored(t, file)), now); diff != "" {
				t.Errorf("exported again (-stored +now):\n%s", diff)
			}
			if diff := cmp.Diff(feeds[name], homeFeeds(t, dir, slices.Collect(maps.Keys(feeds[name])))); diff != "" {
				t.Errorf("home feeds (-stored +now):\n%s", diff)
			}
		})
	}
}

func stored(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(storedExports, file))
	check(t, err)
	return text
}

// homeFeeds returns the whole home feeds of users.
func homeFeeds(t *testing.T, dir string, users []feed.UserID) map[feed.UserID][]feed.PostID {
	t.Helper()
	store, err := sqlstore.Open(t.Context(), "sqlite://"+filepath.Join(dir, "tideline.db"))
	check(t, err)
	defer func() { _ = store.Close() }()
	feeds := map[feed.UserID][]feed.PostID{}
	for _, user := range users {
		keys, err := store.Feed(t.Context(), user, feed.HomeAuthors, feed.Range{Below: feed.Top, Limit: 1000})
		check(t, err)
		feeds[user] = []feed.PostID{}
		for _, key := range keys {
			feeds[user] = append(feeds[user], feed.PostID(key.ID))
		}
	}
	return feeds
}

// succeeds runs a command and returns its standard output.
func succeeds(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := Run(t.Context(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("%v ended with exit code %d: %s", args, code, &stderr)
	}
	return stdout.String()
}

func TestProgress_RequiresTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	check(t, err)
	defer func() { _ = file.Close() }()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	check(t, err)
	defer func() { _ = terminal.Close() }()
	if isTerminal(file) || isTerminal(&bytes.Buffer{}) || !isTerminal(terminal) {
		t.Error("isTerminal is wrong for a file, a buffer or a terminal")
	}

	bar := newCount(file, "done", 2)
	for range 2 {
		if err := bar.Add(1); err != nil {
			t.Error(err)
		}
	}
	if text, err := os.ReadFile(file.Name()); err != nil || len(text) > 0 {
		t.Errorf("a progress bar wrote %q to a file: %v", text, err)
	}
}
