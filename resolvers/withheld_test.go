package resolvers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
)

// wholeUser selects every field of a user.
const wholeUser = `{ id databaseId unavailable handle name avatarUrl createdAt counters { followers following posts }
	posts { nodes { id } } followers { nodes { id } } following { nodes { id } } liveSessions { nodes { id } } }`

// withheldBen is what users see of Ben if Ben blocks them.
func withheldBen() any {
	return value(`{"id":%q,"databaseId":"2","unavailable":true,"handle":"","name":"","avatarUrl":null,"createdAt":"2026-05-04T12:00:00.000Z",
		"counters":{"followers":0,"following":0,"posts":0},"posts":{"nodes":[]},"followers":{"nodes":[]},"following":{"nodes":[]},
		"liveSessions":{"nodes":[]}}`, userID(2))
}

// annKnowsBen makes Ann follow, mute, hide from and block Ben, who follows and blocks Ann.
func annKnowsBen(t *testing.T) *world {
	w := newWorld(t)
	w.post(1, 2)
	w.follow(1, 2)
	w.follow(2, 1)
	w.follow(1, 3)
	for _, kind := range []feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock} {
		w.relate(kind, 1, 2)
	}
	w.relate(feed.RelationBlock, 2, 1)
	return w
}

func TestWithheld_ListsShowOnlyTheID(t *testing.T) {
	w := annKnowsBen(t)
	for _, path := range []string{"mutedUsers", "hiddenFromUsers", "blockedUsers", "user.followers", "user.following"} {
		selection := strings.ReplaceAll(path, ".", " { ") + ` { nodes ` + wholeUser + strings.Repeat(" }", 1+strings.Count(path, "."))
		list, _ := w.must(1, `{ viewer { `+selection+` } }`, nil).at(t, "viewer."+path+".nodes").([]any)
		if !slices.ContainsFunc(list, func(user any) bool { return cmp.Equal(user, withheldBen()) }) {
			t.Errorf("ann's list %s is %v, want ben as %v", path, list, withheldBen())
		}
	}
}

func TestWithheld_PayloadsShowOnlyTheID(t *testing.T) {
	for _, name := range []string{"unfollowUser", "unmuteUser", "unhideFromUser", "unblockUser"} {
		w := annKnowsBen(t)
		got := w.must(1, `mutation($id: ID!) { `+name+`(input: {userId: $id}) { user `+wholeUser+` userErrors { code } } }`,
			map[string]any{"id": userID(2)})
		want := map[string]any{"user": withheldBen(), "userErrors": []any{}}
		wantEqual(t, want, got.at(t, name), "the response to %s", name)
	}
}

func TestOwnLists_AgreeWithTheirCounters(t *testing.T) {
	w := annKnowsBen(t)
	w.relate(feed.RelationBlock, 1, 3)
	w.follow(3, 1)
	user := w.must(1, `{ viewer { user { counters { followers following } followers { nodes { id } } following { nodes { id } } } } }`, nil)
	want := value(`{"counters":{"followers":2,"following":2},"followers":{"nodes":[{"id":%q},{"id":%q}]},"following":{"nodes":[{"id":%q},{"id":%q}]}}`,
		userID(3), userID(2), userID(3), userID(2))
	wantEqual(t, want, user.at(t, "viewer.user"), "ann's lists")
}
