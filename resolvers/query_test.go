package resolvers_test

import (
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

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
	wantEqual(t, want, got.at(t, "nodes"), "the nodes")
	for _, id := range ids[2:8] {
		wantEqual(t, nil, w.must(1, `query($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": id}).at(t, "node"), "node(%q)", id)
	}
}

func TestViewer_WithoutAccountIsUnauthenticated(t *testing.T) {
	w := newWorld(t)
	w.wantCode("UNAUTHENTICATED", 77, `{ viewer { user { id } } }`, nil)
}

// Arguments reach the service of each list, which refuses them.
func TestLists_RefuseBadArguments(t *testing.T) {
	w := newWorld(t)
	w.follow(2, 1)
	w.post(1, 1)
	cursors := w.must(1, `{ viewer { homeFeed { pageInfo { endCursor } } user { followers { pageInfo { endCursor } } } } }`, nil)
	home := fmt.Sprintf(`after: %q`, cursors.at(t, "viewer.homeFeed.pageInfo.endCursor"))
	followers := fmt.Sprintf(`after: %q`, cursors.at(t, "viewer.user.followers.pageInfo.endCursor"))
	for list, foreign := range map[string]string{
		`{ viewer { list: homeFeed(%s) { nodes { id } } } }`:              followers,
		`{ viewer { list: mutedUsers(%s) { nodes { id } } } }`:            followers,
		`{ viewer { list: hiddenFromUsers(%s) { nodes { id } } } }`:       followers,
		`{ viewer { list: blockedUsers(%s) { nodes { id } } } }`:          followers,
		`{ users(query: "b", %s) { nodes { id } } }`:                      followers,
		`{ viewer { list: liveFeed(%s) { nodes { id } } } }`:              home,
		`{ viewer { user { list: liveSessions(%s) { nodes { id } } } } }`: home,
	} {
		for args, code := range map[string]string{
			`first: -1`: badInput, `first: 101`: badInput, `after: "nonsense"`: badCursor, foreign: badCursor, `first: "one"`: notValid,
		} {
			w.wantCode(code, 1, fmt.Sprintf(list, args), nil)
		}
	}
	for args, code := range map[string]string{
		`first: 1, last: 1`: badInput, `first: 99999999999`: badInput, `last: 1, after: "x"`: badInput, `kinds: [NOTHING]`: notValid, `number: 1`: notValid,
	} {
		w.wantCode(code, 1, fmt.Sprintf(`{ viewer { homeFeed(%s) { nodes { id } } } }`, args), nil)
	}
	w.wantCode(badInput, 1, `{ users(query: " ") { nodes { id } } }`, nil)
}
