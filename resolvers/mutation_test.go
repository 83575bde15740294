package resolvers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers"
)

const publishPost = `mutation($input: PublishPostInput!) { publishPost(input: $input) {
	post { id kind text language media publishedAt author { handle } replyTo { id } repostOf { id } }
	feedEdge { cursor node { id } }
	userErrors { code message field } clientMutationId
} }`

func TestPublish_ReturnsPostAndFeedEdge(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	got := w.must(1, publishPost, map[string]any{"input": map[string]any{
		"text": "hello", "media": []string{"https://media.example/a.png"}, "replyTo": postID(1),
		"language": "en-GB", "publishedAt": "2026-05-04T12:30:00+00:00", "clientMutationId": "m1",
	}})
	id := got.at(t, "publishPost.post.id")
	cursor := got.at(t, "publishPost.feedEdge.cursor")
	want := value(`{"publishPost":{"clientMutationId":"m1","userErrors":[],"feedEdge":{"cursor":%q,"node":{"id":%q}},
		"post":{"id":%q,"kind":"COMMENT","text":"hello","language":"en-GB","media":["https://media.example/a.png"],"publishedAt":"2026-05-04T12:30:00.000Z",
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
		{"editPost", ofPost + `, text: "x"`, "FORBIDDEN", "postId"},
		{"deletePost", `postId: "` + userID(1) + `"`, "NOT_FOUND", "postId"},
		{"followUser", `userId: "` + userID(1) + `"`, "INVALID", "userId"},
		{"muteUser", `userId: "2"`, "NOT_FOUND", "userId"},
		{"muteUser", `userId: "` + userID(2) + `"|, until: "2026-05-04T12:00:00Z"`, "INVALID", "until"},
		{"muteUser", `userId: "` + userID(2) + `"|, until: "1970-01-01T00:00:00Z"`, "INVALID", "until"},
		{"updateProfile", `handle: null`, "INVALID", "handle"},
		{"updateProfile", `handle: "BEN"`, "CONFLICT", "handle"},
		{"updateProfile", `name: "` + strings.Repeat("x", 201) + `"`, "TOO_LONG", "name"},
		{"scheduleLive", `title: " ", ` + past, "INVALID", "title"},
		{"scheduleLive", `title: "x", ` + past, "INVALID", "scheduledAt"},
		{"rescheduleLive", ofLive(1) + `, ` + past, "INVALID", "scheduledAt"},
		{"startLive", ofLive(2), "CONFLICT", "liveSessionId"},
		{"endLive", ofLive(2) + `, replayUrl: "http://replays.example/1"`, "INVALID", "replayUrl"},
	} {
		input, arguments, _ := strings.Cut(c.input, "|")
		got := w.must(1, `mutation { `+c.mutation+`(input: {clientMutationId: "m", `+input+`}`+arguments+`) { userErrors { code field } clientMutationId } }`, nil)
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

const updateProfile = `mutation($input: UpdateProfileInput!) { updateProfile(input: $input) {
	user { handle name avatarUrl } userErrors { code field } clientMutationId
} }`

// picture is the avatar of profiles in these tests.
const picture = "https://media.example/face.png"

// Absent, null and a value have three meanings, in an input and for variables.
func TestUpdateProfile_ChangesGivenFieldsOnly(t *testing.T) {
	w := newWorld(t)
	const literal = `mutation($handle: String, $name: String, $avatarUrl: URL) {
		updateProfile(input: {handle: $handle, name: $name, avatarUrl: $avatarUrl, clientMutationId: "m"}) {
			user { handle name avatarUrl } userErrors { code field } clientMutationId } }`
	type fields = map[string]any
	for _, step := range []struct {
		input        fields
		handle, name string
		avatar       any
	}{
		{fields{}, "ann", "ANN", nil},
		{fields{"handle": "anna", "name": "Anna", "avatarUrl": picture}, "anna", "Anna", picture},
		{fields{"name": "Anna Lind"}, "anna", "Anna Lind", picture},
		{fields{"handle": "ANNA"}, "ANNA", "Anna Lind", picture},
		{fields{"avatarUrl": nil}, "ANNA", "Anna Lind", nil},
		{fields{"avatarUrl": picture, "name": "Anna"}, "ANNA", "Anna", picture},
		{fields{"avatarUrl": nil, "name": "A"}, "ANNA", "A", nil},
	} {
		want := fields{"handle": step.handle, "name": step.name, "avatarUrl": step.avatar}
		payload := fields{"user": want, "userErrors": []any{}, "clientMutationId": "m"}
		wantEqual(t, payload, w.must(1, literal, step.input).at(t, "updateProfile"), "the payload for the variables %v", step.input)
		step.input["clientMutationId"] = "m"
		wantEqual(t, payload, w.must(1, updateProfile, fields{"input": step.input}).at(t, "updateProfile"), "the payload for %v", step.input)
		wantEqual(t, want, w.must(2, `{ user(databaseId: "1") { handle name avatarUrl } }`, nil).at(t, "user"), "what others read after %v", step.input)
	}
}

// toUser runs a mutation on a user and returns its payload.
func (w *world) toUser(viewer feed.UserID, name, target string) map[string]any {
	w.t.Helper()
	got := w.must(viewer, `mutation($id: ID!) { `+name+`(input: {userId: $id, clientMutationId: "m"}) {
		user { handle viewerFollows viewerMutes viewerHidesFrom viewerBlocks } userErrors { code field } clientMutationId } }`,
		map[string]any{"id": target})
	payload := got.at(w.t, name).(map[string]any)
	wantEqual(w.t, "m", payload["clientMutationId"], "the clientMutationId of %s", name)
	return payload
}

func TestRelations_PayloadShowsNewState(t *testing.T) {
	w := newWorld(t)
	stands := func(flags string) map[string]any {
		user := map[string]any{"handle": "ben"}
		for _, flag := range []string{"viewerFollows", "viewerMutes", "viewerHidesFrom", "viewerBlocks"} {
			user[flag] = slices.Contains(strings.Fields(flags), flag)
		}
		return user
	}
	for _, step := range []struct{ name, flags string }{
		{"followUser", "viewerFollows"},
		{"muteUser", "viewerFollows viewerMutes"},
		{"hideFromUser", "viewerFollows viewerMutes viewerHidesFrom"},
		{"blockUser", "viewerFollows viewerMutes viewerHidesFrom viewerBlocks"},
		{"unmuteUser", "viewerFollows viewerHidesFrom viewerBlocks"},
		{"unhideFromUser", "viewerFollows viewerBlocks"},
		{"unblockUser", "viewerFollows"},
		{"unblockUser", "viewerFollows"},
		{"unfollowUser", ""},
	} {
		payload := w.toUser(1, step.name, userID(2))
		wantEqual(t, stands(step.flags), payload["user"], "%s", step.name)
		wantEqual(t, []any{}, payload["userErrors"], "the refusals of %s", step.name)
	}
}

// someInputs are valid values of the required input fields.
func someInputs() map[string]string {
	return map[string]string{
		"userId": fmt.Sprintf("%q", userID(2)), "postId": fmt.Sprintf("%q", postID(1)), "liveSessionId": `"x"`,
		"listId": fmt.Sprintf("%q", listID(1)), "userIds": "[]", "name": `"a"`,
		"cursor": `"x"`, "syncToken": `"x"`, "text": `"a"`, "title": `"a"`, "reason": `"spam"`, "confirmHandle": `"ann"`, "scheduledAt": `"2030-01-01T00:00:00Z"`,
	}
}

func TestMutations_RefusedWhereSourceOwnsAll(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Owned = feed.OwnedTypes() })
	schema := graph.LoadSchema()
	refused := map[feed.RecordType]int{}
	for _, m := range schema.Mutation.Fields {
		if strings.HasPrefix(m.Name, "__") || m.Name == "markHomeRead" { // no record has it
			continue
		}
		input := `clientMutationId: "m"`
		for _, f := range schema.Types[m.Arguments[0].Type.Name()].Fields {
			if f.Type.NonNull {
				input += ", " + f.Name + ": " + someInputs()[f.Name]
			}
		}
		got := w.must(1, fmt.Sprintf("mutation { %s(input: {%s}) { userErrors { code message field } clientMutationId } }", m.Name, input), nil)
		message, _ := got.at(t, m.Name+".userErrors.0.message").(string)
		wantEqual(t, value(`{"userErrors":[{"code":"FORBIDDEN","message":%q,"field":null}],"clientMutationId":"m"}`, message), got.at(t, m.Name), "%s", m.Name)
		for _, r := range feed.OwnedTypes() {
			if message == fmt.Sprintf("a source owns records of type %s; change them there", r) {
				refused[r]++
			}
		}
	}
	for _, r := range feed.OwnedTypes() {
		if refused[r] == 0 {
			t.Errorf("no mutation is refused for records of type %s", r)
		}
	}
}

func TestMutations_OfOwnTypesWorkBesideSource(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Owned = feed.RecordTypes{feed.RecordPost} })
	got := w.must(1, fmt.Sprintf(`mutation { a: followUser(input: {userId: %q}) { userErrors { code } }
		b: publishPost(input: {text: "a"}) { post { id } userErrors { code } } c: updateProfile(input: {name: "Anna"}) { user { name } } }`, userID(2)), nil)
	want := value(`{"a":{"userErrors":[]},"b":{"post":null,"userErrors":[{"code":"FORBIDDEN"}]},"c":{"user":{"name":"Anna"}}}`)
	wantEqual(t, want, any(got.Data), "the payloads")
}

func TestViewer_AbsentSeesFeedWithoutProfile(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) {
		accounts, ok := d.Accounts.(*people.Accounts)
		if !ok {
			t.Fatal("the accounts are replaced")
		}
		accounts.Policy.Owned = feed.RecordTypes{feed.RecordUser}
		d.Owned = feed.RecordTypes{feed.RecordUser, feed.RecordFollow}
	})
	follow := feed.Record{Follow: &feed.FollowRecord{Follower: 77, Followee: 2, CreatedAt: epoch}}
	owned := feed.Batch{Records: []feed.Record{follow}, Owned: feed.RecordTypes{feed.RecordUser, feed.RecordFollow}, Ordered: true}
	_, err := w.store.Apply(t.Context(), owned)
	noError(t, err)
	w.post(1, 2)
	const query = `{ viewer { user { id handle name avatarUrl counters { posts } } homeFeed(first: 5) { edges { node { id } } } } }`
	want := value(`{"user":{"id":%q,"handle":"","name":"","avatarUrl":null,"counters":{"posts":0}},"homeFeed":{"edges":[{"node":{"id":%q}}]}}`, userID(77), postID(1))
	wantEqual(t, want, w.must(77, query, nil).at(t, "viewer"), "an absent viewer")
}
