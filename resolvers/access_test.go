package resolvers_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
)

// access says what each viewer gets of a field about Ben: the account, the post, the private lists,
// and what other users did with the post.
type access struct {
	// field is Type.field. If the field takes global ids, brackets name those that refer to Ben.
	field    string
	document string
	// owner is Ben, and stranger another signed-in user. Ben hides from hidden, and blocks blocked.
	// anonymous is not signed in.
	owner, stranger, hidden, blocked, anonymous string
}

// accessTable has a row for every field of every type of the schema.
func accessTable() []access {
	return slices.Concat(readAccess(), changeAccess(), postAccess(), accountAccess(), pageAccess(), payloadAccess(), listAccess(), liveAccess(), fanoutAccess(), moderationAccess())
}

func readAccess() []access {
	const all = `{ nodes(ids: ["$ben", "$post", "$live"]) { ... on User { handle } ... on Post { text } ... on LiveSession { title } } }`
	return []access{
		public(`Query.node(id)`, `{ node(id: "$post") { ... on Post { text } } }`, "text 1"),
		{`Query.nodes(ids)`, all, "ben, text 1, session 1", "ben, text 1, session 1", "ben", none, "ben, text 1, session 1"},
		public(`Query.post`, `{ post(databaseId: "1") { text } }`, "text 1"),
		public(`Query.posts`, `{ posts(databaseIds: ["1", "1"]) { text } }`, "text 1, text 1"),
		public(`Query.liveSession`, `{ liveSession(databaseId: "1") { title } }`, "session 1"),
		{`Query.user`, `{ user(handle: "ben") { handle posts { nodes { text } } } }`, "ben, text 1", "ben, text 1", "ben", none, "ben, text 1"},
		known(`Query.users`, `{ users(query: "ben") { nodes { handle } } }`, "ben"),
		{`Query.viewer`, `{ viewer { user { handle } } }`, "ben", "ann", "cat", "dan", none},
		{`Viewer.user`, `{ viewer { user { name } } }`, "BEN", "ANN", "CAT", "DAN", none},
		bensOwn(`Viewer.roles`, `roles`, none),
		bensOwn(`Viewer.homeFeed`, `homeFeed { nodes { text } }`, "text 1"),
		bensOwn(`Viewer.homeChanges`, `homeChanges(since: "$token") { changes { edge { node { text } } } }`, "text 1"),
		bensOwn(`Viewer.liveFeed`, `liveFeed { nodes { title } }`, "session 1"),
		bensOwn(`Viewer.liveChanges`, `liveChanges(since: "$livetoken") { changes { edge { node { title } } } }`, "session 1"),
		bensOwn(`Viewer.mutedUsers`, `mutedUsers { nodes { handle } }`, "eve"),
		bensOwn(`Viewer.hiddenFromUsers`, `hiddenFromUsers { nodes { handle } }`, "cat"),
		bensOwn(`Viewer.blockedUsers`, `blockedUsers { nodes { handle } }`, "dan"),
		bensOwn(`Viewer.followRequests`, `followRequests { nodes { handle } }`, "gil"),
		bensOwn(`Viewer.sentFollowRequests`, `sentFollowRequests { nodes { handle } }`, "fay"),
		bensOwn(`Viewer.readPosition`, `readPosition { cursor }`, "a cursor"),
		bensOwn(`ReadPosition.cursor`, `readPosition { cursor }`, "a cursor"),
		bensOwn(`ReadPosition.syncToken`, `readPosition { syncToken }`, "a cursor"),
		bensOwn(`ReadPosition.at`, `readPosition { at }`, "2026-05-04T13:00:00.000Z"),
		bensOwn(`ReadPosition.unread`, `readPosition { unread }`, "0"),
		subscribing(`Subscription.homeFeedEdges`, `homeFeedEdges(since: "$token") { node { text } }`, "text 1"),
		subscribing(`Subscription.homeChanges`, `homeChanges(since: "$token") { changes { edge { node { text } } } }`, "text 1"),
		subscribing(`Subscription.liveChanges`, `liveChanges(since: "$livetoken") { changes { edge { node { title } } } }`, "session 1"),
		subscribing(`FeedEdge.syncToken`, `homeFeedEdges(since: "$token") { syncToken node { text } }`, "text 1, a cursor"),
	}
}

// bensOwn is a row for what the viewer object shows to Ben, and does not to others.
func bensOwn(field, selection, shown string) access {
	return access{field, `{ viewer { ` + selection + ` } }`, shown, none, none, none, none}
}

// subscribing is a row for what a subscription sends to Ben.
func subscribing(field, selection, shown string) access {
	return access{field, `subscription { ` + selection + ` }`, shown, none, none, none, unsigned}
}

// fanoutAccess has what only administrators read.
func fanoutAccess() []access {
	return slices.Concat(
		refusing(forbidden, "Query", "{ ", `fanout(contentId: "1") { state }`, "slowestFanouts { seconds }"),
		refusing(forbidden, "Fanout", `{ fanout(contentId: "1") { `,
			"contentId", "state", "ended", "followers", "selective", "slices", "slicesDone", "slicesRunning", "highestId", "lastId", "attempts",
			"dispatches", "publishedAt", "seconds", "slicesPerSecond", "secondsLeft", "openSlices { task }"),
		refusing(forbidden, "FanoutSlice", `{ fanout(contentId: "1") { openSlices { `, "task", "firstId", "lastId", "servedTo", "attempts", "waits"),
		refusing(forbidden, "SlowFanout", "{ slowestFanouts { ", "contentId", "plannedAt", "seconds", "slices", "slicesDone"),
	)
}

// moderationAccess has what only moderators read and do. TestModeration_HidesAndRestores plays one.
func moderationAccess() []access {
	const log = `{ moderationLog { `
	rows := slices.Concat(
		refusing(unsigned, "Query", "{ ", `moderatedPost(databaseId: "1") { text }`, `moderatedUser(databaseId: "2") { handle }`),
		refusing(unsigned, "ModerationLogConnection", log, "edges { cursor }", "nodes { by }", "pageInfo { endCursor }"),
		refusing(unsigned, "ModerationLogEdge", log+"edges { ", "cursor", "node { by }"),
		refusing(unsigned, "ModerationLogEntry", log+"nodes { ",
			"postId", "postDatabaseId", "userId", "userDatabaseId", "reason", "by", "at", "until", "liftedAt", "liftedBy"),
		[]access{
			{`Query.moderationLog(postId)`, `{ moderationLog(subject: {postId: "$post"}) { nodes { by } } }`, forbidden, forbidden, forbidden, forbidden, unsigned},
			{`Query.moderationLog(userId)`, `{ moderationLog(subject: {userId: "$ben"}) { nodes { by } } }`, forbidden, forbidden, forbidden, forbidden, unsigned},
		})
	for name, input := range map[string]string{
		"takeDownPost": `postId: "$post", reason: "x"`, "restorePost": `postId: "$post"`,
		"suspendUser": `userId: "$ben", reason: "x"`, "restoreUser": `userId: "$ben"`,
	} {
		argument, _, _ := strings.Cut(input, ":")
		rows = append(rows, mutating(name, argument, input, forbidden, forbidden, forbidden, forbidden))
	}
	return rows
}

// refusing returns rows for fields of a type that are FORBIDDEN to these users.
func refusing(anonymous, typ, begin string, fields ...string) []access {
	var rows []access
	for _, field := range fields {
		document := begin + field + strings.Repeat(" }", strings.Count(begin, "{"))
		name, _, _ := strings.Cut(field, " ")
		name, _, _ = strings.Cut(name, "(")
		rows = append(rows, access{typ + "." + name, document, forbidden, forbidden, forbidden, forbidden, anonymous})
	}
	return rows
}

// mutating is a row for a mutation and one of its arguments, if any. Only signed-in users change
// anything.
func mutating(mutation, argument, input, owner, stranger, hidden, blocked string) access {
	field := "Mutation." + mutation
	if argument != "" {
		field += "(" + argument + ")"
	}
	return access{field, `mutation { ` + mutation + `(input: {` + input + `}) { userErrors { code field } } }`, owner, stranger, hidden, blocked, unsigned}
}

func changeAccess() []access {
	const at = `scheduledAt: "2026-05-04T14:00:00Z"`
	rows := []access{
		mutating("publishPost", "replyTo", `text: "x", replyTo: "$post"`, "done", "done", "NOT_FOUND replyTo", "NOT_FOUND replyTo"),
		mutating("publishPost", "repostOf", `text: "x", repostOf: "$post"`, "done", "done", "NOT_FOUND repostOf", "NOT_FOUND repostOf"),
		mutating("editPost", "postId", `postId: "$post", text: "x"`, "done", "FORBIDDEN postId", "NOT_FOUND postId", "NOT_FOUND postId"),
		mutating("deletePost", "postId", `postId: "$post"`, "done", "FORBIDDEN postId", "NOT_FOUND postId", "NOT_FOUND postId"),
		mutating("scheduleLive", "", `title: "x", `+at, "done", "done", "done", "done"),
		mutating("updateProfile", "", `handle: "ben"`, "done", "CONFLICT handle", "CONFLICT handle", "CONFLICT handle"),
		mutating("markHomeRead", "", `cursor: "$cursor", syncToken: "$token"`, "done", "done", "done", "done"),
		mutating("deleteAccount", "", `confirmHandle: "ben"`, "done", "INVALID confirmHandle", "INVALID confirmHandle", "INVALID confirmHandle"),
	}
	for _, name := range []string{"likePost", "unlikePost", "favoritePost", "unfavoritePost"} {
		rows = append(rows, mutating(name, "postId", `postId: "$post"`, "done", "done", "NOT_FOUND postId", "NOT_FOUND postId"))
	}
	for _, name := range []string{"startLive", "endLive", "cancelLive", "rescheduleLive"} {
		own, input := "done", `liveSessionId: "$live"`
		switch name {
		case "endLive": // a session that has not begun cannot end
			own = "CONFLICT liveSessionId"
		case "rescheduleLive":
			input += ", " + at
		}
		rows = append(rows, mutating(name, "liveSessionId", input, own, "FORBIDDEN liveSessionId", "NOT_FOUND liveSessionId", "NOT_FOUND liveSessionId"))
	}
	for _, name := range []string{
		"followUser", "unfollowUser", "muteUser", "unmuteUser", "hideFromUser", "unhideFromUser", "blockUser", "unblockUser",
	} {
		// Users cannot follow themselves, so there is nothing to undo.
		self := "INVALID userId"
		if name == "unfollowUser" {
			self = "done"
		}
		rows = append(rows, mutating(name, "userId", `userId: "$ben"`, self, "done", "done", "NOT_FOUND userId"))
	}
	const notTheirs = "NOT_FOUND listId"
	rows = append(rows,
		mutating("createList", "", `name: "x"`, "done", "done", "done", "done"),
		mutating("updateList", "listId", `listId: "$list", name: "y"`, "done", notTheirs, notTheirs, notTheirs),
		mutating("deleteList", "listId", `listId: "$list"`, "done", "done", "done", "done"),
		mutating("addToList", "listId", `listId: "$list", userIds: []`, "done", notTheirs, notTheirs, notTheirs),
		mutating("addToList", "userIds", `listId: "$mine", userIds: ["$ben"]`, "done", "done", "done", "NOT_FOUND userIds"),
		mutating("removeFromList", "listId", `listId: "$list", userIds: []`, "done", notTheirs, notTheirs, notTheirs),
		mutating("removeFromList", "userIds", `listId: "$mine", userIds: ["$ben"]`, "done", "done", "done", "done"))
	// Ben does not follow them.
	rows = append(rows, mutating("updateFollow", "userId", `userId: "$ben"`, "NOT_FOUND userId", "NOT_FOUND userId", "NOT_FOUND userId", "NOT_FOUND userId"))
	// Ben has asked none of them.
	rows = append(rows, mutating("acceptFollow", "userId", `userId: "$ben"`, "NOT_FOUND userId", "NOT_FOUND userId", "NOT_FOUND userId", "NOT_FOUND userId"))
	for _, name := range []string{"rejectFollow", "removeFollower"} {
		rows = append(rows, mutating(name, "userId", `userId: "$ben"`, "done", "done", "done", "NOT_FOUND userId"))
	}
	return rows
}

// Add a row for each new field.
func TestAccess_TableHasEveryField(t *testing.T) {
	var want, got []string
	for _, d := range graph.LoadSchema().Types {
		if d.Kind != ast.Object || d.BuiltIn {
			continue
		}
		for _, f := range d.Fields {
			want = append(want, reaches(d, f)...)
		}
	}
	for _, row := range accessTable() {
		got = append(got, row.field)
	}
	slices.Sort(want)
	slices.Sort(got)
	wantEqual(t, want, got, "the rows of the schema and the table")
}

// reaches returns the rows that a field must have.
func reaches(d *ast.Definition, f *ast.FieldDefinition) []string {
	if strings.HasPrefix(f.Name, "__") {
		return nil
	}
	var rows []string
	for _, a := range f.Arguments {
		if a.Type.Name() == "ID" {
			rows = append(rows, fmt.Sprintf("%s.%s(%s)", d.Name, f.Name, a.Name))
		}
		if input := graph.LoadSchema().Types[a.Type.Name()]; input.Kind == ast.InputObject {
			for _, in := range input.Fields {
				if in.Type.Name() == "ID" {
					rows = append(rows, fmt.Sprintf("%s.%s(%s)", d.Name, f.Name, in.Name))
				}
			}
		}
	}
	if len(rows) == 0 {
		return []string{d.Name + "." + f.Name}
	}
	return rows
}

func TestAccess_ShowsWhatTheTableAllows(t *testing.T) {
	shared := newBensWorld(t)
	for _, row := range accessTable() {
		t.Run(row.field, func(t *testing.T) {
			for viewer, want := range map[feed.UserID]string{2: row.owner, 1: row.stranger, 3: row.hidden, 4: row.blocked, 0: row.anonymous} {
				w := shared // queries and what is refused change nothing
				if refused := strings.HasPrefix(want, "NOT_FOUND ") || want == unsigned || want == forbidden; !strings.HasPrefix(row.document, "{") && !refused {
					w = newBensWorld(t)
				}
				ask := func(document string) result { return w.ask(viewer, document, nil) }
				if strings.HasPrefix(row.document, "subscription") {
					ask = func(document string) result { return w.told(viewer, document) }
				}
				wantEqual(t, want, outcome(ask(w.document(viewer, row.document))), "what viewer %d gets", viewer)
				if w != shared && viewer != 2 && want != "done" {
					wantEqual(t, w.before, own(w.world), "what ben has after the request of viewer %d", viewer)
				}
			}
		})
	}
	wantEqual(t, shared.before, own(shared.world), "what ben has after all queries")
}

// bensWorld has what belongs to Ben, and what Eve did with it. Ben follows and mutes Eve.
type bensWorld struct {
	*world
	// before is what Ben has, and since where the change log was without it.
	before any
	since  feed.ChangePlace
}

func newBensWorld(t *testing.T) *bensWorld {
	w := newWorld(t)
	since, err := w.store.LastChange(t.Context())
	noError(t, err)
	w.user(5, "eve")
	w.follow(2, 5)
	w.follow(5, 2)
	w.must(2, `mutation { updateFollow(input: {userId: "`+userID(5)+`"}, special: true) { user { id } } }`, nil)
	w.post(1, 2)
	w.schedule(2, "session 1")
	w.post(2, 5, replyTo(1))
	w.post(3, 5, repostOf(1))
	w.must(2, `mutation { likePost(input: {postId: "`+postID(1)+`"}) { post { id } } favoritePost(input: {postId: "`+postID(1)+`"}) { post { id } } }`, nil)
	for id, handle := range map[feed.UserID]string{6: "fay", 7: "gil"} {
		w.user(id, handle)
	}
	w.mutate(6, "updateProfile", `isPrivate: true`)
	w.mutate(2, "followUser", `userId: "`+userID(6)+`"`)
	// Ben's account was private when Gil asked.
	w.mutate(2, "updateProfile", `isPrivate: true`)
	w.mutate(7, "followUser", `userId: "`+userID(2)+`"`)
	w.mutate(2, "updateProfile", `isPrivate: false`)
	w.relate(feed.RelationMute, 2, 5)
	w.relate(feed.RelationHide, 2, 3)
	w.relate(feed.RelationBlock, 2, 4)
	lists := []feed.AuthorList{{ID: 1, Owner: 2, Name: "open", Public: true}, {ID: 2, Owner: 2, Name: "secret"}}
	for owner := range feed.UserID(4) {
		lists = append(lists, feed.AuthorList{ID: feed.ListID(11 + owner), Owner: 1 + owner, Name: "mine"})
	}
	for i := range lists {
		lists[i].CreatedAt = int64(i)
		noError(t, w.store.CreateList(t.Context(), &lists[i]))
	}
	_, err = w.store.AddMembers(t.Context(), 2, 1, []feed.UserID{5}, 1)
	noError(t, err)
	b := &bensWorld{world: w, since: since}
	w.mutate(2, "markHomeRead", b.document(2, `cursor: "$cursor", syncToken: "$token"`))
	b.before = own(w)
	return b
}

// document replaces the names of objects and tokens in a document for viewer.
func (w *bensWorld) document(viewer feed.UserID, document string) string {
	return strings.NewReplacer(
		"$token", feed.SyncToken{Viewer: viewer, Place: w.since}.String(), "$livetoken", feed.SyncToken{Viewer: viewer, Live: true, Place: w.since}.String(),
		"$cursor", feed.HomeCursor(&feed.Post{ID: 1, PublishedAt: epoch + 1000}), "$post", postID(1), "$comment", postID(2), "$repost", postID(3), "$ben", userID(2), "$eve", userID(5), "$list", listID(1), "$mine", listID(feed.ListID(10+viewer)), "$live", liveID(1),
	).Replace(document)
}

// own returns everything that Ben has.
func own(w *world) any {
	w.t.Helper()
	return w.must(2, `{ viewer {
		user { handle name counters { followers following posts } followers { nodes { handle } } }
		homeFeed { nodes { text counters { likes comments reposts favorites } } }
		liveFeed { nodes { title state scheduledAt startedAt } }
		mutedUsers { nodes { handle } } hiddenFromUsers { nodes { handle } } blockedUsers { nodes { handle } }
		followRequests { nodes { handle } } sentFollowRequests { nodes { handle } }
		lists { name isPublic memberCount members { nodes { handle } } }
		readPosition { cursor syncToken at unread }
	} }`, nil).Data
}

// outcome summarizes a response: the code of its error; the code and field of a refusal; "done" for
// another mutation; for a query, all texts in the order of the fields' names.
func outcome(got result) string {
	if len(got.Errors) > 0 {
		return strings.Join(got.codes(), ", ")
	}
	for _, root := range got.Data {
		payload, _ := root.(map[string]any)
		refusals, mutated := payload["userErrors"].([]any)
		if !mutated {
			break
		}
		if len(refusals) == 0 {
			return "done"
		}
		refusal := refusals[0].(map[string]any)
		return strings.Join(append([]string{refusal["code"].(string)}, leaves(refusal["field"])...), " ")
	}
	if shown := leaves(got.Data); len(shown) > 0 {
		return strings.Join(shown, ", ")
	}
	return "nothing"
}

// leaves returns all texts of a result.
func leaves(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = []string{v}
	case bool, float64:
		out = []string{fmt.Sprint(v)}
	case []any:
		for _, e := range v {
			out = append(out, leaves(e)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if _, shown := v[name].(string); shown && (strings.HasSuffix(strings.ToLower(name), "cursor") || name == "syncToken" || name == "sortKey") {
				out = append(out, "a cursor") // opaque
				continue
			}
			out = append(out, leaves(v[name])...)
		}
	}
	return out
}
