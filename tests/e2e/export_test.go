package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// tangle adds to a network's records everything else that an export has: comments and reposts, many
// with smaller ids and earlier times than their originals; reactions, mutes, hides and blocks.
func tangle(n *harness.Network, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	const at = `"2026-02-01T00:00:0%d.%03dZ"`
	known := map[string]bool{}
	once := func(kind string, user int, target int64, line string) {
		if key := fmt.Sprint(kind, user, target); !known[key] {
			known[key] = true
			n.Lines = append(n.Lines, line)
		}
	}
	for i := range len(n.Posts) {
		parent, user := n.Posts[rng.IntN(len(n.Posts))], 1+rng.IntN(n.Users)
		kind, ref := "COMMENT", "replyTo"
		if i%3 == 0 {
			kind, ref = "REPOST", "repostOf"
		}
		// Ids of the network are 1 more than multiples of 1,000,003, so these are free.
		id := parent.ID + 1 + int64(i)
		if i%2 == 0 {
			id = int64(i) + 2
		}
		n.Lines = append(n.Lines,
			fmt.Sprintf(`{"type":"post","id":"%d","author":"%d","kind":"%s","text":"on %d","%s":"%d","publishedAt":`+at+`}`, id, user, kind, parent.ID, ref, parent.ID, rng.IntN(3), rng.IntN(1000)))
		reaction := []string{"like", "favorite"}[i%2]
		once(reaction, user, parent.ID, fmt.Sprintf(`{"type":"%s","user":"%d","post":"%d","createdAt":`+at+`}`, reaction, user, parent.ID, 1, i%1000))
		if i%4 == 0 {
			n.Lines = append(n.Lines, fmt.Sprintf(`{"type":"post","id":"%d","author":"%d","kind":"COMMENT","text":"on %d","replyTo":"%d","publishedAt":`+at+`}`, 5000+i, user, id, id, 0, i%1000))
		}
	}
	for i := range n.Users {
		kind, user, target := []string{"mute", "hide", "block"}[i%3], 1+rng.IntN(n.Users), 1+rng.IntN(n.Users)
		if user != target {
			once(kind, user, int64(target), fmt.Sprintf(`{"type":"%s","user":"%d","target":"%d","createdAt":`+at+`}`, kind, user, target, 2, i))
		}
	}
}

// homes returns the home feeds of all users.
func (s *server) homes(t *testing.T, users int) map[int][]string {
	t.Helper()
	homes := map[int][]string{}
	for user := 1; user <= users; user++ {
		homes[user] = s.Home(t, harness.TokenFor(t, feed.UserID(user)), 100, 100_000)
	}
	return homes
}

// exportTo runs tideline export and returns the file.
func exportTo(t *testing.T, env []string, file string) []byte {
	t.Helper()
	p := testenv.Program(t, []string{testenv.Binary(t), "export", file}, env)
	if code := p.Wait(); code != 0 || !strings.Contains(p.Output(), file+": ") {
		t.Fatalf("the export ended with exit code %d:\n%s", code, p.Output())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestExport_MovesEveryFeedBetweenDatabases exports a network with deleted posts while its server
// runs, imports it into the other kind of database, and compares the next export and every home
// feed with the first.
func TestExport_MovesEveryFeedBetweenDatabases(t *testing.T) {
	t.Parallel()
	sqlite := func(t *testing.T) []string {
		return []string{"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false"}
	}
	postgres := func(t *testing.T) []string { return append(sqlite(t), "TIDELINE_DATABASE_URL="+testenv.Postgres(t)) }
	for name, way := range map[string]struct{ from, to func(t *testing.T) []string }{
		"from SQLite to PostgreSQL": {sqlite, postgres},
		"from PostgreSQL to SQLite": {postgres, sqlite},
	} {
		t.Run(name, func(t *testing.T) {
			from, to, dir := way.from(t), way.to(t), t.TempDir()
			net := harness.NewNetwork(16, 120, 5)
			tangle(net, 6)
			harness.ImportFile(t, from, net.File(t), fmt.Sprintf("%d new, 0 known, 0 bad", len(net.Lines)))

			s := startServer(t, from...)
			for i, p := range net.Posts {
				if i%5 == 0 {
					s.DeletePost(t, harness.TokenFor(t, feed.UserID(p.Author)), strconv.FormatInt(p.ID, 10))
				}
			}
			want := s.homes(t, net.Users)
			first := exportTo(t, from, filepath.Join(dir, "first.ndjson"))
			s.Process.Interrupt()
			if bytes.Count(first, []byte("\n")) != len(net.Lines)-countReactions(net) || !bytes.Contains(first, []byte("deletedAt")) {
				t.Errorf("the export has %d of %d lines", bytes.Count(first, []byte("\n")), len(net.Lines))
			}

			harness.ImportFile(t, to, filepath.Join(dir, "first.ndjson"), fmt.Sprintf("%d new, 0 known, 0 bad", bytes.Count(first, []byte("\n"))))
			// Before the reads, because an export has the users' last activity.
			if second := exportTo(t, to, filepath.Join(dir, "second.ndjson")); !bytes.Equal(first, second) {
				t.Errorf("the second export differs:\n%s", gocmp.Diff(string(first), string(second)))
			}
			if diff := gocmp.Diff(want, startServer(t, to...).homes(t, net.Users)); diff != "" {
				t.Errorf("the home feeds (-before +after):\n%s", diff)
			}
		})
	}
}

// countReactions counts the reactions to the deleted posts.
func countReactions(n *harness.Network) int {
	count := 0
	for i, p := range n.Posts {
		if i%5 != 0 {
			continue
		}
		for _, line := range n.Lines {
			if strings.Contains(line, fmt.Sprintf(`"post":"%d"`, p.ID)) {
				count++
			}
		}
	}
	return count
}

// smallDatabase returns a data directory with two users.
func smallDatabase(t *testing.T) (dataDir string) {
	t.Helper()
	dataDir = t.TempDir()
	file := filepath.Join(t.TempDir(), "users.ndjson")
	if err := os.WriteFile(file, []byte(harness.UserRecord(1)+"\n"+harness.UserRecord(2)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := harness.RunMain(t, "import", file, "--data-dir", dataDir); code != 0 {
		t.Fatal(stderr)
	}
	return dataDir
}

func TestExport_PrintsOnlyRecordsToStandardOutput(t *testing.T) {
	code, stdout, stderr := harness.RunMain(t, "export", "--data-dir", smallDatabase(t))
	if code != 0 || stdout != strings.ReplaceAll(harness.UserRecord(1)+"\n"+harness.UserRecord(2)+"\n", ":00Z", ":00.000Z") {
		t.Errorf("exit code %d, on standard output\n%s", code, stdout)
	}
	if !strings.Contains(stderr, "standard output: 2 lines: 2 users, 0 follows, 0 posts, 0 likes and favorites, 0 mutes, hides and blocks, 0 live sessions, 0 counters, in ") {
		t.Errorf("on standard error %q", stderr)
	}
}

func TestExport_KeepsExistingFile(t *testing.T) {
	dataDir, dir := smallDatabase(t), t.TempDir()
	file, link := filepath.Join(dir, "out.ndjson"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{file}, "already exists; choose another file, or overwrite it with --force"},
		{[]string{link, "--force"}, "is not a file"},
		{[]string{dir, "--force"}, "is not a file"},
		{[]string{filepath.Join(dir, "nowhere", "out")}, "choose a file in a writable directory"},
	} {
		code, _, stderr := harness.RunMain(t, append([]string{"export", "--data-dir", dataDir}, c.args...)...)
		if code != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("export %s: exit code %d, %s", c.args, code, stderr)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "precious" {
		t.Errorf("the file holds %q (error %v)", text, err)
	}
	if code, _, stderr := harness.RunMain(t, "export", file, "--force", "--data-dir", dataDir); code != 0 {
		t.Fatal(stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil || bytes.Count(text, []byte("\n")) != 2 {
		t.Errorf("after --force the file holds %q (error %v)", text, err)
	}
	onlyFilesAre(t, dir, "link", "out.ndjson")
}

// onlyFilesAre checks that no partial file is left.
func onlyFilesAre(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, want) {
		t.Errorf("the directory holds %q, want %q", names, want)
	}
}

func TestExport_CreatesNoDatabase(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"--data-dir", dir}, {"--database-url", "sqlite://" + filepath.Join(dir, "none.db")}} {
		code, stdout, stderr := harness.RunMain(t, append([]string{"export"}, args...)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, "there is no database") {
			t.Errorf("export %s: exit code %d, %q, %s", args, code, stdout, stderr)
		}
	}
	onlyFilesAre(t, dir)
}
