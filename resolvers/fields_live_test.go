package resolvers_test

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
