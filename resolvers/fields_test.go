package resolvers_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
)

const none, unsigned, forbidden = "nothing", "UNAUTHENTICATED", "FORBIDDEN"

// public is a row for what everyone sees except users that Ben hides from or blocks.
func public(field, document, shown string) access {
	return access{field, document, shown, shown, none, none, shown}
}

// known is a row for what everyone sees except users that Ben blocks.
func known(field, document, shown string) access {
	return access{field, document, shown, shown, shown, none, shown}
}

// bensAlone is a row for what is true for Ben only.
func bensAlone(field, document string) access {
	return access{field, document, "true", "false", "false", "false", "false"}
}

// postAccess is about the fields of a post.
func postAccess() []access {
	post := func(selection string) string { return `{ node(id: "$post") { ... on Post { ` + selection + ` } } }` }
	rows := []access{
		public(`Post.id`, post(`id`), postID(1)),
		public(`Post.databaseId`, post(`databaseId`), "1"),
		public(`Post.kind`, post(`kind`), "POST"),
		public(`Post.text`, post(`text`), "text 1"),
		public(`Post.unavailable`, post(`unavailable`), "false"),
		public(`Post.media`, post(`text media`), "text 1"),
		public(`Post.audience`, post(`audience`), "PUBLIC"),
		// TestModeration_HidesAndRestores has a post that is taken down.
		public(`Post.moderation`, post(`text moderation { reason }`), "text 1"),
		public(`Moderation.reason`, post(`text moderation { reason }`), "text 1"),
		public(`Moderation.at`, post(`text moderation { at }`), "text 1"),
		public(`Post.author`, post(`author { handle }`), "ben"),
		public(`Post.publishedAt`, post(`publishedAt`), "2026-05-04T12:00:01.000Z"),
		public(`Post.editedAt`, post(`text editedAt`), "text 1"),
		public(`Post.counters`, post(`counters { likes }`), "1"),
		public(`Post.comments`, post(`comments { nodes { author { handle } } }`), "eve"),
		// Everyone sees Eve's comment, but not the post that it replies to.
		public(`Post.replyTo`, `{ node(id: "$comment") { ... on Post { replyTo { text } } } }`, "text 1"),
		public(`Post.repostOf`, `{ node(id: "$repost") { ... on Post { repostOf { text } } } }`, "text 1"),
		{`Post.viewerHasLiked`, post(`viewerHasLiked`), "true", "false", none, none, "false"},
		{`Post.viewerHasFavorited`, post(`viewerHasFavorited`), "true", "false", none, none, "false"},
	}
	for _, name := range []string{"likes", "comments", "reposts", "favorites"} {
		rows = append(rows, public(`PostCounters.`+name, post(`counters { `+name+` }`), "1"))
	}
	return append(rows, storedTexts("Post", rows, func(name string) access {
		return public(`Post.`+name, post(`text `+name), "text 1")
	})...)
}

// storedTexts returns rows for the nullable texts and custom fields of a type that have no row yet. The same
// viewers see them as the rest of the type.
func storedTexts(typ string, rows []access, row func(name string) access) []access {
	var out []access
	for _, f := range graph.LoadSchema().Types[typ].Fields {
		has := slices.ContainsFunc(rows, func(r access) bool { return r.field == typ+"."+f.Name })
		if !has && len(f.Arguments) == 0 && !f.Type.NonNull && slices.Contains([]string{"String", "URL", "JSON"}, f.Type.Name()) {
			out = append(out, row(f.Name))
		}
	}
	return out
}

// accountAccess is for what an account shows.
func accountAccess() []access {
	user := func(selection string) string { return `{ user(handle: "ben") { ` + selection + ` } }` }
	of := func(handle, selection string) string {
		return `{ user(handle: "` + handle + `") { ` + selection + ` } }`
	}
	rows := []access{
		known(`User.id`, user(`id`), userID(2)),
		known(`User.databaseId`, user(`databaseId`), "2"),
		known(`User.unavailable`, user(`unavailable`), "false"),
		known(`User.handle`, user(`handle`), "ben"),
		known(`User.name`, user(`name`), "BEN"),
		known(`User.createdAt`, user(`createdAt`), "2026-05-04T12:00:00.000Z"),
		known(`User.isPrivate`, user(`isPrivate`), "false"),
		known(`User.counters`, user(`counters { posts }`), "1"),
		known(`UserCounters.followers`, user(`counters { followers }`), "1"),
		known(`UserCounters.following`, user(`counters { following }`), "1"),
		known(`UserCounters.posts`, user(`counters { posts }`), "1"),
		known(`User.followers`, user(`followers { nodes { handle } }`), "eve"),
		known(`User.following`, user(`following { nodes { handle } }`), "eve"),
		public(`User.posts`, user(`posts { nodes { text } }`), "text 1"),
		bensAlone(`User.viewerFollows`, of("eve", "viewerFollows")),
		{`User.viewerFollowOptions`, of("eve", "viewerFollowOptions { special }"), "true", none, none, none, none},
		{`FollowOptions.special`, of("eve", "viewerFollowOptions { special }"), "true", none, none, none, none},
		{`FollowOptions.hideReposts`, of("eve", "viewerFollowOptions { hideReposts }"), "false", none, none, none, none},
		{`FollowOptions.hideReplies`, of("eve", "viewerFollowOptions { hideReplies }"), "false", none, none, none, none},
		{`UserEdge.special`, user(`following { edges { special } }`), "true", none, none, none, none},
		{`UserEdge.hideReposts`, user(`following { edges { hideReposts } }`), "false", none, none, none, none},
		{`UserEdge.hideReplies`, user(`following { edges { hideReplies } }`), "false", none, none, none, none},
		bensAlone(`User.viewerFollowRequested`, of("fay", "viewerFollowRequested")),
		known(`User.viewerCanSeePosts`, user(`viewerCanSeePosts`), "true"),
		bensAlone(`User.viewerMutes`, of("eve", "viewerMutes")),
		bensAlone(`User.viewerHidesFrom`, of("cat", "viewerHidesFrom")),
		bensAlone(`User.viewerBlocks`, of("dan", "viewerBlocks")),
	}
	return append(rows, storedTexts("User", rows, func(name string) access {
		return known(`User.`+name, user(`name `+name), "BEN")
	})...)
}

// pageAccess is about the pages that show Ben and the post. An empty page is no secret: it looks
// like one from before Ben's first post.
func pageAccess() []access {
	posts := func(selection string) string {
		return `{ user(handle: "ben") { posts(first: 1) { ` + selection + ` } } }`
	}
	users := func(selection string) string { return `{ users(query: "ben", first: 1) { ` + selection + ` } }` }
	// Ben follows Eve and mutes them, so their posts may have left the feed.
	ids := strings.Join([]string{postID(1), postID(3), postID(2)}, ", ")
	changed := func(selection string) string {
		return `{ viewer { homeChanges(since: "$token") { ` + selection + ` } } }`
	}
	below := feed.Cursor{Kind: feed.FeedOutbox, Key: feed.Key{TS: epoch, ID: 1}}.String()
	const no = "false"
	return []access{
		public(`FeedConnection.edges`, posts(`edges { node { text } }`), "text 1"),
		public(`FeedConnection.nodes`, posts(`nodes { text }`), "text 1"),
		{`FeedConnection.pageInfo`, posts(`pageInfo { hasNextPage }`), no, no, no, none, no},
		{`FeedConnection.newCount`, posts(`newCount(since: "` + below + `")`), "1", "1", "0", none, "1"},
		{`FeedConnection.syncToken`, `{ viewer { homeFeed { syncToken } } }`, "a cursor", "a cursor", "a cursor", "a cursor", none},
		// A page of one post has no slots. TestSlots_SourceLearnsNoSecrets has what their source gets.
		public(`FeedConnection.slots`, posts(`nodes { text } slots { id }`), "text 1"),
		public(`Slot.id`, posts(`nodes { text } slots { id }`), "text 1"),
		public(`Slot.after`, posts(`nodes { text } slots { after }`), "text 1"),
		public(`Slot.source`, posts(`nodes { text } slots { source }`), "text 1"),
		public(`Slot.content`, posts(`nodes { text } slots { content }`), "text 1"),
		{`HomeChangePage.changes`, changed(`changes { postId }`), ids, none, none, none, none},
		{`HomeChangePage.syncToken`, changed(`syncToken`), "a cursor", "a cursor", "a cursor", "a cursor", none},
		{`HomeChangePage.hasMore`, changed(`hasMore`), no, no, no, no, none},
		{`HomeChange.kind`, changed(`changes { kind }`), "ADDED, REMOVED, REMOVED", none, none, none, none},
		{`HomeChange.postId`, changed(`changes { postId }`), ids, none, none, none, none},
		{`HomeChange.edge`, changed(`changes { edge { node { text } } }`), "text 1", none, none, none, none},
		public(`FeedEdge.cursor`, posts(`edges { cursor }`), "a cursor"),
		public(`FeedEdge.sortKey`, posts(`edges { sortKey }`), "a cursor"),
		public(`FeedEdge.node`, posts(`edges { node { text } }`), "text 1"),
		{`PageInfo.hasNextPage`, posts(`pageInfo { hasNextPage }`), no, no, no, none, no},
		{`PageInfo.hasPreviousPage`, posts(`pageInfo { hasPreviousPage }`), no, no, no, none, no},
		public(`PageInfo.startCursor`, posts(`pageInfo { startCursor }`), "a cursor"),
		public(`PageInfo.endCursor`, posts(`pageInfo { endCursor }`), "a cursor"),
		known(`UserConnection.edges`, users(`edges { node { handle } }`), "ben"),
		known(`UserConnection.nodes`, users(`nodes { handle }`), "ben"),
		{`UserConnection.pageInfo`, users(`pageInfo { hasNextPage }`), no, no, no, no, no},
		known(`UserEdge.cursor`, users(`edges { cursor }`), "a cursor"),
		known(`UserEdge.sortKey`, users(`edges { sortKey }`), "a cursor"),
		known(`UserEdge.node`, users(`edges { node { handle } }`), "ben"),
	}
}

// payloadAccess is about the payloads of mutations, which show no more of Ben than a query. Other
// users cannot change what belongs to Ben.
func payloadAccess() []access {
	rows := []access{
		payloadRow(`PublishPostPayload.post`, `publishPost(input: {text: "mine"}) { post { author { handle } } }`, "ben", "ann", "cat", "dan"),
		payloadRow(`PublishPostPayload.feedEdge`, `publishPost(input: {text: "mine"}) { feedEdge { node { author { handle } } } }`, "ben", "ann", "cat", "dan"),
		payloadRow(`EditPostPayload.post`, `editPost(input: {postId: "$post", text: "new"}) { post { text } }`, "new", none, none, none),
		payloadRow(`DeletePostPayload.deletedPostId`, `deletePost(input: {postId: "$post"}) { deletedPostId }`, postID(1), none, none, none),
		payloadRow(`PostPayload.post`, `unlikePost(input: {postId: "$post"}) { post { text } }`, "text 1", "text 1", none, none),
		payloadRow(`UserPayload.user`, `unfollowUser(input: {userId: "$ben"}) { user { handle } }`, "ben", "ben", "ben", none),
		payloadRow(`AuthorListPayload.list`, `updateList(input: {listId: "$list"}) { list { name } }`, "open", none, none, none),
		payloadRow(`DeleteListPayload.deletedListId`, `deleteList(input: {listId: "$list"}) { deletedListId }`, listID(1), listID(1), listID(1), listID(1)),
		payloadRow(`MarkHomeReadPayload.readPosition`, `markHomeRead(input: {cursor: "$cursor", syncToken: "$token"}) { readPosition { cursor } }`, "a cursor", "a cursor", "a cursor", "a cursor"),
		payloadRow(`DeleteAccountPayload.deletedUserId`, `deleteAccount(input: {confirmHandle: "ben"}) { deletedUserId }`, userID(2), none, none, none),
	}
	for typ, call := range map[string]string{
		"PublishPostPayload":   `publishPost(input: {text: "", `,
		"EditPostPayload":      `editPost(input: {postId: "$post", text: "", `,
		"DeletePostPayload":    `deletePost(input: {postId: "User", `,
		"PostPayload":          `unlikePost(input: {postId: "User", `,
		"UserPayload":          `unfollowUser(input: {userId: "Post", `,
		"AuthorListPayload":    `updateList(input: {listId: "Post", `,
		"DeleteListPayload":    `deleteList(input: {listId: "Post", `,
		"DeleteAccountPayload": `deleteAccount(input: {confirmHandle: "", `,
		"MarkHomeReadPayload":  `markHomeRead(input: {cursor: "$cursor", syncToken: "$token", device: " ", `,
	} {
		// The payload returns the input and the refusal.
		rows = append(rows,
			signedInOnly(typ+`.clientMutationId`, `mutation { `+call+`clientMutationId: "m"}) { clientMutationId } }`, "m"),
			signedInOnly(typ+`.userErrors`, `mutation { `+call+`}) { errors: userErrors { __typename } } }`, "UserError"))
	}
	const refused = `editPost(input: {postId: "$post", text: "new"}) { errors: userErrors { %s } }`
	const missing = "there is no such post"
	return append(rows,
		payloadRow(`UserError.code`, fmt.Sprintf(refused, "code"), none, "FORBIDDEN", "NOT_FOUND", "NOT_FOUND"),
		payloadRow(`UserError.message`, fmt.Sprintf(refused, "message"), none, "only its author may change a post", missing, missing),
		payloadRow(`UserError.field`, fmt.Sprintf(refused, "field"), none, "postId", "postId", "postId"),
	)
}

// payloadRow is a row for what a mutation shows to signed-in users.
func payloadRow(field, call, owner, stranger, hidden, blocked string) access {
	return access{field, `mutation { ` + call + ` }`, owner, stranger, hidden, blocked, unsigned}
}

// signedInOnly is a row for what every signed-in user gets.
func signedInOnly(field, document, shown string) access {
	return access{field, document, shown, shown, shown, shown, unsigned}
}

// listAccess is about a public list of Ben, who mutes its member, and about all lists of each viewer.
func listAccess() []access {
	list := func(selection string) string {
		return `{ node(id: "$list") { ... on AuthorList { ` + selection + ` } } }`
	}
	return []access{
		known(`AuthorList.id`, list(`id`), listID(1)),
		known(`AuthorList.name`, list(`name`), "open"),
		known(`AuthorList.owner`, list(`owner { handle }`), "ben"),
		known(`AuthorList.isPublic`, list(`isPublic`), "true"),
		known(`AuthorList.exclusive`, list(`exclusive`), "false"),
		known(`AuthorList.memberCount`, list(`memberCount`), "1"),
		known(`AuthorList.members`, list(`members { nodes { handle } }`), "eve"),
		{`AuthorList.feed`, list(`feed(filter: {kinds: [COMMENT]}) { nodes { text } }`), none, "text 2", "text 2", none, "text 2"},
		{`User.lists`, `{ user(handle: "ben") { lists { name } } }`, "mine, secret, open", "open", "open", none, "open"},
		{`Viewer.lists(member)`, `{ viewer { lists { name } with: lists(member: "$eve") { name } } }`, "mine, secret, open, open", "mine", "mine", "mine", none},
	}
}

// liveAccess is about Ben's upcoming session, and the pages that show it.
func liveAccess() []access {
	session := func(selection string) string {
		return `{ node(id: "$live") { ... on LiveSession { ` + selection + ` } } }`
	}
	sessions := func(selection string) string {
		return `{ user(handle: "ben") { liveSessions(first: 1) { ` + selection + ` } } }`
	}
	changed := func(selection string) string {
		return `{ viewer { liveChanges(since: "$livetoken") { ` + selection + ` } } }`
	}
	const no, at = "false", "2026-05-04T13:00:00.000Z"
	return []access{
		public(`User.liveSessions`, sessions(`nodes { title }`), "session 1"),
		public(`LiveSession.id`, session(`id`), liveID(1)),
		public(`LiveSession.databaseId`, session(`databaseId`), "1"),
		public(`LiveSession.host`, session(`host { handle }`), "ben"),
		public(`LiveSession.title`, session(`title`), "session 1"),
		public(`LiveSession.state`, session(`state`), "UPCOMING"),
		public(`LiveSession.scheduledAt`, session(`scheduledAt`), "2026-05-04T14:00:00.000Z"),
		public(`LiveSession.startedAt`, session(`title startedAt`), "session 1"),
		public(`LiveSession.endedAt`, session(`title endedAt`), "session 1"),
		public(`LiveSession.replayUrl`, session(`title replayUrl`), "session 1"),
		public(`LiveConnection.edges`, sessions(`edges { node { title } }`), "session 1"),
		public(`LiveConnection.nodes`, sessions(`nodes { title }`), "session 1"),
		{`LiveConnection.pageInfo`, sessions(`pageInfo { hasNextPage }`), no, no, no, none, no},
		// The moment of a page is that of the viewer, and says nothing about Ben.
		{`LiveConnection.snapshotAt`, sessions(`snapshotAt`), at, at, at, none, at},
		{`LiveConnection.syncToken`, `{ viewer { liveFeed { syncToken } } }`, "a cursor", "a cursor", "a cursor", "a cursor", none},
		{`LiveChangePage.changes`, changed(`changes { liveSessionId }`), liveID(1), none, none, none, none},
		{`LiveChangePage.syncToken`, changed(`syncToken`), "a cursor", "a cursor", "a cursor", "a cursor", none},
		{`LiveChangePage.hasMore`, changed(`hasMore`), no, no, no, no, none},
		{`LiveChange.kind`, changed(`changes { kind }`), "ADDED", none, none, none, none},
		{`LiveChange.liveSessionId`, changed(`changes { liveSessionId }`), liveID(1), none, none, none, none},
		{`LiveChange.edge`, changed(`changes { edge { node { title } } }`), "session 1", none, none, none, none},
		public(`LiveEdge.cursor`, sessions(`edges { cursor }`), "a cursor"),
		public(`LiveEdge.sortKey`, sessions(`edges { sortKey }`), "a cursor"),
		public(`LiveEdge.node`, sessions(`edges { node { title } }`), "session 1"),
		public(`LiveEdge.state`, sessions(`edges { state }`), "UPCOMING"),
		payloadRow(`LivePayload.liveSession`, `startLive(input: {liveSessionId: "$live"}) { liveSession { title } }`, "session 1", none, none, none),
		signedInOnly(`LivePayload.clientMutationId`, `mutation { startLive(input: {liveSessionId: "User", clientMutationId: "m"}) { clientMutationId } }`, "m"),
		signedInOnly(`LivePayload.userErrors`, `mutation { startLive(input: {liveSessionId: "User"}) { errors: userErrors { __typename } } }`, "UserError"),
	}
}
