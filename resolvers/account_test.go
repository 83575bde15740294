package resolvers_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const updateProfile = `mutation($input: UpdateProfileInput!) { updateProfile(input: $input) {
	user { handle name avatarUrl } userErrors { code field } clientMutationId
} }`

// picture is the avatar of profiles in these tests.
const picture = "https://media.example/face.png"

// profile returns the result of an update.
func profile(handle, name string, avatar any) map[string]any {
	return map[string]any{"handle": handle, "name": name, "avatarUrl": avatar}
}

// Absent, null and a value have three meanings.
func TestUpdateProfile_ChangesGivenFieldsOnly(t *testing.T) {
	w := newWorld(t)
	for _, step := range []struct {
		input map[string]any
		want  map[string]any
	}{
		{map[string]any{}, profile("ann", "ANN", nil)},
		{map[string]any{"handle": "anna", "name": "Anna", "avatarUrl": picture}, profile("anna", "Anna", picture)},
		{map[string]any{"name": "Anna Lind"}, profile("anna", "Anna Lind", picture)},
		{map[string]any{"handle": "ANNA"}, profile("ANNA", "Anna Lind", picture)},
		{map[string]any{"avatarUrl": nil}, profile("ANNA", "Anna Lind", nil)},
		{map[string]any{"avatarUrl": nil, "name": "Anna"}, profile("ANNA", "Anna", nil)},
	} {
		step.input["clientMutationId"] = "m"
		got := w.must(1, updateProfile, map[string]any{"input": step.input})
		want := map[string]any{"user": step.want, "userErrors": []any{}, "clientMutationId": "m"}
		if diff := cmp.Diff(want, got.at(t, "updateProfile")); diff != "" {
			t.Errorf("%v (-want +got):\n%s", step.input, diff)
		}
		stored := w.must(2, `query($id: ID!) { node(id: $id) { ... on User { handle name avatarUrl } } }`, map[string]any{"id": userID(1)})
		if diff := cmp.Diff(step.want, stored.at(t, "node")); diff != "" {
			t.Errorf("%v: what others read (-want +got):\n%s", step.input, diff)
		}
	}
}

// A client may use one document and omit variables.
func TestUpdateProfile_AbsentVariableChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.must(1, updateProfile, map[string]any{"input": map[string]any{"avatarUrl": picture}})
	const document = `mutation($handle: String, $name: String, $avatar: URL) {
		updateProfile(input: {handle: $handle, name: $name, avatarUrl: $avatar}) { user { handle name avatarUrl } userErrors { field } }
	}`
	kept := w.must(1, document, map[string]any{"name": "Anna"})
	if diff := cmp.Diff(profile("ann", "Anna", picture), kept.at(t, "updateProfile.user")); diff != "" {
		t.Errorf("only the name is given (-want +got):\n%s", diff)
	}
	removed := w.must(1, document, map[string]any{"avatar": nil})
	if diff := cmp.Diff(profile("ann", "Anna", nil), removed.at(t, "updateProfile.user")); diff != "" {
		t.Errorf("the avatar is null (-want +got):\n%s", diff)
	}
}

func TestUpdateProfile_RefusalNamesTheField(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name  string
		input map[string]any
		code  string
		field string
	}{
		{"no handle", map[string]any{"handle": nil}, "INVALID", "handle"},
		{"an empty handle", map[string]any{"handle": ""}, "INVALID", "handle"},
		{"a handle with a space", map[string]any{"handle": "an na"}, "INVALID", "handle"},
		{"a handle that is taken, in another case", map[string]any{"handle": "BEN"}, "CONFLICT", "handle"},
		{"no name", map[string]any{"name": nil}, "INVALID", "name"},
		{"a name of spaces", map[string]any{"name": "  "}, "INVALID", "name"},
		{"a name too long", map[string]any{"name": strings.Repeat("x", 201)}, "TOO_LONG", "name"},
		{"an empty avatar", map[string]any{"avatarUrl": ""}, "INVALID", "avatarUrl"},
		{"an avatar that is not https", map[string]any{"avatarUrl": "http://media.example/a"}, "INVALID", "avatarUrl"},
		{"a script as avatar", map[string]any{"avatarUrl": "javascript:alert(1)"}, "INVALID", "avatarUrl"},
		{"an avatar too long", map[string]any{"avatarUrl": picture + "?" + strings.Repeat("x", 2048)}, "TOO_LONG", "avatarUrl"},
		{"a good name beside a bad handle", map[string]any{"name": "Anna", "handle": "@"}, "INVALID", "handle"},
	} {
		c.input["clientMutationId"] = "m"
		got := w.must(1, updateProfile, map[string]any{"input": c.input})
		want := map[string]any{
			"user": nil, "clientMutationId": "m",
			"userErrors": []any{map[string]any{"code": c.code, "field": []any{c.field}}},
		}
		if diff := cmp.Diff(want, got.at(t, "updateProfile")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	still := w.must(1, `{ viewer { user { handle name avatarUrl } } }`, nil)
	if diff := cmp.Diff(profile("ann", "ANN", nil), still.at(t, "viewer.user")); diff != "" {
		t.Errorf("a refused change changed something (-want +got):\n%s", diff)
	}
}

func TestUpdateProfile_ReservesTheOldHandle(t *testing.T) {
	w := newWorld(t)
	w.post(1, 1)
	w.must(1, updateProfile, map[string]any{"input": map[string]any{"handle": "anna"}})
	got := w.must(2, `query($id: ID!) {
		new: user(handle: "anna") { id }
		old: user(handle: "ann") { id }
		node(id: $id) { ... on Post { author { handle } } }
	}`, map[string]any{"id": postID(1)})
	want := map[string]any{
		"new": map[string]any{"id": userID(1)}, "old": nil,
		"node": map[string]any{"author": map[string]any{"handle": "anna"}},
	}
	if diff := cmp.Diff(want, got.Data); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, handle := range []string{"ann", "ANN", "\uff21nn"} {
		held := w.must(2, updateProfile, map[string]any{"input": map[string]any{"handle": handle}})
		if code := held.at(t, "updateProfile.userErrors.0.code"); code != "CONFLICT" {
			t.Errorf("for %+q ben gets the code %v, want CONFLICT", handle, code)
		}
	}
	back := w.must(1, updateProfile, map[string]any{"input": map[string]any{"handle": "ann"}})
	if diff := cmp.Diff(profile("ann", "ANN", nil), back.at(t, "updateProfile.user")); diff != "" {
		t.Errorf("ann takes the handle back (-want +got):\n%s", diff)
	}
}

const deleteAccount = `mutation($handle: String!) {
	deleteAccount(input: {confirmHandle: $handle, clientMutationId: "m"}) { deletedUserId userErrors { code field } clientMutationId }
}`

func TestDeleteAccount_NeedsTheHandle(t *testing.T) {
	w := newWorld(t)
	for _, handle := range []string{"", "ben", "an", "@ann"} {
		got := w.must(1, deleteAccount, map[string]any{"handle": handle})
		want := map[string]any{
			"deletedUserId": nil, "clientMutationId": "m",
			"userErrors": []any{map[string]any{"code": "INVALID", "field": []any{"confirmHandle"}}},
		}
		if diff := cmp.Diff(want, got.at(t, "deleteAccount")); diff != "" {
			t.Errorf("confirming with %q (-want +got):\n%s", handle, diff)
		}
	}
	still := w.must(1, `{ viewer { user { handle } } user(handle: "ben") { handle } }`, nil)
	if still.at(t, "viewer.user.handle") != "ann" || still.at(t, "user.handle") != "ben" {
		t.Errorf("a user was deleted: %v", still.Data)
	}
}

func TestDeleteAccount_RemovesProfileAndPosts(t *testing.T) {
	w := newWorld(t)
	w.follow(2, 1)
	w.follow(1, 2)
	w.post(1, 1)
	w.post(2, 2)
	w.post(3, 1, replyTo(2))
	w.post(4, 2, replyTo(1))
	w.post(5, 2, repostOf(1))
	w.mutate(2, "muteUser", userID(1))
	w.mutate(2, "unmuteUser", userID(1))
	w.reads.take()

	got := w.must(1, deleteAccount, map[string]any{"handle": "ann"})
	want := map[string]any{"deletedUserId": userID(1), "userErrors": []any{}, "clientMutationId": "m"}
	if diff := cmp.Diff(want, got.at(t, "deleteAccount")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if read := w.reads.take(); read["users"] > 0 {
		t.Errorf("the payload contains the deleted user: %v", read)
	}
	left := w.must(2, `query($ann: ID!, $post: ID!, $own: ID!, $answer: ID!, $repost: ID!) {
		user: node(id: $ann) { id }
		handle: user(handle: "ann") { id }
		users(query: "ann") { nodes { id } }
		post: node(id: $post) { id }
		own: node(id: $own) { ... on Post { comments { nodes { text } } } }
		answer: node(id: $answer) { ... on Post { replyTo { id } } }
		repost: node(id: $repost) { id }
		viewer { user { followers { nodes { id } } following { nodes { id } } } homeFeed { nodes { text } } }
	}`, map[string]any{"ann": userID(1), "post": postID(1), "own": postID(2), "answer": postID(4), "repost": postID(5)})
	none := map[string]any{"nodes": []any{}}
	want = map[string]any{
		"user": nil, "handle": nil, "users": none, "post": nil, "repost": nil,
		"own": map[string]any{"comments": none}, "answer": map[string]any{"replyTo": nil},
		"viewer": map[string]any{
			"user":     map[string]any{"followers": none, "following": none},
			"homeFeed": map[string]any{"nodes": []any{map[string]any{"text": "text 4"}, map[string]any{"text": "text 2"}}},
		},
	}
	if diff := cmp.Diff(want, left.Data); diff != "" {
		t.Errorf("what ben still finds (-want +got):\n%s", diff)
	}
}

// A token may outlive its account for a while.
func TestDeleteAccount_RefusesLaterMutations(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	const changed = `{ userErrors { code } } }`
	changes := map[string]string{
		`mutation { publishPost(input: {text: "x"}) ` + changed:                  "NOT_FOUND",
		`mutation { likePost(input: {postId: "` + postID(1) + `"}) ` + changed:   "NOT_FOUND",
		`mutation { followUser(input: {userId: "` + userID(2) + `"}) ` + changed: "NOT_FOUND",
		`mutation { blockUser(input: {userId: "` + userID(2) + `"}) ` + changed:  "NOT_FOUND",
		`mutation { updateProfile(input: {name: "x"}) ` + changed:                "NOT_FOUND",
		`mutation { deleteAccount(input: {confirmHandle: "ann"}) ` + changed:     "UNAUTHENTICATED",
		`{ viewer { user { id } } }`:                                             "UNAUTHENTICATED",
	}
	before := w.must(1, deleteAccount, map[string]any{"handle": "ann"})
	if before.at(t, "deleteAccount.deletedUserId") != userID(1) {
		t.Fatalf("the account is not deleted: %v", before.Data)
	}
	for query, code := range changes {
		if got := outcome(w.ask(1, query, nil)); got != code {
			t.Errorf("%s gets %q, want %q", query, got, code)
		}
	}
	left := w.must(2, `query($id: ID!) {
		node(id: $id) { ... on Post { counters { likes } author { handle counters { followers } } } }
		viewer { homeFeed { nodes { text } } }
	}`, map[string]any{"id": postID(1)})
	want := map[string]any{
		"node": map[string]any{
			"counters": map[string]any{"likes": 0.0},
			"author":   map[string]any{"handle": "ben", "counters": map[string]any{"followers": 0.0}},
		},
		"viewer": map[string]any{"homeFeed": map[string]any{"nodes": []any{map[string]any{"text": "text 1"}}}},
	}
	if diff := cmp.Diff(want, left.Data); diff != "" {
		t.Errorf("what ben finds (-want +got):\n%s", diff)
	}
}

// The mutations of an operation run one after the other.
func TestDeleteAccount_StopsPublishInSameOperation(t *testing.T) {
	w := newWorld(t)
	got := w.must(1, `mutation {
		renamed: updateProfile(input: {name: "Anna"}) { user { name } }
		deleteAccount(input: {confirmHandle: "ann"}) { deletedUserId }
		publishPost(input: {text: "x"}) { post { id } userErrors { code } }
	}`, nil)
	want := map[string]any{
		"renamed":       map[string]any{"user": map[string]any{"name": "Anna"}},
		"deleteAccount": map[string]any{"deletedUserId": userID(1)},
		"publishPost":   map[string]any{"post": nil, "userErrors": []any{map[string]any{"code": "NOT_FOUND"}}},
	}
	if diff := cmp.Diff(want, got.Data); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
