package resolvers_test

import (
	"testing"
)

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
