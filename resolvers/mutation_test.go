package resolvers_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
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
	post := got.at(t, "publishPost.post").(map[string]any)
	id := post["id"]
	want := map[string]any{
		"id": id, "kind": "COMMENT", "text": "hello", "media": []any{"https://media.example/a.png"},
		"publishedAt": "2026-05-04T12:30:00.000Z", "author": map[string]any{"handle": "ann"},
		"replyTo": map[string]any{"id": postID(1)}, "repostOf": nil,
	}
	if diff := cmp.Diff(want, post); diff != "" {
		t.Errorf("post (-want +got):\n%s", diff)
	}
	if got.at(t, "publishPost.clientMutationId") != "m1" || len(got.at(t, "publishPost.userErrors").([]any)) != 0 {
		t.Errorf("the data is %v", got.Data)
	}
	if diff := cmp.Diff(map[string]any{"id": id}, got.at(t, "publishPost.feedEdge.node")); diff != "" {
		t.Errorf("the edge's node (-want +got):\n%s", diff)
	}
	w.post(2, 1)
	below := w.must(1, `query($c: String!) { viewer { homeFeed(after: $c) { newCount(since: $c) nodes { text } } } }`,
		map[string]any{"c": got.at(t, "publishPost.feedEdge.cursor")})
	want = map[string]any{"newCount": 0.0, "nodes": []any{map[string]any{"text": "text 2"}}}
	if diff := cmp.Diff(want, below.at(t, "viewer.homeFeed")); diff != "" {
		t.Errorf("what stands around the edge's cursor (-want +got):\n%s", diff)
	}
}

func TestPublish_RetryReturnsTheFirstResult(t *testing.T) {
	w := newWorld(t)
	input := map[string]any{"text": "once", "idempotencyKey": "k"}
	first := w.must(1, publishPost, map[string]any{"input": input})
	again := w.must(1, publishPost, map[string]any{"input": input})
	if diff := cmp.Diff(first.Data, again.Data); diff != "" {
		t.Errorf("(-first +again):\n%s", diff)
	}
	other := w.must(1, publishPost, map[string]any{"input": map[string]any{"text": "other", "idempotencyKey": "k"}})
	if got := other.at(t, "publishPost.userErrors.0.code"); got != "CONFLICT" {
		t.Errorf("the key with another input returns %v", got)
	}
}

// A refusal names the input field and returns nothing else.
func TestMutations_RefusalsAreUserErrors(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	payload := `{ post { id } userErrors { code field } clientMutationId } }`
	for _, c := range []struct {
		name, query string
		input       map[string]any
		code        string
		field       any
	}{
		{"an empty text", publishPost, map[string]any{"text": ""}, "INVALID", []any{"text"}},
		{"a text too long", publishPost, map[string]any{"text": strings.Repeat("x", 5001)}, "TOO_LONG", []any{"text"}},
		{"a picture that is not https", publishPost, map[string]any{"text": "x", "media": []string{"http://media.example/a"}}, "INVALID", []any{"media"}},
		{"a time in the future", publishPost, map[string]any{"text": "x", "publishedAt": "2999-01-01T00:00:00Z"}, "INVALID", []any{"publishedAt"}},
		{"a reply to nothing", publishPost, map[string]any{"text": "x", "replyTo": postID(9)}, "NOT_FOUND", []any{"replyTo"}},
		{"a reply to a user", publishPost, map[string]any{"text": "x", "replyTo": userID(2)}, "NOT_FOUND", []any{"replyTo"}},
		{"a repost of nonsense", publishPost, map[string]any{"text": "x", "repostOf": "?"}, "NOT_FOUND", []any{"repostOf"}},
		{
			"an edit of another's post", `mutation($input: EditPostInput!) { editPost(input: $input) ` + payload,
			map[string]any{"postId": postID(1), "text": "x"},
			"FORBIDDEN",
			[]any{"postId"},
		},
		{
			"an edit of nonsense", `mutation($input: EditPostInput!) { editPost(input: $input) ` + payload,
			map[string]any{"postId": "?", "text": "x"},
			"NOT_FOUND",
			[]any{"postId"},
		},
		{
			"a like of nonsense", `mutation($input: PostIdInput!) { likePost(input: $input) ` + payload,
			map[string]any{"postId": "?"},
			"NOT_FOUND",
			[]any{"postId"},
		},
	} {
		c.input["clientMutationId"] = "m"
		got := w.must(1, c.query, map[string]any{"input": c.input})
		for _, payload := range got.Data {
			p := payload.(map[string]any)
			if p["post"] != nil || p["clientMutationId"] != "m" {
				t.Errorf("%s: the payload is %v", c.name, p)
			}
		}
		name := "publishPost"
		for field := range got.Data {
			name = field
		}
		refused := got.at(t, name+".userErrors.0").(map[string]any)
		if refused["code"] != c.code || !cmp.Equal(refused["field"], c.field) {
			t.Errorf("%s is refused with %v, want %s at %v", c.name, refused, c.code, c.field)
		}
	}
}

func TestPost_AuthorEditsAndDeletes(t *testing.T) {
	w := newWorld(t)
	w.post(1, 1)
	edited := w.must(1, `mutation($id: ID!) { editPost(input: {postId: $id, text: "new"}) { post { text editedAt } userErrors { code } } }`,
		map[string]any{"id": postID(1)})
	want := map[string]any{"text": "new", "editedAt": "2026-05-04T13:00:00.000Z"}
	if diff := cmp.Diff(want, edited.at(t, "editPost.post")); diff != "" {
		t.Errorf("edit (-want +got):\n%s", diff)
	}
	const remove = `mutation($id: ID!) { deletePost(input: {postId: $id}) { deletedPostId userErrors { code field } } }`
	deleted := w.must(1, remove, map[string]any{"id": postID(1)})
	if got := deleted.at(t, "deletePost.deletedPostId"); got != postID(1) {
		t.Errorf("the data of the deletion is %v", deleted.Data)
	}
	if got := w.must(1, `query($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": postID(1)}).at(t, "node"); got != nil {
		t.Errorf("the deleted post is still there: %v", got)
	}
	nonsense := w.must(1, remove, map[string]any{"id": userID(1)})
	if nonsense.at(t, "deletePost.deletedPostId") != nil || nonsense.at(t, "deletePost.userErrors.0.code") != "NOT_FOUND" {
		t.Errorf("deleting a user as a post returns %v", nonsense.Data)
	}
}

// Ann can undo her reactions to a post that is now hidden from her.
func TestReactions_UndoneOnHiddenPosts(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	w.post(2, 1, repostOf(1))
	w.must(1, `mutation($id: ID!) { likePost(input: {postId: $id}) { post { id } } }`, map[string]any{"id": postID(1)})
	w.relate(feed.RelationHide, 2, 1)
	got := w.must(1, `mutation($hidden: ID!, $own: ID!) {
		unlikePost(input: {postId: $hidden}) { post { id } userErrors { code } }
		again: unlikePost(input: {postId: $hidden}) { post { id } userErrors { code } }
		missing: unlikePost(input: {postId: "`+postID(9)+`"}) { post { id } userErrors { code } }
		editPost(input: {postId: $own, text: "new"}) { post { text repostOf { id } author { handle } } userErrors { code } }
		deletePost(input: {postId: $own}) { deletedPostId userErrors { code } }
	}`, map[string]any{"hidden": postID(1), "own": postID(2)})
	refused := map[string]any{"post": nil, "userErrors": []any{map[string]any{"code": "NOT_FOUND"}}}
	want := map[string]any{
		"unlikePost": map[string]any{"post": nil, "userErrors": []any{}},
		"again":      refused,
		"missing":    refused,
		"editPost": map[string]any{
			"post":       map[string]any{"text": "new", "repostOf": nil, "author": map[string]any{"handle": "ann"}},
			"userErrors": []any{},
		},
		"deletePost": map[string]any{"deletedPostId": postID(2), "userErrors": []any{}},
	}
	if diff := cmp.Diff(want, got.Data); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
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
	for alias, want := range map[string][2]bool{"a": {true, false}, "b": {true, true}, "c": {false, true}, "d": {false, false}} {
		count := map[bool]float64{true: 1}
		shown := map[string]any{
			"viewerHasLiked": want[0], "viewerHasFavorited": want[1],
			"counters": map[string]any{"likes": count[want[0]], "favorites": count[want[1]]},
		}
		if diff := cmp.Diff(shown, got.at(t, alias+".post")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", alias, diff)
		}
	}
}

func TestLike_OfRepostIsItsOwn(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	w.post(2, 3, repostOf(1))
	got := w.must(1, `mutation($repost: ID!) {
		likePost(input: {postId: $repost}) { post { ...both } }
		favoritePost(input: {postId: $repost}) { post { ...both } }
	}
	fragment both on Post { ...reactions repostOf { ...reactions } }
	fragment reactions on Post { viewerHasLiked viewerHasFavorited counters { likes favorites } }`,
		map[string]any{"repost": postID(2)})
	reactions := func(has bool, count float64) map[string]any {
		return map[string]any{
			"viewerHasLiked": has, "viewerHasFavorited": has,
			"counters": map[string]any{"likes": count, "favorites": count},
		}
	}
	want := reactions(true, 1)
	want["repostOf"] = reactions(false, 0)
	if diff := cmp.Diff(want, got.at(t, "favoritePost.post")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFollow_ShowsAtOnce(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	const payload = `(input: {userId: $id, clientMutationId: "m"}) {
		user { viewerFollows counters { followers } } userErrors { code field } clientMutationId } }`
	home := func() []string {
		return texts(t, w.must(1, `{ viewer { homeFeed { nodes { text } } } }`, nil).at(t, "viewer.homeFeed.nodes"), "text")
	}
	for _, c := range []struct {
		name    string
		follows bool
		count   float64
		home    []string
	}{
		{"followUser", true, 1, []string{"text 1"}},
		{"followUser", true, 1, []string{"text 1"}},
		{"unfollowUser", false, 0, nil},
	} {
		got := w.must(1, `mutation($id: ID!) { `+c.name+payload, map[string]any{"id": userID(2)})
		want := map[string]any{"viewerFollows": c.follows, "counters": map[string]any{"followers": c.count}}
		if diff := cmp.Diff(want, got.at(t, c.name+".user")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.home, home()); diff != "" {
			t.Errorf("the home feed after %s (-want +got):\n%s", c.name, diff)
		}
	}
	for id, code := range map[string]string{userID(1): "INVALID", userID(9): "NOT_FOUND", postID(1): "NOT_FOUND", "": "NOT_FOUND"} {
		got := w.must(1, `mutation($id: ID!) { followUser`+payload, map[string]any{"id": id})
		want := map[string]any{"code": code, "field": []any{"userId"}}
		if diff := cmp.Diff(want, got.at(t, "followUser.userErrors.0")); diff != "" || got.at(t, "followUser.user") != nil {
			t.Errorf("following %q (-want +got):\n%s", id, diff)
		}
	}
}

func TestMutations_AnonymousIsUnauthenticated(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	got := w.ask(0, `mutation($post: ID!, $user: ID!) {
		publishPost(input: {text: "x"}) { post { id } }
		liked: likePost(input: {postId: $post}) { post { id } }
		followUser(input: {userId: $user}) { user { id } }
	}`, map[string]any{"post": postID(1), "user": userID(2)})
	if got.Data != nil || len(got.Errors) == 0 {
		t.Fatalf("anonymous mutations return %v, %v", got.Data, got.Errors)
	}
	for i, path := range []string{"publishPost", "liked", "followUser"} {
		if e := got.Errors[i]; e.Extensions.Code != "UNAUTHENTICATED" || !cmp.Equal(e.Path, []any{path}) {
			t.Errorf("%s: %+v", path, e)
		}
	}
	counted := w.must(1, `query($id: ID!) { node(id: $id) { ... on Post { counters { likes } author { counters { followers } } } } }`,
		map[string]any{"id": postID(1)})
	want := map[string]any{"counters": map[string]any{"likes": 0.0}, "author": map[string]any{"counters": map[string]any{"followers": 0.0}}}
	if diff := cmp.Diff(want, counted.at(t, "node")); diff != "" {
		t.Errorf("something changed (-want +got):\n%s", diff)
	}
}

func TestMutations_ServiceMustNameItsUser(t *testing.T) {
	for viewer, want := range map[string]string{
		"0": "name the user that the service acts for, in Tideline-Act-For", "2": "",
	} {
		w := newWorld(t)
		r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(`{"query":"mutation { publishPost(input: {text: \"x\"}) { post { author { handle } } } }"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Service", "content")
		r.Header.Set("X-Viewer", viewer)
		got := decoded(t, w.send(r))
		switch {
		case want == "" && got.at(t, "publishPost.post.author.handle") != "ben":
			t.Errorf("the service acts as %v", got.Data)
		case want != "" && (len(got.Errors) != 1 || got.Errors[0].Message != want || got.Errors[0].Extensions.Code != "UNAUTHENTICATED"):
			t.Errorf("without a user the errors are %v", got.Errors)
		}
	}
}

func TestPublish_RejectsBadTimes(t *testing.T) {
	w := newWorld(t)
	got := w.ask(1, publishPost, map[string]any{"input": map[string]any{"text": "x", "publishedAt": "tomorrow"}})
	if !cmp.Equal(got.codes(), []string{"BAD_USER_INPUT"}) || !strings.Contains(got.Errors[0].Message, "RFC 3339") {
		t.Errorf("%+v", got.Errors)
	}
}
