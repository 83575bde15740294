package resolvers_test

import (
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// options reads the first page of the home feed and of that of special follows, and the options in Ann's lists.
const options = `{ viewer {
	home: homeFeed { nodes { databaseId } } special: homeFeed(special: true) { nodes { databaseId } syncToken newCount(since: "") }
	user { following { edges { node { handle viewerFollowOptions { special hideReposts hideReplies } } special hideReposts hideReplies } } }
} }`

// Ann follows Ben and Dan. Only what a mutation gives changes, and the next page shows it.
func TestUpdateFollow_ChangesWhatIsGiven(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	w.post(2, 2, repostOf(1))
	w.post(3, 4)
	set := func(mutation string, user feed.UserID, arguments, code string) {
		t.Helper()
		got := w.must(1, fmt.Sprintf(`mutation { %s(input: {userId: %q}%s) { userErrors { code } } }`, mutation, userID(user), arguments), nil)
		want := value(`[]`)
		if code != "" {
			want = value(`[{"code":%q}]`, code)
		}
		wantEqual(t, want, got.at(t, mutation+".userErrors"), "%s%s", mutation, arguments)
	}
	shows := func(home, special string) {
		t.Helper()
		got := w.must(1, options, nil)
		wantEqual(t, value("%s", home), got.at(t, "viewer.home.nodes"), "the home feed")
		wantEqual(t, value("%s", special), got.at(t, "viewer.special.nodes"), "the feed of special follows")
	}
	set("updateFollow", 2, ", special: true", "NOT_FOUND")
	set("followUser", 2, ", hideReposts: true", "")
	set("followUser", 4, "", "")
	shows(`[{"databaseId":"3"},{"databaseId":"1"}]`, `[]`)
	set("updateFollow", 2, ", special: true", "")
	shows(`[{"databaseId":"3"},{"databaseId":"1"}]`, `[{"databaseId":"1"}]`)
	set("updateFollow", 2, ", hideReposts: false, special: null", "")
	shows(`[{"databaseId":"3"},{"databaseId":"2"},{"databaseId":"1"}]`, `[{"databaseId":"2"},{"databaseId":"1"}]`)
	wantEqual(t, value(`{"special":true,"hideReposts":false,"hideReplies":false}`), at(t, w, "viewer.user.following.edges.1.node.viewerFollowOptions"), "the options")
	wantEqual(t, any(true), at(t, w, "viewer.user.following.edges.1.special"), "the options in the list")
	set("unfollowUser", 2, "", "")
	set("followUser", 2, "", "")
	shows(`[{"databaseId":"3"},{"databaseId":"2"},{"databaseId":"1"}]`, `[]`)
}

func at(t *testing.T, w *world, path string) any {
	t.Helper()
	return w.must(1, options, nil).at(t, path)
}

// Only the follower learns of options, not the followed user, and no third one in the follower's list.
func TestFollowOptions_AreTheFollowersOwn(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.must(1, `mutation { updateFollow(input: {userId: "`+userID(2)+`"}, special: true, hideReplies: true) { user { id } } }`, nil)
	for viewer, want := range map[feed.UserID]any{1: true, 2: nil, 3: nil, 0: nil} {
		got := w.must(viewer, `{ user(handle: "ann") { following { edges { special node { viewerFollowOptions { special } } } } }
			other: user(handle: "ben") { followers { edges { special } } } }`, nil)
		wantEqual(t, want, got.at(t, "user.following.edges.0.special"), "viewer %d", viewer)
		wantEqual(t, nil, got.at(t, "other.followers.edges.0.special"), "viewer %d, as a follower", viewer)
		if viewer != 1 {
			wantEqual(t, nil, got.at(t, "user.following.edges.0.node.viewerFollowOptions"), "viewer %d", viewer)
		}
	}
}

// Changes and counts since a token are of the feed that gave it.
func TestSpecialFeed_HasChanges(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.follow(1, 4)
	w.must(1, `mutation { updateFollow(input: {userId: "`+userID(2)+`"}, special: true) { user { id } } }`, nil)
	tokens := w.must(1, `{ viewer { home: homeFeed { syncToken } special: homeFeed(special: true) { syncToken } } }`, nil)
	home, special := tokens.at(t, "viewer.home.syncToken"), tokens.at(t, "viewer.special.syncToken")
	w.post(1, 2)
	w.post(2, 4)
	w.announce(2, 1)
	w.announce(4, 2)
	got := w.must(1, fmt.Sprintf(`{ viewer {
		homeChanges(since: %q, special: true) { changes { kind edge { node { databaseId } } } }
		homeFeed(special: true) { newCount(since: %q) }
	} }`, special, special), nil)
	wantEqual(t, value(`[{"kind":"ADDED","edge":{"node":{"databaseId":"1"}}}]`), got.at(t, "viewer.homeChanges.changes"), "the changes")
	wantEqual(t, any(1.0), got.at(t, "viewer.homeFeed.newCount"), "the count")
	for document, token := range map[string]any{
		`{ viewer { homeChanges(since: %q) { hasMore } } }`:                special,
		`{ viewer { homeChanges(since: %q, special: true) { hasMore } } }`: home,
		`{ viewer { homeFeed(special: true) { newCount(since: %q) } } }`:   home,
		`{ viewer { homeFeed { newCount(since: %q) } } }`:                  special,
	} {
		w.wantCode("BAD_CURSOR", 1, fmt.Sprintf(document, token), nil)
	}
}
