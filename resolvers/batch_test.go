package resolvers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/resolvers"
)

// fullPage selects everything that costs a read: in a fragment, under an alias, in nodes and in
// edges.
const fullPage = `
query($first: Int) { viewer { homeFeed(first: $first) {
	edges { node { ...entry again: author { handle viewerFollows } } }
	nodes { viewerHasFavorited }
} } }
fragment entry on Post {
	text author { handle counters { followers } } counters { likes } viewerHasLiked
	replyTo { text author { handle counters { posts } } counters { comments } viewerHasLiked }
	repostOf { author { handle } replyTo { author { handle viewerBlocks } } }
	...on Node { id }
}`

// fillFeed gives Ann twenty entries by four authors: posts, comments and reposts. Some of the posts
// that they reply to or share are not in her feed.
func fillFeed(w *world) {
	w.follow(1, 2)
	w.follow(1, 3)
	w.post(100, 4)
	w.post(102, 4)
	w.post(101, 4, replyTo(102))
	for id := feed.PostID(1); id <= 20; id++ {
		author := feed.UserID(id%3 + 1)
		switch id % 4 {
		case 0:
			w.post(id, author, replyTo(100))
		case 1:
			w.post(id, author, repostOf(101))
		default:
			w.post(id, author)
		}
	}
}

// What a page shows is read in bulk, and only if it is selected.
func TestLists_OneReadOfEachSelectedKind(t *testing.T) {
	w := newWorld(t)
	fillFeed(w)
	var sessions []string
	for i := range feed.UserID(20) {
		w.user(11+i, "ben"+(11+i).String())
		w.toUser(1, "muteUser", userID(11+i))
		sessions = append(sessions, liveID(w.schedule(1+i%3, "session")))
	}
	w.user(50, "private")
	w.mutate(50, "updateProfile", `isPrivate: true`)
	w.mutate(1, "followUser", fmt.Sprintf(`userId: %q`, userID(50)))
	const people = ` { edges { node { viewerMutes } } nodes { ...u again: counters { posts } } } `
	const user = ` fragment u on User { handle viewerFollows viewerHidesFrom viewerBlocks counters { followers } }`
	const hosts = `edges { node { host { handle } } } nodes { host { viewerFollows counters { followers } } }`
	type reads = map[string]int
	for _, c := range []struct {
		viewer    feed.UserID
		query     string
		variables map[string]any
		want      reads
	}{
		// Nested posts have two levels: what is replied to or shared, and what that replies to.
		{1, fullPage, map[string]any{"first": 20}, reads{"users": 1, "post counters": 1, "user counters": 1, "reactions": 1, "edges": 1, "posts": 2}},
		{1, `{ viewer { homeFeed { nodes { id text publishedAt editedAt } } } }`, nil, nil},
		{1, `{ viewer { homeFeed { pageInfo { endCursor } } } }`, nil, nil},
		{1, `{ viewer { homeFeed { nodes { author { handle } } } } }`, nil, reads{"users": 1}},
		{1, `{ viewer { homeFeed { edges { node { counters { likes } } } } } }`, nil, reads{"post counters": 1}},
		{1, `{ viewer { homeFeed { nodes { replyTo { id } } } } }`, nil, reads{"posts": 1}},
		{1, `{ viewer { homeFeed { nodes { viewerHasLiked viewerHasFavorited } } } }`, nil, reads{"reactions": 1}},
		{1, `{ viewer { homeFeed { nodes { author @skip(if: true) { handle } id } } } }`, nil, nil},
		{1, `{ user(handle: "dan") { posts { nodes { author { viewerMutes } } } } }`, nil, reads{"users": 1, "edges": 1, "pages": 1}},
		{0, `{ user(handle: "dan") { posts { nodes { viewerHasLiked author { viewerFollows } } } } }`, nil, reads{"users": 1, "pages": 1}},
		{1, `{ user(handle: "ben") { followers { nodes { viewerFollows counters { posts } } } } }`, nil, reads{"edges": 1, "user counters": 1}},
		{1, `{ user(handle: "ben") { followers { edges { node { handle } } pageInfo { hasPreviousPage } } } }`, nil, nil},
		{1, `{ viewer { mutedUsers` + people + `} }` + user, nil, reads{"user counters": 1, "edges": 1}},
		{1, `{ users(query: "ben")` + people + `}` + user, nil, reads{"user counters": 1, "edges": 1}},
		{1, `{ users(query: "ben") { nodes { handle name } pageInfo { hasNextPage } } }`, nil, nil},
		{1, `{ users(query: "ben") { nodes { viewerFollowRequested isPrivate } } }`, nil, nil},
		{1, `{ users(query: "pri") { nodes { viewerFollowRequested viewerCanSeePosts } } }`, nil, reads{"requests": 1, "edges": 1}},
		{0, `{ users(query: "pri") { nodes { viewerFollowRequested viewerCanSeePosts } } }`, nil, nil},
		{1, `{ viewer { liveFeed { nodes { title state } edges { cursor } } } }`, nil, nil},
		{1, `{ viewer { liveFeed { ` + hosts + ` } } }`, nil, reads{"users": 1, "user counters": 1, "edges": 1}},
		{1, `query($ids: [ID!]!) { nodes(ids: $ids) { id ... on LiveSession { host { name } } } }`, map[string]any{"ids": sessions}, reads{"users": 1}},
		// Posts once as nodes and once nested; edges once for authors and once for nodes.
		{
			1, `query($ids: [ID!]!) { nodes(ids: $ids) {
				... on Post { author { handle viewerFollows } counters { likes } replyTo { author { handle } } } ... on User { viewerFollows counters { posts } } } }`,
			map[string]any{"ids": []string{postID(1), userID(2), postID(4), userID(3)}},
			reads{"posts": 2, "profiles": 1, "users": 1, "post counters": 1, "user counters": 1, "edges": 2},
		},
	} {
		w.reads.take()
		w.must(c.viewer, c.query, c.variables)
		wantEqual(t, c.want, w.reads.take(), "%s: bulk reads", c.query)
	}
}

func TestNestedLists_OneReadOfEachKind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		fillFeed(w)
		for id := feed.PostID(1); id <= 20; id++ {
			w.post(200+id, 4, replyTo(id))
			w.post(300+id, 4, replyTo(200+id))
		}
		before := time.Now()
		w.must(1, `{ viewer { homeFeed(first: 20) { nodes {
			comments(first: 2) { nodes { author { handle } comments(first: 1) { nodes { viewerHasLiked } } } }
		} } } }`, nil)
		want := map[string]int{"pages": 2, "users": 1, "reactions": 1}
		wantEqual(t, want, w.reads.take(), "bulk reads")
		wantEqual(t, 2*time.Millisecond, time.Since(before), "the wait of two levels of lists")
	})
}

func TestAliasedNodes_OneReadOfEachKind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		fillFeed(w)
		w.post(200, 2, replyTo(1))
		got := w.must(1, `query($a: ID!, $b: ID!, $c: ID!, $d: ID!) {
			a: node(id: $a) { ...entry } b: node(id: $b) { ...entry } c: node(id: $c) { ...on User { handle } } d: node(id: $d) { ...on User { handle } }
			none: node(id: "nonsense") { id }
		} fragment entry on Post { id author { handle } comments(first: 1) { nodes { id } } }`,
			map[string]any{"a": postID(1), "b": postID(2), "c": userID(2), "d": userID(99)})
		want := value(`{"a":{"id":%q,"author":{"handle":"ben"},"comments":{"nodes":[{"id":%q}]}},"b":{"id":%q,"author":{"handle":"cat"},"comments":{"nodes":[]}},
			"c":{"handle":"ben"},"d":null,"none":null}`, postID(1), postID(200), postID(2))
		wantEqual(t, want, any(got.Data), "the data")
		wantEqual(t, map[string]int{"posts": 1, "users": 1, "pages": 1, "profiles": 1}, w.reads.take(), "bulk reads")
	})
}

// In a synctest bubble, time advances only while all goroutines wait. So the duration of a request
// is what it waited.
func TestPage_WaitsForNoBatchTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		fillFeed(w)
		for query, waits := range map[string]time.Duration{
			fullPage: 0,
			`query($id: ID!) { node(id: $id) { ... on Post { author { handle } counters { likes } replyTo { author { handle } } } } }`: 0,
			// The author of a single post waits for one batch.
			`mutation($id: ID!) { likePost(input: {postId: $id}) { post { author { handle } counters { likes } } } }`: time.Millisecond,
		} {
			before := time.Now()
			w.must(1, query, map[string]any{"id": postID(4), "first": 20})
			wantEqual(t, waits, time.Since(before), "%s\nthe wait", query)
		}
	})
}

// askedTimeline and askedLive record which queries for pages look back.
type askedTimeline struct {
	resolvers.Timeline
	back *[]bool
}

func (a askedTimeline) Page(ctx context.Context, viewer feed.UserID, f feed.FeedRef, q feed.PageQuery) (*feed.Page, error) {
	*a.back = append(*a.back, q.LookBack)
	return a.Timeline.Page(ctx, viewer, f, q)
}

type askedLive struct {
	resolvers.Live
	back *[]bool
}

func (a askedLive) Page(ctx context.Context, viewer feed.UserID, q live.Query) (*live.Page, error) {
	*a.back = append(*a.back, q.LookBack)
	return a.Live.Page(ctx, viewer, q)
}

// Looking back over the cursor costs a read.
func TestPage_LooksBackOnlyIfSelected(t *testing.T) {
	var back []bool
	w := newWorld(t, func(d *resolvers.Deps) {
		d.Timeline, d.Live = askedTimeline{d.Timeline, &back}, askedLive{d.Live, &back}
	})
	fillFeed(w)
	w.schedule(1, "one")
	w.schedule(1, "two")
	cursors := map[string]any{}
	for _, list := range []string{"homeFeed", "liveFeed"} {
		page := w.must(1, `{ viewer { list: `+list+`(first: 1) { pageInfo { endCursor } } } }`, nil)
		cursors[list] = page.at(t, "viewer.list.pageInfo.endCursor")
	}
	for _, c := range []struct {
		list, args, flags string
		behind            bool
	}{
		{"homeFeed", `first: 3`, `hasNextPage hasPreviousPage`, false},
		{"homeFeed", `first: 3, after: ""`, `hasPreviousPage`, false},
		{"homeFeed", `first: 3, after: $c`, `hasNextPage endCursor`, false},
		{"homeFeed", `first: 3, after: $c`, `hasPreviousPage`, true},
		{"homeFeed", `first: 3, after: $c`, `...on PageInfo { is: hasPreviousPage }`, true},
		{"homeFeed", `last: 3`, `hasNextPage hasPreviousPage`, false},
		{"homeFeed", `last: 3, before: $c`, `hasPreviousPage`, false},
		{"homeFeed", `last: 3, before: $c`, `hasNextPage`, true},
		{"homeFeed", `before: $c`, `hasNextPage`, true},
		{"liveFeed", `first: 1`, `hasPreviousPage`, false},
		{"liveFeed", `after: $c`, `hasNextPage`, false},
		{"liveFeed", `after: $c`, `hasPreviousPage`, true},
	} {
		back = nil
		args := strings.ReplaceAll(c.args, "$c", fmt.Sprintf("%q", cursors[c.list]))
		w.must(1, `{ viewer { `+c.list+`(`+args+`) { pageInfo { `+c.flags+` } } } }`, nil)
		wantEqual(t, []bool{c.behind}, back, "whether %s(%s) { %s } looks back", c.list, c.args, c.flags)
	}
}

// timelineHook calls page with every page that was read, which it may change.
type timelineHook struct {
	resolvers.Timeline
	page func(*feed.Page)
}

func (h timelineHook) Page(ctx context.Context, viewer feed.UserID, f feed.FeedRef, q feed.PageQuery) (*feed.Page, error) {
	page, err := h.Timeline.Page(ctx, viewer, f, q)
	if err == nil {
		h.page(page)
	}
	return page, err
}

func (h timelineHook) Pages(ctx context.Context, viewer feed.UserID, requests []feed.PageRequest) ([]feed.PageResult, error) {
	results, err := h.Timeline.Pages(ctx, viewer, requests)
	for _, r := range results {
		if r.Err == nil {
			h.page(r.Page)
		}
	}
	return results, err
}

// directoryHook does the same for lists of users.
type directoryHook struct {
	resolvers.Directory
	page func(*feed.UserPage)
}

func (h directoryHook) seen(page *feed.UserPage, err error) (*feed.UserPage, error) {
	if err == nil {
		h.page(page)
	}
	return page, err
}

func (h directoryHook) Followers(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	return h.seen(h.Directory.Followers(ctx, viewer, user, q))
}

func (h directoryHook) Following(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	return h.seen(h.Directory.Following(ctx, viewer, user, q))
}

func (h directoryHook) Related(ctx context.Context, viewer feed.UserID, kind feed.RelationKind, q feed.PageQuery) (*feed.UserPage, error) {
	return h.seen(h.Directory.Related(ctx, viewer, kind, q))
}

func (h directoryHook) Search(ctx context.Context, viewer feed.UserID, query string, q feed.PageQuery) (*feed.UserPage, error) {
	return h.seen(h.Directory.Search(ctx, viewer, query, q))
}
