package resolvers_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers"
)

// requester sends documents as a viewer, with headers.
type requester struct {
	viewer  feed.UserID
	headers []string
}

func (w *world) by(who requester, document string) result {
	w.t.Helper()
	return decoded(w.t, w.sendBody(who.viewer, request(document, nil), who.headers...))
}

// Dan is the moderator, and Ann follows Ben.
func moderationPlayers() map[string]requester {
	return map[string]requester{
		"author": {viewer: 2}, "follower": {viewer: 1}, "stranger": {viewer: 3}, "anonymous": {},
		"moderator": {4, []string{"X-Moderator", "1"}}, "admin": {4, []string{"X-Admin", "1"}},
		"service": {0, []string{"X-Service", "desk"}}, "service for a user": {4, []string{"X-Service", "desk"}},
	}
}

// moderated makes a change, which must return the object and no refusal.
func (w *world) moderated(who requester, mutation, input, object string) {
	w.t.Helper()
	got := w.by(who, `mutation { `+mutation+`(input: {`+input+`, clientMutationId: "m"}) { `+object+` userErrors { code message } clientMutationId } }`)
	if len(got.Errors) > 0 || !cmp.Equal(got.at(w.t, mutation+".userErrors"), any([]any{})) || got.at(w.t, mutation+"."+object[:4]) == nil {
		w.t.Fatalf("%s(%s) returns %+v", mutation, input, got)
	}
}

func TestModeration_HidesAndRestores(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.post(1, 2)
	post, user := fmt.Sprintf("postId: %q", postID(1)), fmt.Sprintf("userId: %q", userID(2))
	// shows compares whether each player sees the post, and what its author reads of a takedown.
	shows := func(when, moderation string, to ...string) {
		t.Helper()
		for name, who := range moderationPlayers() {
			var want any
			switch {
			case !slices.Contains(to, name):
			case name == "author":
				want = value(`{"text":"text 1","moderation":%s}`, moderation)
			default:
				want = value(`{"text":"text 1","moderation":null}`)
			}
			wantEqual(t, want, w.by(who, `{ post(databaseId: "1") { text moderation { reason at } } }`).at(t, "post"), "what the %s sees %s", name, when)
		}
		page := w.must(2, `{ user(handle: "ben") { posts { nodes { moderation { reason at } } } } }`, nil)
		wantEqual(t, value(`{"moderation":%s}`, moderation), page.at(t, "user.posts.nodes.0"), "the author's page %s", when)
	}
	all := slices.Collect(maps.Keys(moderationPlayers()))
	const at = "2026-05-04T13:00:00.000Z"
	players := moderationPlayers()
	shows("at first", "null", all...)
	for range 2 {
		w.moderated(players["moderator"], "takeDownPost", post+`, reason: "spam"`, "post { text }")
		shows("when it is taken down", fmt.Sprintf(`{"reason":"spam","at":%q}`, at), "author")
	}
	w.moderated(players["service"], "restorePost", post, "post { text }")
	shows("when it is restored", "null", all...)
	for range 2 {
		w.moderated(players["service"], "suspendUser", user+`, reason: "insults", until: "2026-05-05T00:00:00Z"`, "user { handle }")
		shows("during a suspension", "null", "author")
	}
	w.moderated(players["admin"], "restoreUser", user, "user { handle }")
	w.moderated(players["admin"], "restoreUser", user, "user { handle }")
	shows("after the suspension", "null", all...)

	const log = `{ moderationLog%s { nodes { postId postDatabaseId userId userDatabaseId reason by at until liftedAt liftedBy } } }`
	suspension := fmt.Sprintf(`{"postId":null,"postDatabaseId":null,"userId":%q,"userDatabaseId":"2","reason":"insults","by":"service:desk","at":%q,`+
		`"until":"2026-05-05T00:00:00.000Z","liftedAt":%q,"liftedBy":"4"}`, userID(2), at, at)
	takedown := fmt.Sprintf(`{"postId":%q,"postDatabaseId":"1","userId":null,"userDatabaseId":null,"reason":"spam","by":"4","at":%q,`+
		`"until":null,"liftedAt":%q,"liftedBy":"service:desk"}`, postID(1), at, at)
	for subject, want := range map[string]string{"": suspension + "," + takedown, "(subject: {" + post + "})": takedown, "(subject: {" + user + "})": suspension} {
		got := w.by(players["moderator"], fmt.Sprintf(log, subject))
		wantEqual(t, value("[%s]", want), got.at(t, "moderationLog.nodes"), "the log%s", subject)
	}
}

func TestModerationLog_IsPagedByCursor(t *testing.T) {
	w := newWorld(t)
	dan := moderationPlayers()["moderator"]
	for id := range feed.UserID(3) {
		w.moderated(dan, "suspendUser", fmt.Sprintf(`userId: %q, reason: "spam"`, userID(id+1)), "user { handle }")
	}
	var seen []string
	for after, more := "", true; more; {
		page := w.by(dan, fmt.Sprintf(`{ moderationLog(first: 2, after: %q) { edges { cursor node { userDatabaseId } } pageInfo { hasNextPage endCursor } } }`, after))
		for _, e := range page.at(t, "moderationLog.edges").([]any) {
			seen = append(seen, e.(map[string]any)["node"].(map[string]any)["userDatabaseId"].(string))
		}
		after = page.at(t, "moderationLog.pageInfo.endCursor").(string)
		more = page.at(t, "moderationLog.pageInfo.hasNextPage").(bool)
	}
	wantEqual(t, []string{"3", "2", "1"}, seen, "the users in the log")
	for arguments, code := range map[string]string{
		`after: "x"`: "BAD_CURSOR", `first: 101`: badInput, `subject: {}`: badInput,
		fmt.Sprintf(`subject: {postId: %q, userId: %q}`, postID(1), userID(1)): badInput,
	} {
		wantEqual(t, []string{code}, w.by(dan, `{ moderationLog(`+arguments+`) { nodes { by } } }`).codes(), "the error of %s", arguments)
	}
}

// Nothing is read for others: what exists gets the same response as what does not.
func TestModeration_IsForModerators(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	for _, n := range []int{1, 999} {
		user, post := fmt.Sprintf("userId: %q", userID(feed.UserID(n))), fmt.Sprintf("postId: %q", postID(feed.PostID(n)))
		queries := []string{
			fmt.Sprintf(`{ moderatedPost(databaseId: "%d") { text } }`, n), fmt.Sprintf(`{ moderatedUser(databaseId: "%d") { handle } }`, n),
			`{ moderationLog(subject: {` + user + `}) { nodes { by } } }`, `{ moderationLog(subject: {` + post + `}) { nodes { by } } }`,
		}
		mutations := map[string]string{
			"takeDownPost": post + `, reason: "x"`, "restorePost": post, "suspendUser": user + `, reason: "x"`, "restoreUser": user,
		}
		for _, name := range []string{"author", "follower", "stranger", "anonymous", "service for a user"} {
			who, code := moderationPlayers()[name], forbidden
			if name == "anonymous" {
				code = unsigned
			}
			for _, query := range queries {
				wantEqual(t, []string{code}, w.by(who, query).codes(), "%s by the %s", query, name)
			}
			for mutation, input := range mutations {
				got := w.by(who, `mutation { `+mutation+`(input: {`+input+`}) { userErrors { code field } } }`)
				wantEqual(t, code, outcome(got), "%s by the %s", mutation, name)
			}
		}
	}
}

func TestModeration_RefusesByField(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	for _, c := range []struct{ mutation, input, want string }{
		{"takeDownPost", fmt.Sprintf(`postId: %q, reason: "x"`, postID(9)), "NOT_FOUND postId"},
		{"takeDownPost", fmt.Sprintf(`postId: %q, reason: "x"`, userID(1)), "NOT_FOUND postId"},
		{"takeDownPost", fmt.Sprintf(`postId: %q, reason: ""`, postID(1)), "INVALID reason"},
		{"takeDownPost", fmt.Sprintf(`postId: %q, reason: %q`, postID(1), strings.Repeat("x", feed.ReasonMax+1)), "TOO_LONG reason"},
		{"restorePost", fmt.Sprintf(`postId: %q`, postID(9)), "NOT_FOUND postId"},
		{"suspendUser", fmt.Sprintf(`userId: %q, reason: "x"`, userID(9)), "NOT_FOUND userId"},
		{"suspendUser", fmt.Sprintf(`userId: %q, reason: "x", until: "2026-05-04T13:00:00Z"`, userID(1)), "INVALID until"},
		{"suspendUser", fmt.Sprintf(`userId: %q, reason: "x", until: "1970-01-01T00:00:00Z"`, userID(1)), "INVALID until"},
		{"restoreUser", fmt.Sprintf(`userId: %q`, userID(9)), "NOT_FOUND userId"},
	} {
		got := w.by(moderationPlayers()["moderator"], `mutation { `+c.mutation+`(input: {`+c.input+`}) { userErrors { code field } } }`)
		wantEqual(t, c.want, outcome(got), "%s with %.80s", c.mutation, c.input)
	}
}

func TestModerated_ShowsStoredAndNothingWider(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	w.post(2, 2, replyTo(1))
	w.post(3, 1, repostOf(1))
	w.relate(feed.RelationBlock, 2, 4)
	w.mutate(1, "deletePost", fmt.Sprintf("postId: %q", postID(3)))
	dan := moderationPlayers()["moderator"]
	w.moderated(dan, "takeDownPost", fmt.Sprintf("postId: %q, reason: \"spam\"", postID(2)), "post { text }")
	shown := func(document, want string) {
		t.Helper()
		got := w.by(dan, document)
		if len(got.Errors) > 0 {
			t.Errorf("%s returns errors: %+v", document, got.Errors)
		}
		wantEqual(t, value("%s", want), any(got.Data), "what a moderator gets of %s", document)
	}
	withheld := fmt.Sprintf(`{"id":%q,"handle":"","unavailable":true}`, userID(2))
	shown(`{ moderatedPost(databaseId: "2") { text moderation { reason } author { id handle unavailable } replyTo { text } comments { nodes { text } } } post(databaseId: "2") { text } }`,
		`{"moderatedPost":{"text":"text 2","moderation":null,"author":`+withheld+`,"replyTo":null,"comments":{"nodes":[]}},"post":null}`)
	shown(`{ moderatedPost(databaseId: "3") { text media author { handle } repostOf { text } } }`,
		`{"moderatedPost":{"text":"","media":[],"author":{"handle":"ann"},"repostOf":null}}`)
	shown(`{ moderatedUser(databaseId: "2") { handle posts { nodes { text } } followers { nodes { handle } } viewerBlocks } user(databaseId: "2") { handle } }`,
		`{"moderatedUser":{"handle":"ben","posts":{"nodes":[]},"followers":{"nodes":[]},"viewerBlocks":false},"user":null}`)
	shown(`{ moderatedPost(databaseId: "9") { text } moderatedUser(databaseId: "9") { handle } }`, `{"moderatedPost":null,"moderatedUser":null}`)

	w.mutate(2, "deleteAccount", `confirmHandle: "ben"`)
	shown(`{ moderatedPost(databaseId: "1") { text author { id handle unavailable } } moderatedUser(databaseId: "2") { handle name } }`,
		`{"moderatedPost":{"text":"","author":`+withheld+`},"moderatedUser":{"handle":"","name":""}}`)
}

func TestRoles_AreOfTheToken(t *testing.T) {
	w := newWorld(t)
	for name, want := range map[string]string{
		"author": `{"roles":[]}`, "moderator": `{"roles":["MODERATOR"]}`, "admin": `{"roles":["MODERATOR","ADMIN"]}`,
		"service for a user": `{"roles":[]}`, "service": `null`, "anonymous": `null`,
	} {
		wantEqual(t, value("%s", want), w.by(moderationPlayers()[name], `{ viewer { roles } }`).at(t, "viewer"), "the roles of the %s", name)
	}
}

func TestMutations_SuspendedUsersKeepFour(t *testing.T) {
	kept := []string{"blockUser", "deleteAccount", "deletePost", "unfollowUser"}
	schema := graph.LoadSchema()
	var allowed []string
	for _, m := range schema.Mutation.Fields {
		if strings.HasPrefix(m.Name, "__") {
			continue
		}
		w := newWorld(t)
		w.post(1, 1)
		noError(t, w.store.Impose(t.Context(), feed.Sanction{Subject: feed.Subject{User: 1}, Reason: "spam", At: epoch}))
		var input []string
		for _, f := range schema.Types[m.Arguments[0].Type.Name()].Fields {
			if f.Type.NonNull {
				input = append(input, f.Name+": "+someInputs()[f.Name])
			}
		}
		// A suspended moderator is a suspended user too.
		document := `mutation { ` + m.Name + `(input: {` + strings.Join(input, ", ") + `}) { userErrors { code field message } } }`
		got := w.by(requester{1, []string{"X-Admin", "1"}}, document)
		if outcome(got) == "done" {
			allowed = append(allowed, m.Name)
			continue
		}
		const message = "your account is suspended; you can read, delete posts, unfollow, block, and delete the account"
		wantEqual(t, value(`[{"code":"FORBIDDEN","field":null,"message":%q}]`, message), got.at(t, m.Name+".userErrors"), "%s", m.Name)
		wantEqual(t, forbidden, outcome(w.by(requester{1, []string{"X-Service", "desk"}}, document)), "%s by a service for a suspended user", m.Name)
	}
	slices.Sort(allowed)
	wantEqual(t, kept, allowed, "the mutations of suspended users")
}

// An absent user stays suspended, and a restored one may do all again.
func TestMutations_SuspensionIsReadAtEach(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	like := `mutation { likePost(input: {postId: "` + postID(1) + `"}) { userErrors { code } } }`
	ann := feed.Subject{User: 1}
	for _, step := range []struct {
		change func() error
		want   string
	}{
		{func() error { return nil }, "done"},
		{func() error {
			return w.store.Impose(t.Context(), feed.Sanction{Subject: ann, Reason: "spam", At: epoch})
		}, forbidden},
		{func() error { return w.store.SetAbsent(t.Context(), []feed.UserID{1}, true) }, forbidden},
		{func() error { return w.store.SetAbsent(t.Context(), []feed.UserID{1}, false) }, forbidden},
		{func() error { return w.store.Lift(t.Context(), ann, epoch, "") }, "done"},
	} {
		noError(t, step.change())
		wantEqual(t, step.want, outcome(w.ask(1, like, nil)), "a like")
	}
}

// Pages that show no post of the viewer that is taken down read no sanctions.
func TestModeration_IsReadOnceForOwnTakenDownPosts(t *testing.T) {
	w := newWorld(t)
	w.deps.Sanctions = countedSanctions{w.store, w.reads}
	w.handler = signedIn(resolvers.NewHandler(w.deps))
	for id := feed.PostID(1); id <= 4; id++ {
		w.post(id, 2)
	}
	page := func() any {
		return w.must(2, `{ user(handle: "ben") { posts { nodes { moderation { reason } } } } }`, nil).at(t, "user.posts.nodes")
	}
	read := func() int {
		w.reads.take()
		page()
		return w.reads.take()["sanctions"]
	}
	wantEqual(t, 0, read(), "the reads for a page without takedowns")
	for _, id := range []feed.PostID{1, 3} {
		noError(t, w.store.Impose(t.Context(), feed.Sanction{Subject: feed.Subject{Post: id}, Reason: fmt.Sprint("spam ", id), At: epoch}))
	}
	wantEqual(t, 1, read(), "the reads for a page with two")
	wantEqual(t, value(`[{"moderation":null},{"moderation":{"reason":"spam 3"}},{"moderation":null},{"moderation":{"reason":"spam 1"}}]`), page(), "the page")
}

type countedSanctions struct {
	*sqlstore.Store
	reads *reads
}

func (c countedSanctions) InForce(ctx context.Context, of []feed.Subject) ([]feed.Sanction, error) {
	c.reads.note("sanctions")
	return c.Store.InForce(ctx, of)
}
