package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

const publishPost = `mutation($input: PublishPostInput!) { publishPost(input: $input) {
	post { id kind text media publishedAt author { handle } replyTo { id } repostOf { id } }
	feedEdge { cursor node { id } }
	userErrors { code message field } clientMutationId
} }`

func TestPublish_ReturnsPostAndFeedEdge(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	got := w.must(1, publishPost, map[string]any{"input": map[string]any{
		"text": "hello", "media": []string{"https://media.example/a.png"}, "replyTo": postID(1),
		"publishedAt": "2026-05-04T12:30:00+00:00", "clientMutationId": "m1",
	}})
	id := got.at(t, "publishPost.post.id")
	cursor := got.at(t, "publishPost.feedEdge.cursor")
	want := value(`{"publishPost":{"clientMutationId":"m1","userErrors":[],"feedEdge":{"cursor":%q,"node":{"id":%q}},
		"post":{"id":%q,"kind":"COMMENT","text":"hello","media":["https://media.example/a.png"],"publishedAt":"2026-05-04T12:30:00.000Z",
			"author":{"handle":"ann"},"replyTo":{"id":%q},"repostOf":null}}}`, cursor, id, id, postID(1))
	wantEqual(t, want, any(got.Data), "the payload")
	w.post(2, 1)
	below := w.must(1, `query($c: String!) { viewer { homeFeed(after: $c) { newCount(since: $c) nodes { text } } } }`, map[string]any{"c": cursor})
	wantEqual(t, value(`{"newCount":0,"nodes":[{"text":"text 2"}]}`), below.at(t, "viewer.homeFeed"), "what is below the cursor of the edge")
}

func TestPublish_RetryReturnsTheFirstResult(t *testing.T) {
	w := newWorld(t)
	input := map[string]any{"text": "once", "idempotencyKey": "k"}
	first := w.must(1, publishPost, map[string]any{"input": input})
	again := w.must(1, publishPost, map[string]any{"input": input})
	wantEqual(t, first.Data, again.Data, "the second result")
	other := w.must(1, publishPost, map[string]any{"input": map[string]any{"text": "other", "idempotencyKey": "k"}})
	wantEqual(t, "CONFLICT", other.at(t, "publishPost.userErrors.0.code"), "the key with another input")
}

func TestPost_AuthorEdits(t *testing.T) {
	w := newWorld(t)
	w.post(1, 1)
	edited := w.must(1, `mutation($id: ID!) { editPost(input: {postId: $id, text: "new"}) { post { text editedAt } } }`, map[string]any{"id": postID(1)})
	wantEqual(t, value(`{"text":"new","editedAt":"2026-05-04T13:00:00.000Z"}`), edited.at(t, "editPost.post"), "the post")
}

// A refusal names the input field. The services' own tests have what else they refuse.
func TestMutations_RefusalsAreUserErrors(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	w.schedule(1, "upcoming")
	w.start(1, w.schedule(1, "live"))
	ofLive := func(id live.ID) string { return fmt.Sprintf("liveSessionId: %q", liveID(id)) }
	ofPost := fmt.Sprintf("postId: %q", postID(1))
	const past = `scheduledAt: "2026-05-04T12:00:00Z"`
	for _, c := range []struct{ mutation, input, code, field string }{
		{"publishPost", `text: ""`, "INVALID", "text"},
		{"publishPost", `text: "` + strings.Repeat("x", 5001) + `"`, "TOO_LONG", "text"},
		{"publishPost", `text: "x", media: ["http://media.example/a"]`, "INVALID", "media"},
		{"publishPost", `text: "x", publishedAt: "2999-01-01T00:00:00Z"`, "INVALID", "publishedAt"},
		{"publishPost", `text: "x", replyTo: "` + postID(9) + `"`, "NOT_FOUND", "replyTo"},
		{"publishPost", `text: "x", replyTo: "` + userID(2) + `"`, "NOT_FOUND", "replyTo"},
		{"publishPost", `text: "x", repostOf: "?"`, "NOT_FOUND", "repostOf"},
		{"editPost", ofPost + `, text: "x"`, "FORBIDDEN", "postId"},
		{"editPost", `postId: "?", text: "x"`, "NOT_FOUND", "postId"},
		{"likePost", `postId: "?"`, "NOT_FOUND", "postId"},
		{"deletePost", `postId: "` + userID(1) + `"`, "NOT_FOUND", "postId"},
		{"followUser", `userId: "` + userID(1) + `"`, "INVALID", "userId"},
		{"muteUser", `userId: "2"`, "NOT_FOUND", "userId"},
		{"updateProfile", `handle: null`, "INVALID", "handle"},
		{"updateProfile", `handle: "BEN"`, "CONFLICT", "handle"},
		{"updateProfile", `name: null`, "INVALID", "name"},
		{"updateProfile", `name: "` + strings.Repeat("x", 201) + `"`, "TOO_LONG", "name"},
		{"updateProfile", `avatarUrl: ""`, "INVALID", "avatarUrl"},
		{"updateProfile", `name: "Anna", handle: "@"`, "INVALID", "handle"},
		{"scheduleLive", `title: " ", ` + past, "INVALID", "title"},
		{"scheduleLive", `title: "x", ` + past, "INVALID", "scheduledAt"},
		{"rescheduleLive", ofLive(1) + `, ` + past, "INVALID", "scheduledAt"},
		{"startLive", ofLive(2), "CONFLICT", "liveSessionId"},
		{"cancelLive", ofLive(2), "CONFLICT", "liveSessionId"},
		{"endLive", ofLive(2) + `, replayUrl: "http://replays.example/1"`, "INVALID", "replayUrl"},
		{"endLive", `liveSessionId: "` + postID(1) + `"`, "NOT_FOUND", "liveSessionId"},
	} {
		got := w.must(1, `mutation { `+c.mutation+`(input: {clientMutationId: "m", `+c.input+`}) { userErrors { code field } clientMutationId } }`, nil)
		want := map[string]any{"clientMutationId": "m", "userErrors": []any{map[string]any{"code": c.code, "field": []any{c.field}}}}
		wantEqual(t, want, got.Data[c.mutation], "%s with %.50s", c.mutation, c.input)
	}
	still := w.must(1, `{ viewer { user { handle name } } }`, nil)
	wantEqual(t, map[string]any{"handle": "ann", "name": "ANN"}, still.at(t, "viewer.user"), "the profile after refused changes")
}

// Mutations run one after the other, and must not see what earlier ones loaded.
func TestMutations_EachShowsItsResult(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	got := w.must(1, `mutation($id: ID!) {
		a: likePost(input: {postId: $id}) { ...result }
		b: favoritePost(input: {postId: $id}) { ...result }
		c: unlikePost(input: {postId: $id}) { ...result }
		d: unfavoritePost(input: {postId: $id}) { ...result }
	} fragment result on PostPayload { post { viewerHasLiked viewerHasFavorited counters { likes favorites } } }`,
		map[string]any{"id": postID(1)})
	want := value(`{
		"a":{"post":{"viewerHasLiked":true,"viewerHasFavorited":false,"counters":{"likes":1,"favorites":0}}},
		"b":{"post":{"viewerHasLiked":true,"viewerHasFavorited":true,"counters":{"likes":1,"favorites":1}}},
		"c":{"post":{"viewerHasLiked":false,"viewerHasFavorited":true,"counters":{"likes":0,"favorites":1}}},
		"d":{"post":{"viewerHasLiked":false,"viewerHasFavorited":false,"counters":{"likes":0,"favorites":0}}}}`)
	wantEqual(t, want, any(got.Data), "the payloads")
}

func TestMutations_ServiceMustNameItsUser(t *testing.T) {
	for viewer, want := range map[feed.UserID]string{
		0: "name the user that the service acts for, in Tideline-Act-For", 2: "",
	} {
		w := newWorld(t)
		got := decoded(t, w.sendBody(viewer, `{"query":"mutation { publishPost(input: {text: \"x\"}) { post { author { handle } } } }"}`, "X-Service", "content"))
		switch {
		case want == "" && got.at(t, "publishPost.post.author.handle") != "ben":
			t.Errorf("the service acts as %v", got.Data)
		case want != "" && (len(got.Errors) != 1 || got.Errors[0].Message != want || got.Errors[0].Extensions.Code != "UNAUTHENTICATED"):
			t.Errorf("without a user the errors are %v", got.Errors)
		}
	}
}
