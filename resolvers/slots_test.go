package resolvers_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/slots"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/resolvers"
)

type placed = feed.Fetched[[]slots.Slot]

// slotSource is a source of slots that keeps what it was asked.
type slotSource struct {
	mu    sync.Mutex
	pages []slots.Page
	place func(context.Context, slots.Page) placed
}

func (s *slotSource) Place(ctx context.Context, page slots.Page) placed {
	s.mu.Lock()
	s.pages = append(s.pages, page)
	s.mu.Unlock()
	return s.place(ctx, page)
}

// take returns the pages that were asked about since it was last called.
func (s *slotSource) take() []slots.Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	pages := s.pages
	s.pages = nil
	return pages
}

// everywhere places as many slots as a page may show. Pages of an odd length have a problem, too.
func everywhere(_ context.Context, page slots.Page) placed {
	var all []slots.Slot
	for n := range page.Entries {
		all = append(all, slots.Slot{ID: fmt.Sprintf("slot \"%d\"\n", n), After: n, Source: `A<d>"`, Content: feed.CustomFields(fmt.Sprintf(`{"n":%d.50,"ü<":[null]}`, n))})
	}
	f := placed{Value: slots.Spaced(all, len(page.Entries), page.Gap)}
	if len(page.Entries)%2 == 1 {
		f.Problem = feed.UpstreamInvalid
	}
	return f
}

// withSlots returns an API with a source of slots and a gap of 2.
func withSlots(place func(context.Context, slots.Page) placed) (*slotSource, func(*resolvers.Deps)) {
	s := &slotSource{place: place}
	return s, func(d *resolvers.Deps) {
		d.Upstreams.Slots, d.Upstreams.SlotsGap, d.Upstreams.Budget = s, 2, time.Second
	}
}

// slotsOf returns the slots at a path as text: ids with the posts that they follow, from a selection of
// slots { id after } edges { cursor node { databaseId } }.
func slotsOf(t *testing.T, got result, path string) string {
	t.Helper()
	page, _ := got.at(t, path).(map[string]any)
	post := map[any]any{}
	for _, e := range page["edges"].([]any) {
		edge, _ := e.(map[string]any)
		post[edge["cursor"]] = edge["node"].(map[string]any)["databaseId"]
	}
	var out []string
	for _, s := range page["slots"].([]any) {
		slot, _ := s.(map[string]any)
		out = append(out, fmt.Sprintf("%v after %v", slot["id"], post[slot["after"]]))
	}
	return strings.Join(out, ", ")
}

const slotPage = `slots { id after source content } edges { cursor node { databaseId } } `

// A source that hangs, fails, lies or answers late costs no page: without slots, data is the same.
func TestSlots_LeaveTheRestOfDataAlone(t *testing.T) {
	late := func(after time.Duration) func(context.Context, slots.Page) placed {
		return func(ctx context.Context, page slots.Page) placed {
			select {
			case <-time.After(after):
				return everywhere(ctx, page)
			case <-ctx.Done():
				return placed{Problem: feed.UpstreamTimeout}
			}
		}
	}
	const page = `%s nodes { databaseId text author { name counters { posts } } } edges { cursor sortKey } pageInfo { hasNextPage endCursor } newCount(since: "")`
	for name, c := range map[string]struct {
		place func(context.Context, slots.Page) placed
		notes string
	}{
		"healthy":           {everywhere, ``},
		"late, but in time": {late(100 * time.Millisecond), ``},
		"none":              {func(context.Context, slots.Page) placed { return placed{} }, ``},
		"hangs":             {late(time.Hour), `TIMEOUT`},
		"fails":             {func(context.Context, slots.Page) placed { return placed{Problem: feed.UpstreamUnavailable} }, `UNAVAILABLE`},
		"panics":            {func(context.Context, slots.Page) placed { panic("no slots ever") }, `UNAVAILABLE`},
		"lies": {func(ctx context.Context, page slots.Page) placed {
			f := everywhere(ctx, page)
			f.Value, f.Problem = f.Value[:1], feed.UpstreamInvalid
			return f
		}, `INVALID`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // no time passes but that of waiting
				_, edit := withSlots(c.place)
				w := newWorld(t, edit)
				fillFeed(w)
				for path, query := range map[string]string{
					"viewer.homeFeed": `{ viewer { homeFeed(first: 10) { ` + page + ` } } }`,
					"user.posts":      `{ user(handle: "ben") { posts(first: 6) { ` + page + ` } } }`,
				} {
					var want, got struct {
						Data       map[string]map[string]map[string]json.RawMessage
						Extensions struct{ Upstream any }
					}
					noError(t, json.Unmarshal([]byte(responseTo(w.handler, fmt.Sprintf(query, ""), nil)), &want))
					noError(t, json.Unmarshal([]byte(responseTo(w.handler, fmt.Sprintf(query, "slots { id after source content }"), nil)), &got))
					owner, list, _ := strings.Cut(path, ".")
					if _, selected := got.Data[owner][list]["slots"]; !selected {
						t.Errorf("%s: no slots in %v", path, got)
					}
					delete(got.Data[owner][list], "slots")
					wantEqual(t, want.Data, got.Data, "%s: the data without slots", path)
					var notes any
					if c.notes != "" {
						notes = value(`{"missing":[{"path":[%q,%q,"slots"],"reason":%q}]}`, owner, list, c.notes)
					}
					wantEqual(t, notes, got.Extensions.Upstream, "%s: the notes", path)
				}
				if logged := strings.Contains(w.log.String(), "no slots ever"); logged != (name == "panics") {
					t.Errorf("the log is %s", w.log)
				}
			})
		})
	}
}

func TestSlots_OneCallPerPageIfSelected(t *testing.T) {
	source, edit := withSlots(everywhere)
	w := newWorld(t, edit)
	fillFeed(w)
	w.post(200, 2, replyTo(20))
	const one, two = `viewer { homeFeed(first: 6) { slots { id } } }`, `viewer { homeFeed(first: 6) { slots { id } b: slots { after } } }`
	for query, calls := range map[string]int{
		`{ viewer { homeFeed(first: 6) { nodes { id } } } }`:                                  0,
		`{ viewer { homeFeed(first: 6) { nodes { id } slots @include(if: false) { id } } } }`: 0,
		`{ viewer { homeFeed(first: 2) { slots { id } } } }`:                                  0, // too short for a slot
		`{ viewer { homeFeed(first: 3) { slots { id } } } }`:                                  1,
		`{ ` + one + ` }`: 1,
		`{ ` + two + ` }`: 1,
		`{ viewer { homeFeed(first: 6) { ...s } } } fragment s on FeedConnection { slots { id } }`:                            1,
		`{ viewer { homeFeed(first: 6) { slots { id } } h: homeFeed(first: 5) { slots { id } } } }`:                           2,
		`{ user(handle: "ben") { posts { slots { id } b: slots { after } } } }`:                                               1,
		`{ a: user(handle: "ben") { posts { slots { id } } } b: user(handle: "cat") { posts { slots { id } } } ` + one + ` }`: 3,
		`{ users(query: "ben", first: 2) { nodes { posts { slots { id } } } } }`:                                              1,
		`{ node(id: "` + postID(20) + `") { ... on Post { comments { nodes { id } slots { id } } } } }`:                       0,
		`{ user(handle: "nobody") { posts { slots { id } } } }`:                                                               0,
	} {
		for _, plain := range []bool{true, false} {
			w.deps.Plain = plain
			w.handler = signedIn(resolvers.NewHandler(w.deps))
			w.must(1, query, nil)
			wantEqual(t, calls, len(source.take()), "the calls for %s", query)
		}
	}
	// What is deferred asks when its turn comes, also once.
	parts := w.parts(t, 1, `{ viewer { homeFeed(first: 6) { nodes { id } ... @defer { slots { id } b: slots { after } } } } }`, nil)
	wantEqual(t, []int{2, 1}, []int{len(parts), len(source.take())}, "the parts and calls of a deferred selection")
}

// A call begins before the page is hydrated, and hydration does not wait for it.
func TestSlots_AskedDuringHydration(t *testing.T) {
	asked, hydrated := make(chan struct{}), make(chan struct{})
	_, edit := withSlots(func(ctx context.Context, page slots.Page) placed {
		close(asked)
		<-hydrated
		return everywhere(ctx, page)
	})
	w := newWorld(t, edit, func(d *resolvers.Deps) {
		d.Users = authorsHook{d.Users, func() {
			<-asked
			close(hydrated)
		}}
	})
	fillFeed(w)
	got := w.must(1, `{ viewer { homeFeed(first: 4) { nodes { author { name } } `+slotPage+` } } }`, nil)
	wantEqual(t, "slot \"2\"\n after 19", slotsOf(t, got, "viewer.homeFeed"), "the slots")
}

type authorsHook struct {
	authors
	before func()
}

func (h authorsHook) Authors(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	h.before()
	return h.authors.Authors(ctx, viewer, ids)
}

// While a page is read, its service says that two posts are gone, and the page is read again. The source
// is asked once. What it placed after a post that has gone is dropped, and so is what is too close now.
func TestSlots_OfThePageThatIsShown(t *testing.T) {
	for name, query := range map[string]string{
		"viewer.homeFeed": `{ viewer { homeFeed(first: 8) { ` + slotPage + ` nodes { text } } } }`,
		"user.posts":      `{ user(databaseId: "2") { posts(first: 8) { ` + slotPage + ` nodes { text } } } }`,
	} {
		t.Run(name, func(t *testing.T) {
			source, edit := withSlots(func(_ context.Context, page slots.Page) placed {
				return placed{Value: slots.Spaced([]slots.Slot{
					{ID: "a", After: 2, Content: `{}`}, {ID: "b", After: 4, Content: `{}`}, {ID: "c", After: 6, Content: `{}`},
				}, len(page.Entries), page.Gap)}
			})
			w := newWorld(t, edit)
			w.follow(1, 2)
			for id := feed.PostID(1); id <= 12; id++ {
				w.post(id, 2)
			}
			moved, _ := movedOut(w, services{posts: true}, func(o feed.Object) feed.UpstreamProblem {
				// Slot a follows 11, b 9 and c 7.
				if o.A != 10 && o.A != 7 {
					return ""
				}
				if err := w.store.Delete(t.Context(), feed.PostID(o.A), 1); err != nil {
					t.Error(err)
				}
				return feed.UpstreamGone
			})
			w.handler = moved
			wantEqual(t, "a after 11", slotsOf(t, w.must(1, query, nil), name), "the slots")
			wantEqual(t, 1, len(source.take()), "the calls")
		})
	}
}

// entriesOf returns what the source received of one page: ids with authors and kinds.
func entriesOf(page slots.Page) string {
	var out []string
	for _, e := range page.Entries {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.ID, e.Author, e.Kind)))
	}
	return strings.Join(out, ", ")
}

// What an anonymous viewer may not see has neither id nor author.
func TestSlots_SourceLearnsNoSecrets(t *testing.T) {
	source, edit := withSlots(everywhere)
	w := newWorld(t, edit)
	for _, other := range []feed.UserID{2, 3, 4} {
		w.follow(1, other)
	}
	forFollowers := func(p *feed.Post) { p.Audience, p.AudienceAuthor = feed.AudienceFollowers, p.Author }
	w.post(1, 2)
	w.post(2, 2, forFollowers)
	w.post(3, 3) // the account becomes private
	w.post(4, 2, replyTo(3), func(p *feed.Post) { p.AudienceAuthor = 3 })
	w.post(5, 4, repostOf(2), func(p *feed.Post) { p.Audience, p.AudienceAuthor = feed.AudienceFollowers, 2 })
	w.post(6, 4, repostOf(1))
	w.post(7, 1) // taken down
	w.post(8, 1)
	w.mutate(3, "updateProfile", `isPrivate: true`)
	rec := w.sendBody(4, request(`mutation { takeDownPost(input: {postId: "`+postID(7)+`", reason: "x"}) { userErrors { message } } }`, nil), "X-Moderator", "1")
	wantEqual(t, []string(nil), decoded(t, rec).codes(), "the takedown")

	const query = `{ viewer { homeFeed { ` + slotPage + ` } } }`
	w.must(1, query, nil)
	page := source.take()[0]
	wantEqual(t, "8 1 POST, POST, 6 4 REPOST, REPOST, COMMENT, POST, POST, 1 2 POST", entriesOf(page), "the entries")
	wantEqual(t, []any{feed.ExternalID("1"), "home", 2}, []any{page.Viewer, page.Feed, page.Gap}, "the viewer, the feed and the gap")

	w.post(9, 4)
	w.post(10, 4)
	for viewer, want := range map[feed.UserID][]any{
		0: {feed.ExternalID(""), "outbox", "10 4 POST, 9 4 POST, 6 4 REPOST"},
		1: {feed.ExternalID("1"), "outbox", "10 4 POST, 9 4 POST, 6 4 REPOST, REPOST"},
	} {
		w.must(viewer, `{ user(handle: "dan") { posts { `+slotPage+` } } }`, nil)
		page := source.take()[0]
		wantEqual(t, want, []any{page.Viewer, page.Feed, entriesOf(page)}, "the viewer, the feed and the entries")
	}
}

// textIDs gives each user an id of a source.
type textIDs struct{ feed.DecimalIDs }

func (textIDs) ExternalIDs(_ context.Context, kind feed.IDKind, numbers []int64) ([]feed.ExternalID, error) {
	out := make([]feed.ExternalID, len(numbers))
	for i, n := range numbers {
		out[i] = feed.ExternalID(fmt.Sprintf("%s-%d", kind, n))
	}
	return out, nil
}

func TestSlots_SourceGetsItsOwnIDs(t *testing.T) {
	source, edit := withSlots(everywhere)
	w := newWorld(t, edit, func(d *resolvers.Deps) {
		d.IDs = textIDs{}
		d.Timeline = timelineHook{d.Timeline, func(page *feed.Page) {
			for _, e := range page.Entries {
				e.Post.External = feed.ExternalID("post-" + e.Post.ID.String())
			}
		}}
	})
	w.follow(1, 2)
	for id := feed.PostID(1); id <= 3; id++ {
		w.post(id, 2)
	}
	w.must(1, `{ viewer { homeFeed { `+slotPage+` } } }`, nil)
	page := source.take()[0]
	wantEqual(t, "post-3 user-2 POST, post-2 user-2 POST, post-1 user-2 POST", entriesOf(page), "the entries")
	wantEqual(t, feed.ExternalID("user-1"), page.Viewer, "the viewer")
}

// failingPosts cannot tell what the anonymous viewer may see.
type failingPosts struct{ resolvers.Timeline }

func (f failingPosts) Posts(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]*feed.Post, error) {
	if viewer == 0 {
		return nil, errors.New("no judge today")
	}
	return f.Timeline.Posts(ctx, viewer, ids)
}

func TestSlots_AskNothingWithoutJudgement(t *testing.T) {
	source, edit := withSlots(everywhere)
	w := newWorld(t, edit, func(d *resolvers.Deps) { d.Timeline = failingPosts{d.Timeline} })
	fillFeed(w)
	got := w.must(1, `{ viewer { homeFeed(first: 6) { `+slotPage+` } } }`, nil)
	wantEqual(t, "", slotsOf(t, got, "viewer.homeFeed"), "the slots")
	if len(source.take()) != 0 || !strings.Contains(w.log.String(), "no judge today") {
		t.Errorf("the log is %s", w.log)
	}
}

func TestSlots_OnThreePagesOfAnOperation(t *testing.T) {
	source, edit := withSlots(everywhere)
	w := newWorld(t, edit)
	fillFeed(w)
	feeds := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("h%d: homeFeed(first: %d) { slots { id } }", i, i+3))
		}
		return `{ viewer { ` + strings.Join(all, " ") + ` } }`
	}
	w.must(1, feeds(3), nil)
	wantEqual(t, 3, len(source.take()), "the calls")
	w.must(1, `query($n: Int) { users(query: "ben", first: $n) { nodes { posts { slots { id } } } } }`, map[string]any{"n": 3})
	source.take()
	for pages, query := range map[int]string{
		4:  feeds(4),
		5:  `query($n: Int) { users(query: "ben", first: $n) { nodes { posts { slots { id } } } } }`,
		20: `{ viewer { homeFeed { edges { node { author { ...u } } } } } } fragment u on User { posts { slots { id } } }`,
		6:  `{ a: nodes(ids: ["x", "y", "z"]) { ... on User { posts { slots { id } b: slots { id } } } } }`,
		30: `{ viewer { homeFeed(first: 3) { nodes { author { followers(first: 10) { nodes { posts { slots { id } } } } } } } } }`,
	} {
		got := w.ask(1, query, map[string]any{"n": 5})
		want := fmt.Sprintf("the operation has %d pages with slots; at most 3 are allowed", pages)
		if len(got.Errors) != 1 || got.Errors[0].Message != want || got.Errors[0].Extensions.Code != tooComplex {
			t.Errorf("%s: %+v", query, got.Errors)
		}
	}
	wantEqual(t, 0, len(source.take()), "the calls of refused operations")
	wantEqual(t, 3, guard.DefaultLimits().SlotPages, "the limit")
}

// No shared cache stores what a source said to one viewer.
func TestSlots_AreNotCached(t *testing.T) {
	_, edit := withSlots(everywhere)
	w := newWorld(t, edit)
	fillFeed(w)
	for selection, want := range map[string][]string{
		"nodes{id}":                            {"public, no-cache", "a tag"},
		"nodes{id}slots@include(if:false){id}": {"public, no-cache", "a tag"},
		"nodes{id}slots{id}":                   {"no-store", ""},
		"...s":                                 {"no-store", ""},
		"slots{id}":                            {"no-store", ""},
		"nodes{id}newCount(since:%22%22)slots{id}": {"no-store", ""},
	} {
		fragment := ""
		if strings.Contains(selection, "...s") {
			fragment = "fragment+s+on+FeedConnection{slots{id}}"
		}
		r := httptest.NewRequest(http.MethodGet, "/graphql?query={user(handle:%22ben%22){posts{"+selection+"}}}"+fragment, nil)
		header := w.send(r).Header()
		tag := header.Get("ETag")
		if tag != "" {
			tag = "a tag"
		}
		wantEqual(t, want, []string{header.Get("Cache-Control"), tag}, "%s: the headers for caches", selection)
	}
}
