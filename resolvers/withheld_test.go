package resolvers_test

import (
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// wholeUser selects every field of a user.
const wholeUser = `{ id databaseId unavailable handle name avatarUrl createdAt counters { followers following posts }
	posts { nodes { id } } followers { nodes { id } } following { nodes { id } } liveSessions { nodes { id } } }`

// withheldBen is what users see of Ben if Ben blocks them.
func withheldBen() map[string]any {
	empty := map[string]any{"nodes": []any{}}
	return map[string]any{
		"id": userID(2), "databaseId": "2", "unavailable": true, "handle": "", "name": "", "avatarUrl": nil,
		"createdAt": "2026-05-04T12:00:00.000Z",
		"counters":  map[string]any{"followers": 0.0, "following": 0.0, "posts": 0.0},
		"posts":     empty, "followers": empty, "following": empty, "liveSessions": empty,
	}
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
	for list, first := range map[string]string{
		"mutedUsers": "viewer", "hiddenFromUsers": "viewer", "blockedUsers": "viewer", "followers": "user", "following": "user",
	} {
		document := `{ viewer { list: ` + list + ` { nodes ` + wholeUser + ` } } }`
		if first == "user" {
			document = `{ viewer { user { list: ` + list + ` { nodes ` + wholeUser + ` } } } }`
		}
		var shown []any
		find(w.must(1, document, nil).Data, userID(2), &shown)
		wantEqual(t, []any{withheldBen()}, shown, "ben in ann's list %s", list)
	}
}

// find appends all objects with an id in v.
func find(v any, id string, found *[]any) {
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			find(inner, id, found)
		}
	case map[string]any:
		if v["id"] == id {
			*found = append(*found, v)
			return
		}
		for _, inner := range v {
			find(inner, id, found)
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
	const document = `{ viewer { user { counters { followers following } followers { nodes { id } } following { nodes { id } } } } }`
	user := w.must(1, document, nil).at(t, "viewer.user").(map[string]any)
	counters := user["counters"].(map[string]any)
	for _, list := range []string{"followers", "following"} {
		var ids []string
		for _, node := range user[list].(map[string]any)["nodes"].([]any) {
			ids = append(ids, node.(map[string]any)["id"].(string))
		}
		slices.Sort(ids)
		if want := []string{userID(2), userID(3)}; !slices.Equal(ids, want) || counters[list] != 2.0 {
			t.Errorf("ann's %s are %v and count %v, want %v", list, ids, counters[list], want)
		}
	}
}
