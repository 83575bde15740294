package resolvers_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers"
)

// textWorld has a user auth0|eve with a post, a live session and the follower ann (1), where ids
// are text.
func textWorld(t *testing.T) (w *world, eve feed.UserID) {
	t.Helper()
	w = newWorld(t)
	ctx := context.Background()
	draw := func(kind feed.IDKind, id feed.ExternalID) int64 {
		n, err := w.store.DrawIDs(ctx, kind, []feed.NumberedID{{ID: id, Number: 501}})
		noError(t, err)
		return n[0]
	}
	eve = feed.UserID(draw(feed.UserIDs, "auth0|eve"))
	if _, err := w.store.EnsureUser(ctx, &feed.User{ID: eve, External: "auth0|eve", Handle: "eve", Name: "EVE", CreatedAt: epoch}); err != nil {
		t.Fatal(err)
	}
	w.follow(1, eve)
	post := draw(feed.PostIDs, `b5fd"1b53`)
	w.post(feed.PostID(post), eve, func(p *feed.Post) { p.External = `b5fd"1b53` })
	session := live.Session{ID: live.ID(draw(feed.LiveIDs, "live:1")), External: "live:1", Host: eve, Title: "tea", ScheduledAt: epoch}
	if _, err := memstore.NewLive(w.store).Schedule(ctx, session, 10); err != nil {
		t.Fatal(err)
	}
	w.deps.IDs = w.store
	w.handler = signedIn(resolvers.NewHandler(w.deps))
	return w, eve
}

func TestTextIDs_AreInResponsesAndRequests(t *testing.T) {
	w, eve := textWorld(t)
	const ids = `{ __typename id ... on User { databaseId } ... on Post { databaseId author { id databaseId } } ... on LiveSession { databaseId } }`
	page := w.must(1, `{ viewer { homeFeed { nodes { id author { id } } } } }`, nil)
	post := page.at(t, "viewer.homeFeed.nodes.0.id").(string)
	author := page.at(t, "viewer.homeFeed.nodes.0.author.id").(string)
	if want := model.UserGlobalID(feed.PublicUserID{External: "auth0|eve"}); author != want {
		t.Errorf("the author's id is %q, want %q", author, want)
	}
	session := model.LiveSessionGlobalID(live.PublicID{External: "live:1"})
	nodes := w.must(1, `query($ids: [ID!]!) { nodes(ids: $ids) `+ids+` }`,
		map[string]any{"ids": []string{author, userID(eve), session, post, model.PostGlobalID(feed.PublicPostID{External: "auth0|eve"})}})
	for path, want := range map[string]any{
		"nodes.0.databaseId": "auth0|eve", "nodes.1": nil, "nodes.2.databaseId": "live:1",
		"nodes.3.databaseId": `b5fd"1b53`, "nodes.3.author.databaseId": "auth0|eve", "nodes.4": nil,
	} {
		wantEqual(t, want, nodes.at(t, path), "%s", path)
	}
	found := w.must(1, `{ user(databaseId: "auth0|eve") { handle } post(databaseId: "b5fd\"1b53") { text } liveSession(databaseId: "live:1") { title }
		none: user(databaseId: "501") { handle } posts(databaseIds: ["1", "b5fd\"1b53"]) { id }
		users(databaseIds: ["x", "auth0|eve"]) { nodes { handle } pageInfo { hasNextPage } } }`, nil)
	for path, want := range map[string]any{
		"user.handle": "eve", "post.text": "text 501", "liveSession.title": "tea", "none": nil,
		"posts.0": nil, "posts.1.id": post, "users.nodes.0.handle": "eve", "users.pageInfo.hasNextPage": false,
	} {
		wantEqual(t, want, found.at(t, path), "%s", path)
	}
	muted := w.must(1, `mutation($id: ID!) { muteUser(input: {userId: $id}) { user { databaseId } userErrors { code } } }`, map[string]any{"id": author})
	if got := muted.at(t, "muteUser.user.databaseId"); got != "auth0|eve" {
		t.Errorf("the muted user is %v", got)
	}
	liked := w.must(1, `mutation($id: ID!) { likePost(input: {postId: $id}) { post { databaseId } userErrors { code } } }`, map[string]any{"id": postID(501)})
	wantEqual(t, "NOT_FOUND", liked.at(t, "likePost.userErrors.0.code"), "the code for a like of a post by its number")
	gone := w.must(eve, `mutation { deleteAccount(input: {confirmHandle: "eve"}) { deletedUserId } }`, nil)
	wantEqual(t, author, gone.at(t, "deleteAccount.deletedUserId"), "the deleted user")
}

func TestLookups_NeedOneArgument(t *testing.T) {
	w := newWorld(t)
	for _, query := range []string{
		`{ user { id } }`, `{ user(handle: "ann", databaseId: "1") { id } }`,
		`{ users { nodes { id } } }`, `{ users(query: "a", databaseIds: ["1"]) { nodes { id } } }`,
		`{ users(databaseIds: ["1"], first: 1) { nodes { id } } }`,
		`{ posts(databaseIds: [` + strings.Repeat(`"1",`, 101) + `]) { id } }`, `{ nodes(ids: [` + strings.Repeat(`"1",`, 101) + `]) { id } }`,
	} {
		w.wantCode(badInput, 1, query, nil)
	}
}

func TestLookups_JudgeEachIDAlone(t *testing.T) {
	w := newWorld(t)
	w.post(11, 2)
	bad := []any{"", strings.Repeat("1", 20_000), "99999999999999999999", "-1", "1.5", "\x00", "x"}
	none := make([]any, len(bad))
	list := func(first any, between []any, last any) []any { return append(append([]any{first}, between...), last) }
	const query = `query($ids: [ID!]!, $numbers: [String!]!) {
		nodes(ids: $ids) { ... on Post { text } ... on User { handle } }
		posts(databaseIds: $numbers) { text }
		users(databaseIds: $numbers) { nodes { handle } }
	}`
	got := w.must(1, query, map[string]any{"ids": list(postID(11), bad, userID(2)), "numbers": list("11", bad, "2")})
	text, ben := map[string]any{"text": "text 11"}, map[string]any{"handle": "ben"}
	wantEqual(t, any(list(text, none, ben)), got.at(t, "nodes"), "the nodes")
	wantEqual(t, any(list(text, none, nil)), got.at(t, "posts"), "the posts")
	wantEqual(t, any([]any{ben}), got.at(t, "users.nodes"), "the users")
}
