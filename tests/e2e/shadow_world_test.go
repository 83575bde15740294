package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// oldToken is that of the old feed. Reports must not have it.
const oldToken = "the-token-of-the-old-feed"

// oldPost is a post of another system. Its kind is POST without original and parent.
type oldPost struct {
	id              int64
	author          int
	at              int64
	original, reply int64
	gone            bool
}

// oldEdge is a relation between two users: a follow, mute, block or hide.
type oldEdge struct {
	typ  string
	a, b int
}

// oldWorld is another system with a feed of its own. Its methods may be called concurrently.
type oldWorld struct {
	mu      sync.Mutex
	version int
	users   map[int]bool
	posts   map[int64]oldPost
	edges   map[oldEdge]bool
	// lines are records that were not sent yet.
	lines []string
	// bugs change the feed of a viewer. before is called before each feed is read.
	bugs   map[int]func(w *oldWorld, viewer int, right []oldItem) []oldItem
	before func(viewer int)
}

// oldItem is an entry of a feed as the old system serves it.
type oldItem struct {
	ID        json.Number `json:"id"`
	CreatedAt string      `json:"created_at"`
}

// oldPage is the size of its pages.
const oldPage = 20

func newOldWorld() *oldWorld {
	return &oldWorld{
		users: map[int]bool{}, posts: map[int64]oldPost{}, edges: map[oldEdge]bool{},
		bugs: map[int]func(*oldWorld, int, []oldItem) []oldItem{}, before: func(int) {},
	}
}

// setBefore sets what happens before each page is read.
func (w *oldWorld) setBefore(before func(viewer int)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before = before
}

func (w *oldWorld) record(there bool, format string, args ...any) {
	w.version++
	gone := ""
	if !there {
		gone = sourceGone
	}
	w.lines = append(w.lines, fmt.Sprintf(`{%s,%s"version":%d}`, fmt.Sprintf(format, args...), gone, w.version))
}

func (w *oldWorld) user(id int, there bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.users[id] = there
	w.record(there, `"type":"user","id":"%d","handle":"","name":"N","createdAt":"2026-01-01T00:00:00Z"`, id)
}

func (w *oldWorld) relate(typ string, a, b int, there bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.edges[oldEdge{typ, a, b}] = there
	names := [2]string{"user", "target"}
	if typ == "follow" {
		names = [2]string{"follower", "followee"}
	}
	w.record(there, `"type":%q,%q:"%d",%q:"%d","createdAt":"2026-01-01T00:00:00Z"`, typ, names[0], a, names[1], b)
}

func (w *oldWorld) post(p oldPost) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.posts[p.id] = p
	kind := `"kind":"POST"`
	switch {
	case p.original != 0:
		kind = fmt.Sprintf(`"kind":"REPOST","repostOf":"%d"`, p.original)
	case p.reply != 0:
		kind = fmt.Sprintf(`"kind":"COMMENT","replyTo":"%d"`, p.reply)
	}
	w.record(!p.gone, `"type":"post","id":"%d","author":"%d",%s,"text":"t","publishedAt":%q`, p.id, p.author, kind, oldTime(p.at))
}

func oldTime(at int64) string { return time.UnixMilli(at).UTC().Format("2006-01-02T15:04:05.000Z") }

// take returns the records that were not sent yet.
func (w *oldWorld) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := w.lines
	w.lines = nil
	return lines
}

func (w *oldWorld) has(typ string, a, b int) bool { return w.edges[oldEdge{typ, a, b}] }

// visible reports whether a viewer may see a post at all, and mutes none of its authors.
func (w *oldWorld) visible(viewer int, p oldPost) bool {
	a := p.author
	if p.gone || !w.users[a] || w.has("mute", viewer, a) || w.has("block", viewer, a) || w.has("block", a, viewer) || w.has("hide", a, viewer) {
		return false
	}
	if p.original == 0 {
		return true
	}
	of, stored := w.posts[p.original]
	return stored && w.visible(viewer, of)
}

// right returns the feed of a viewer. The caller holds the mutex.
func (w *oldWorld) right(viewer int) []oldItem {
	var list []oldPost
	for _, p := range w.posts {
		if (p.author == viewer || w.has("follow", viewer, p.author)) && w.visible(viewer, p) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b oldPost) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.id, a.id)) })
	items := make([]oldItem, len(list))
	for i, p := range list {
		items[i] = p.item()
	}
	return items
}

func (p oldPost) item() oldItem {
	return oldItem{json.Number(strconv.FormatInt(p.id, 10)), oldTime(p.at)}
}

// of returns the post of an item.
func (w *oldWorld) of(item oldItem) oldPost {
	id, _ := item.ID.Int64() // the world made it
	return w.posts[id]
}

// ServeHTTP serves a page of a feed: /v1/users/ID/feed?limit=N&before=CURSOR. A cursor is a place in
// the list that the first page begins.
func (w *oldWorld) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	viewer, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/v1/users/"), "/feed"))
	if err != nil || r.Header.Get("Authorization") != "Bearer "+oldToken || r.URL.Query().Get("limit") != strconv.Itoa(oldPage) {
		http.Error(out, "no", http.StatusForbidden)
		return
	}
	w.mu.Lock()
	before := w.before
	w.mu.Unlock()
	before(viewer)
	w.mu.Lock()
	defer w.mu.Unlock()
	items := w.right(viewer)
	if bug := w.bugs[viewer]; bug != nil {
		items = bug(w, viewer, items)
	}
	// Only a cursor by key is right while posts arrive.
	cut := 0
	if before := r.URL.Query().Get("before"); before != "" {
		cut, err = strconv.Atoi(strings.TrimPrefix(before, "n"))
		if at, id, byKey := strings.Cut(before, "/"); byKey {
			cut = slices.IndexFunc(items, func(i oldItem) bool {
				return i.CreatedAt < at || i.CreatedAt == at && (len(i.ID) < len(id) || len(i.ID) == len(id) && string(i.ID) < id)
			})
			err = nil
		}
	}
	if err != nil || items == nil || cut < 0 {
		_, _ = fmt.Fprint(out, `{"items":[],"next":null}`)
		return
	}
	page := items[min(cut, len(items)):min(cut+oldPage, len(items))]
	next := ""
	switch {
	case cut+oldPage >= len(items):
	case w.bugs[viewer] != nil:
		next = fmt.Sprintf("n%d", cut+oldPage)
	default:
		last := page[len(page)-1]
		next = last.CreatedAt + "/" + string(last.ID)
	}
	_ = json.NewEncoder(out).Encode(map[string]any{"items": page, "next": next})
}

// start serves the world, and returns the settings of tideline shadow. The mapping file is that of
// docs/cutover.md.
func (w *oldWorld) start(t *testing.T) []string {
	t.Helper()
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	file := t.TempDir() + "/shadow.yaml"
	harness.WriteLines(t, file, codeBlocks(t, readDoc(t, "docs/cutover.md"), "yaml")[0])
	return []string{"TIDELINE_SHADOW_OLD=" + server.URL + "/v1", "TIDELINE_SHADOW_MAP=" + file, "OLD_FEED_TOKEN=" + oldToken}
}
