//go:build nightly

package mirror

// pixelfed is Pixelfed: profiles 1 to 30 change at random, those from 901 are the authors of probes.
func pixelfed() application {
	return application{name: "pixelfed", types: "user,follow,post,like,favorite,mute,block", oracle: pixelfedOracle, begin: pixelfedBegin, step: pixelfedStep}
}

// A status is open to a viewer by its own profile and scope; a share needs an open original, too.
const pixelfedOracle = `
CREATE VIEW oracle.viewers AS SELECT id::text FROM profiles WHERE status IS NULL AND deleted_at IS NULL;
CREATE VIEW oracle.follows AS SELECT profile_id::text AS viewer, following_id::text AS author FROM followers;
CREATE VIEW oracle.mutes AS SELECT user_id::text AS viewer, filterable_id::text AS author FROM user_filters WHERE filter_type = 'mute' AND filterable_type = 'App\Profile';
CREATE VIEW oracle.open AS SELECT v.id AS viewer, s.* FROM (SELECT id FROM profiles UNION ALL SELECT 0) v, statuses s JOIN profiles author ON author.id = s.profile_id AND author.status IS NULL AND author.deleted_at IS NULL
  WHERE s.deleted_at IS NULL AND s.scope IN ('public', 'unlisted', 'private') AND s.visibility IN ('public', 'unlisted', 'private') AND coalesce(s.type, '') NOT LIKE 'story%' AND NOT (coalesce(s.type, '') = 'reply' AND s.in_reply_to_id IS NULL)
    AND (author.id = v.id OR EXISTS (SELECT FROM followers WHERE profile_id = v.id AND following_id = author.id) OR s.scope <> 'private' AND s.visibility <> 'private' AND NOT author.is_private AND NOT author.unlisted)
    AND NOT EXISTS (SELECT FROM user_filters WHERE filter_type = 'block' AND filterable_type = 'App\Profile' AND (user_id = v.id AND filterable_id = author.id OR user_id = author.id AND filterable_id = v.id));
CREATE VIEW oracle.sees AS SELECT CASE viewer WHEN 0 THEN '' ELSE viewer::text END AS viewer, id::text AS post, profile_id::text AS author, created_at AS at,
  (SELECT profile_id::text FROM statuses WHERE id = o.reblog_of_id) AS original FROM oracle.open o
  WHERE reblog_of_id IS NULL OR EXISTS (SELECT FROM oracle.open WHERE viewer = o.viewer AND id = o.reblog_of_id);`

func pixelfedBegin(s *system) {
	s.users = 30
	s.exec(`
INSERT INTO profiles (id, username, domain, is_private, unlisted, status, deleted_at, created_at) SELECT n, 'user' || n, CASE WHEN n % 5 = 0 THEN 'example.org' END, n % 7 = 0 OR n = 902, n = 903, CASE n WHEN 904 THEN 'suspended' END,
  CASE n WHEN 905 THEN '2026-01-02'::timestamp END, '2026-01-01' FROM (SELECT generate_series(1, 30) UNION ALL SELECT generate_series(901, 906)) AS t (n);
INSERT INTO followers (profile_id, following_id, created_at) SELECT n, author, '2026-01-01' FROM generate_series(1, 20) n, generate_series(901, 906) author WHERE (n + author) % 3 > 0;
INSERT INTO follow_requests (follower_id, following_id, is_rejected, created_at) SELECT n, 902, n > 23, '2026-01-01' FROM generate_series(21, 25) n;
INSERT INTO user_filters (user_id, filterable_id, filterable_type, filter_type, created_at) VALUES (901, 1, 'App\Profile', 'block', '2026-01-01'), (2, 901, 'App\Profile', 'block', '2026-01-01'), (3, 901, 'App\Instance', 'block', '2026-01-01');
INSERT INTO statuses (id, profile_id, scope, visibility, type, in_reply_to_id, reblog_of_id, deleted_at, caption, created_at)
  SELECT 9000 + n, author, scope, CASE scope WHEN 'archived' THEN 'draft' ELSE scope END, type, parent, original, CASE n WHEN 5 THEN '2026-01-06'::timestamp END, CASE WHEN original IS NULL THEN 'probe' END, '2026-01-05'::timestamp + n * interval '1 second'
  FROM (VALUES (0, 901, 'public', 'photo', NULL::bigint, NULL::bigint), (1, 901, 'private', 'photo', NULL, NULL), (2, 901, 'direct', 'text', NULL, NULL), (3, 901, 'draft', 'photo', NULL, NULL), (4, 901, 'archived', 'photo', NULL, NULL),
    (5, 901, 'public', 'photo', NULL, NULL), (6, 902, 'public', 'photo', NULL, NULL), (7, 903, 'public', 'photo', NULL, NULL), (8, 904, 'public', 'photo', NULL, NULL), (9, 905, 'public', 'photo', NULL, NULL), (10, 901, 'public', 'story:reply', NULL, NULL),
    (11, 901, 'private', 'reply', 9000, NULL), (12, 901, 'public', 'reply', NULL, NULL), (13, 901, 'direct', 'reply', 9000, NULL), (14, 906, 'public', 'share', NULL, 9006), (15, 906, 'public', 'share', NULL, 9008), (16, 901, 'private', 'share', NULL, 9001))
    AS p (n, author, scope, type, parent, original);
INSERT INTO oracle.probes SELECT kind, 9000 + n FROM (VALUES ('for followers', 1), ('direct', 2), ('draft', 3), ('archived', 4), ('deleted', 5), ('by a private profile', 6), ('by an unlisted profile', 7), ('by a suspended profile', 8),
  ('by a deleted profile', 9), ('about a story', 10), ('comment for followers', 11), ('comment without its post', 12), ('direct comment', 13), ('share of a private profile', 14), ('share of a suspended profile', 15), ('share of one for followers', 16)) AS p (kind, n);`)
}

func pixelfedStep(s *system) {
	s.t.Helper()
	a, b := s.two()
	author := []int{b, 901, 902, 903, 906}[s.random.IntN(5)]
	scope := []string{"public", "unlisted", "private", "direct", "draft"}[s.random.IntN(5)]
	filter := []string{"block", "mute"}[s.random.IntN(2)]
	const at = `'2026-02-01'::timestamp + $2 * interval '1 second'`
	switch n := s.random.IntN(44); {
	case n < 11:
		s.posts++
		s.exec(`INSERT INTO statuses (id, created_at, profile_id, scope, visibility, type, language) VALUES ($1, `+at+`, $3, $4, $4, 'photo', 'en')`, s.posts, s.random.IntN(3000), a, scope)
	case n < 15:
		s.posts++
		s.exec(`INSERT INTO statuses (id, created_at, profile_id, scope, visibility, type, caption, in_reply_to_id, in_reply_to_profile_id) SELECT $1, `+at+`, $3, $4, $4, 'reply', 'comment', id, profile_id FROM statuses WHERE id = $5 AND reblog_of_id IS NULL`,
			s.posts, s.random.IntN(3000), a, scope, s.anyPost())
	case n < 17:
		s.posts++
		s.exec(`INSERT INTO statuses (id, created_at, profile_id, scope, visibility, type, reblog_of_id) SELECT $1, `+at+`, $3, 'public', 'public', 'share', id FROM statuses WHERE id = $4 AND reblog_of_id IS NULL`, s.posts, s.random.IntN(3000), a, s.anyPost())
	case n < 23:
		s.exec(`INSERT INTO followers (profile_id, following_id, created_at) SELECT $1, $2, '2026-01-01' WHERE NOT EXISTS (SELECT FROM follow_requests WHERE follower_id = $1 AND following_id = $2) ON CONFLICT DO NOTHING`, a, author)
	case n < 26:
		s.exec(`INSERT INTO follow_requests (follower_id, following_id, created_at) SELECT $1, $2, '2026-01-01' WHERE NOT EXISTS (SELECT FROM followers WHERE profile_id = $1 AND following_id = $2) AND NOT EXISTS (SELECT FROM follow_requests WHERE follower_id = $1 AND following_id = $2)`, a, author)
	case n < 29: // accepted, as Pixelfed does it here and for others
		s.exec(`INSERT INTO followers (profile_id, following_id, created_at) SELECT follower_id, following_id, '2026-01-02' FROM follow_requests WHERE follower_id = $1 AND handled_at IS NULL AND NOT is_rejected ON CONFLICT DO NOTHING`, a)
		s.exec([]string{`DELETE FROM follow_requests WHERE follower_id = $1`, `UPDATE follow_requests SET handled_at = '2026-01-02' WHERE follower_id = $1`}[s.random.IntN(2)], a)
	case n < 31:
		s.exec(`DELETE FROM followers WHERE profile_id = $1 AND following_id IN ($2, $3)`, a, b, author)
	case n < 33:
		s.exec(`INSERT INTO user_filters (user_id, filterable_id, filterable_type, filter_type, created_at) VALUES ($1, $2, 'App\Profile', $3, '2026-01-01') ON CONFLICT DO NOTHING`, a, author, filter)
	case n < 35:
		s.exec(`DELETE FROM user_filters WHERE user_id = $1`, a)
	case n < 37:
		s.exec(`UPDATE statuses SET scope = $2, visibility = $2, caption = 'edited', edited_at = '2026-03-01' WHERE id = $1 AND reblog_of_id IS NULL`, s.anyPost(), scope)
	case n < 38:
		s.exec(`UPDATE statuses SET scope = 'archived', visibility = 'draft' WHERE id = $1 AND reblog_of_id IS NULL`, s.anyPost())
	case n < 39:
		s.exec(`UPDATE statuses SET deleted_at = CASE WHEN deleted_at IS NULL THEN '2026-03-01'::timestamp END WHERE id = $1`, s.anyPost())
	case n < 40:
		id := s.anyPost()
		s.exec(`UPDATE statuses SET in_reply_to_id = NULL WHERE in_reply_to_id = $1`, id)
		s.exec(`DELETE FROM statuses WHERE id = $1`, id)
	case n < 41:
		s.exec(`UPDATE profiles SET status = CASE WHEN status IS NULL THEN 'disabled' END WHERE id = $1`, a)
	case n < 42:
		s.exec(`UPDATE profiles SET is_private = NOT is_private, unlisted = id % 3 = 0 AND NOT unlisted WHERE id = $1`, a)
	case n < 43:
		s.exec(`INSERT INTO likes (profile_id, status_id, created_at) SELECT $1, id, '2026-03-01' FROM statuses WHERE id = $2 ON CONFLICT (profile_id, status_id) DO UPDATE SET deleted_at = CASE WHEN likes.deleted_at IS NULL THEN '2026-03-02'::timestamp END`, a, s.anyPost())
	default:
		s.exec(`INSERT INTO bookmarks (profile_id, status_id, created_at) SELECT $1, id, '2026-03-01' FROM statuses WHERE id = $2 ON CONFLICT DO NOTHING`, a, s.anyPost())
	}
}
