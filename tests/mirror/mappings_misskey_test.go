//go:build nightly

package mirror

// misskey is Misskey: users 1 to 30 change at random, those from 901 are the authors of probes.
func misskey() application {
	return application{name: "misskey", types: "user,follow,post,like,favorite,mute,block", settings: []string{"TIDELINE_IDS=text"}, oracle: misskeyOracle, begin: misskeyBegin, step: misskeyStep}
}

// A note is open to a viewer by its own author and visibility; a renote needs an open original, too. The function id
// makes ids with the time of a number, which is another one for each number.
const misskeyOracle = `
CREATE FUNCTION oracle.id(n int) RETURNS varchar LANGUAGE sql AS $$
  SELECT string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (ms / (36::bigint ^ digit)::bigint % 36)::int, 1), '' ORDER BY digit DESC) || lpad(n::text, 8, '0')
  FROM (SELECT (extract(epoch FROM '2026-02-01'::timestamptz - '2000-01-01'::timestamptz) + n::bigint * 7919 % 100003)::bigint * 1000 AS ms) t, generate_series(0, 7) digit GROUP BY ms $$;
CREATE VIEW oracle.viewers AS SELECT id FROM "user" WHERE NOT "isSuspended" AND NOT "isDeleted";
CREATE VIEW oracle.follows AS SELECT "followerId" AS viewer, "followeeId" AS author FROM following;
CREATE VIEW oracle.mutes AS SELECT "muterId" AS viewer, "muteeId" AS author FROM muting WHERE "expiresAt" IS NULL OR "expiresAt" > now();
CREATE VIEW oracle.open AS SELECT v.id AS viewer, n.* FROM (SELECT id FROM "user" UNION ALL SELECT '') v, note n JOIN "user" author ON author.id = n."userId"
  WHERE NOT author."isSuspended" AND NOT author."isDeleted" AND n.visibility <> 'specified' AND NOT n."localOnly" AND n."channelId" IS NULL
    AND (author.id = v.id OR author."makeNotesHiddenBefore" IS NULL
      AND (EXISTS (SELECT FROM following WHERE "followerId" = v.id AND "followeeId" = author.id)
        OR n.visibility IN ('public', 'home') AND NOT author."requireSigninToViewContents" AND author."makeNotesFollowersOnlyBefore" IS NULL))
    AND NOT EXISTS (SELECT FROM blocking WHERE "blockerId" = v.id AND "blockeeId" = author.id OR "blockerId" = author.id AND "blockeeId" = v.id);
CREATE VIEW oracle.sees AS SELECT viewer, id AS post, "userId" AS author, CASE WHEN text IS NULL THEN "renoteUserId" END AS original, id AS at FROM oracle.open o
  WHERE "renoteId" IS NULL OR text IS NOT NULL OR EXISTS (SELECT FROM oracle.open WHERE viewer = o.viewer AND id = o."renoteId");`

func misskeyBegin(s *system) {
	s.users = 30
	s.exec(`
INSERT INTO "user" (id, username, "usernameLower", host, "isLocked") SELECT oracle.id(n), 'user' || n, 'user' || n, CASE WHEN n % 5 = 0 THEN 'example.org' END, n % 3 = 0 FROM generate_series(1, 30) n;
INSERT INTO "user" (id, username, "usernameLower", "isLocked", "isSuspended", "isDeleted", "requireSigninToViewContents", "makeNotesFollowersOnlyBefore", "makeNotesHiddenBefore") VALUES
  (oracle.id(901), 'open', 'open', true, false, false, false, NULL, NULL), (oracle.id(902), 'suspended', 'suspended', false, true, false, false, NULL, NULL), (oracle.id(903), 'deleted', 'deleted', false, false, true, false, NULL, NULL),
  (oracle.id(904), 'signin', 'signin', false, false, false, true, NULL, NULL), (oracle.id(905), 'older', 'older', false, false, false, false, -86400, NULL), (oracle.id(906), 'hider', 'hider', false, false, false, false, NULL, -86400),
  (oracle.id(907), 'renoter', 'renoter', false, false, false, false, NULL, NULL);
INSERT INTO channel (id, name) VALUES (oracle.id(950), 'channel');
INSERT INTO following (id, "followerId", "followeeId") SELECT oracle.id(10000 + 100 * n + author), oracle.id(n), oracle.id(900 + author) FROM generate_series(1, 20) n, generate_series(1, 7) author WHERE (n + author) % 3 > 0;
INSERT INTO follow_request (id, "followerId", "followeeId") SELECT oracle.id(20000 + n), oracle.id(n), oracle.id(901) FROM generate_series(21, 25) n;
INSERT INTO blocking (id, "blockerId", "blockeeId") VALUES (oracle.id(20100), oracle.id(901), oracle.id(1)), (oracle.id(20101), oracle.id(2), oracle.id(901));
INSERT INTO note (id, "userId", visibility, "localOnly", "channelId", "replyId", "renoteId", "renoteUserId", text, "visibleUserIds")
  SELECT oracle.id(n), oracle.id(author), visibility::note_visibility_enum, local, CASE WHEN channel THEN oracle.id(950) END, oracle.id(parent), oracle.id(original), oracle.id(CASE original WHEN 9001 THEN 901 WHEN 9004 THEN 901 WHEN 9005 THEN 902 WHEN 9007 THEN 904 END), CASE WHEN original IS NULL THEN 'probe' END, ARRAY[oracle.id(26)] FROM (VALUES
    (9000, 901, 'public', false, false, NULL::int, NULL::int), (9001, 901, 'followers', false, false, NULL, NULL), (9002, 901, 'specified', false, false, NULL, NULL), (9003, 901, 'public', true, false, NULL, NULL),
    (9004, 901, 'public', false, true, NULL, NULL), (9005, 902, 'public', false, false, NULL, NULL), (9006, 903, 'public', false, false, NULL, NULL), (9007, 904, 'public', false, false, NULL, NULL),
    (9008, 905, 'home', false, false, NULL, NULL), (9009, 906, 'public', false, false, NULL, NULL), (9010, 901, 'followers', false, false, 9000, NULL), (9011, 901, 'specified', false, false, 9000, NULL),
    (9012, 901, 'followers', false, false, NULL, 9001), (9013, 907, 'public', false, false, NULL, 9005), (9014, 907, 'public', false, false, NULL, 9004), (9015, 907, 'followers', false, false, 9001, NULL),
    (9016, 907, 'public', false, false, NULL, 9007)) AS p (n, author, visibility, local, channel, parent, original);
INSERT INTO note_draft VALUES (oracle.id(9099), oracle.id(901), 'probe', 'public', '2027-01-01');
INSERT INTO oracle.probes SELECT kind, oracle.id(n) FROM (VALUES ('for followers', 9001), ('for specified users', 9002), ('not federated', 9003), ('in a channel', 9004), ('by a suspended user', 9005), ('by a deleted user', 9006),
  ('for signed-in visitors', 9007), ('older notes for followers', 9008), ('older notes hidden', 9009), ('reply for followers', 9010), ('reply for specified users', 9011), ('renote of one for followers', 9012),
  ('renote of a suspended user', 9013), ('renote out of a channel', 9014), ('reply for followers to one for those of another', 9015), ('renote of one for signed-in visitors', 9016), ('draft', 9099)) AS p (kind, n);`)
}

func misskeyStep(s *system) {
	s.t.Helper()
	a, b := s.two()
	author := []int{b, 901, 904, 905, 906, 907}[s.random.IntN(6)]
	visibility := []string{"public", "home", "followers", "specified"}[s.random.IntN(4)]
	switch n := s.random.IntN(44); {
	case n < 12:
		s.posts++
		s.exec(`INSERT INTO note (id, "userId", visibility, text, "fileIds", "localOnly", "channelId") VALUES (oracle.id($1), oracle.id($2), $3, 'note', '{f}', $4 = 0, CASE $4::int WHEN 1 THEN oracle.id(950) END)`, s.posts, a, visibility, s.random.IntN(8))
	case n < 16:
		s.posts++
		s.exec(`INSERT INTO note (id, "userId", visibility, text, "replyId", "replyUserId") SELECT oracle.id($1), oracle.id($2), $3, 'reply', id, "userId" FROM note WHERE id = oracle.id($4)`, s.posts, a, visibility, s.anyPost())
	case n < 18:
		s.posts++
		s.exec(`INSERT INTO note (id, "userId", visibility, "renoteId", "renoteUserId") SELECT oracle.id($1), oracle.id($2), $3, id, "userId" FROM note WHERE id = oracle.id($4) AND "renoteId" IS NULL`, s.posts, a, visibility, s.anyPost())
	case n < 19:
		s.posts++
		s.exec(`INSERT INTO note (id, "userId", visibility, "renoteId", "renoteUserId", text) SELECT oracle.id($1), oracle.id($2), $3, id, "userId", 'quote' FROM note WHERE id = oracle.id($4)`, s.posts, a, visibility, s.anyPost())
	case n < 25:
		s.exec(`INSERT INTO following (id, "followerId", "followeeId") SELECT oracle.id(30000 + $1 * 1000 + $2), oracle.id($1), oracle.id($2) WHERE NOT EXISTS (SELECT FROM follow_request WHERE "followerId" = oracle.id($1) AND "followeeId" = oracle.id($2)) ON CONFLICT DO NOTHING`, a, author)
	case n < 27:
		s.exec(`INSERT INTO follow_request (id, "followerId", "followeeId") SELECT oracle.id(30000 + $1 * 1000 + $2), oracle.id($1), oracle.id($2) WHERE NOT EXISTS (SELECT FROM following WHERE "followerId" = oracle.id($1) AND "followeeId" = oracle.id($2)) ON CONFLICT DO NOTHING`, a, author)
	case n < 30: // accepted, as Misskey does it
		s.exec(`INSERT INTO following (id, "followerId", "followeeId") SELECT id, "followerId", "followeeId" FROM follow_request WHERE "followerId" = oracle.id($1) ON CONFLICT DO NOTHING`, a)
		s.exec(`DELETE FROM follow_request WHERE "followerId" = oracle.id($1)`, a)
	case n < 32:
		s.exec(`DELETE FROM following WHERE "followerId" = oracle.id($1) AND "followeeId" IN (oracle.id($2), oracle.id($3))`, a, b, author)
	case n < 34:
		s.exec(`INSERT INTO blocking (id, "blockerId", "blockeeId") VALUES (oracle.id(30000 + $1 * 1000 + $2), oracle.id($1), oracle.id($2)) ON CONFLICT DO NOTHING`, a, author)
	case n < 35:
		s.exec(`DELETE FROM blocking WHERE "blockerId" = oracle.id($1)`, a)
	case n < 36:
		s.exec(`INSERT INTO muting (id, "muterId", "muteeId", "expiresAt") VALUES (oracle.id(30000 + $1 * 1000 + $2), oracle.id($1), oracle.id($2), $3) ON CONFLICT DO NOTHING`, a, author, s.expiry())
	case n < 37:
		s.exec(`DELETE FROM muting WHERE "muterId" = oracle.id($1)`, a)
	case n < 39:
		s.exec(`UPDATE note SET visibility = $2, text = text || ' (edited)' WHERE id = oracle.id($1)`, s.anyPost(), visibility)
	case n < 40:
		s.exec(`DELETE FROM note WHERE id = oracle.id($1)`, s.anyPost())
	case n < 41:
		s.exec(`UPDATE "user" SET "isSuspended" = NOT "isSuspended" WHERE id = oracle.id($1)`, a)
	case n < 42:
		s.exec(`UPDATE "user" SET "requireSigninToViewContents" = $2 = 0, "makeNotesFollowersOnlyBefore" = CASE $2::int WHEN 1 THEN -60 END, "makeNotesHiddenBefore" = CASE $2::int WHEN 2 THEN -60 END, "isLocked" = $2 > 3 WHERE id = oracle.id($1)`, a, s.random.IntN(6))
	case n < 43:
		s.exec(`INSERT INTO note_reaction (id, "userId", "noteId", reaction) SELECT oracle.id(70000 + $1 * 1000 + $2), oracle.id($1), id, ':ok:' FROM note WHERE id = oracle.id($2) ON CONFLICT DO NOTHING`, a, s.anyPost())
	default:
		s.exec(`INSERT INTO note_favorite (id, "userId", "noteId") SELECT oracle.id(70000 + $1 * 1000 + $2), oracle.id($1), id FROM note WHERE id = oracle.id($2) ON CONFLICT DO NOTHING`, a, s.anyPost())
	}
}
