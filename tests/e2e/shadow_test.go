package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/shadow"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// Authors of the old world. All viewers follow the first two.
const (
	plainOne, plainTwo  = 1, 2
	comments, reposts   = 3, 4
	bigIDs              = 5
	other               = 6
	departed            = 7
	shuffled            = 8
	original, ties, foe = 9, 10, 11
)

// Posts of the old world.
const (
	goneID, originalID, foeID       = 500, 501, 502
	goneRepostID, foeRepostID       = 403, 404
	bigID                           = 1 << 53
	minute                    int64 = 60_000
)

var oldBegan = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).UnixMilli()

// newFilledWorld has thirty posts of each of two plain authors, and some of special ones.
func newFilledWorld() *oldWorld {
	w := newOldWorld()
	for author := plainOne; author <= foe; author++ {
		w.user(author, true)
	}
	at := func(n int64) int64 { return oldBegan + n*minute }
	for n := range int64(60) {
		w.post(oldPost{id: 1000 + n, author: plainOne + int(n%2), at: at(10 * n)})
	}
	w.post(oldPost{id: goneID, author: plainOne, at: at(485)})
	w.post(oldPost{id: originalID, author: original, at: at(1)})
	w.post(oldPost{id: foeID, author: foe, at: at(2)})
	for n := range int64(3) {
		w.post(oldPost{id: 300 + n, author: comments, at: at(456 + 20*n), reply: 1000})
		w.post(oldPost{id: bigID + []int64{1, 3, 9}[n], author: bigIDs, at: at(457 + 20*n)})
		w.post(oldPost{id: 600 + n, author: other, at: at(458 + 20*n)})
		w.post(oldPost{id: 700 + n, author: departed, at: at(459 + 20*n)})
	}
	for n := range int64(2) {
		w.post(oldPost{id: 400 + n, author: reposts, at: at(461 + 20*n), original: 1000 + n})
		w.post(oldPost{id: 1100 + n, author: ties, at: at(463)})
	}
	w.post(oldPost{id: goneRepostID, author: reposts, at: at(466), original: originalID})
	w.post(oldPost{id: foeRepostID, author: reposts, at: at(467), original: foeID})
	for n := range int64(10) {
		w.post(oldPost{id: 2000 + 7*n%10, author: shuffled, at: at(500 + 9*n)})
	}
	return w
}

// depart deletes posts, and a user.
func (w *oldWorld) depart() {
	for _, id := range []int64{goneID, originalID} {
		p := w.posts[id]
		p.gone = true
		w.post(p)
	}
	w.user(departed, false)
}

// viewer adds a viewer who follows the plain authors and others.
func (w *oldWorld) viewer(id int, follows ...int) {
	w.user(id, true)
	for _, author := range append([]int{plainOne, plainTwo}, follows...) {
		w.relate("follow", id, author, true)
	}
}

// insert adds posts where their times belong.
func (w *oldWorld) insert(items []oldItem, ids ...int64) []oldItem {
	for _, id := range ids {
		items = append(items, w.posts[id].item())
	}
	slices.SortStableFunc(items, func(a, b oldItem) int { return strings.Compare(b.CreatedAt, a.CreatedAt) })
	return items
}

// without removes the posts of authors.
func (w *oldWorld) without(items []oldItem, authors ...int) []oldItem {
	return slices.DeleteFunc(items, func(i oldItem) bool { return slices.Contains(authors, w.of(i).author) })
}

func shift(item *oldItem, d time.Duration) {
	at, _ := time.Parse(time.RFC3339, item.CreatedAt) // the world made it
	item.CreatedAt = oldTime(at.Add(d).UnixMilli())
}

// adds returns a bug that shows posts.
func adds(ids ...int64) func(*oldWorld, int, []oldItem) []oldItem {
	return func(w *oldWorld, _ int, items []oldItem) []oldItem { return w.insert(items, ids...) }
}

// lacks returns a bug that hides authors.
func lacks(authors ...int) func(*oldWorld, int, []oldItem) []oldItem {
	return func(w *oldWorld, _ int, items []oldItem) []oldItem { return w.without(items, authors...) }
}

// edits returns a bug that changes a feed alone.
func edits(do func(items []oldItem) []oldItem) func(*oldWorld, int, []oldItem) []oldItem {
	return func(_ *oldWorld, _ int, items []oldItem) []oldItem { return do(items) }
}

// oldBug is a mistake of the old feed, and how the report names it.
type oldBug struct {
	name    string
	follows []int
	// relation of the viewer with an author, if typ is set; from the author if back is.
	relation oldEdge
	back     bool
	bug      func(w *oldWorld, viewer int, right []oldItem) []oldItem
	kind     shadow.Kind
	reason   shadow.Reason
	posts    int
}

func oldBugs() []oldBug {
	return []oldBug{
		{name: "shows a deleted post", bug: adds(goneID), kind: shadow.OnlyOld, reason: "deleted", posts: 1},
		{name: "shows a muted author", follows: []int{other}, relation: oldEdge{typ: "mute", b: other}, bug: adds(600, 601, 602), kind: shadow.OnlyOld, reason: "muted", posts: 3},
		{name: "shows a blocked author", follows: []int{other}, relation: oldEdge{typ: "block", b: other}, bug: adds(600), kind: shadow.OnlyOld, reason: "blocked", posts: 1},
		{name: "shows an author who blocks", follows: []int{other}, relation: oldEdge{typ: "block", b: other}, back: true, bug: adds(601), kind: shadow.OnlyOld, reason: "blocked-by", posts: 1},
		{name: "shows an author who hides", follows: []int{other}, relation: oldEdge{typ: "hide", b: other}, back: true, bug: adds(602), kind: shadow.OnlyOld, reason: "hidden", posts: 1},
		{name: "shows an unfollowed author", bug: adds(600, 602), kind: shadow.OnlyOld, reason: "not-followed", posts: 2},
		{name: "shows a departed author", follows: []int{departed}, bug: adds(701), kind: shadow.OnlyOld, reason: "author-absent", posts: 1},
		{name: "shows the repost of a deleted post", follows: []int{reposts}, bug: adds(goneRepostID), kind: shadow.OnlyOld, reason: "original-deleted", posts: 1},
		{name: "shows the repost of a blocked author", follows: []int{reposts}, relation: oldEdge{typ: "block", b: foe}, bug: adds(foeRepostID), kind: shadow.OnlyOld, reason: "original-blocked", posts: 1},
		{name: "shows a post that was never sent", bug: edits(func(i []oldItem) []oldItem {
			return slices.Insert(i, 3, oldItem{"77777777", i[3].CreatedAt})
		}), kind: shadow.OnlyOld, reason: "not-stored", posts: 1},
		{name: "rounds ids", follows: []int{bigIDs}, bug: edits(func(items []oldItem) []oldItem {
			for i := range items {
				n, _ := items[i].ID.Float64()
				items[i].ID = json.Number(strconv.FormatFloat(n, 'f', -1, 64))
			}
			return items
		}), kind: shadow.OnlyOld, reason: shadow.RoundedID, posts: 3},
		{name: "has an old list of follows", follows: []int{other}, bug: lacks(other), kind: shadow.OnlyOurs, reason: shadow.AuthorMissing, posts: 3},
		{name: "lost a push", bug: edits(func(i []oldItem) []oldItem { return slices.Delete(i, 5, 6) }), kind: shadow.OnlyOurs, reason: shadow.PostMissing, posts: 1},
		{name: "lacks the newest", bug: edits(func(i []oldItem) []oldItem { return i[2:] }), kind: shadow.OnlyOurs, reason: shadow.NewestMissing, posts: 2},
		{name: "skips one between pages", bug: edits(func(i []oldItem) []oldItem { return slices.Delete(i, 20, 21) }), kind: shadow.OnlyOurs, reason: shadow.PageGap, posts: 1},
		{name: "lacks own posts", bug: func(w *oldWorld, viewer int, i []oldItem) []oldItem { return w.without(i, viewer) }, kind: shadow.OnlyOurs, reason: shadow.OwnMissing, posts: 2},
		{name: "has a limit of entries", bug: edits(func(i []oldItem) []oldItem { return i[:45] }), kind: shadow.OnlyOurs, reason: shadow.EndsEarly, posts: 15},
		{name: "hides comments", follows: []int{comments}, bug: lacks(comments), kind: shadow.OnlyOurs, reason: shadow.CommentsLeft, posts: 3},
		{name: "hides reposts", follows: []int{reposts}, relation: oldEdge{typ: "mute", b: foe}, bug: lacks(reposts), kind: shadow.OnlyOurs, reason: shadow.RepostsLeft, posts: 2},
		{name: "is empty", bug: edits(func([]oldItem) []oldItem { return nil }), kind: shadow.OnlyOurs, reason: shadow.OldEmpty, posts: 60},
		{name: "repeats one on the next page", bug: edits(func(i []oldItem) []oldItem { return slices.Insert(i, 20, i[19]) }), kind: shadow.Duplicate, reason: shadow.AcrossPages, posts: 1},
		{name: "repeats one on a page", bug: edits(func(i []oldItem) []oldItem { return slices.Insert(i, 4, i[3]) }), kind: shadow.Duplicate, reason: shadow.InPage, posts: 1},
		{name: "sorts by id", follows: []int{shuffled}, bug: edits(func(items []oldItem) []oldItem {
			slices.SortFunc(items, func(a, b oldItem) int { return strings.Compare(string(b.ID), string(a.ID)) })
			return items
		}), kind: shadow.Order, reason: shadow.SortedByID},
		{name: "turns posts of the same time round", follows: []int{ties}, bug: edits(func(items []oldItem) []oldItem {
			for i := range items {
				if items[i].ID == "1101" {
					items[i], items[i+1] = items[i+1], items[i]
					break
				}
			}
			return items
		}), kind: shadow.Order, reason: shadow.TieOrder, posts: 1},
		{name: "has a pinned post", bug: edits(func(i []oldItem) []oldItem {
			return slices.Insert(slices.Delete(slices.Clone(i), 10, 11), 0, i[10])
		}), kind: shadow.Order, reason: shadow.OtherOrder, posts: 1},
		{name: "has another time zone", bug: edits(func(items []oldItem) []oldItem {
			for i := range items {
				shift(&items[i], 2*time.Hour)
			}
			return items
		}), kind: shadow.Time, reason: shadow.ZoneShift, posts: 60},
		{name: "sorts an edited post by its edit", bug: edits(func(items []oldItem) []oldItem {
			shift(&items[30], 187*time.Minute)
			slices.SortStableFunc(items, func(a, b oldItem) int { return strings.Compare(b.CreatedAt, a.CreatedAt) })
			return items
		}), kind: shadow.Time, reason: shadow.OtherTime, posts: 1},
	}
}

// firstViewer is the viewer of the first bug; healthyViewer is the first of those without.
const (
	firstViewer    = 1001
	healthyViewer  = 1101
	healthyViewers = 6
)

// shadowWorld is an old system, and a server that has its data.
type shadowWorld struct {
	*oldWorld
	*server
	oracle *harness.Oracle
	env    []string
}

func newShadowWorld(t *testing.T) *shadowWorld {
	t.Helper()
	database := testenv.Postgres(t)
	w := &shadowWorld{oldWorld: newFilledWorld()}
	w.env = []string{
		"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_JWT_SECRET=" + harness.Secret,
		"TIDELINE_SERVICE_TOKEN=" + serviceToken, "TIDELINE_DEMO=false", "TIDELINE_SOURCE_OWNS=user,post,follow,mute,block,hide",
	}
	w.server = startServer(t, w.env...)
	w.oracle = harness.NewOracle(t, database)
	w.env = append(w.env, w.oldWorld.start(t)...)
	return w
}

// settle sends all records, and waits until their posts are pushed.
func (w *shadowWorld) settle(t *testing.T) {
	t.Helper()
	if lines := w.take(); len(lines) > 0 {
		if got := w.ingests(t, lines...); got.StatusCode != http.StatusOK || !strings.Contains(got.body, `"badCount":0`) {
			t.Fatalf("the records are refused: %d %s", got.StatusCode, got.body)
		}
	}
	eventually.True(t, "all posts are pushed", func() bool { return w.oracle.Open() == 0 })
}

// viewersFile writes a file with the ids of n viewers.
func viewersFile(t *testing.T, first, n int) string {
	t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = strconv.Itoa(first + i)
	}
	file := t.TempDir() + "/viewers"
	harness.WriteLines(t, file, ids...)
	return file
}

func reportOf(t *testing.T, out string) shadow.Report {
	t.Helper()
	var r shadow.Report
	// An error of the command follows the report.
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if strings.Contains(out, oldToken) {
		t.Error("the report has the token of the old feed")
	}
	return r
}

func TestShadow_NamesBugsAndForgivesMotion(t *testing.T) {
	t.Parallel()
	w := newShadowWorld(t)
	w.settle(t)
	w.depart()
	bugs := oldBugs()
	for i, b := range bugs {
		viewer := firstViewer + i
		w.viewer(viewer, b.follows...)
		switch r := b.relation; {
		case r.typ != "" && b.back:
			w.relate(r.typ, r.b, viewer, true)
		case r.typ != "":
			w.relate(r.typ, viewer, r.b, true)
		}
		if b.reason == shadow.OwnMissing {
			w.post(oldPost{id: 8000, author: viewer, at: oldBegan + 471*minute})
			w.post(oldPost{id: 8001, author: viewer, at: oldBegan + 481*minute})
		}
		w.bugs[viewer] = b.bug
	}
	for i := range healthyViewers {
		w.viewer(healthyViewer+i, [][]int{{comments, reposts}, {bigIDs, departed}, {shuffled}, {ties, original}, {other, foe}, nil}[i]...)
	}
	w.settle(t)
	t.Run("bugs", func(t *testing.T) { w.findsBugs(t, bugs) })
	t.Run("both write", w.forgivesMotion)
	t.Run("itself", w.agreesWithItself)
	t.Run("people", w.printsForPeople)
}

// findsBugs compares all viewers with a bug at once.
func (w *shadowWorld) findsBugs(t *testing.T, bugs []oldBug) {
	file := viewersFile(t, firstViewer, len(bugs))
	code, out := harness.Command(t, w.env, "shadow", "--viewers", file, "--json", "--pause=0s", "--rate=10000")
	r := reportOf(t, out)
	if code != 1 || r.OK || r.Different != len(bugs) || r.Failed != 0 || len(bugs) < 20 {
		t.Errorf("the code is %d, and of %d viewers with a bug %d differ and %d fail", code, len(bugs), r.Different, r.Failed)
	}
	found := map[string]map[string]int{}
	for _, f := range r.List {
		if found[f.User] == nil {
			found[f.User] = map[string]int{}
		}
		found[f.User][string(f.Kind)+" "+string(f.Reason)]++
	}
	for i, b := range bugs {
		got, want := found[strconv.Itoa(firstViewer+i)], string(b.kind)+" "+string(b.reason)
		if len(got) != 1 || got[want] == 0 {
			t.Errorf("the feed %s, and the report has %v, want %q", b.name, got, want)
		}
		for _, c := range r.Reasons {
			if c.Kind == b.kind && c.Reason == b.reason && (c.Viewers != 1 || b.posts != 0 && c.Posts != b.posts || c.Words == string(c.Reason)) {
				t.Errorf("the feed %s, and the count is %+v, want %d posts", b.name, c, b.posts)
			}
		}
	}
}

// forgivesMotion has both sides change whenever the old feed is read. The old one is right, and
// Tideline is late, but never until the third read.
func (w *shadowWorld) forgivesMotion(t *testing.T) {
	settle, settled := make(chan bool), make(chan bool)
	changes := int64(0)
	done := make(chan bool)
	w.setBefore(func(viewer int) {
		settle <- true
		<-settled
		w.mu.Lock()
		changes++
		n := changes
		w.mu.Unlock()
		id, at := 5000+n, oldBegan+700*minute
		w.post(oldPost{id: id, author: plainOne + int(id%2), at: at + n*1000})
		if n > 3 {
			w.post(oldPost{id: id - 3, author: plainOne + int((id-3)%2), at: at + (n-3)*1000, gone: true})
		}
		fan := int(9000 + n)
		w.user(fan, true)
		w.post(oldPost{id: id + 1000, author: fan, at: oldBegan + 550*minute + n})
		w.relate("follow", viewer, fan, true)
	})
	p := testenv.Program(t, []string{
		testenv.Binary(t), "shadow", "--viewers", viewersFile(t, healthyViewer, healthyViewers), "--json",
		"--pause=0s", "--timeout=5m", "--rate=10000", "--concurrency=3",
	}, w.env)
	code := 0
	go func() { code = p.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-settle:
			w.settle(t)
			settled <- true
		case <-done:
			running = false
		}
	}
	w.setBefore(func(int) {})
	r := reportOf(t, p.Output())
	if code != 0 || !r.OK || r.Different != 0 || len(r.Reasons) != 0 || r.Viewers != healthyViewers || r.Moving == 0 {
		t.Errorf("after %d changes the code is %d: %s", changes, code, p.Output())
	}
	w.settle(t)
}

// agreesWithItself takes Tideline's own API as the old feed, by the second example of docs/cutover.md.
func (w *shadowWorld) agreesWithItself(t *testing.T) {
	file := t.TempDir() + "/graphql.yaml"
	harness.WriteLines(t, file, codeBlocks(t, readDoc(t, "docs/cutover.md"), "yaml")[1])
	env := append(slices.Clone(w.env), "TIDELINE_SHADOW_OLD="+w.Base+"/graphql", "TIDELINE_SHADOW_MAP="+file, "OLD_FEED_TOKEN="+serviceToken)
	code, out := harness.Command(t, env, "shadow", "--sample=20", "--json", "--pages=2", "--rate=10000", "--pause=0s", "--max-different=0.1%")
	if r := reportOf(t, out); code != 0 || r.Different != 0 || r.Viewers != 20 || r.PagesEqual != r.Pages || r.Posts == 0 {
		t.Errorf("the code is %d: %s", code, out)
	}
}

func (w *shadowWorld) printsForPeople(t *testing.T) {
	file := viewersFile(t, firstViewer, 1)
	code, out := harness.Command(t, w.env, "shadow", "--viewers", file, "--pause=0s", "--allow=deleted")
	for _, want := range []string{"compared 1 viewers in ", "only-old", "it or its author's account is deleted (allowed)", "user 1001", "post 500", "different: 0 of 1 viewers, 0 %; the limit is 0 %"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("the code is %d, and the report lacks %q:\n%s", code, want, out)
		}
	}
	if code, out = harness.Command(t, w.env, "shadow", "--sample=3", "--seed=7", "--pause=0s", "--max-different=100%"); code != 0 || !strings.Contains(out, "the seed of the sample is 7\n") {
		t.Errorf("the code of a sample is %d:\n%s", code, out)
	}
	wrong := t.TempDir() + "/wrong.yaml"
	harness.WriteLines(t, wrong, "request: {headers: {A: =env.NO_SUCH_VARIABLE}}", "page: {posts: =body.items}", "post: {id: =post.id}")
	env := append(slices.Clone(w.env), "TIDELINE_SHADOW_MAP="+wrong)
	if code, out = harness.Command(t, env, "shadow"); code != 2 || !strings.Contains(out, "line 1: the environment variable NO_SUCH_VARIABLE is not set") {
		t.Errorf("the code of a wrong file is %d:\n%s", code, out)
	}
	env = append(slices.Clone(w.env), "OLD_FEED_TOKEN=another-secret")
	if code, out = harness.Command(t, env, "shadow", "--viewers", file); code != 1 || strings.Contains(out, "another-secret") || !strings.Contains(out, "403 Forbidden") {
		t.Errorf("the code of a refused token is %d:\n%s", code, out)
	}
}
