package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph/model"
)

func listID(id feed.ListID) string { return model.ListGlobalID(feed.PublicListID{Number: int64(id)}) }

// change runs a mutation of viewer on a list, and fails unless it is refused with a code, or not at all.
func (w *world) changeList(viewer feed.UserID, mutation, input, code string) result {
	w.t.Helper()
	payload := "list { id name isPublic memberCount }"
	if mutation == "deleteList" {
		payload = "deletedListId"
	}
	got := w.must(viewer, fmt.Sprintf("mutation { %s(input: {%s}) { %s userErrors { code } } }", mutation, input, payload), nil)
	want := value(`[]`)
	if code != "" {
		want = value(`[{"code":%q}]`, code)
	}
	wantEqual(w.t, want, got.at(w.t, mutation+".userErrors"), "%s(%s) by %d", mutation, input, viewer)
	return got
}

func TestLists_AreMadeReadAndDeleted(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	w.post(2, 4, repostOf(1))
	w.post(3, 3)
	id, _ := w.changeList(1, "createList", `name: "friends"`, "").at(t, "createList.list.id").(string)
	read := func(viewer feed.UserID) any {
		return w.must(viewer, `query($id: ID!) { node(id: $id) { ... on AuthorList {
			name isPublic memberCount owner { handle } members { nodes { handle } } feed(first: 1) { nodes { databaseId } pageInfo { hasNextPage endCursor } newCount(since: "") syncToken }
		} } }`, map[string]any{"id": id}).at(t, "node")
	}
	w.changeList(1, "addToList", fmt.Sprintf(`listId: %q, userIds: [%q, %q]`, id, userID(2), userID(4)), "")
	wantEqual(t, value(`{"dan":[{"id":%[1]q}],"cat":[],"odd":[]}`, id), w.must(1, fmt.Sprintf(`{ viewer { dan: lists(member: %q) { id } cat: lists(member: %q) { id } odd: lists(member: %q) { id } } }`,
		userID(4), userID(3), postID(4)), nil).at(t, "viewer"), "the lists with a member")
	cursor := w.must(1, `{ viewer { lists { feed(first: 1) { pageInfo { endCursor } } } } }`, nil).at(t, "viewer.lists.0.feed.pageInfo.endCursor").(string)
	wantEqual(t, value(`{"name":"friends","isPublic":false,"memberCount":2,"owner":{"handle":"ann"},"members":{"nodes":[{"handle":"dan"},{"handle":"ben"}]},
		"feed":{"nodes":[{"databaseId":"2"}],"pageInfo":{"hasNextPage":true,"endCursor":%q},"newCount":2,"syncToken":null}}`, cursor), read(1), "the list")
	second := w.must(1, fmt.Sprintf(`{ node(id: %q) { ... on AuthorList { feed(after: %q) { nodes { databaseId } newCount(since: %q) } } } }`, id, cursor, cursor), nil)
	wantEqual(t, value(`{"nodes":[{"databaseId":"1"}],"newCount":0}`), second.at(t, "node.feed"), "the second page")
	w.wantCode("BAD_CURSOR", 1, fmt.Sprintf(`{ viewer { homeFeed(after: %q) { nodes { id } } } }`, cursor), nil)

	w.mutate(1, "muteUser", fmt.Sprintf(`userId: %q`, userID(2)))
	wantEqual(t, value(`[]`), w.must(1, `{ viewer { lists { feed { nodes { databaseId } } } } }`, nil).at(t, "viewer.lists.0.feed.nodes"), "the feed with a mute")
	w.changeList(1, "removeFromList", fmt.Sprintf(`listId: %q, userIds: [%q, "x"]`, id, userID(4)), "")
	w.changeList(1, "updateList", fmt.Sprintf(`listId: %q, name: "Friends", isPublic: true`, id), "")
	wantEqual(t, any("Friends"), w.must(3, `{ user(handle: "ann") { lists { name } } }`, nil).at(t, "user.lists.0.name"), "the public list")
	w.changeList(1, "deleteList", fmt.Sprintf(`listId: %q`, id), "")
	wantEqual(t, nil, read(1), "the deleted list")
}

// Where ids are texts, a list of a source has the id of its record.
func TestLists_HaveTextIDs(t *testing.T) {
	w, eve := textWorld(t)
	number, err := w.store.DrawIDs(t.Context(), feed.ListIDs, []feed.NumberedID{{ID: "list|1"}})
	if err == nil {
		_, err = w.store.Apply(t.Context(), feed.Batch{Records: []feed.Record{{List: &feed.AuthorList{ID: feed.ListID(number[0]), External: "list|1", Owner: eve, Name: "a", Public: true}}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	read := func(id string) any {
		return w.must(eve, `query($id: ID!) { node(id: $id) { ... on AuthorList { id name memberCount } } }`, map[string]any{"id": id}).at(t, "node")
	}
	public := model.ListGlobalID(feed.PublicListID{External: "list|1"})
	w.changeList(eve, "addToList", fmt.Sprintf(`listId: %q, userIds: [%q]`, public, model.UserGlobalID(feed.PublicUserID{External: "auth0|eve"})), "")
	wantEqual(t, value(`{"id":%q,"name":"a","memberCount":1}`, public), read(public), "the list")
	w.changeList(eve, "deleteList", fmt.Sprintf(`listId: %q`, listID(feed.ListID(number[0]))), "NOT_FOUND")
	w.changeList(eve, "deleteList", fmt.Sprintf(`listId: %q`, public), "")
	wantEqual(t, nil, read(public), "a deleted list")
}

// An exclusive list takes its members' own posts from the home feed of its owner alone, and resets its tokens.
func TestLists_ExclusiveOnesLeaveTheHomeFeed(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.follow(1, 3)
	w.follow(4, 2)
	w.post(1, 2)
	w.post(2, 3, repostOf(1))
	w.post(3, 1)
	home := func(viewer feed.UserID, want string) string {
		t.Helper()
		got := w.must(viewer, `{ viewer { homeFeed { nodes { databaseId } syncToken } } }`, nil)
		wantEqual(t, value(`%s`, want), got.at(t, "viewer.homeFeed.nodes"), "the home feed of %d", viewer)
		return got.at(t, "viewer.homeFeed.syncToken").(string)
	}
	resets := func(token, want string) {
		t.Helper()
		got := w.must(1, `query($t: String!) { viewer { homeChanges(since: $t) { changes { kind } } } }`, map[string]any{"t": token})
		wantEqual(t, value(`%s`, want), got.at(t, "viewer.homeChanges.changes"), "the changes")
	}
	all, rest := `[{"databaseId":"3"},{"databaseId":"2"},{"databaseId":"1"}]`, `[{"databaseId":"3"},{"databaseId":"2"}]`
	token := home(1, all)
	id, _ := w.changeList(1, "createList", `name: "loud", exclusive: true, isPublic: true`, "").at(t, "createList.list.id").(string)
	resets(token, `[]`)
	w.changeList(1, "addToList", fmt.Sprintf(`listId: %q, userIds: [%q, %q]`, id, userID(2), userID(1)), "")
	resets(token, `[{"kind":"RESET"}]`)
	token = home(1, rest)
	listed := w.must(1, `{ viewer { lists { feed { nodes { databaseId } } } } }`, nil).at(t, "viewer.lists.0.feed.nodes")
	wantEqual(t, value(`[{"databaseId":"3"},{"databaseId":"1"}]`), listed, "the feed of the list")
	home(4, `[{"databaseId":"1"}]`)
	exclusive := func(viewer feed.UserID, want bool) {
		t.Helper()
		got := w.must(viewer, fmt.Sprintf(`{ node(id: %q) { ... on AuthorList { exclusive } } user(handle: "ann") { lists { exclusive } } }`, id), nil)
		for _, path := range []string{"node.exclusive", "user.lists.0.exclusive"} {
			wantEqual(t, any(want), got.at(t, path), "%s for %d", path, viewer)
		}
	}
	exclusive(1, true)
	exclusive(4, false)
	w.changeList(1, "updateList", fmt.Sprintf(`listId: %q, exclusive: false`, id), "")
	resets(token, `[{"kind":"RESET"}]`)
	home(1, all)
	exclusive(1, false)
}

func TestLists_RefuseBadInput(t *testing.T) {
	w := newWorld(t)
	noError(t, w.store.CreateList(t.Context(), &feed.AuthorList{ID: 1, Owner: 1, Name: "one"}))
	w.relate(feed.RelationBlock, 3, 1)
	list := fmt.Sprintf("listId: %q", listID(1))
	w.changeList(1, "createList", `name: " "`, "INVALID")
	w.changeList(1, "createList", fmt.Sprintf(`name: %q`, strings.Repeat("x", 201)), "TOO_LONG")
	w.changeList(1, "updateList", list+`, name: "\n"`, "INVALID")
	w.changeList(1, "addToList", list+fmt.Sprintf(`, userIds: [%q, %q]`, userID(2), userID(99)), "NOT_FOUND")
	w.changeList(1, "addToList", list+fmt.Sprintf(`, userIds: [%q, %q]`, userID(2), userID(3)), "NOT_FOUND")
	w.changeList(1, "addToList", list+fmt.Sprintf(`, userIds: [%q, %q]`, userID(2), postID(1)), "NOT_FOUND")
	wantEqual(t, any(0.0), w.must(1, `{ viewer { lists { memberCount } } }`, nil).at(t, "viewer.lists.0.memberCount"), "the members after refusals")
	w.changeList(1, "updateList", `listId: "x"`, "NOT_FOUND")
	w.wantCode("BAD_USER_INPUT", 1, fmt.Sprintf(`mutation { addToList(input: {%s, userIds: [%s]}) { userErrors { code } } }`, list, strings.Repeat(`"x", `, 101)), nil)
}

// Only its owner learns that a private list exists, by whatever id and path; a public one is as visible as
// the owner's followers.
func TestLists_PrivateOnesAreSecret(t *testing.T) {
	w := newWorld(t)
	noError(t, w.store.CreateList(t.Context(), &feed.AuthorList{ID: 1, Owner: 1, Name: "private"}))
	noError(t, w.store.CreateList(t.Context(), &feed.AuthorList{ID: 2, Owner: 1, Name: "public", Public: true, CreatedAt: 1}))
	w.relate(feed.RelationBlock, 1, 4)
	names := func(viewer feed.UserID) string {
		got := w.must(viewer, fmt.Sprintf(`{ a: node(id: %[1]q) { ... on AuthorList { name } } b: nodes(ids: [%[1]q, %[2]q]) { ... on AuthorList { name } }
			c: node(id: %[2]q) { ... on AuthorList { name } } user(handle: "ann") { lists { name } } }`, listID(1), listID(2)), nil)
		return fmt.Sprint(got.Data["a"], got.Data["b"], got.Data["c"], got.Data["user"])
	}
	count := func(what string, viewer feed.UserID, private, public int) {
		t.Helper()
		got := names(viewer)
		if strings.Count(got, "private") != private || strings.Count(got, "public") != public {
			t.Errorf("%s: viewer %d sees %s", what, viewer, got)
		}
	}
	count("at first", 1, 3, 3)
	for _, viewer := range []feed.UserID{0, 2} {
		count("at first", viewer, 0, 3)
	}
	count("blocked", 4, 0, 0)
	w.follow(3, 1)
	w.mutate(1, "updateProfile", "isPrivate: true")
	count("a follower of a private account", 3, 0, 3)
	count("a stranger to a private account", 2, 0, 0)
	count("the anonymous viewer and a private account", 0, 0, 0)
	for mutation, input := range map[string]string{"updateList": "", "addToList": ", userIds: []", "removeFromList": ", userIds: []"} {
		for _, id := range []feed.ListID{1, 2, 99} {
			w.changeList(3, mutation, fmt.Sprintf("listId: %q%s", listID(id), input), "NOT_FOUND")
		}
	}
	w.changeList(3, "deleteList", fmt.Sprintf("listId: %q", listID(1)), "")
	count("after attempts by others", 1, 3, 3)
}
