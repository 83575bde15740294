package resolvers_test

// liveAccess is about Ben's upcoming session, and the pages that show it.
func liveAccess() []access {
	session := func(selection string) string {
		return `{ node(id: "$live") { ... on LiveSession { ` + selection + ` } } }`
	}
	sessions := func(selection string) string {
		return `{ user(handle: "ben") { liveSessions(first: 1) { ` + selection + ` } } }`
	}
	const no = "false"
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
		{`LiveConnection.snapshotAt`, sessions(`snapshotAt`), "the present", "the present", "the present", none, "the present"},
		public(`LiveEdge.cursor`, sessions(`edges { cursor }`), "a cursor"),
		public(`LiveEdge.node`, sessions(`edges { node { title } }`), "session 1"),
		public(`LiveEdge.state`, sessions(`edges { state }`), "UPCOMING"),
		{
			`LivePayload.liveSession`, `mutation { startLive(input: {liveSessionId: "$live"}) { liveSession { title } } }`,
			"session 1", none, none, none, unsigned,
		},
		signedInOnly(`LivePayload.clientMutationId`,
			`mutation { startLive(input: {liveSessionId: "User", clientMutationId: "m"}) { clientMutationId } }`, "m"),
		signedInOnly(`LivePayload.userErrors`,
			`mutation { startLive(input: {liveSessionId: "User"}) { errors: userErrors { __typename } } }`, "UserError"),
	}
}
