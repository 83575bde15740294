package resolvers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
)

// mutate runs a mutation on a user and returns its payload.
func (w *world) mutate(viewer feed.UserID, name, target string) map[string]any {
	w.t.Helper()
	got := w.must(viewer, `mutation($id: ID!) { `+name+`(input: {userId: $id, clientMutationId: "m"}) {
		user { handle viewerFollows viewerMutes viewerHidesFrom viewerBlocks } userErrors { code field } clientMutationId } }`,
		map[string]any{"id": target})
	payload := got.at(w.t, name).(map[string]any)
	if payload["clientMutationId"] != "m" {
		w.t.Errorf("%s returns the clientMutationId %v", name, payload["clientMutationId"])
	}
	return payload
}

// whereBenIs selects every place where Ann can see Ben.
const whereBenIs = `query($ids: [ID!]!, $ben: ID!, $post: ID!, $answer: ID!, $repost: ID!, $answered: ID!) {
	user: node(id: $ben) { id }
	handle: user(handle: "ben") { id }
	outbox: node(id: $ben) { ... on User { posts { nodes { id } } } }
	search: users(query: "ben") { nodes { id } }
	followers: user(handle: "dan") { followers { edges { node { id } } } }
	following: user(handle: "dan") { following { edges { node { id } } } }
	post: node(id: $post) { id }
	posts: nodes(ids: $ids) { id }
	home: viewer { homeFeed(kinds: [POST, COMMENT]) { nodes { author { id } } } }
	homeRepost: viewer { homeFeed(kinds: [REPOST]) { nodes { id } } }
	replyTo: node(id: $answer) { ... on Post { replyTo { id } } }
	repost: node(id: $repost) { id }
	catsReposts: user(handle: "cat") { posts(kinds: [REPOST]) { nodes { repostOf { id } } } }
	comments: node(id: $answered) { ... on Post { comments { nodes { id } } } }
}`

// placesOfBen are the aliases of whereBenIs, with what each shows without any relation.
func placesOfBen() map[string]string {
	return map[string]string{
		"user": userID(2), "handle": userID(2), "outbox": postID(1), "search": userID(2),
		"followers": userID(2), "following": userID(2), "post": postID(1), "posts": postID(1),
		"home": userID(2), "homeRepost": postID(3), "replyTo": postID(1), "repost": postID(3),
		"catsReposts": postID(1), "comments": postID(5),
	}
}

// fillWithBen shows Ben to Ann in all these places: post 1; comment 5 on Cat's post 4; Cat's
// comment 2 on post 1 and repost 3 of it; and follows.
func fillWithBen(w *world) {
	w.follow(1, 2)
	w.follow(1, 3)
	w.follow(2, 4)
	w.follow(4, 2)
	w.post(1, 2)
	w.post(2, 3, replyTo(1))
	w.post(3, 3, repostOf(1))
	w.post(4, 3)
	w.post(5, 2, replyTo(4))
}

// missing returns the places where Ann does not see Ben, sorted.
func missing(w *world) []string {
	w.t.Helper()
	got := w.must(1, whereBenIs, map[string]any{
		"ids": []string{postID(1), userID(9)}, "ben": userID(2), "post": postID(1),
		"answer": postID(2), "repost": postID(3), "answered": postID(4),
	})
	var gone []string
	for place, id := range placesOfBen() {
		if !holds(got.Data[place], id) {
			gone = append(gone, place)
		}
	}
	slices.Sort(gone)
	return gone
}

// holds reports whether a result has an id anywhere.
func holds(v any, id string) bool {
	switch v := v.(type) {
	case string:
		return v == id
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return holds(e, id) })
	case map[string]any:
		for _, inner := range v {
			if holds(inner, id) {
				return true
			}
		}
	}
	return false
}

// Each change shows in the next read in every place, and undoing it restores everything.
func TestRelations_HideUsersAndPosts(t *testing.T) {
	// Everything by Ben, and what shares it or replies to it.
	posts := []string{
		"catsReposts", "comments", "home", "homeRepost", "outbox", "post", "posts", "replyTo", "repost",
	}
	for _, c := range []struct {
		name, do, undo string
		by, to         feed.UserID
		missing        []string
	}{
		{"ann mutes ben", "muteUser", "unmuteUser", 1, 2, []string{"home", "homeRepost"}},
		{"ben mutes ann", "muteUser", "unmuteUser", 2, 1, nil},
		{"ann hides from ben", "hideFromUser", "unhideFromUser", 1, 2, nil},
		{"ben hides from ann", "hideFromUser", "unhideFromUser", 2, 1, posts},
		// Ann still finds Ben's account, so that she can remove the block.
		{"ann blocks ben", "blockUser", "unblockUser", 1, 2, append([]string{"followers", "following", "search"}, posts...)},
		{"ben blocks ann", "blockUser", "unblockUser", 2, 1, append([]string{"followers", "following", "handle", "search", "user"}, posts...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			fillWithBen(w)
			if gone := missing(w); len(gone) > 0 {
				t.Fatalf("before the block ben is missing in %v", gone)
			}
			slices.Sort(c.missing)
			for range 2 { // doing it twice is no error and the same
				w.mutate(c.by, c.do, userID(c.to))
				if diff := cmp.Diff(c.missing, missing(w)); diff != "" {
					t.Errorf("where ben is missing (-want +got):\n%s", diff)
				}
			}
			for range 2 {
				w.mutate(c.by, c.undo, userID(c.to))
				if gone := missing(w); len(gone) > 0 {
					t.Errorf("after %s ben is missing in %v", c.undo, gone)
				}
			}
		})
	}
}

func TestRelations_PayloadShowsNewState(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	stands := func(flags string) map[string]any {
		user := map[string]any{"handle": "ben"}
		for _, flag := range []string{"viewerFollows", "viewerMutes", "viewerHidesFrom", "viewerBlocks"} {
			user[flag] = slices.Contains(strings.Fields(flags), flag)
		}
		return user
	}
	for _, step := range []struct{ name, flags string }{
		{"muteUser", "viewerFollows viewerMutes"},
		{"hideFromUser", "viewerFollows viewerMutes viewerHidesFrom"},
		{"blockUser", "viewerFollows viewerMutes viewerHidesFrom viewerBlocks"},
		{"unmuteUser", "viewerFollows viewerHidesFrom viewerBlocks"},
		{"unhideFromUser", "viewerFollows viewerBlocks"},
		{"unblockUser", "viewerFollows"},
		{"unblockUser", "viewerFollows"},
	} {
		payload := w.mutate(1, step.name, userID(2))
		if diff := cmp.Diff(stands(step.flags), payload["user"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
		if len(payload["userErrors"].([]any)) != 0 {
			t.Errorf("%s is refused: %v", step.name, payload["userErrors"])
		}
	}
}

func TestRelations_MutesAndHidesStaySecret(t *testing.T) {
	w := newWorld(t)
	w.mutate(1, "muteUser", userID(2))
	w.mutate(1, "hideFromUser", userID(2))
	for _, viewer := range []feed.UserID{0, 2, 3} {
		got := w.must(viewer, `{ user(handle: "ann") { viewerMutes viewerHidesFrom viewerBlocks } }`, nil)
		want := map[string]any{"viewerMutes": false, "viewerHidesFrom": false, "viewerBlocks": false}
		if diff := cmp.Diff(want, got.at(t, "user")); diff != "" {
			t.Errorf("viewer %d reads about ann (-want +got):\n%s", viewer, diff)
		}
	}
}

func TestRelations_RejectUnknownUserAndSelf(t *testing.T) {
	for _, name := range []string{"muteUser", "unmuteUser", "hideFromUser", "unhideFromUser", "blockUser", "unblockUser"} {
		w := newWorld(t)
		w.relate(feed.RelationBlock, 4, 1)
		for target, code := range map[string]string{
			userID(1): "INVALID",   // ann herself
			userID(4): "NOT_FOUND", // Dan blocks Ann
			userID(9): "NOT_FOUND",
			postID(2): "NOT_FOUND",
			"2":       "NOT_FOUND",
			"":        "NOT_FOUND",
		} {
			payload := w.mutate(1, name, target)
			refused := []any{map[string]any{"code": code, "field": []any{"userId"}}}
			if diff := cmp.Diff(refused, payload["userErrors"]); diff != "" || payload["user"] != nil {
				t.Errorf("%s(%q) returns the user %v (-want +got):\n%s", name, target, payload["user"], diff)
			}
		}
	}
}
