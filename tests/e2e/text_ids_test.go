package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// The ids of the tests: those of a login service, UUIDs, and a text that needs escapes.
const (
	textAnn = "auth0|5f7c8ec7c33c6c004bbafe82"
	textBen = "3f0e8c2a-6d0b-4a57-9d5c-2b1c7f3f1d11"
	textCay = `čay "7"`
)

func textUser(id, handle string, version int) string {
	return fmt.Sprintf(`{"type":"user","id":%q,"handle":%q,"name":"N","createdAt":"2026-01-01T00:00:00Z","version":%d}`, id, handle, version)
}

// textPost is a post by Ben. All have the same time.
func textPost(id string) string {
	return fmt.Sprintf(`{"type":"post","id":%q,"author":%q,"kind":"POST","text":"t","publishedAt":"2026-01-02T00:00:00Z"}`, id, textBen)
}

type textEntry struct{ ID, DatabaseID, Author, SortKey string }

// textHome scrolls through a home feed, three entries at a time, from a cursor.
func textHome(t *testing.T, s *server, token, after string) (entries []textEntry, cursors []string) {
	t.Helper()
	for {
		var got struct {
			Viewer struct {
				HomeFeed struct {
					Edges []struct {
						Cursor, SortKey string
						Node            struct {
							ID, DatabaseID string
							Author         struct{ DatabaseID string }
						}
					}
					PageInfo struct{ HasNextPage bool }
				}
			}
		}
		s.Query(t, token, `query($after: String) { viewer { homeFeed(first: 3, after: $after) {
			edges { cursor sortKey node { id databaseId author { databaseId } } } pageInfo { hasNextPage } } } }`, map[string]any{"after": after}, &got)
		for _, e := range got.Viewer.HomeFeed.Edges {
			after = e.Cursor
			entries = append(entries, textEntry{e.Node.ID, e.Node.DatabaseID, e.Node.Author.DatabaseID, e.SortKey})
			cursors = append(cursors, after)
		}
		if !got.Viewer.HomeFeed.PageInfo.HasNextPage {
			return entries, cursors
		}
	}
}

func textEnv(t *testing.T, more ...string) []string {
	t.Helper()
	return embedded(t, append([]string{"TIDELINE_IDS=text", "TIDELINE_SOURCE_OWNS=user"}, more...)...)
}

func TestTextIDs_EveryWayInAndOut(t *testing.T) {
	t.Parallel()
	env := textEnv(t)
	s := startServer(t, env...)
	got := s.ingests(t, textUser(textBen, "ben", 1), textUser(textCay, "cay", 1), textUser(strings.Repeat("x", 129), "bad", 1), textUser(textBen, "ben", 1))
	wantIngested(t, got, `"stored":2,"updated":0,"unchanged":1,"outdated":0,"badCount":1`)
	lines := []string{
		fmt.Sprintf(`{"type":"live","id":"show/1","host":%q,"title":"tea","scheduledAt":"2026-01-02T00:00:00Z"}`, textBen),
		fmt.Sprintf(`{"type":"follow","follower":%q,"followee":%q,"createdAt":"2026-01-02T00:00:00Z"}`, textCay, textBen),
	}
	for i := range 7 {
		lines = append(lines, textPost(fmt.Sprintf("%08x-0000-4000-8000-000000000000", 0xf0000000-i)))
	}
	harness.ImportLines(t, env, lines...)

	// The first request of a token's subject makes a placeholder; the record arrives later.
	token := harness.TextToken(t, textAnn)
	if me := s.ask(t, `{ viewer { user { id } } }`, as(token)); !strings.Contains(me.body, `"id":"`+harness.NodeID("User", textAnn)+`"`) {
		t.Errorf("a placeholder is %s", me.body)
	}
	s.ingests(t, textUser(textAnn, "ann", 2))
	s.relate(t, token, "followUser", textBen)
	own := s.Publish(t, token, "mine")
	entries, cursors := textHome(t, s, token, "")
	if len(entries) != 8 || entries[0].Author != textAnn || entries[1].Author != textBen || entries[0].ID != harness.NodeID("Post", entries[0].DatabaseID) {
		t.Fatalf("the home feed is %+v; own post %s", entries, own)
	}
	if !slices.IsSortedFunc(entries, func(a, b textEntry) int { return strings.Compare(a.SortKey, b.SortKey) }) {
		t.Errorf("the entries are not in the order of their keys: %+v", entries)
	}
	if asService := s.ask(t, `{ viewer { user { databaseId } } }`, actFor(textAnn)...); !strings.Contains(asService.body, textAnn) {
		t.Errorf("acting for %s answers %s", textAnn, asService.body)
	}
	checkTextCommands(t, env)
	checkTextModeration(t, s, env, entries[1])
	s.Process.Interrupt()
	s.Process.Wait()
	for kind, unknown := range map[feed.IDKind]feed.ExternalID{feed.UserIDs: "nobody", feed.PostIDs: "unknown"} {
		if found, err := openStore(t, env).FindIDs(t.Context(), kind, []feed.ExternalID{unknown}); err != nil || found[0] != 0 {
			t.Errorf("the look-up of %q stored the number %v (error %v)", unknown, found, err)
		}
	}

	copyEnv := textEnv(t, "TIDELINE_SOURCE_OWNS=none")
	copies(t, env, copyEnv)
	other := startServer(t, copyEnv...)
	again, _ := textHome(t, other, token, "")
	if diff := gocmp.Diff(entries, again); diff != "" {
		t.Errorf("the home feed of the copy (-first +copy):\n%s", diff)
	}
	rest, _ := textHome(t, other, token, cursors[3])
	if diff := gocmp.Diff(entries[4:], rest); diff != "" {
		t.Errorf("the copy, from a cursor of the first (-first +copy):\n%s", diff)
	}

	// Without a source, users sign in, follow and publish.
	cay := harness.TextToken(t, textCay)
	other.relate(t, cay, "followUser", textAnn)
	news := other.Publish(t, token, "news")
	eventually.Succeeds(t, "the post is in the home feed of a follower", func() error {
		if entries, _ := textHome(t, other, cay, ""); len(entries) == 0 || entries[0].DatabaseID != news || entries[0].Author != textAnn {
			return fmt.Errorf("it has %+v", entries)
		}
		return nil
	})
}

// exportTo runs tideline export and returns the file.
func exportTo(t *testing.T, env []string, file string) []byte {
	t.Helper()
	runs(t, env, 0, "export "+file, file+": ")
	text, err := os.ReadFile(file)
	harness.Check(t, err)
	return text
}

// copies exports a database, imports it into another, and compares the next export.
func copies(t *testing.T, from, to []string) {
	t.Helper()
	first := filepath.Join(t.TempDir(), "all.ndjson")
	before := exportTo(t, from, first)
	harness.ImportFile(t, to, first, " 0 bad")
	if diff := gocmp.Diff(string(before), string(exportTo(t, to, filepath.Join(t.TempDir(), "again.ndjson")))); diff != "" {
		t.Errorf("the export of the copy (-first +copy):\n%s", diff)
	}
}

// checkTextModeration takes a post down and restores it, as a user who is a moderator.
func checkTextModeration(t *testing.T, s *server, env []string, post textEntry) {
	t.Helper()
	code, token := harness.Command(t, env, "token", "--user", textCay, "--moderator")
	if code != 0 {
		t.Fatalf("tideline token --moderator: %s", token)
	}
	moderator := as(strings.TrimSpace(token))
	mutate := func(name, input string) {
		t.Helper()
		document := fmt.Sprintf(`mutation { %s(input: {%s}) { userErrors { message } post { id } } }`, name, input)
		if got := s.ask(t, document, moderator); !strings.Contains(got.body, `"userErrors":[],"post":{"id":"`+post.ID+`"}`) {
			t.Errorf("%s answers %s", name, got.body)
		}
	}
	mutate("takeDownPost", fmt.Sprintf(`postId: %q, reason: "spam"`, post.ID))
	document := fmt.Sprintf(`{ moderatedPost(databaseId: %q) { text } moderationLog { nodes { postDatabaseId by reason liftedAt } } }`, post.DatabaseID)
	want := fmt.Sprintf(`{"data":{"moderatedPost":{"text":"t"},"moderationLog":{"nodes":[{"postDatabaseId":%q,"by":%q,"reason":"spam","liftedAt":null}]}}`, post.DatabaseID, textCay)
	if got := s.ask(t, document, moderator); !strings.HasPrefix(got.body, want) {
		t.Errorf("the log is %s, want %s …", got.body, want)
	}
	mutate("restorePost", fmt.Sprintf(`postId: %q`, post.ID))
}

func checkTextCommands(t *testing.T, env []string) {
	t.Helper()
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"doctor", "--user", textAnn}, 0, "examined 1 users"},
		{[]string{"doctor", "--user", "nobody"}, 2, `--user: no user has the id "nobody"`},
		{[]string{"rebuild", "--user", textAnn}, 0, "the inbox of user " + textAnn},
		{[]string{"ingest", "dead"}, 0, `the field "id" must be an id`},
		{[]string{"token", "--user", textAnn}, 0, "ey"},
		{[]string{"import", "--graph", harness.RecordsFile(t, []string{"1,2"})}, 2, "--graph makes users with numbers as ids"},
		{[]string{"doctor", "--ids=number"}, 2, "--ids: the database has --ids=text, which never changes, not number"},
	} {
		if code, out := harness.Command(t, env, c.args...); code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("tideline %q: exit code %d\n%s", c.args, code, out)
		}
	}
}
