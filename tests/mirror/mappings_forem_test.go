//go:build nightly

package mirror

// forem is Forem: users 1 to 30 change at random, those from 901 are the authors of probes.
func forem() application {
	return application{
		name: "forem", types: "user,follow,post,like,favorite,block", oracle: foremOracle, begin: foremBegin, step: foremStep,
		last: `INSERT INTO articles (id, user_id, title, published, published_at, created_at, updated_at) VALUES (9008, 901, 'probe', true, '2100-01-01', '2026-01-05', '2026-01-05');
			INSERT INTO oracle.probes VALUES ('scheduled', '9008')`,
	}
}

const foremOracle = `
CREATE VIEW oracle.members AS SELECT * FROM users u WHERE registered AND NOT EXISTS (SELECT FROM users_roles JOIN roles ON roles.id = role_id WHERE user_id = u.id AND roles.name IN ('suspended', 'spam'));
CREATE VIEW oracle.viewers AS SELECT id::text FROM oracle.members;
CREATE VIEW oracle.follows AS SELECT follower_id::text AS viewer, followable_id::text AS author FROM follows WHERE NOT blocked AND followable_type = 'User' AND follower_type = 'User';
CREATE VIEW oracle.mutes AS SELECT '' AS viewer, '' AS author WHERE false;
CREATE VIEW oracle.sees AS SELECT v.id AS viewer, a.id::text AS post, author.id::text AS author, NULL AS original, a.published_at AS at
  FROM (SELECT id::text FROM users UNION ALL SELECT '') v, articles a JOIN oracle.members author ON author.id = a.user_id
  WHERE a.published AND a.published_at < now() AND a.password IS NULL
    AND NOT EXISTS (SELECT FROM user_blocks WHERE blocker_id::text = v.id AND blocked_id = author.id OR blocker_id = author.id AND blocked_id::text = v.id);`

func foremBegin(s *system) {
	s.users = 30
	s.exec(`
INSERT INTO users (id, username, name, registered, created_at, updated_at) SELECT n, 'user' || n, 'User', CASE n WHEN 903 THEN false WHEN 904 THEN NULL ELSE true END, '2026-01-01', '2026-01-01' FROM (SELECT generate_series(1, 30) UNION ALL SELECT generate_series(901, 905)) AS t (n);
INSERT INTO roles (id, name) VALUES (1, 'suspended'), (2, 'spam'), (3, 'trusted');
INSERT INTO users_roles (user_id, role_id) VALUES (902, 1), (905, 2), (901, 3);
INSERT INTO follows (follower_id, follower_type, followable_id, followable_type, blocked, created_at) SELECT n, 'User', author, CASE WHEN n > 22 THEN 'Organization' ELSE 'User' END, n > 20, '2026-01-01' FROM generate_series(1, 25) n, generate_series(901, 905) author WHERE (n + author) % 3 > 0;
INSERT INTO user_blocks (blocker_id, blocked_id, created_at, updated_at) VALUES (901, 1, '2026-01-01', '2026-01-01'), (2, 901, '2026-01-01', '2026-01-01');
INSERT INTO articles (id, user_id, title, published, published_at, password, created_at, updated_at) SELECT 9000 + n, author, 'probe', published, '2026-01-05'::timestamp + n * interval '1 second', CASE n WHEN 3 THEN 'secret' END, '2026-01-05', '2026-01-05'
  FROM (VALUES (1, 901, false), (2, 901, NULL), (3, 901, true), (4, 902, true), (5, 903, true), (6, 904, true), (7, 905, true)) AS p (n, author, published);
INSERT INTO comments (id, user_id, commentable_id, commentable_type, body_markdown, created_at, updated_at) VALUES (9099, 901, 9001, 'Article', 'probe', '2026-01-06', '2026-01-06');
INSERT INTO oracle.probes SELECT kind, 9000 + n FROM (VALUES ('draft', 1), ('neither draft nor published', 2), ('with a password', 3), ('by a suspended user', 4), ('by an invited user', 5), ('by a user who is perhaps registered', 6), ('by a spammer', 7),
  ('comment', 99)) AS p (kind, n);`)
}

func foremStep(s *system) {
	s.t.Helper()
	a, b := s.two()
	author := []int{b, 901}[s.random.IntN(2)]
	switch n := s.random.IntN(38); {
	case n < 12:
		s.posts++
		s.exec(`INSERT INTO articles (id, user_id, title, body_markdown, published, published_at, main_image, created_at, updated_at) VALUES ($1, $2, 'article', 'body', $3, '2026-02-01'::timestamp + $4 * interval '1 second', 'https://example.org/a.png', '2026-02-01', '2026-02-01')`,
			s.posts, a, s.random.IntN(4) > 0, s.random.IntN(3000))
	case n < 19:
		s.exec(`INSERT INTO follows (follower_id, follower_type, followable_id, followable_type, created_at) VALUES ($1, 'User', $2, $3, '2026-01-01') ON CONFLICT DO NOTHING`, a, author, []string{"User", "User", "User", "ActsAsTaggableOn::Tag"}[s.random.IntN(4)])
	case n < 21:
		s.exec(`UPDATE follows SET blocked = NOT blocked WHERE follower_id = $1 AND followable_id = $2`, a, author)
	case n < 23:
		s.exec(`DELETE FROM follows WHERE follower_id = $1 AND followable_id IN ($2, $3)`, a, b, author)
	case n < 25:
		s.exec(`INSERT INTO user_blocks (blocker_id, blocked_id, created_at, updated_at) VALUES ($1, $2, '2026-01-01', '2026-01-01') ON CONFLICT DO NOTHING`, a, author)
	case n < 26:
		s.exec(`DELETE FROM user_blocks WHERE blocker_id = $1`, a)
	case n < 30:
		s.exec(`UPDATE articles SET published = NOT published, body_markdown = body_markdown || ' (edited)', edited_at = '2026-03-01' WHERE id = $1`, s.anyPost())
	case n < 31:
		s.exec(`UPDATE articles SET password = CASE WHEN password IS NULL THEN 'secret' END, score = score - 10 WHERE id = $1`, s.anyPost())
	case n < 32:
		s.exec(`DELETE FROM articles WHERE id = $1`, s.anyPost())
	case n < 33:
		s.exec(`INSERT INTO users_roles (user_id, role_id) VALUES ($1, $2)`, a, 1+s.random.IntN(3))
	case n < 35:
		s.exec(`DELETE FROM users_roles WHERE user_id = $1`, a)
	case n < 36:
		s.exec(`UPDATE users SET registered = NOT registered WHERE id = $1 AND id % 4 = 0`, a)
	default:
		s.exec(`INSERT INTO reactions (user_id, reactable_id, reactable_type, category, status, created_at, updated_at) SELECT $1, id, 'Article', $3, $4, '2026-03-01', '2026-03-01' FROM articles WHERE id = $2 ON CONFLICT DO NOTHING`,
			a, s.anyPost(), []string{"like", "unicorn", "readinglist"}[s.random.IntN(3)], []string{"valid", "invalid"}[s.random.IntN(2)])
	}
}
