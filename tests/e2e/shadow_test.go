//go:build nightly

package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/shadow"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// oldToken is that of the old feed. Reports must not have it.
const oldToken = "the-token-of-the-old-feed"

// oldFeed serves the entries of user 1's feed, in pages of 20: /v1/users/1/feed?limit=20&before=CURSOR.
// A cursor is a number of entries.
func oldFeed(t *testing.T, entries []map[string]any) string {
	t.Helper()
	const size = 20
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+oldToken || r.URL.Path != "/v1/users/1/feed" || r.URL.Query().Get("limit") != strconv.Itoa(size) {
			http.Error(out, "no", http.StatusForbidden)
			return
		}
		from, _ := strconv.Atoi(r.URL.Query().Get("before")) // 0 on the first page
		page, next := entries[from:min(from+size, len(entries))], ""
		if from+size < len(entries) {
			next = strconv.Itoa(from + size)
		}
		_ = json.NewEncoder(out).Encode(map[string]any{"items": page, "next": next})
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// The tests of internal/shadow have a case of every reason why feeds differ.
func TestShadow_NamesBugsOfTheOldFeed(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo, sourceOwns)
	s := startServer(t, env...)
	lines := []string{sourceUser(1, 1), sourceUser(2, 1), sourceFollow(1, 2, 1, "")}
	var entries []map[string]any
	for id := 30; id > 0; id-- { // Posts of one millisecond are ordered by id.
		lines = append(lines, sourcePost(id, 2, 1, ""))
		entries = append(entries, map[string]any{"id": id, "created_at": "2026-01-01T00:00:00Z"})
	}
	wantIngested(t, s.ingests(t, append(lines, sourcePost(25, 2, 2, sourceGone))...), `"badCount":0`)
	oracle := harness.NewOracle(t, setting(env, "TIDELINE_DATABASE_URL"))
	eventually.True(t, "all posts are pushed", func() bool { return oracle.Open() == 0 })
	guide := harness.CodeBlocks(t, harness.Doc(t, "docs/cutover.md"), "yaml")
	env = append(env, "TIDELINE_SHADOW_OLD="+oldFeed(t, entries), "TIDELINE_SHADOW_MAP="+harness.RecordsFile(t, guide[:1]), "OLD_FEED_TOKEN="+oldToken)
	command := "shadow --pause=0s --rate=10000 --viewers=" + harness.RecordsFile(t, []string{"1"})

	if r := reportOf(t, env, 1, command+" --json"); r.OK || r.Different != 1 || r.Failed != 0 || len(r.List) != 1 || r.List[0].Reason != "deleted" {
		t.Errorf("the old feed shows a deleted post, and the report is %+v", r)
	}
	runs(t, env, 0, command+" --allow=deleted", "compared 1 viewers in ", "only-old", "it or its author's account is deleted (allowed)",
		"post 25", "different: 0 of 1 viewers, 0 %; the limit is 0 %")
	_, out := harness.Command(t, append(slices.Clone(env), "OLD_FEED_TOKEN=another-secret"), strings.Fields(command)...)
	if strings.Contains(out, "another-secret") || !strings.Contains(out, "403 Forbidden") {
		t.Errorf("with a refused token it prints\n%s", out)
	}
	t.Run("Tideline agrees with itself", func(t *testing.T) {
		env := append(slices.Clone(env), "TIDELINE_SHADOW_OLD="+s.Base+"/graphql", "TIDELINE_SHADOW_MAP="+harness.RecordsFile(t, guide[1:2]), "OLD_FEED_TOKEN="+serviceToken)
		r := reportOf(t, env, 0, "shadow --sample=2 --seed=7 --json --pages=2 --rate=10000 --pause=0s --max-different=0.1%")
		if r.Different != 0 || r.Viewers != 2 || r.PagesEqual != r.Pages || r.Posts == 0 {
			t.Errorf("the report is %+v", r)
		}
	})
}

// reportOf runs a comparison that must end with an exit code.
func reportOf(t *testing.T, env []string, code int, command string) (r shadow.Report) {
	t.Helper()
	got, out := harness.Command(t, env, strings.Fields(command)...)
	// An error of the command follows the report.
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&r); err != nil || got != code || strings.Contains(out, oldToken) {
		t.Fatalf("the exit code is %d, want %d: %v\n%s", got, code, err, out)
	}
	return r
}
