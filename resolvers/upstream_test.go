package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers"
)

// barePost and bareUser return what is stored where services have the rest, and must not show.
func barePost(p *feed.Post) *feed.Post {
	if p == nil {
		return nil
	}
	bare := *p
	bare.Text, bare.Media, bare.EditedAt = "stored", []string{"stored"}, 1
	if bare.Custom != "" { // otherwise the stored ones are shown
		bare.Custom = `{"stored":true}`
	}
	return &bare
}

func bareUser(u *feed.User) *feed.User {
	if u == nil || u.ProfileWithheld {
		return u
	}
	bare := *u
	bare.Handle, bare.Name, bare.AvatarURL = "stored", "stored", "stored"
	if bare.Custom != "" {
		bare.Custom = `{"stored":true}`
	}
	return &bare
}

func bareAll[T any](list []*T, bare func(*T) *T) []*T {
	out := make([]*T, len(list))
	for i, v := range list {
		out[i] = bare(v)
	}
	return out
}

func barePage(page *feed.Page) {
	for i := range page.Entries {
		page.Entries[i].Post = barePost(page.Entries[i].Post)
	}
}

func bareList(page *feed.UserPage) {
	for i := range page.Entries {
		page.Entries[i].User = bareUser(page.Entries[i].User)
	}
}

type skeletonPosts struct{ timelineHook }

func (s skeletonPosts) Posts(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]*feed.Post, error) {
	posts, err := s.Timeline.Posts(ctx, viewer, ids)
	return bareAll(posts, barePost), err
}

type skeletonUsers struct{ directoryHook }

func (s skeletonUsers) Users(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	users, err := s.Directory.Users(ctx, viewer, ids)
	return bareAll(users, bareUser), err
}

func (s skeletonUsers) UserByHandle(ctx context.Context, viewer feed.UserID, handle string) (*feed.User, error) {
	u, err := s.Directory.UserByHandle(ctx, viewer, handle)
	return bareUser(u), err
}

type authors interface {
	Authors(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error)
}

type skeletonAuthors struct{ authors }

func (s skeletonAuthors) Authors(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	users, err := s.authors.Authors(ctx, viewer, ids)
	return bareAll(users, bareUser), err
}

// noCounters counts nothing, except reactions of viewers.
type noCounters struct{ feed.Counters }

func (noCounters) PostCounters(_ context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	return make([]feed.PostCounters, len(ids)), nil
}

func (noCounters) UserCounters(_ context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	return make([]feed.UserCounters, len(ids)), nil
}

// fetcher is a service that has what a store has. It counts fetches by kind.
type fetcher[V any] struct {
	kind   string
	reads  *reads
	stores feedtest.Stores
	read   reader[V]
	// problem changes an answer.
	problem func(o feed.Object) feed.UpstreamProblem
}

func (f fetcher[V]) Fetch(ctx context.Context, refs []feed.UpstreamRef) []feed.Fetched[V] {
	f.reads.note(f.kind)
	out := make([]feed.Fetched[V], len(refs))
	for i, ref := range refs {
		if ref.ID == "" {
			panic("a reference has no id")
		}
		problem := f.problem(ref.Object)
		// Half of the problems leave an old answer.
		out[i].Problem, out[i].Stale = problem, problem != "" && (ref.Object.A+ref.Object.B)%4 < 2
		if out[i].Missing() {
			continue
		}
		value, err := f.read(ctx, f.stores, ref.Object)
		if err != nil {
			panic(err)
		}
		out[i].Value = value
	}
	return out
}

type services struct{ posts, users, counters bool }

// serviceModes are all modes but that without services.
func serviceModes() map[string]services {
	return map[string]services{
		"profiles": {users: true}, "counters": {counters: true}, "posts": {posts: true}, "everything": {true, true, true},
	}
}

func healthy(feed.Object) feed.UpstreamProblem { return "" }

// skeletons returns deps that show nothing of what is stored where services have it.
func skeletons(d resolvers.Deps, m services) resolvers.Deps {
	if m.posts {
		d.Timeline = skeletonPosts{timelineHook{d.Timeline, barePage}}
	}
	if m.users {
		d.Directory, d.Users = skeletonUsers{directoryHook{d.Directory, bareList}}, skeletonAuthors{d.Users}
	}
	if m.counters {
		d.Counters = noCounters{d.Counters}
	}
	return d
}

// movedOut returns the API and its deps when the content of w is at services. What is stored instead
// must not show.
func movedOut(w *world, m services, problem func(feed.Object) feed.UpstreamProblem) (http.Handler, resolvers.Deps) {
	d, stores := skeletons(w.deps, m), feedtest.StoresOf(w.store)
	d.Upstreams.Budget = time.Minute
	if m.posts {
		d.Upstreams.Posts = fetcher[feed.PostContent]{"post contents", w.reads, stores, storedPost, problem}
	}
	if m.users {
		d.Upstreams.Users = fetcher[feed.Profile]{"profiles", w.reads, stores, storedProfile, problem}
	}
	if m.counters {
		d.Upstreams.Counters = fetcher[feed.UpstreamCounters]{"counters", w.reads, stores, storedCounters, problem}
	}
	return signedIn(resolvers.NewHandler(d)), d
}

// fieldByField returns an API without the encoder.
func fieldByField(d resolvers.Deps) http.Handler {
	d.Plain = true
	return signedIn(resolvers.NewHandler(d))
}

// Pages are the same wherever their content is, for every selection, with and without the encoder.
func TestUpstream_ShowsWhatTheStoreHas(t *testing.T) {
	for name, m := range serviceModes() {
		t.Run(name, func(t *testing.T) {
			w := oddWorld(t, without(99))
			own := fieldByField(w.deps)
			fast, moved := movedOut(w, m, healthy)
			slow := fieldByField(moved)
			rapid.Check(t, func(t *rapid.T) {
				d := documents{t: t, schema: graph.LoadSchema(), arguments: arguments}
				query := d.draw(pages)
				variables := d.variables()
				want := responseTo(own, query, variables)
				for _, h := range []http.Handler{slow, fast, fast} {
					if got := responseTo(h, query, variables); got != want {
						t.Fatalf("%s\nwith %v is\n%s\nand not\n%s", query, variables, got, want)
					}
				}
			})
		})
	}
}

// With missing and stale answers, both ways to write a page agree, also on the notes.
func TestUpstream_EncoderNotesWhatTheExecutorNotes(t *testing.T) {
	w := oddWorld(t, without(99))
	fast, moved := movedOut(w, services{true, true, true}, func(o feed.Object) feed.UpstreamProblem {
		if (o.A+o.B)%2 == 0 {
			return feed.UpstreamTimeout
		}
		return ""
	})
	slow := fieldByField(moved)
	noted := 0
	rapid.Check(t, func(t *rapid.T) {
		d := documents{t: t, schema: graph.LoadSchema(), arguments: arguments}
		query := d.draw(pages)
		variables := d.variables()
		want := responseTo(slow, query, variables)
		if strings.Contains(want, `"upstream":{"`) {
			noted++
		}
		for range 2 {
			if got := responseTo(fast, query, variables); got != want {
				t.Fatalf("%s\nwith %v is encoded as\n%s\nand not as\n%s", query, variables, got, want)
			}
		}
	})
	if noted == 0 {
		t.Error("no response has notes")
	}
}

// responseTo returns the body of the response to Ann.
func responseTo(h http.Handler, query string, variables map[string]any) string {
	return responseAs(context.Background(), h, 1, query, variables)
}

// responseAs returns the body of the response to a viewer.
func responseAs(ctx context.Context, h http.Handler, viewer feed.UserID, query string, variables map[string]any) string {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, bodyRequest(ctx, viewer, request(query, variables)))
	return rec.Body.String()
}

// A page of twenty with authors, counters, originals and two comments each.
func TestUpstream_OneCallPerKindAndLevel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no batch splits because the machine is busy
		w := newWorld(t)
		fillFeed(w)
		for id := feed.PostID(1); id <= 20; id++ {
			w.post(200+2*id, 4, replyTo(id))
			w.post(201+2*id, 4, replyTo(id))
		}
		h, _ := movedOut(w, services{true, true, true}, healthy)
		const entry = `text unavailable author { name counters { followers } } counters { likes } `
		for query, want := range map[string]map[string]int{
			entry + `repostOf { ` + entry + `}`: {"post contents": 1, "profiles": 1, "counters": 1, "users": 1, "posts": 1},
			entry + `repostOf { ` + entry + `} comments(first: 2) { nodes { ` + entry + ` } }`: {
				"post contents": 2, "profiles": 1, "counters": 2, "users": 1, "posts": 1, "pages": 1,
			},
			`id publishedAt`:         nil,
			`author { id }`:          {"users": 1},
			`author { viewerMutes }`: {"users": 1, "edges": 1},
		} {
			w.reads.take()
			body := responseTo(h, `{ viewer { homeFeed(first: 20) { nodes { `+query+` } } } }`, nil)
			got := w.reads.take()
			// The page has the author of the comments, who is not read again.
			if diff := cmp.Diff(want, got); diff != "" || strings.Contains(body, `"errors"`) {
				t.Errorf("%s: reads (-want +got):\n%s\n%.500s", query, diff, body)
			}
		}
	})
}

// What is missing is empty and named; no field is null and no page fails.
func TestUpstream_NamesWhatIsMissing(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.post(8, 2, func(p *feed.Post) { p.Text = "old" })
	w.post(7, 2, func(p *feed.Post) { p.Text = "new" })
	moved, _ := movedOut(w, services{true, true, true}, func(o feed.Object) feed.UpstreamProblem {
		switch {
		case o.Type == feed.RecordPost && o.A == 7:
			return feed.UpstreamNotFound
		case o.Type == feed.RecordPost && o.A == 8, o.Type == feed.RecordCounters && o.B == 7:
			return feed.UpstreamTimeout
		}
		return ""
	})
	got := responseTo(moved,
		`{ viewer { homeFeed { nodes { text media editedAt unavailable counters { likes } author { name unavailable } } } } }`, nil)
	const author = `"author":{"name":"BEN","unavailable":false}`
	want := `{"data":{"viewer":{"homeFeed":{"nodes":[` +
		`{"text":"old","media":[],"editedAt":null,"unavailable":false,"counters":{"likes":0},` + author + `},` +
		`{"text":"","media":[],"editedAt":null,"unavailable":true,"counters":{"likes":0},` + author + `}` +
		`]}}},"extensions":{"cost":{"limit":10000,"requested":62},"upstream":{` +
		`"missing":[{"path":["viewer","homeFeed","nodes",1],"reason":"NOT_FOUND"},{"path":["viewer","homeFeed","nodes",1,"counters"],"reason":"TIMEOUT"}],` +
		`"stale":[{"path":["viewer","homeFeed","nodes",0],"reason":"TIMEOUT"}]}}}`
	wantEqual(t, want, got, "the response")
}

// Objects outside of pages are read one by one, with their notes.
func TestUpstream_NodesAndMutations(t *testing.T) {
	w := newWorld(t)
	w.post(7, 2)
	moved, _ := movedOut(w, services{true, true, true}, func(o feed.Object) feed.UpstreamProblem {
		if o.Type == feed.RecordUser {
			return feed.UpstreamUnavailable
		}
		return ""
	})
	got := responseTo(moved, `mutation($u: ID!, $p: ID!) {
		followUser(input: {userId: $u}) { user { unavailable } }
		likePost(input: {postId: $p}) { post { text counters { likes } } } }`, map[string]any{"u": userID(3), "p": postID(7)})
	for _, part := range []string{`{"user":{"unavailable":true}}`, `"likes":1`, `{"path":["followUser","user"],"reason":"UNAVAILABLE"}`} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is not in %s", part, got)
		}
	}
	got = responseTo(moved, fmt.Sprintf(`{ a: node(id: %q) { ...on User { name } } b: node(id: %q) { ...on Post { text } } }`, userID(3), postID(7)), nil)
	if !strings.HasPrefix(got, `{"data":{"a":{"name":""},"b":{"text":`) || !strings.Contains(got, `{"path":["a"],"reason":"UNAVAILABLE"}`) {
		t.Errorf("nodes are %s", got)
	}
}

// A service says that posts are gone while their page is read, and later those that replace them.
func TestUpstream_GonePostsAreReplaced(t *testing.T) {
	for name, query := range map[string]string{
		"home":   `{ viewer { homeFeed(first: 3) { nodes { databaseId unavailable } } } }`,
		"outbox": `{ user(databaseId: "2") { posts(first: 3) { nodes { databaseId unavailable } } } }`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.follow(1, 2)
			for id := feed.PostID(1); id <= 9; id++ {
				w.post(id, 2)
			}
			moved, _ := movedOut(w, services{posts: true}, func(o feed.Object) feed.UpstreamProblem {
				if o.A%2 == 0 {
					return ""
				}
				if err := w.store.Delete(t.Context(), feed.PostID(o.A), 1); err != nil {
					t.Error(err)
				}
				return feed.UpstreamGone
			})
			got := responseTo(moved, query, nil)
			want := `"nodes":[{"databaseId":"8","unavailable":false},{"databaseId":"6","unavailable":false},{"databaseId":"4","unavailable":false}]`
			if !strings.Contains(got, want) || strings.Contains(got, `"upstream"`) {
				t.Errorf("the page is %s", got)
			}
		})
	}
}

// Custom fields are those of the record unless the service has some.
func TestUpstream_CustomFieldsOfServiceOrRecord(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.post(8, 2, func(p *feed.Post) { p.Custom = `{"of":"service"}` })
	w.post(7, 2)
	_, moved := movedOut(w, services{posts: true}, healthy)
	moved.Timeline = timelineHook{moved.Timeline, func(page *feed.Page) {
		for _, e := range page.Entries {
			e.Post.Custom = `{"of":"record"}`
		}
	}}
	got := responseTo(signedIn(resolvers.NewHandler(moved)), `{ viewer { homeFeed { nodes { customFields } } } }`, nil)
	want := `{"data":{"viewer":{"homeFeed":{"nodes":[{"customFields":{"of":"service"}},{"customFields":{"of":"record"}}]}}}`
	if !strings.HasPrefix(got, want) {
		t.Errorf("the response is %s", got)
	}
}

// reader reads what a service has of an object, which is what is stored.
type reader[V any] func(ctx context.Context, s feedtest.Stores, o feed.Object) (V, error)

func storedPost(ctx context.Context, s feedtest.Stores, o feed.Object) (feed.PostContent, error) {
	posts, err := s.Posts.Posts(ctx, []feed.PostID{feed.PostID(o.A)})
	if err != nil {
		return feed.PostContent{}, err
	}
	return posts[0].Content(), nil
}

func storedProfile(ctx context.Context, s feedtest.Stores, o feed.Object) (feed.Profile, error) {
	users, err := s.Users.Users(ctx, []feed.UserID{feed.UserID(o.A)})
	if err != nil {
		return feed.Profile{}, err
	}
	return users[0].Profile(), nil
}

func storedCounters(ctx context.Context, s feedtest.Stores, o feed.Object) (c feed.UpstreamCounters, err error) {
	if o.B == 0 {
		users, err := s.Counters.UserCounters(ctx, []feed.UserID{feed.UserID(o.A)})
		if err == nil {
			c.User = users[0]
		}
		return c, err
	}
	posts, err := s.Counters.PostCounters(ctx, []feed.PostID{feed.PostID(o.B)})
	if err == nil {
		c.Post = posts[0]
	}
	return c, err
}

// Each part of a response names what is missing in it.
func TestUpstream_PartsHaveTheirOwnNotes(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.post(7, 2)
	w.handler, _ = movedOut(w, services{true, true, true}, func(feed.Object) feed.UpstreamProblem { return feed.UpstreamNotFound })
	var got []string
	for _, p := range w.parts(t, 1, `{ viewer { homeFeed { nodes { text ... @defer { author { name } } } } } }`, nil) {
		notes, err := json.Marshal(p.Extensions["upstream"])
		noError(t, err)
		got = append(got, string(notes))
	}
	const missing = `{"missing":[{"path":["viewer","homeFeed","nodes",0%s],"reason":"NOT_FOUND"}]}`
	wantEqual(t, []string{fmt.Sprintf(missing, ""), fmt.Sprintf(missing, `,"author"`)}, got, "the notes")
}

// silent is a service that answers only at the end of the budget.
type silent[V any] struct{}

func (silent[V]) Fetch(ctx context.Context, refs []feed.UpstreamRef) []feed.Fetched[V] {
	<-ctx.Done()
	out := make([]feed.Fetched[V], len(refs))
	for i := range out {
		out[i].Problem = feed.UpstreamTimeout
	}
	return out
}

// The budget is for an operation, however many levels it has.
func TestUpstream_BudgetForTheWholeOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no time passes but that of waiting
		w := newWorld(t)
		fillFeed(w)
		for id := feed.PostID(1); id <= 20; id++ {
			w.post(200+id, 4, replyTo(id))
		}
		d := w.deps
		const budget = time.Second
		d.Upstreams.Posts, d.Upstreams.Users, d.Upstreams.Budget = silent[feed.PostContent]{}, silent[feed.Profile]{}, budget
		began := time.Now()
		body := responseTo(signedIn(resolvers.NewHandler(d)),
			`{ viewer { homeFeed(first: 20) { nodes { text author { name } comments(first: 2) { nodes { text author { name } } } } } } }`, nil)
		if took := time.Since(began); took < budget || took > budget+budget/2 {
			t.Errorf("the page took %s", took)
		}
		if strings.Contains(body, `"errors"`) || strings.Count(body, `"reason":"TIMEOUT"`) < 60 {
			t.Errorf("the page is %.500s", body)
		}
	})
}
