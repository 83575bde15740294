package resolvers_test

import (
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// asSeen is what a viewer sees of Ben, whose account is private.
const asSeen = `{ user(handle: "ben") {
	isPrivate viewerFollows viewerFollowRequested viewerCanSeePosts counters { followers posts }
	posts { nodes { text } } followers { nodes { handle } } following { nodes { handle } } liveSessions { nodes { title } }
} post(databaseId: "1") { text } liveSession(databaseId: "1") { title } }`

func TestPrivateAccount_FollowsAreRequests(t *testing.T) {
	w := newWorld(t)
	w.follow(2, 4)
	w.post(1, 2)
	w.schedule(2, "session 1")
	w.mutate(2, "updateProfile", `isPrivate: true`)
	stranger := func(requested bool) any {
		return value(`{"user":{"isPrivate":true,"viewerFollows":false,"viewerFollowRequested":%t,"viewerCanSeePosts":false,"counters":{"followers":0,"posts":1},
			"posts":{"nodes":[]},"followers":{"nodes":[]},"following":{"nodes":[]},"liveSessions":{"nodes":[]}},"post":null,"liveSession":null}`, requested)
	}
	follower := value(`{"user":{"isPrivate":true,"viewerFollows":true,"viewerFollowRequested":false,"viewerCanSeePosts":true,"counters":{"followers":1,"posts":1},
		"posts":{"nodes":[{"text":"text 1"}]},"followers":{"nodes":[{"handle":"ann"}]},"following":{"nodes":[{"handle":"dan"}]},
		"liveSessions":{"nodes":[{"title":"session 1"}]}},"post":{"text":"text 1"},"liveSession":{"title":"session 1"}}`)
	lists := func(viewer feed.UserID, received, sent string) {
		t.Helper()
		got := w.must(viewer, `{ viewer { followRequests { nodes { handle } } sentFollowRequests { nodes { handle } } } }`, nil)
		want := value(`{"followRequests":{"nodes":[%s]},"sentFollowRequests":{"nodes":[%s]}}`, received, sent)
		wantEqual(t, want, got.at(t, "viewer"), "the requests of viewer %d", viewer)
	}
	shown := func(viewer feed.UserID, want any, when string) {
		t.Helper()
		wantEqual(t, want, any(w.must(viewer, asSeen, nil).Data), "what viewer %d sees %s", viewer, when)
	}
	ann, ben := fmt.Sprintf(`userId: %q`, userID(1)), fmt.Sprintf(`userId: %q`, userID(2))

	shown(1, stranger(false), "at first")
	shown(0, stranger(false), "at first")
	w.mutate(1, "followUser", ben)
	shown(1, stranger(true), "having asked")
	lists(2, `{"handle":"ann"}`, ``)
	lists(1, ``, `{"handle":"ben"}`)

	w.mutate(2, "rejectFollow", ann)
	shown(1, stranger(false), "when rejected")
	lists(2, ``, ``)
	refused := w.must(2, `mutation { acceptFollow(input: {`+ann+`}) { user { id } userErrors { code field } } }`, nil)
	wantEqual(t, value(`{"user":null,"userErrors":[{"code":"NOT_FOUND","field":["userId"]}]}`), refused.at(t, "acceptFollow"), "to accept no request")

	w.mutate(1, "followUser", ben)
	w.mutate(2, "acceptFollow", ann)
	shown(1, follower, "when accepted")
	lists(2, ``, ``)
	w.mutate(2, "acceptFollow", ann)
	shown(1, follower, "when accepted twice")

	w.mutate(2, "removeFollower", ann)
	shown(1, stranger(false), "when removed")
}

func TestAudience_IsForFollowers(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	published := w.must(2, `mutation { publishPost(input: {text: "inner", audience: FOLLOWERS}) { post { id databaseId audience } userErrors { code } } }`, nil)
	wantEqual(t, any("FOLLOWERS"), published.at(t, "publishPost.post.audience"), "the audience")
	id := published.at(t, "publishPost.post.id")
	see := func(viewer feed.UserID) any {
		return w.must(viewer, `query($id: ID!) { node(id: $id) { ... on Post { text audience } } }`, map[string]any{"id": id}).at(t, "node")
	}
	inner := value(`{"text":"inner","audience":"FOLLOWERS"}`)
	for viewer, want := range map[feed.UserID]any{2: inner, 1: inner, 3: nil, 0: nil} {
		wantEqual(t, want, see(viewer), "what viewer %d sees", viewer)
	}
	comment := w.must(1, `mutation($id: ID) { publishPost(input: {text: "me too", replyTo: $id}) { post { audience } } }`, map[string]any{"id": id})
	wantEqual(t, any("FOLLOWERS"), comment.at(t, "publishPost.post.audience"), "the audience of a comment")

	w.mutate(2, "editPost", fmt.Sprintf(`postId: %q, audience: PUBLIC`, id))
	wantEqual(t, value(`{"text":"inner","audience":"PUBLIC"}`), see(3), "what a stranger sees when it is public")
	edited := w.must(2, `query($id: ID!) { node(id: $id) { ... on Post { editedAt comments { nodes { audience } } } } }`, map[string]any{"id": id})
	wantEqual(t, value(`{"editedAt":null,"comments":{"nodes":[{"audience":"FOLLOWERS"}]}}`), edited.at(t, "node"), "the post and its comment")
}

func TestAudience_RefusalsNameTheField(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.post(1, 2, func(p *feed.Post) { p.Audience, p.AudienceAuthor = feed.AudienceFollowers, p.Author })
	w.post(2, 2, replyTo(1))
	w.mutate(2, "updateProfile", `isPrivate: true`)
	w.mutate(2, "updateProfile", `isPrivate: false`)
	for _, c := range []struct {
		viewer                       feed.UserID
		mutation, input, code, field string
	}{
		{1, "publishPost", fmt.Sprintf(`text: "x", replyTo: %q, audience: PUBLIC`, postID(1)), "INVALID", "audience"},
		{1, "publishPost", fmt.Sprintf(`text: "x", repostOf: %q, audience: FOLLOWERS`, postID(1)), "INVALID", "audience"},
		{1, "publishPost", fmt.Sprintf(`text: "x", repostOf: %q`, postID(1)), "FORBIDDEN", "repostOf"},
		{3, "publishPost", fmt.Sprintf(`text: "x", repostOf: %q`, postID(1)), "NOT_FOUND", "repostOf"},
		{3, "publishPost", fmt.Sprintf(`text: "x", replyTo: %q`, postID(1)), "NOT_FOUND", "replyTo"},
		{3, "likePost", fmt.Sprintf(`postId: %q`, postID(1)), "NOT_FOUND", "postId"},
		{2, "editPost", fmt.Sprintf(`postId: %q, audience: PUBLIC`, postID(2)), "INVALID", "audience"},
		{2, "updateProfile", `isPrivate: null`, "INVALID", "isPrivate"},
		{2, "updateProfile", `isPrivate: true`, "CONFLICT", "isPrivate"},
	} {
		got := w.must(c.viewer, `mutation { `+c.mutation+`(input: {`+c.input+`}) { userErrors { code field } } }`, nil)
		want := value(`[{"code":%q,"field":[%q]}]`, c.code, c.field)
		wantEqual(t, want, got.at(t, c.mutation+".userErrors"), "%s with %s", c.mutation, c.input)
	}
}
