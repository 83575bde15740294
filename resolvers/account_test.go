package resolvers_test

import (
	"testing"
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
		wantEqual(t, want, got.at(t, "updateProfile"), "%v", step.input)
		stored := w.must(2, `query($id: ID!) { node(id: $id) { ... on User { handle name avatarUrl } } }`, map[string]any{"id": userID(1)})
		wantEqual(t, step.want, stored.at(t, "node"), "%v: what others read", step.input)
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
	wantEqual(t, profile("ann", "Anna", picture), kept.at(t, "updateProfile.user"), "only the name is given")
	removed := w.must(1, document, map[string]any{"avatar": nil})
	wantEqual(t, profile("ann", "Anna", nil), removed.at(t, "updateProfile.user"), "the avatar is null")
}

// A token may outlive its account for a while.
func TestDeleteAccount_RefusesLaterMutations(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	deleted := w.must(1, `mutation { deleteAccount(input: {confirmHandle: "ann"}) { deletedUserId } }`, nil)
	wantEqual(t, userID(1), deleted.at(t, "deleteAccount.deletedUserId"), "the deleted user")
	for mutation, want := range map[string]string{
		`publishPost(input: {text: "x"})`:                  "NOT_FOUND",
		`likePost(input: {postId: "` + postID(1) + `"})`:   "NOT_FOUND",
		`followUser(input: {userId: "` + userID(2) + `"})`: "NOT_FOUND",
		`blockUser(input: {userId: "` + userID(2) + `"})`:  "NOT_FOUND",
		`updateProfile(input: {name: "x"})`:                "NOT_FOUND",
		`deleteAccount(input: {confirmHandle: "ann"})`:     "UNAUTHENTICATED",
	} {
		wantEqual(t, want, outcome(w.ask(1, `mutation { `+mutation+` { userErrors { code } } }`, nil)), "%s", mutation)
	}
	w.wantCode("UNAUTHENTICATED", 1, `{ viewer { user { id } } }`, nil)
}
