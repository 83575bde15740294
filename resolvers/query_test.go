package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
)

func TestPost_ShowsAllFields(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	w.post(2, 1, replyTo(1), func(p *feed.Post) {
		p.Media = []string{"https://media.example/a.png"}
		p.EditedAt = epoch + 9000
	})
	w.must(3, `mutation($id: ID!) { likePost(input: {postId: $id}) { post { id } } }`, map[string]any{"id": postID(2)})

	got := w.must(3, `query($id: ID!) { node(id: $id) { __typename id ... on Post {
		databaseId kind text media publishedAt editedAt author { handle } replyTo { id replyTo { id } } repostOf { id }
		counters { likes comments reposts favorites } viewerHasLiked viewerHasFavorited
	} } }`, map[string]any{"id": postID(2)})

	want := map[string]any{
		"__typename": "Post", "id": postID(2), "databaseId": "2", "kind": "COMMENT", "text": "text 2",
		"media":       []any{"https://media.example/a.png"},
		"publishedAt": "2026-05-04T12:00:02.000Z", "editedAt": "2026-05-04T12:00:09.000Z",
		"author": map[string]any{"handle": "ann"}, "repostOf": nil,
		"replyTo":        map[string]any{"id": postID(1), "replyTo": nil},
		"counters":       map[string]any{"likes": 1.0, "comments": 0.0, "reposts": 0.0, "favorites": 0.0},
		"viewerHasLiked": true, "viewerHasFavorited": false,
	}
	if diff := cmp.Diff(want, got.at(t, "node")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPost_AbsentPartsAreNullOrEmpty(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	got := w.must(0, `query($id: ID!) { node(id: $id) { ... on Post { media editedAt replyTo { id } repostOf { id } author { avatarUrl } } } }`,
		map[string]any{"id": postID(1)})
	want := map[string]any{
		"media": []any{}, "editedAt": nil, "replyTo": nil, "repostOf": nil, "author": map[string]any{"avatarUrl": nil},
	}
	if diff := cmp.Diff(want, got.at(t, "node")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUser_ShowsAllFields(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.follow(3, 2)
	w.post(1, 2)
	w.relate(feed.RelationMute, 1, 2)
	got := w.must(1, `{ user(handle: "BEN") { id databaseId handle name createdAt avatarUrl
		counters { followers following posts }
		viewerFollows viewerMutes viewerHidesFrom viewerBlocks
		followers { nodes { handle viewerFollows } } following { nodes { handle } }
		posts { nodes { text } }
	} }`, nil)
	want := map[string]any{
		"id": userID(2), "databaseId": "2", "handle": "ben", "name": "BEN", "createdAt": "2026-05-04T12:00:00.000Z", "avatarUrl": nil,
		"counters":      map[string]any{"followers": 2.0, "following": 0.0, "posts": 1.0},
		"viewerFollows": true, "viewerMutes": true, "viewerHidesFrom": false, "viewerBlocks": false,
		"followers": map[string]any{"nodes": []any{
			map[string]any{"handle": "cat", "viewerFollows": false}, map[string]any{"handle": "ann", "viewerFollows": false},
		}},
		"following": map[string]any{"nodes": []any{}},
		"posts":     map[string]any{"nodes": []any{map[string]any{"text": "text 1"}}},
	}
	if diff := cmp.Diff(want, got.at(t, "user")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Missing objects, hidden objects and malformed ids look the same.
func TestNodes_KeepOrderWithNulls(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	w.post(2, 3)
	w.relate(feed.RelationHide, 3, 1)
	w.relate(feed.RelationBlock, 4, 1)
	ids := []string{postID(1), userID(2), postID(2), userID(4), postID(99), userID(99), "nonsense", "", postID(1)}
	got := w.must(1, `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": ids})
	seen := func(id string) any { return map[string]any{"id": id} }
	want := []any{seen(postID(1)), seen(userID(2)), nil, nil, nil, nil, nil, nil, seen(postID(1))}
	if diff := cmp.Diff(want, got.at(t, "nodes")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, id := range ids[2:8] {
		if got := w.must(1, `query($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": id}).at(t, "node"); got != nil {
			t.Errorf("node(%q) is %v", id, got)
		}
	}
}

func TestNodes_LimitedToAHundred(t *testing.T) {
	w := newWorld(t)
	ids := strings.Split(strings.Repeat(userID(1)+" ", 101), " ")[:101]
	const query = `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`
	if got := w.ask(1, query, map[string]any{"ids": ids}); !cmp.Equal(got.codes(), []string{"BAD_USER_INPUT"}) {
		t.Errorf("101 ids: %+v", got.Errors)
	}
	if got := w.must(1, query, map[string]any{"ids": ids[:100]}); len(got.at(t, "nodes").([]any)) != 100 {
		t.Errorf("100 ids: %v", got.Data)
	}
}

func TestAnonymous_ReadsPublicPosts(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	w.post(2, 3, replyTo(1))
	got := w.must(0, `query($id: ID!) {
		viewer { homeFeed { nodes { id } } }
		user(handle: "ben") { posts { nodes { text viewerHasLiked viewerHasFavorited } } viewerFollows viewerBlocks }
		node(id: $id) { ... on Post { comments { nodes { text } } } }
	}`, map[string]any{"id": postID(1)})
	want := map[string]any{
		"viewer": nil,
		"user": map[string]any{"viewerFollows": false, "viewerBlocks": false, "posts": map[string]any{"nodes": []any{
			map[string]any{"text": "text 1", "viewerHasLiked": false, "viewerHasFavorited": false},
		}}},
		"node": map[string]any{"comments": map[string]any{"nodes": []any{map[string]any{"text": "text 2"}}}},
	}
	if diff := cmp.Diff(want, any(got.Data).(map[string]any)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestViewer_WithoutAccountIsUnauthenticated(t *testing.T) {
	w := newWorld(t)
	if got := w.ask(77, `{ viewer { user { id } } }`, nil); !cmp.Equal(got.codes(), []string{"UNAUTHENTICATED"}) {
		t.Errorf("%+v", got.Errors)
	}
}

const homePage = `query($first: Int, $after: String, $last: Int, $before: String, $kinds: [PostKind!]) {
	viewer { user { handle } homeFeed(first: $first, after: $after, last: $last, before: $before, kinds: $kinds) {
		edges { cursor node { text } }
		nodes { text }
		pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
	} }
}`

func TestHomeFeed_PagesDownAndUp(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	for id := feed.PostID(1); id <= 5; id++ {
		w.post(id, 2)
	}
	top := w.must(1, homePage, map[string]any{"first": 2, "after": ""})
	second := w.must(1, homePage, map[string]any{"first": 2, "after": top.at(t, "viewer.homeFeed.pageInfo.endCursor")})
	end := w.must(1, homePage, map[string]any{"first": 2, "after": second.at(t, "viewer.homeFeed.pageInfo.endCursor")})
	up := w.must(1, homePage, map[string]any{"last": 2, "before": end.at(t, "viewer.homeFeed.pageInfo.startCursor")})
	for _, page := range []struct {
		name           string
		got            result
		texts          []string
		next, previous bool
	}{
		{"the top", top, []string{"text 5", "text 4"}, true, false},
		{"the second page", second, []string{"text 3", "text 2"}, true, true},
		{"the end", end, []string{"text 1"}, false, true},
		{"up from the end", up, []string{"text 3", "text 2"}, true, true},
	} {
		if diff := cmp.Diff(page.texts, texts(t, page.got.at(t, "viewer.homeFeed.nodes"), "text")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", page.name, diff)
		}
		info := page.got.at(t, "viewer.homeFeed.pageInfo").(map[string]any)
		if info["hasNextPage"] != page.next || info["hasPreviousPage"] != page.previous {
			t.Errorf("%s has next and previous %v, %v, want %v, %v",
				page.name, info["hasNextPage"], info["hasPreviousPage"], page.next, page.previous)
		}
		if first := page.got.at(t, "viewer.homeFeed.edges.0.cursor"); info["startCursor"] != first {
			t.Errorf("%s starts at %v, its first edge is at %v", page.name, info["startCursor"], first)
		}
	}
}

func TestNewCount_CountsNewerEntriesOfList(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.post(1, 2)
	w.post(2, 2)
	w.post(3, 2, replyTo(1))
	w.post(4, 3, replyTo(1))
	const query = `query($since: String!, $outbox: String!, $comments: String!, $id: ID!) {
		viewer { homeFeed { newCount(since: $since) } posts: homeFeed(kinds: [POST]) { newCount(since: $since) } }
		user(handle: "ben") { posts { newCount(since: $outbox) } }
		node(id: $id) { ... on Post { comments { newCount(since: $comments) } } }
	}`
	cursors := w.must(1, `query($id: ID!) {
		viewer { homeFeed { edges { cursor } } }
		user(handle: "ben") { posts { edges { cursor } } }
		node(id: $id) { ... on Post { comments { edges { cursor } } } }
	}`, map[string]any{"id": postID(1)})
	got := w.must(1, query, map[string]any{
		"since":    cursors.at(t, "viewer.homeFeed.edges.2.cursor"),
		"outbox":   cursors.at(t, "user.posts.edges.1.cursor"),
		"comments": cursors.at(t, "node.comments.edges.1.cursor"),
		"id":       postID(1),
	})
	for path, want := range map[string]float64{
		"viewer.homeFeed.newCount": 2, "viewer.posts.newCount": 1, "user.posts.newCount": 1, "node.comments.newCount": 1,
	} {
		if got := got.at(t, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
}

func TestPage_RejectsBadArguments(t *testing.T) {
	w := newWorld(t)
	for args, code := range map[string]string{
		`first: -1`:           "BAD_USER_INPUT",
		`first: 101`:          "BAD_USER_INPUT",
		`first: 1, last: 1`:   "BAD_USER_INPUT",
		`first: 99999999999`:  "BAD_USER_INPUT",
		`after: "nonsense"`:   "BAD_CURSOR",
		`last: 1, after: "x"`: "BAD_USER_INPUT",
		`first: "one"`:        "GRAPHQL_VALIDATION_FAILED",
		`kinds: [NOTHING]`:    "GRAPHQL_VALIDATION_FAILED",
		`number: 1`:           "GRAPHQL_VALIDATION_FAILED",
	} {
		got := w.ask(1, fmt.Sprintf(`{ viewer { homeFeed(%s) { nodes { id } } } }`, args), nil)
		if !cmp.Equal(got.codes(), []string{code}) {
			t.Errorf("%s returns %+v, want %s", args, got.Errors, code)
		}
	}
	got := w.ask(1, `query($n: Int) { viewer { homeFeed(first: $n) { nodes { id } } } }`, map[string]any{"n": 1 << 40})
	if !cmp.Equal(got.codes(), []string{"BAD_USER_INPUT"}) {
		t.Errorf("a variable beyond 32 bits returns %+v", got.Errors)
	}
}
