package resolvers_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers"
)

// Missing objects, hidden objects and malformed ids look the same.
func TestNodes_KeepOrderWithNulls(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	w.post(2, 3)
	w.relate(feed.RelationHide, 3, 1)
	w.relate(feed.RelationBlock, 4, 1)
	ids := []string{postID(1), userID(2), postID(2), userID(4), postID(99), userID(99), "nonsense", "", postID(1)}
	got := w.must(1, `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": ids})
	seen := func(id string) any { return map[string]any{"id": id} }
	want := []any{seen(postID(1)), seen(userID(2)), nil, nil, nil, nil, nil, nil, seen(postID(1))}
	wantEqual(t, want, got.at(t, "nodes"), "the nodes")
	for _, id := range ids[2:8] {
		wantEqual(t, nil, w.must(1, `query($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": id}).at(t, "node"), "node(%q)", id)
	}
}

func TestViewer_WithoutAccountIsUnauthenticated(t *testing.T) {
	w := newWorld(t)
	w.wantCode("UNAUTHENTICATED", 77, `{ viewer { user { id } } }`, nil)
}

// Arguments reach the service of each list, which refuses them.
func TestLists_RefuseBadArguments(t *testing.T) {
	w := newWorld(t)
	w.follow(2, 1)
	w.post(1, 1)
	cursors := w.must(1, `{ viewer { homeFeed { pageInfo { endCursor } } user { followers { pageInfo { endCursor } } } } }`, nil)
	home := fmt.Sprintf(`after: %q`, cursors.at(t, "viewer.homeFeed.pageInfo.endCursor"))
	followers := fmt.Sprintf(`after: %q`, cursors.at(t, "viewer.user.followers.pageInfo.endCursor"))
	for list, foreign := range map[string]string{
		`{ viewer { list: homeFeed(%s) { nodes { id } } } }`:              followers,
		`{ viewer { list: mutedUsers(%s) { nodes { id } } } }`:            followers,
		`{ viewer { list: hiddenFromUsers(%s) { nodes { id } } } }`:       followers,
		`{ viewer { list: blockedUsers(%s) { nodes { id } } } }`:          followers,
		`{ viewer { list: followRequests(%s) { nodes { id } } } }`:        followers,
		`{ viewer { list: sentFollowRequests(%s) { nodes { id } } } }`:    followers,
		`{ users(query: "b", %s) { nodes { id } } }`:                      followers,
		`{ viewer { list: liveFeed(%s) { nodes { id } } } }`:              home,
		`{ viewer { user { list: liveSessions(%s) { nodes { id } } } } }`: home,
	} {
		for args, code := range map[string]string{
			`first: -1`: badInput, `first: 101`: badInput, `after: "nonsense"`: badCursor, foreign: badCursor, `first: "one"`: notValid,
		} {
			w.wantCode(code, 1, fmt.Sprintf(list, args), nil)
		}
	}
	for args, code := range map[string]string{
		`first: 1, last: 1`: badInput, `first: 99999999999`: badInput, `last: 1, after: "x"`: badInput, `kinds: [NOTHING]`: notValid, `filter: {languages: ["e%"]}`: badInput, `filter: {}, kinds: [POST]`: badInput, `number: 1`: notValid,
	} {
		w.wantCode(code, 1, fmt.Sprintf(`{ viewer { homeFeed(%s) { nodes { id } } } }`, args), nil)
	}
	w.wantCode(badInput, 1, `{ users(query: " ") { nodes { id } } }`, nil)
}

func TestCustomFields_AreAsStored(t *testing.T) {
	w := newWorld(t)
	const custom = `{"size":1.50,"id":12345678901234567890,"ü<":["é",null]}`
	eve := &feed.User{ID: 9, Handle: "eve", Name: "EVE", Custom: custom, CreatedAt: epoch}
	_, err := w.store.EnsureUser(context.Background(), eve)
	noError(t, err)
	w.follow(1, 9)
	w.post(10, 9, func(p *feed.Post) { p.Custom = custom })
	w.post(11, 9)
	for query, want := range map[string]string{
		`{"query":"{ viewer { homeFeed { nodes { customFields author { customFields } } } } }"}`: `{"data":{"viewer":{"homeFeed":{"nodes":[` +
			`{"customFields":null,"author":{"customFields":` + custom + `}},{"customFields":` + custom + `,"author":{"customFields":` + custom + `}}]}}}`,
		`{"query":"{ post(databaseId: \"10\") { customFields } user(databaseId: \"9\") { customFields } }"}`: `{"data":{"post":{"customFields":` + custom + `},"user":{"customFields":` + custom + `}}`,
		`{"query":"{ user(databaseId: \"1\") { customFields } }"}`:                                           `{"data":{"user":{"customFields":null}}`,
	} {
		if got := w.sendBody(1, query).Body.String(); !strings.HasPrefix(got, want) {
			t.Errorf("%s returns %s, want %s", query, got, want)
		}
	}
	w.toUser(1, "muteUser", userID(9))
	w.relate(feed.RelationBlock, 9, 1)
	withheld := w.must(1, `{ viewer { mutedUsers { nodes { unavailable customFields } } } }`, nil).at(t, "viewer.mutedUsers.nodes.0").(map[string]any)
	wantEqual(t, value(`{"unavailable":true,"customFields":null}`), any(withheld), "a user who blocks the viewer")
}

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
	if _, err := sqlstore.NewLive(w.store).Schedule(ctx, session, 10); err != nil {
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
