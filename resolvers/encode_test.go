package resolvers_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/resolvers"
)

// pages are paths to pages, with the type of their selections.
var pages = map[string]string{
	`viewer { homeFeed(first: 20) %s }`:                                       "FeedConnection",
	`viewer { homeFeed(first: 20) { nodes %s } }`:                             "Post",
	`viewer { homeFeed(first: 20) { edges { node %s } } }`:                    "Post",
	`viewer { mutedUsers %s }`:                                                "UserConnection",
	`viewer { liveFeed(first: 5) %s }`:                                        "LiveConnection",
	`user(handle: "ben") { posts(last: 4) %s }`:                               "FeedConnection",
	`user(handle: "ben") %s`:                                                  "User",
	`users(query: "ann", first: 2) { edges { node { posts(first: 2) %s } } }`: "FeedConnection",
	`viewer { homeFeed(first: 1, kinds: [REPOST]) { edges %s}}`:               "FeedEdge",
}

// arguments are those of fields within pages.
var arguments = map[string]string{
	"FeedConnection.newCount": `(since: "")`,
	"Post.comments":           "(first: 2)",
	"User.posts":              "(first: 2)",
	"User.followers":          "(first: 2)",
	"User.following":          "(first: 2)",
	"User.liveSessions":       "(first: 2)",
}

// Both write the same bytes for every selection, with special characters, missing objects, failed
// reads and panics.
func TestEncoder_WritesWhatTheExecutorWrites(t *testing.T) {
	for name, fault := range map[string]func(ids []feed.UserID, users []*feed.User) error{
		"healthy":                func([]feed.UserID, []*feed.User) error { return nil },
		"an author is missing":   without(2),
		"another is missing":     without(4),
		"authors fail":           func([]feed.UserID, []*feed.User) error { return errors.New("no authors today") },
		"reading authors panics": func([]feed.UserID, []*feed.User) error { panic("no authors ever") },
	} {
		t.Run(name, func(t *testing.T) {
			w := oddWorld(t, fault)
			slow := fieldByField(w.deps)
			paths := maps.Clone(pages)
			paths[`viewer { `+w.allChanges("homeChanges")+` %s }`] = "HomeChangePage"
			paths[`viewer { `+w.allChanges("liveChanges")+` %s }`] = "LiveChangePage"
			rapid.Check(t, func(t *rapid.T) {
				d := documents{t: t, schema: graph.LoadSchema(), arguments: arguments}
				query := d.draw(paths)
				for range 3 { // from the second time on the document is known, and its plans
					variables := d.variables()
					want, wantErrors := execute(t, slow, query, variables)
					got, gotErrors := execute(t, w.handler, query, variables)
					if got != want {
						t.Fatalf("%s\nwith %v is encoded as\n%s\nand not as\n%s", query, variables, got, want)
					}
					if diff := cmp.Diff(wantErrors, gotErrors); diff != "" {
						t.Fatalf("%s\nwith %v: errors (-want +got):\n%s", query, variables, diff)
					}
				}
			})
		})
	}
}

// allChanges returns a field, homeChanges or liveChanges, with the changes of viewer 1 since the beginning.
func (w *world) allChanges(field string) string {
	w.t.Helper()
	first, err := w.store.LastChange(w.t.Context())
	noError(w.t, err)
	first.Number = 0
	return fmt.Sprintf(`%s(since: %q, first: 100)`, field, feed.SyncToken{Viewer: 1, Place: first, Live: field == "liveChanges"})
}

// A query for a single page takes a shortcut, which must not change the response.
func TestPage_ResponseHidesHowItWasRead(t *testing.T) {
	w := oddWorld(t, without(99))
	slow := fieldByField(w.deps)
	for _, query := range []string{
		`{ viewer { homeFeed(first: 2) { nodes { id } } } }`,
		`{ me: viewer { home: homeFeed(first: 2) { nodes { id } } } }`,
		`{ viewer { ...F } viewer { homeFeed(first: 2) { edges { cursor } } } } fragment F on Viewer { homeFeed(first: 2) { nodes { id } } }`,
		`query($no: Boolean = true) { viewer { homeFeed(first: 2) @skip(if: $no) { nodes { id } } } }`,
		`query($no: Boolean = true) { viewer @skip(if: $no) { homeFeed(first: 2) { nodes { id } } } }`,
		`{ viewer { homeFeed(first: 2) { nodes { id } } __typename } }`,
		`{ viewer { homeFeed(first: 2) { nodes { id } } liveFeed(first: 2) { nodes { id } } } }`,
		`{ viewer { homeFeed(first: 2) { nodes { id } } } user(handle: "ben") { id } }`,
		`{ viewer { liveFeed(first: 2) { nodes { id host { handle } } } } }`,
		`{ viewer { liveFeed(first: -2) { nodes { id } } } }`,
		`{ viewer { homeFeed(first: 2, after: "nowhere") { nodes { id } } } }`,
		`{ me: viewer { home: homeFeed(first: 2000) { nodes { id } } } }`,
		`{ viewer { homeFeed(first: 2) { newCount(since: "nowhere") } } }`,
	} {
		for _, viewer := range []feed.UserID{1, 0} {
			want, wantErrors := executeAs(t, slow, viewer, query, nil)
			got, gotErrors := executeAs(t, w.handler, viewer, query, nil)
			if got != want {
				t.Errorf("%s\nby %d returns\n%s\nwant\n%s", query, viewer, got, want)
			}
			wantEqual(t, wantErrors, gotErrors, "%s\nby %d: errors", query, viewer)
		}
	}
}

// An edit, another name, a deletion, counters and the viewer's reactions show in the next response.
func TestPage_ShowsChangesInTheNextResponse(t *testing.T) {
	w := oddWorld(t, without(99))
	const query = `{ viewer { homeFeed(first: 3) { nodes {
		id text editedAt author { id handle name } counters { likes } viewerHasLiked } } } }`
	page := func() string {
		data, _ := execute(t, w.handler, query, nil)
		return data
	}
	page()
	_, text, _ := model.ParseGlobalID(w.must(1, query, nil).at(t, "viewer.homeFeed.nodes.0.id").(string))
	top, err := feed.ParsePostID(string(text))
	noError(t, err)
	posts, err := w.store.Posts(t.Context(), []feed.PostID{top})
	noError(t, err)
	name := "Another Name"
	for _, change := range []struct {
		what, want string
		make       func() error
	}{
		{"an edit", `"text":"edited"`, func() error {
			_, err := w.store.Edit(t.Context(), top, feed.PostEdit{Text: new("edited"), At: epoch})
			return err
		}},
		{"a name", `"name":"Another Name"`, func() error {
			_, err := w.store.UpdateProfile(t.Context(), posts[0].Author, feed.ProfileChange{Name: &name})
			return err
		}},
		{"a like", `"likes":1},"viewerHasLiked":true`, func() error { return w.store.React(t.Context(), feed.ReactionLike, 1, top, epoch) }},
	} {
		before := page()
		if err := change.make(); err != nil {
			t.Fatalf("%s: %v", change.what, err)
		}
		if after := page(); strings.Contains(before, change.want) || !strings.Contains(after, change.want) {
			t.Errorf("after %s the page is\n%s\nand before\n%s", change.what, after, before)
		}
	}
	noError(t, w.store.Delete(t.Context(), top, epoch))
	if after := page(); strings.Contains(after, postID(top)) {
		t.Errorf("after its deletion the post is still in\n%s", after)
	}
}

// The test above would pass if the encoder wrote nothing.
func TestEncoder_WritesPages(t *testing.T) {
	w := oddWorld(t, without(99))
	for range 20 { // so that little of the cost is that of an empty page
		w.schedule(2, "more")
	}
	const edge = `{ cursor node { id text publishedAt author { handle } } }`
	for query, rest := range map[string]string{
		`{ viewer { homeFeed(first: 20) { `:                 `edges ` + edge + ` pageInfo { endCursor } } } }`,
		`{ viewer { ` + w.allChanges("homeChanges") + ` { `: `changes { kind postId edge ` + edge + ` } syncToken hasMore } } }`,
		`{ viewer { ` + w.allChanges("liveChanges") + ` { `: `changes { kind liveSessionId edge { cursor state node { id title host { handle } } } } syncToken hasMore } } }`,
	} {
		cost := func(h http.Handler, rest string) float64 {
			return testing.AllocsPerRun(10, func() { execute(t, h, query+rest, nil) })
		}
		reads := cost(w.handler, `__typename } } }`)
		fast, slow := cost(w.handler, rest)-reads, cost(fieldByField(w.deps), rest)-reads
		if fast > slow/10 {
			t.Errorf("%s takes %v allocations besides %v of reads, and %v if encoded field by field", query, fast, reads, slow)
		}
	}
}

// Nested fragments may select more fields than a plan may have, although few are distinct.
func TestEncoder_LeavesLargeSelectionsToExecutor(t *testing.T) {
	w := oddWorld(t, without(99))
	var query strings.Builder
	query.WriteString(`{ viewer { homeFeed(first: 1, kinds: [POST]) { nodes { ...f0 } } } }`)
	for i := range 5 {
		query.WriteString(" fragment f" + string(rune('0'+i)) + " on Post { id")
		for _, alias := range []string{"a", "b", "c", "d", "e"} {
			query.WriteString(" " + alias + ": replyTo { ...f" + string(rune('1'+i)) + " }")
		}
		query.WriteString(" }")
	}
	query.WriteString(" fragment f5 on Post { id }")
	got := w.must(1, query.String(), nil)
	if node, _ := got.at(t, "viewer.homeFeed.nodes.0").(map[string]any); len(node) != 6 || node["a"] != nil {
		t.Errorf("the post is %v", node)
	}
}

// without removes a user from the store.
func without(id feed.UserID) func([]feed.UserID, []*feed.User) error {
	return func(ids []feed.UserID, users []*feed.User) error {
		if at := slices.Index(ids, id); at >= 0 {
			users[at] = nil
		}
		return nil
	}
}

// oddWorld has texts that need escapes, nullable fields with and without values, nested posts, and
// sessions in all states.
func oddWorld(t *testing.T, fault func([]feed.UserID, []*feed.User) error) *world {
	w := newWorld(t, func(d *resolvers.Deps) {
		same := &shelf{posts: map[feed.PostID]*feed.Post{}, users: map[feed.UserID]*feed.User{}}
		d.Timeline, d.Users = timelineHook{d.Timeline, same.put}, faulty{d.Users.(countedUsers), same, fault}
		d.Guard.Limits = guard.DefaultLimits()
		d.Guard.Limits.Directives, d.Guard.Limits.Aliases, d.Guard.Limits.Cost = 1000, 1000, 1_000_000
		d.Guard.Limits.Tokens, d.Guard.Limits.Selections, d.Guard.Limits.Definitions = 20_000, 10_000, 1000
		d.Guard.Limits.Bytes, d.Guard.Limits.Comparisons, d.Guard.Limits.SlotPages = 1<<20, guard.MaxCount, guard.MaxCount
		d.Upstreams.Slots, d.Upstreams.SlotsGap, d.Upstreams.Budget = &slotSource{place: everywhere}, 1, time.Minute
	})
	fillFeed(w)
	texts := []string{
		"", "plain", `"quoted" \ and / more`, "a\ttab, a\nline, a\rreturn", "\x00\x01\x1f\x7f control", "<script>&amp;</script>",
		"\u2028 and \u2029", "né à 日本 🙂", "not \xff\xfe UTF-8", strings.Repeat("long \n", 50), "eight by", "seven77", "nine99999",
	}
	for i, text := range texts {
		w.post(feed.PostID(200+i), feed.UserID(i%3+1), func(p *feed.Post) {
			p.Text, p.EditedAt = text, int64(i%2)*(epoch+int64(i)*777)
			if i%3 == 0 {
				p.Media = []string{"https://example.org/a.png", `https://example.org/"b"?c=d&e`}
				p.Custom = `{"size":1.50,"id":12345678901234567890,"ü<":[null]}`
			}
		})
	}
	w.post(300, 4)
	w.post(301, 2, repostOf(300))
	w.post(302, 3, replyTo(301))
	w.user(5, "anna")
	w.user(6, "annabel")
	w.relate(feed.RelationMute, 1, 5)
	w.follow(5, 2)
	w.follow(2, 3)
	var ids []live.ID
	for _, title := range []string{"one", `t"w"o`, "three"} {
		ids = append(ids, w.schedule(2, title))
	}
	w.start(2, ids[0])
	w.start(2, ids[1])
	w.end(2, ids[1])
	return w
}

// shelf returns the same pointer for equal objects, as caches do.
type shelf struct {
	mu    sync.Mutex
	posts map[feed.PostID]*feed.Post
	users map[feed.UserID]*feed.User
}

func (s *shelf) put(page *feed.Page) {
	for i, e := range page.Entries {
		page.Entries[i].Post = same(s, s.posts, e.Post.ID, e.Post)
	}
}

// same returns the stored object that equals v, or stores v.
func same[K comparable, V any](s *shelf, on map[K]*V, key K, v *V) *V {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !cmp.Equal(on[key], v) {
		on[key] = v
	}
	return on[key]
}

// faulty returns some users, and fails for others.
type faulty struct {
	countedUsers
	shelf *shelf
	fault func([]feed.UserID, []*feed.User) error
}

func (f faulty) Authors(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	users, err := f.countedUsers.Authors(ctx, viewer, ids)
	for i, u := range users {
		if u != nil {
			users[i] = same(f.shelf, f.shelf.users, u.ID, u)
		}
	}
	if err == nil {
		err = f.fault(ids, users)
	}
	return users, err
}

// execute returns the data of a response as written, and its sorted errors.
func execute(t fataler, h http.Handler, query string, variables map[string]any) (string, []string) {
	return executeAs(t, h, 1, query, variables)
}

func executeAs(t fataler, h http.Handler, viewer feed.UserID, query string, variables map[string]any) (string, []string) {
	var got struct {
		Data   json.RawMessage
		Errors []json.RawMessage
	}
	body := responseAs(context.Background(), h, viewer, query, variables)
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Data == nil {
		t.Fatal(err, query, body)
	}
	var errs []string
	for _, e := range got.Errors {
		errs = append(errs, string(e))
	}
	slices.Sort(errs)
	return string(got.Data), errs
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// documents draws valid documents for a schema: fields with and without aliases, inline and named
// fragments on types and interfaces, __typename, repeated fields, @skip and @include, and @defer.
type documents struct {
	t      *rapid.T
	schema *ast.Schema
	// arguments are those of the fields that take any, by type and field.
	arguments map[string]string
	fragments []string
	// deferring draws @defer too, each with a label of its own or none.
	deferring bool
	labels    int
	// left is the number of fields that may still be drawn.
	left int
}

// draw returns a document that selects fields at paths, each a text with %s for the selection.
func (d *documents) draw(paths map[string]string) string {
	d.left = 60
	path := rapid.SampledFrom(sortedKeys(paths)).Draw(d.t, "path")
	body := fmt.Sprintf(path, d.set(paths[path], 5))
	// An unused variable is invalid.
	return "query($yes: Boolean!, $maybe: Boolean = true) { __typename @include(if: $yes) @skip(if: $maybe) " + body + " }\n" + strings.Join(d.fragments, "\n")
}

// variables draws values for the variables of a document.
func (d *documents) variables() map[string]any {
	variables := map[string]any{"yes": rapid.Bool().Draw(d.t, "yes")}
	if rapid.Bool().Draw(d.t, "given") {
		variables["maybe"] = rapid.Bool().Draw(d.t, "maybe")
	}
	return variables
}

// set draws a selection set of a type.
func (d *documents) set(typ string, depth int) string {
	parts := []string{d.field(typ, depth)}
	for range rapid.IntRange(0, 5).Draw(d.t, "more") {
		parts = append(parts, d.selection(typ, depth))
	}
	return "{ " + strings.Join(parts, " ") + " }"
}

func (d *documents) selection(typ string, depth int) string {
	switch kind := rapid.IntRange(0, 9).Draw(d.t, "kind"); {
	case depth > 1 && kind == 0:
		return "... " + d.deferral() + d.directive() + d.set(typ, depth-1)
	case depth > 1 && kind == 1:
		on := d.condition(typ)
		return "... on " + on + " " + d.deferral() + d.directive() + d.set(on, depth-1)
	case depth > 1 && kind == 2:
		name, on := fmt.Sprintf("f%d", len(d.fragments)), d.condition(typ)
		d.fragments = append(d.fragments, "")
		at := len(d.fragments) - 1
		d.fragments[at] = "fragment " + name + " on " + on + " " + d.set(on, depth-1)
		return "..." + name + " " + d.deferral() + d.directive() + " ..." + name + " " + d.deferral()
	}
	return d.field(typ, depth)
}

// condition draws the type itself or one of its interfaces.
func (d *documents) condition(typ string) string {
	return rapid.SampledFrom(append([]string{typ}, d.schema.Types[typ].Interfaces...)).Draw(d.t, "on")
}

// field draws a field. Its alias identifies it, so that equal ones can be merged.
func (d *documents) field(typ string, depth int) string {
	d.left--
	fields := []string{"__typename"}
	for _, f := range d.schema.Types[typ].Fields {
		isLeaf := d.schema.Types[f.Type.Name()].IsLeafType()
		_, known := d.arguments[typ+"."+f.Name]
		if !strings.HasPrefix(f.Name, "__") && (isLeaf || depth > 1 && d.left > 0) && (len(f.Arguments) == 0 || known) {
			fields = append(fields, f.Name)
		}
	}
	name := rapid.SampledFrom(fields).Draw(d.t, "field")
	text := name
	if rapid.IntRange(0, 3).Draw(d.t, "alias") == 0 {
		text = "a_" + strings.Trim(name, "_") + ": " + name
	}
	text += d.arguments[typ+"."+name] + " " + d.directive()
	if def := d.schema.Types[typ].Fields.ForName(name); def != nil && !d.schema.Types[def.Type.Name()].IsLeafType() {
		text += d.set(def.Type.Name(), depth-1)
	}
	return text
}

func (d *documents) deferral() string {
	if !d.deferring {
		return ""
	}
	d.labels++
	label := fmt.Sprintf("l%d", d.labels)
	return rapid.SampledFrom([]string{
		"", "@defer ", "@defer ", `@defer(label: "` + label + `") `, `@defer(if: $yes, label: "` + label + `") `, "@defer(if: $maybe) ", "@defer(if: null) ",
	}).Draw(d.t, "defer")
}

func (d *documents) directive() string {
	return rapid.SampledFrom([]string{
		"", "", "", "", "", "", "", "@skip(if: false) ", "@include(if: false) ", "@skip(if: true) ",
		"@include(if: $yes) ", "@skip(if: $yes) ", "@include(if: $maybe) ", "@skip(if: $maybe) @include(if: $yes) ",
	}).Draw(d.t, "directive")
}
