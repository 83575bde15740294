//go:build nightly

package mirror

// django is a plain Django application: users 1 to 30 change at random, those from 901 are the authors of probes.
func django() application {
	return application{name: "django", types: "user,follow,post,like,favorite,mute,block", oracle: djangoOracle, begin: djangoBegin, step: djangoStep}
}

const djangoOracle = `
CREATE VIEW oracle.viewers AS SELECT id::text FROM users_user WHERE is_active;
CREATE VIEW oracle.follows AS SELECT user_from_id::text AS viewer, user_to_id::text AS author FROM users_follow WHERE status = 'accepted';
CREATE VIEW oracle.mutes AS SELECT muter_id::text AS viewer, muted_id::text AS author FROM users_mute;
CREATE VIEW oracle.sees AS SELECT v.id AS viewer, p.id::text AS post, author.id::text AS author, NULL AS original, p.publish AS at
  FROM (SELECT id::text FROM users_user UNION ALL SELECT '') v, blog_post p JOIN users_user author ON author.id = p.author_id AND author.is_active
  WHERE p.status = 'PB' AND p.audience IN ('public', 'followers') AND NOT p.is_removed AND (v.id = author.id::text OR p.audience = 'public' AND NOT author.is_private
    OR EXISTS (SELECT FROM oracle.follows WHERE viewer = v.id AND follows.author = p.author_id::text))
    AND NOT EXISTS (SELECT FROM users_block WHERE blocker_id::text = v.id AND blocked_id = author.id OR blocker_id = author.id AND blocked_id::text = v.id);`

func djangoBegin(s *system) {
	s.users = 30
	s.exec(`
INSERT INTO users_user (id, username, first_name, is_private, is_active, avatar, date_joined) SELECT n, 'user+' || n, 'User', n % 7 = 0 OR n = 902, n <> 903, CASE WHEN n % 2 = 0 THEN 'a.png' ELSE '' END, '2026-01-01'
  FROM (SELECT generate_series(1, 30) UNION ALL SELECT generate_series(901, 903)) AS t (n);
INSERT INTO users_follow (user_from_id, user_to_id, status, created) SELECT n, author, CASE WHEN n < 18 THEN 'accepted' WHEN n < 22 THEN 'pending' ELSE 'rejected' END, '2026-01-01' FROM generate_series(1, 25) n, generate_series(901, 903) author WHERE (n + author) % 3 > 0;
INSERT INTO users_block (blocker_id, blocked_id, created) VALUES (901, 1, '2026-01-01'), (2, 901, '2026-01-01');
INSERT INTO blog_post (id, title, slug, body, publish, created, updated, status, audience, is_removed, author_id)
  SELECT 9000 + n, 'probe', '', '', '2026-01-05'::timestamptz + n * interval '1 second', '2026-01-05', '2026-01-05', status, audience, n = 6, author
  FROM (VALUES (1, 'DF', 'public', 901), (2, 'SC', 'public', 901), (3, 'RJ', 'public', 901), (4, 'PB', 'followers', 901), (5, 'PB', 'chosen', 901), (6, 'PB', 'public', 901), (7, 'PB', 'public', 902), (8, 'PB', 'public', 903),
    (9, 'PB', 'followers', 902)) AS p (n, status, audience, author);
INSERT INTO blog_post_shared_with (post_id, user_id) VALUES (9005, 3);
INSERT INTO django_comments (id, object_pk, user_name, comment, submit_date, is_public, is_removed, content_type_id, user_id) VALUES (9099, '9004', 'user', 'probe', '2026-01-06', true, false, 1, 901);
INSERT INTO oracle.probes SELECT kind, 9000 + n FROM (VALUES ('draft', 1), ('scheduled', 2), ('rejected', 3), ('for followers', 4), ('for chosen users', 5), ('removed', 6), ('by a private user', 7), ('by an inactive user', 8),
  ('for followers, by a private user', 9), ('comment', 99)) AS p (kind, n);`)
}

func djangoStep(s *system) {
	s.t.Helper()
	a, b := s.two()
	author := []int{b, 901, 902}[s.random.IntN(3)]
	status := []string{"DF", "SC", "PB", "PB", "PB", "PB", "RJ"}[s.random.IntN(7)]
	audience := []string{"public", "public", "followers", "chosen"}[s.random.IntN(4)]
	switch n := s.random.IntN(40); {
	case n < 12:
		s.posts++
		s.exec(`INSERT INTO blog_post (id, title, slug, body, publish, created, updated, status, audience, author_id) VALUES ($1, 'post', 'post', 'body', '2026-02-01'::timestamptz + $2 * interval '1 second', '2026-02-01', '2026-02-01', $3, $4, $5)`,
			s.posts, s.random.IntN(3000), status, audience, a)
	case n < 20:
		s.exec(`INSERT INTO users_follow (user_from_id, user_to_id, status, created) VALUES ($1, $2, $3, '2026-01-01') ON CONFLICT (user_from_id, user_to_id) DO UPDATE SET status = EXCLUDED.status`,
			a, author, []string{"pending", "accepted", "accepted", "rejected"}[s.random.IntN(4)])
	case n < 22:
		s.exec(`UPDATE users_follow SET status = 'accepted' WHERE user_from_id = $1 AND status = 'pending'`, a)
	case n < 24:
		s.exec(`DELETE FROM users_follow WHERE user_from_id = $1 AND user_to_id IN ($2, $3)`, a, b, author)
	case n < 26:
		s.exec(`INSERT INTO users_block (blocker_id, blocked_id, created) VALUES ($1, $2, '2026-01-01') ON CONFLICT DO NOTHING`, a, author)
	case n < 27:
		s.exec(`DELETE FROM users_block WHERE blocker_id = $1`, a)
	case n < 28:
		s.exec(`INSERT INTO users_mute (muter_id, muted_id, created) VALUES ($1, $2, '2026-01-01') ON CONFLICT DO NOTHING`, a, author)
	case n < 29:
		s.exec(`DELETE FROM users_mute WHERE muter_id = $1`, a)
	case n < 32:
		s.exec(`UPDATE blog_post SET status = $2, audience = $3, body = 'edited' WHERE id = $1`, s.anyPost(), status, audience)
	case n < 34:
		s.exec(`UPDATE blog_post SET is_removed = NOT is_removed WHERE id = $1`, s.anyPost())
	case n < 35:
		s.exec(`DELETE FROM blog_post p WHERE id = $1 AND NOT EXISTS (SELECT FROM blog_like WHERE post_id = p.id) AND NOT EXISTS (SELECT FROM blog_bookmark WHERE post_id = p.id)`, s.anyPost())
	case n < 36:
		s.exec(`UPDATE users_user SET is_active = NOT is_active WHERE id = $1`, a)
	case n < 38:
		s.exec(`UPDATE users_user SET is_private = NOT is_private, last_login = '2026-03-01' WHERE id = $1`, a)
	case n < 39:
		s.exec(`INSERT INTO blog_like (user_id, post_id, created) SELECT $1, id, '2026-03-01' FROM blog_post WHERE id = $2 ON CONFLICT DO NOTHING`, a, s.anyPost())
	default:
		s.exec(`INSERT INTO blog_bookmark (user_id, post_id, created) SELECT $1, id, '2026-03-01' FROM blog_post WHERE id = $2 ON CONFLICT DO NOTHING`, a, s.anyPost())
	}
}
