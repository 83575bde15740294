//go:build nightly

package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/shadow"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// oldToken is that of the old feed. Reports must not have it.
const oldToken = "the-token-of-the-old-feed"

// oldItem is an entry of a feed as the old system serves it.
type oldItem struct {
	ID        json.Number `json:"id"`
	CreatedAt string      `json:"created_at"`
}

// oldFeeds is another system: the feeds of its viewers, newest first. The first read of a late one
// lacks the newest post.
type oldFeeds struct {
	mu    sync.Mutex
	feeds map[string][]oldItem
	late  map[string]bool
}

// ServeHTTP serves a page of a feed: /v1/users/ID/feed?limit=N&before=CURSOR. A cursor is a number
// of entries.
func (o *oldFeeds) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	const size = 20
	viewer := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/v1/users/"), "/feed")
	if r.Header.Get("Authorization") != "Bearer "+oldToken || r.URL.Query().Get("limit") != strconv.Itoa(size) {
		http.Error(out, "no", http.StatusForbidden)
		return
	}
	items := o.feeds[viewer]
	if o.late[viewer] {
		items = items[1:]
		delete(o.late, viewer)
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("before")) // 0 on the first page
	page, next := items[from:min(from+size, len(items))], ""
	if from+size < len(items) {
		next = strconv.Itoa(from + size)
	}
	_ = json.NewEncoder(out).Encode(map[string]any{"items": page, "next": next})
}

// oldBug is a mistake of the old feed, and how the report names it. The tests of internal/shadow
// have a case of every reason.
type oldBug struct {
	name   string
	change func(items []oldItem) []oldItem
	reason shadow.Reason
	posts  int
}

// Posts of the old system: a deleted one, and the largest id that JavaScript reads exactly.
const goneID, bigID = 500, 1 << 53

func oldBugs() []oldBug {
	at := func(i oldItem, id string) oldItem { return oldItem{json.Number(id), i.CreatedAt} }
	return []oldBug{
		{"shows a deleted post", func(i []oldItem) []oldItem { return slices.Insert(i, 3, at(i[3], strconv.Itoa(goneID))) }, "deleted", 1},
		{"lost a push", func(i []oldItem) []oldItem { return slices.Delete(i, 5, 6) }, shadow.PostMissing, 1},
		{"skips one between pages", func(i []oldItem) []oldItem { return slices.Delete(i, 20, 21) }, shadow.PageGap, 1},
		{"rounds ids", func(items []oldItem) []oldItem {
			for i := range items {
				n, _ := items[i].ID.Float64()
				items[i].ID = json.Number(strconv.FormatFloat(n, 'f', -1, 64))
			}
			return items
		}, shadow.RoundedID, 3},
	}
}

// Viewers with a bug from firstViewer on, and without.
const firstViewer, healthyViewer, healthyViewers = 1001, 1101, 3

// oldRecords returns the records of the old system, and the feed that each viewer has.
func oldRecords() (lines []string, right []oldItem) {
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	post := func(id, author, minutes int, more string) oldItem {
		at := began.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339)
		lines = append(lines, strings.Replace(sourcePost(id, author, 1, more), "2026-01-01T00:00:00Z", at, 1))
		return oldItem{json.Number(strconv.Itoa(id)), at}
	}
	lines = append(lines, sourceUser(1, 1), sourceUser(2, 1))
	for n := range 60 {
		right = append(right, post(1000+n, 1+n%2, 10*n, ""))
	}
	for _, id := range []int{bigID + 1, bigID + 3, bigID + 9} {
		right = append(right, post(id, 1, 1000+id-bigID, ""))
	}
	slices.Reverse(right)
	post(goneID, 1, 485, "")
	lines = append(lines, sourcePost(goneID, 1, 2, sourceGone))
	return lines, right
}

func TestShadow_NamesBugsOfTheOldFeed(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo, sourceOwns)
	s := startServer(t, env...)
	lines, right := oldRecords()
	old := &oldFeeds{feeds: map[string][]oldItem{}, late: map[string]bool{}}
	viewers := func(first, n int) (file string) {
		var ids []string
		for id := first; id < first+n; id++ {
			ids = append(ids, strconv.Itoa(id))
			old.feeds[strconv.Itoa(id)] = slices.Clone(right)
			lines = append(lines, sourceUser(id, 1), sourceFollow(id, 1, 1, ""), sourceFollow(id, 2, 1, ""))
		}
		return harness.RecordsFile(t, ids)
	}
	bugs := oldBugs()
	wrong, healthy := viewers(firstViewer, len(bugs)), viewers(healthyViewer, healthyViewers)
	for i, b := range bugs {
		viewer := strconv.Itoa(firstViewer + i)
		old.feeds[viewer] = b.change(old.feeds[viewer])
	}
	old.late[strconv.Itoa(healthyViewer)] = true
	wantIngested(t, s.ingests(t, lines...), `"badCount":0`)
	oracle := harness.NewOracle(t, setting(env, "TIDELINE_DATABASE_URL"))
	eventually.True(t, "all posts are pushed", func() bool { return oracle.Open() == 0 })

	server := httptest.NewServer(old)
	t.Cleanup(server.Close)
	guide := harness.CodeBlocks(t, harness.Doc(t, "docs/cutover.md"), "yaml")
	env = append(env, "TIDELINE_SHADOW_OLD="+server.URL+"/v1", "TIDELINE_SHADOW_MAP="+harness.RecordsFile(t, guide[:1]), "OLD_FEED_TOKEN="+oldToken)

	t.Run("bugs", func(t *testing.T) {
		r := reportOf(t, env, 1, "shadow --json --pause=0s --rate=10000 --viewers="+wrong)
		if r.OK || r.Different != len(bugs) || r.Failed != 0 {
			t.Errorf("of %d viewers with a bug %d differ and %d fail", len(bugs), r.Different, r.Failed)
		}
		counts := map[shadow.Reason][2]int{}
		for _, c := range r.Reasons {
			counts[c.Reason] = [2]int{c.Viewers, c.Posts}
		}
		for i, b := range bugs {
			if got := counts[b.reason]; got != [2]int{1, b.posts} {
				t.Errorf("the feed %s, and the report has %d viewers and %d posts of %s, want 1 and %d", b.name, got[0], got[1], b.reason, b.posts)
			}
			for _, f := range r.List {
				if f.User == strconv.Itoa(firstViewer+i) && f.Reason != b.reason {
					t.Errorf("the feed %s, and the report has %s", b.name, f.Reason)
				}
			}
		}
	})
	t.Run("a late feed is forgiven", func(t *testing.T) {
		if r := reportOf(t, env, 0, "shadow --json --pause=0s --rate=10000 --viewers="+healthy); !r.OK || r.Different != 0 || len(r.Reasons) != 0 || r.Viewers != healthyViewers || r.Moving == 0 {
			t.Errorf("the report is %+v", r)
		}
	})
	t.Run("Tideline agrees with itself", func(t *testing.T) {
		env := append(slices.Clone(env), "TIDELINE_SHADOW_OLD="+s.Base+"/graphql", "TIDELINE_SHADOW_MAP="+harness.RecordsFile(t, guide[1:2]), "OLD_FEED_TOKEN="+serviceToken)
		if r := reportOf(t, env, 0, "shadow --sample=5 --json --pages=2 --rate=10000 --pause=0s --max-different=0.1%"); r.Different != 0 || r.Viewers != 5 || r.PagesEqual != r.Pages || r.Posts == 0 {
			t.Errorf("the report is %+v", r)
		}
	})
	t.Run("people", func(t *testing.T) {
		one := harness.RecordsFile(t, []string{strconv.Itoa(firstViewer)})
		runs(t, env, 0, "shadow --pause=0s --allow=deleted --viewers="+one, "compared 1 viewers in ", "only-old", "it or its author's account is deleted (allowed)",
			"user 1001", "post 500", "different: 0 of 1 viewers, 0 %; the limit is 0 %")
		runs(t, env, 0, "shadow --sample=3 --seed=7 --pause=0s --max-different=100%", "the seed of the sample is 7\n")
		wrong := harness.RecordsFile(t, []string{"request: {headers: {A: =env.NO_SUCH_VARIABLE}}", "page: {posts: =body.items}", "post: {id: =post.id}"})
		runs(t, env, 2, "shadow --map="+wrong, "line 1: the environment variable NO_SUCH_VARIABLE is not set")
		_, out := harness.Command(t, append(slices.Clone(env), "OLD_FEED_TOKEN=another-secret"), "shadow", "--viewers="+one)
		if strings.Contains(out, "another-secret") || !strings.Contains(out, "403 Forbidden") {
			t.Errorf("with a refused token it prints\n%s", out)
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
