package resolvers_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
)

// relationLists are the viewer's lists by the mutation that fills them.
func relationLists() map[string]string {
	return map[string]string{"muteUser": "mutedUsers", "hideFromUser": "hiddenFromUsers", "blockUser": "blockedUsers"}
}

func TestOwnLists_PageDown(t *testing.T) {
	for mutation, list := range relationLists() {
		w := newWorld(t)
		for _, target := range []feed.UserID{2, 3, 4} {
			w.mutate(1, mutation, userID(target))
		}
		query := `query($after: String) { viewer { ` + list + `(first: 2, after: $after) {
			edges { cursor node { handle } } nodes { handle } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
		} } }`
		path := "viewer." + list
		top := w.must(1, query, map[string]any{"after": ""})
		end := w.must(1, query, map[string]any{"after": top.at(t, path+".pageInfo.endCursor")})
		for _, page := range []struct {
			got            result
			handles        []string
			next, previous bool
		}{{top, []string{"dan", "cat"}, true, false}, {end, []string{"ben"}, false, true}} {
			if diff := cmp.Diff(page.handles, texts(t, page.got.at(t, path+".nodes"), "handle")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", list, diff)
			}
			info := page.got.at(t, path+".pageInfo").(map[string]any)
			if info["hasNextPage"] != page.next || info["hasPreviousPage"] != page.previous {
				t.Errorf("%s has next and previous %v, want %v, %v", list, info, page.next, page.previous)
			}
			if first := page.got.at(t, path+".edges.0.cursor"); info["startCursor"] != first {
				t.Errorf("%s starts at %v, its first edge is at %v", list, info["startCursor"], first)
			}
		}
	}
}

func TestOwnLists_ShowOneRelationOfTheViewer(t *testing.T) {
	w := newWorld(t)
	w.mutate(1, "muteUser", userID(2))
	w.mutate(1, "hideFromUser", userID(3))
	w.mutate(1, "blockUser", userID(4))
	const query = `{ viewer { mutedUsers { nodes { handle } } hiddenFromUsers { nodes { handle } } blockedUsers { nodes { handle } } } }`
	got := w.must(1, query, nil)
	for list, handle := range map[string]string{"mutedUsers": "ben", "hiddenFromUsers": "cat", "blockedUsers": "dan"} {
		if diff := cmp.Diff([]string{handle}, texts(t, got.at(t, "viewer."+list+".nodes"), "handle")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", list, diff)
		}
	}
	for _, viewer := range []feed.UserID{2, 3, 4} {
		got := w.must(viewer, query, nil)
		for _, list := range relationLists() {
			if nodes := got.at(t, "viewer."+list+".nodes").([]any); len(nodes) > 0 {
				t.Errorf("%s of viewer %d has %v", list, viewer, nodes)
			}
		}
	}
	w.mutate(1, "unblockUser", userID(4))
	if nodes := w.must(1, query, nil).at(t, "viewer.blockedUsers.nodes").([]any); len(nodes) > 0 {
		t.Errorf("after the unblock the list has %v", nodes)
	}
}

func TestOwnRelations_EndWithBlockingUsers(t *testing.T) {
	for mutation, list := range relationLists() {
		w := newWorld(t)
		w.post(1, 2)
		w.mutate(1, mutation, userID(2))
		w.mutate(2, "blockUser", userID(1))
		query := `{ viewer { ` + list + ` { nodes { id posts { nodes { text } } followers { nodes { handle } } } } } }`
		none := map[string]any{"nodes": []any{}}
		want := []any{map[string]any{"id": userID(2), "posts": none, "followers": none}}
		if diff := cmp.Diff(want, w.must(1, query, nil).at(t, "viewer."+list+".nodes")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", list, diff)
		}
		if ended := w.mutate(1, "un"+mutation, userID(2)); len(ended["userErrors"].([]any)) > 0 {
			t.Errorf("un%s is refused: %v", mutation, ended["userErrors"])
		}
		if left := w.must(1, query, nil).at(t, "viewer."+list+".nodes").([]any); len(left) > 0 {
			t.Errorf("after un%s %s has %v", mutation, list, left)
		}
	}
}

func TestSearch_RejectsBlankAndLongQueries(t *testing.T) {
	w := newWorld(t)
	const query = `query($q: String!) { users(query: $q) { nodes { id } } }`
	for _, q := range []string{"", "  ", strings.Repeat("b", 101), "b\x00"} {
		if got := w.ask(1, query, map[string]any{"q": q}); !cmp.Equal(got.codes(), []string{"BAD_USER_INPUT"}) {
			t.Errorf("a query %.10q of %d bytes returns %+v", q, len(q), got.Errors)
		}
	}
}

func TestUserLists_RejectBadArguments(t *testing.T) {
	w := newWorld(t)
	w.follow(2, 1)
	followers := w.must(1, `{ user(handle: "ann") { followers { pageInfo { endCursor } } } }`, nil)
	foreign := followers.at(t, "user.followers.pageInfo.endCursor").(string)
	for args, code := range map[string]string{
		`first: -1`:         "BAD_USER_INPUT",
		`first: 101`:        "BAD_USER_INPUT",
		`after: "nonsense"`: "BAD_CURSOR",
		// A cursor of another list.
		`after: "` + foreign + `"`: "BAD_CURSOR",
		`last: 1`:                  "GRAPHQL_VALIDATION_FAILED",
	} {
		for _, list := range []string{
			`viewer { list: mutedUsers(` + args + `) { nodes { id } } }`,
			`viewer { list: hiddenFromUsers(` + args + `) { nodes { id } } }`,
			`viewer { list: blockedUsers(` + args + `) { nodes { id } } }`,
			`users(query: "b", ` + args + `) { nodes { id } }`,
		} {
			if got := w.ask(1, `{ `+list+` }`, nil); !cmp.Equal(got.codes(), []string{code}) {
				t.Errorf("%s returns %+v, want %s", list, got.Errors, code)
			}
		}
	}
}

// named creates a user.
func (w *world) named(id feed.UserID, handle, name string) {
	w.t.Helper()
	u := &feed.User{ID: id, Handle: handle, Name: name, CreatedAt: epoch}
	if _, err := w.store.EnsureUser(context.Background(), u); err != nil {
		w.t.Fatalf("make user %s: %v", handle, err)
	}
}

// found returns the handles that a search finds, sorted.
func (w *world) found(viewer feed.UserID, query string) []string {
	w.t.Helper()
	got := w.must(viewer, `query($q: String!) { users(query: $q) { nodes { handle } } }`, map[string]any{"q": query})
	handles := texts(w.t, got.at(w.t, "users.nodes"), "handle")
	slices.Sort(handles)
	return handles
}

func TestSearch_FindsHandlesAndNames(t *testing.T) {
	w := newWorld(t)
	w.named(5, "benita", "Lady of the Lake")
	w.named(6, "zoe", "Benedict Holm")
	for query, want := range map[string][]string{
		"ben": {"ben", "benita", "zoe"}, "BEN": {"ben", "benita", "zoe"}, "benit": {"benita"},
		"lake ben": {"benita"}, "holm": {"zoe"}, "nobody": nil,
	} {
		for _, viewer := range []feed.UserID{0, 1} {
			if diff := cmp.Diff(want, w.found(viewer, query)); diff != "" {
				t.Errorf("viewer %d searches %q (-want +got):\n%s", viewer, query, diff)
			}
		}
	}
}

func TestSearch_PagesAlphabetically(t *testing.T) {
	w := newWorld(t)
	for id, handle := range map[feed.UserID]string{5: "bena", 6: "benb", 7: "benc", 8: "bend"} {
		w.user(id, handle)
	}
	const query = `query($after: String) { users(query: "ben", first: 2, after: $after) {
		edges { cursor node { handle } } pageInfo { hasNextPage hasPreviousPage endCursor }
	} }`
	var handles []string
	for after, next := any(""), any(true); next == true; {
		page := w.must(1, query, map[string]any{"after": after})
		info := page.at(t, "users.pageInfo").(map[string]any)
		if info["hasPreviousPage"] != (after != "") {
			t.Errorf("after %d users hasPreviousPage is %v", len(handles), info["hasPreviousPage"])
		}
		for _, e := range page.at(t, "users.edges").([]any) {
			edge := e.(map[string]any)
			handles = append(handles, edge["node"].(map[string]any)["handle"].(string))
		}
		after, next = info["endCursor"], info["hasNextPage"]
	}
	if diff := cmp.Diff([]string{"ben", "bena", "benb", "benc", "bend"}, handles); diff != "" {
		t.Errorf("all pages together (-want +got):\n%s", diff)
	}
}
