package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// tangle adds to a network's records everything else that an export has: comments and reposts, many
// with smaller ids and earlier times than their originals; reactions, mutes, hides and blocks; live
// sessions in each state.
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
	const started, ended = `,"startedAt":"2026-03-01T12:01:00.000Z"`, `,"endedAt":"2026-03-01T12:02:00.000Z","replayUrl":"https://replays.example/5"`
	for i, state := range []string{"", started, started, started + ended, `,"cancelledAt":"2026-03-01T12:02:00.000Z"`} {
		n.Lines = append(n.Lines, sessionRecord(i+1, 1+i%2, state))
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
	runs(t, env, 0, "export "+file, file+": ")
	text, err := os.ReadFile(file)
	harness.Check(t, err)
	return text
}

// TestExport_MovesEveryFeedBetweenDatabases exports a network with deleted posts while its server
// runs, imports it into the other kind of database, and compares the next export and every home
// feed with the first.
func TestExport_MovesEveryFeedBetweenDatabases(t *testing.T) {
	t.Parallel()
	sqlite := func(t *testing.T) []string { return embedded(t, noDemo) }
	postgres := func(t *testing.T) []string { return embedded(t, noDemo, "TIDELINE_DATABASE_URL="+harness.Postgres(t)) }
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
			want, live := s.homes(t, net.Users), s.liveFeed(t, harness.TokenFor(t, 3), 2, func() {})
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
			s = startServer(t, to...)
			if diff := gocmp.Diff(want, s.homes(t, net.Users)); diff != "" {
				t.Errorf("the home feeds (-before +after):\n%s", diff)
			}
			if diff := gocmp.Diff(live, s.liveFeed(t, harness.TokenFor(t, 3), 2, func() {})); diff != "" || len(live) == 0 {
				t.Errorf("a live feed of %d sessions (-before +after):\n%s", len(live), diff)
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

// sessionRecord is the record of a live session.
func sessionRecord(id, host int, fields string) string {
	return fmt.Sprintf(`{"type":"live","id":"%d","host":"%d","title":"s%d","scheduledAt":"2026-03-01T12:00:%02d.000Z"%s}`, id, host, id, id, fields)
}
