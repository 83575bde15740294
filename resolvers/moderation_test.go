package resolvers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// mutate runs a mutation on a user and returns its payload.
func (w *world) mutate(viewer feed.UserID, name, target string) map[string]any {
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
		payload := w.mutate(1, step.name, userID(2))
		wantEqual(t, stands(step.flags), payload["user"], "%s", step.name)
		wantEqual(t, []any{}, payload["userErrors"], "the refusals of %s", step.name)
	}
}
