package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// storedExports holds exports of the last program before the schema became one migration. numbers.ndjson
// has demo data and every kind of record, texts.ndjson text ids, with users, posts, follows and counters
// of a source. feeds.json has the home feeds that the program showed, by the numbers of users and posts.
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
			if diff := cmp.Diff(string(stored(t, file)), succeeds(t, "export", "--data-dir="+dir)); diff != "" {
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
		keys, err := store.Feed(t.Context(), user, feed.Range{Below: feed.Top, Limit: 1000})
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
