//go:build nightly

package e2e

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// oddIDs need escapes in JSON, URLs, HTML, patterns or tables, or look like something else.
func oddIDs() []string {
	return []string{
		strings.Repeat("😀", 32), `a"b\c'd`, "../p?x=1&y=2#z", "..", "/", `<b>&amp;`, `a,"b";c`, "%2F", " lead", "trail ", "*", "%", "_",
		`{"id":1}`, "null", "007", "7", "-7", "--all", "1e3", "User:7", "auth0|5f7c", "\u202etxt", "é", "e\u0301", "$1", "[a b]",
	}
}

// oddLines are records of users and posts with these ids, all followed by Ann.
func oddLines() []string {
	lines := []string{textUser(textAnn, "ann", 1), textUser(textCay, "cay", 1)}
	for i, id := range oddIDs() {
		lines = append(lines, textUser(id, "", 1),
			fmt.Sprintf(`{"type":"follow","follower":%q,"followee":%q,"createdAt":"2026-01-02T00:00:00Z","version":1}`, textAnn, id),
			fmt.Sprintf(`{"type":"follow","follower":%q,"followee":%q,"createdAt":"2026-01-02T00:00:00Z","version":1}`, textCay, id),
			fmt.Sprintf(`{"type":"post","id":%q,"author":%q,"kind":"POST","text":"t","publishedAt":"2026-01-02T00:00:%02dZ","version":1}`, id, id, i))
	}
	return lines
}

func TestTextIDs_OddIDsEverywhere(t *testing.T) {
	t.Parallel()
	env := textEnv(t, sourceOwns, "TIDELINE_PUSH_THRESHOLD=1")
	s := startServer(t, env...)
	wantIngested(t, s.ingests(t, oddLines()...), `"badCount":0`)
	token := harness.TextToken(t, textAnn)
	eventually.Succeeds(t, "all posts are in the home feed", func() error {
		entries, _ := textHome(t, s, token, "")
		slices.Reverse(entries)
		var got []string
		for _, e := range entries {
			got = append(got, e.DatabaseID)
		}
		if diff := gocmp.Diff(oddIDs(), got); diff != "" {
			return fmt.Errorf("it differs (-want +got):\n%s", diff)
		}
		return nil
	})
	checkOddLookUps(t, s, token)
	for _, id := range oddIDs() {
		for who, headers := range map[string][]string{
			"the token": {as(harness.TextToken(t, feed.ExternalID(id)))}, "a service": {as(serviceToken), "Tideline-Act-For-Encoded: " + url.PathEscape(id)},
		} {
			var me struct {
				Data struct {
					Viewer struct{ User struct{ DatabaseID string } }
				}
			}
			if s.ask(t, `{ viewer { user { databaseId } } }`, headers...).decode(t, &me); me.Data.Viewer.User.DatabaseID != id {
				t.Errorf("%s of %q is that of %q", who, id, me.Data.Viewer.User.DatabaseID)
			}
		}
		page := s.send(t, http.MethodGet, "/tasks/fanout?post="+url.QueryEscape(id), "", as(operatorToken))
		if page.StatusCode != http.StatusOK || !strings.Contains(page.body, html.EscapeString(feed.PublicID{External: feed.ExternalID(id)}.String())) {
			t.Errorf("the page of the fan-out of %q has status %d: %s", id, page.StatusCode, page.body)
		}
	}
	checkOddCommands(t, setting(env, "TIDELINE_DATA_DIR"))
	s.Process.Interrupt()
	s.Process.Wait()
	copies(t, env, textEnv(t))
}

func checkOddLookUps(t *testing.T, s *server, token string) {
	t.Helper()
	var got struct {
		Users struct {
			Nodes []struct{ ID, DatabaseID string }
		}
		Posts []struct {
			ID, DatabaseID string
			Author         struct{ DatabaseID string }
		}
		Nodes []struct{ ID string }
	}
	var global []string
	for _, id := range oddIDs() {
		global = append(global, harness.NodeID("Post", id))
	}
	s.Query(t, token, `query($ids: [String!]!, $global: [ID!]!) {
		users(databaseIds: $ids) { nodes { id databaseId } }
		posts(databaseIds: $ids) { id databaseId author { databaseId } }
		nodes(ids: $global) { id } }`, map[string]any{"ids": oddIDs(), "global": global}, &got)
	for i, id := range oddIDs() {
		if u := got.Users.Nodes[i]; u.DatabaseID != id || u.ID != harness.NodeID("User", id) {
			t.Errorf("the user %q is %+v", id, u)
		}
		if p := got.Posts[i]; p.DatabaseID != id || p.ID != global[i] || p.Author.DatabaseID != id || got.Nodes[i].ID != p.ID {
			t.Errorf("the post %q is %+v; its node is %+v", id, p, got.Nodes[i])
		}
	}
}

// checkOddCommands checks that commands take external ids and print them.
func checkOddCommands(t *testing.T, dir string) {
	t.Helper()
	long := strings.Repeat("😀", 32)
	for _, c := range []struct {
		args  []string
		code  int
		wants []string
	}{
		{[]string{"fanout", long}, 0, []string{"the fan-out of post " + long + ": done", "user " + long + ", with 2 followers", ", of up to "}},
		{[]string{"fanout", "--json", "--", "-7"}, 0, []string{`"content": "-7"`, `"author": "-7"`}},
		{[]string{"inbox", textAnn}, 0, []string{"the inbox of user " + textAnn, `post "[a b]"`, `by user "\u202etxt"`}},
		{[]string{"inbox", textAnn, "--why", "..", "--json"}, 0, []string{`"user": "` + textAnn + `"`, `"content": ".."`, `"author": ".."`, `"inFeed": true`}},
		{[]string{"inbox", textAnn, "--why", "nothing"}, 2, []string{`--why: no post has the id "nothing"`}},
		{[]string{"authors", "--marked"}, 0, []string{"\nauth0|5f7c ", "\n" + long, "\n\"trail \""}},
		{[]string{"authors", "--marked", "--after=nobody"}, 2, []string{`--after: no user has the id "nobody"`}},
		{[]string{"doctor", "--user=--all"}, 0, []string{"examined 1 users"}},
	} {
		code, out := textCommand(t, dir, c.args...)
		for _, want := range c.wants {
			if code != c.code || !strings.Contains(out, want) {
				t.Errorf("tideline %q: exit code %d without %q\n%s", c.args, code, want, out)
			}
		}
	}
}

// textCommand runs a command in this process. Options come before "--".
func textCommand(t *testing.T, dir string, args ...string) (int, string) {
	t.Helper()
	code, stdout, stderr := harness.RunMain(t, slices.Insert(args, 1, "--data-dir="+dir)...)
	return code, stdout + stderr
}
