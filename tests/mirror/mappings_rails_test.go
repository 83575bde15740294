//go:build nightly

package mirror

// plainRails is a plain Rails application: users 1 to 30 change at random, those from 901 are the authors of probes.
func plainRails() application {
	return application{name: "rails", types: "user,follow,post,like,favorite,mute,block", oracle: plainRailsOracle, begin: plainRailsBegin, step: plainRailsStep}
}

const plainRailsOracle = `
CREATE VIEW oracle.members AS SELECT * FROM users WHERE confirmed_at IS NOT NULL AND suspended_at IS NULL AND discarded_at IS NULL;
CREATE VIEW oracle.viewers AS SELECT id::text FROM oracle.members;
CREATE VIEW oracle.follows AS SELECT follower_id::text AS viewer, followed_id::text AS author FROM relationships WHERE accepted_at IS NOT NULL;
CREATE VIEW oracle.mutes AS SELECT muter_id::text AS viewer, muted_id::text AS author FROM mutes;
CREATE VIEW oracle.sees AS SELECT v.id AS viewer, p.id::text AS post, author.id::text AS author, NULL AS original, p.published_at AS at
  FROM (SELECT id::text FROM users UNION ALL SELECT '') v, posts p JOIN oracle.members author ON author.id = p.user_id
  WHERE p.status = 2 AND p.visibility < 2 AND p.group_id IS NULL AND p.discarded_at IS NULL AND (v.id = author.id::text OR p.hidden_at IS NULL
    AND (p.visibility = 0 AND NOT author.private OR EXISTS (SELECT FROM oracle.follows WHERE viewer = v.id AND follows.author = p.user_id::text)))
    AND NOT EXISTS (SELECT FROM blocks WHERE blocker_id::text = v.id AND blocked_id = author.id OR blocker_id = author.id AND blocked_id::text = v.id);`

func plainRailsBegin(s *system) {
	s.users = 30
	s.exec(`
INSERT INTO users (id, email, username, private, confirmed_at, suspended_at, discarded_at, created_at, updated_at)
  SELECT n, n || '@example.org', 'user' || n, n % 7 = 0 OR n = 902, CASE WHEN n <> 903 THEN '2026-01-01'::timestamp END, CASE n WHEN 904 THEN '2026-01-02'::timestamp END, CASE n WHEN 905 THEN '2026-01-02'::timestamp END, '2026-01-01', '2026-01-01'
  FROM (SELECT generate_series(1, 30) UNION ALL SELECT generate_series(901, 905)) AS t (n);
INSERT INTO groups VALUES (1, 'group', '2026-01-01', '2026-01-01');
INSERT INTO relationships (follower_id, followed_id, accepted_at, created_at, updated_at) SELECT n, author, CASE WHEN n < 21 THEN '2026-01-02'::timestamp END, '2026-01-01', '2026-01-01' FROM generate_series(1, 25) n, generate_series(901, 905) author WHERE (n + author) % 3 > 0;
INSERT INTO blocks (blocker_id, blocked_id, created_at, updated_at) VALUES (901, 1, '2026-01-01', '2026-01-01'), (2, 901, '2026-01-01', '2026-01-01');
INSERT INTO posts (id, user_id, group_id, title, status, visibility, published_at, hidden_at, discarded_at, created_at, updated_at)
  SELECT 9000 + n, author, CASE n WHEN 7 THEN 1 END, 'probe', status, visibility, '2026-01-05'::timestamp + n * interval '1 second', CASE n WHEN 8 THEN '2026-01-06'::timestamp END, CASE n WHEN 9 THEN '2026-01-06'::timestamp END, '2026-01-05', '2026-01-05'
  FROM (VALUES (1, 901, 0, 0), (2, 901, 1, 0), (3, 901, 3, 0), (4, 901, 2, 1), (5, 901, 2, 2), (6, 902, 2, 0), (7, 901, 2, 0), (8, 901, 2, 0), (9, 901, 2, 0), (10, 903, 2, 0), (11, 904, 2, 0), (12, 905, 2, 0), (13, 902, 2, 1)) AS p (n, author, status, visibility);
INSERT INTO comments (id, user_id, post_id, body, created_at, updated_at) VALUES (9099, 901, 9004, 'probe', '2026-01-07', '2026-01-07');
INSERT INTO oracle.probes SELECT kind, 9000 + n FROM (VALUES ('draft', 1), ('scheduled', 2), ('archived', 3), ('for followers', 4), ('only me', 5), ('by a private user', 6), ('in a group', 7), ('hidden by a moderator', 8), ('discarded', 9),
  ('by an unconfirmed user', 10), ('by a suspended user', 11), ('by a discarded user', 12), ('for followers, by a private user', 13), ('comment', 99)) AS p (kind, n);`)
}

func plainRailsStep(s *system) {
	s.t.Helper()
	a, b := s.two()
	author := []int{b, 901, 902}[s.random.IntN(3)]
	column := []string{"hidden_at", "discarded_at"}[s.random.IntN(2)]
	switch n := s.random.IntN(40); {
	case n < 12:
		s.posts++
		s.exec(`INSERT INTO posts (id, user_id, group_id, title, body, status, visibility, published_at, created_at, updated_at) VALUES ($1, $2, CASE $3::int WHEN 0 THEN 1 END, 'post', 'body', $4, $5, '2026-02-01'::timestamp + $6 * interval '1 second', '2026-02-01', '2026-02-01')`,
			s.posts, a, s.random.IntN(8), []int{0, 1, 2, 2, 2, 2, 3}[s.random.IntN(7)], s.random.IntN(3), s.random.IntN(3000))
	case n < 19:
		s.exec(`INSERT INTO relationships (follower_id, followed_id, accepted_at, created_at, updated_at) VALUES ($1, $2, CASE WHEN $3::int > 0 THEN '2026-01-02'::timestamp END, '2026-01-01', '2026-01-01') ON CONFLICT DO NOTHING`, a, author, s.random.IntN(3))
	case n < 21:
		s.exec(`UPDATE relationships SET accepted_at = '2026-01-03' WHERE follower_id = $1`, a)
	case n < 23:
		s.exec(`DELETE FROM relationships WHERE follower_id = $1 AND followed_id IN ($2, $3)`, a, b, author)
	case n < 25:
		s.exec(`INSERT INTO blocks (blocker_id, blocked_id, created_at, updated_at) VALUES ($1, $2, '2026-01-01', '2026-01-01') ON CONFLICT DO NOTHING`, a, author)
	case n < 26:
		s.exec(`DELETE FROM blocks WHERE blocker_id = $1`, a)
	case n < 27:
		s.exec(`INSERT INTO mutes (muter_id, muted_id, created_at, updated_at) VALUES ($1, $2, '2026-01-01', '2026-01-01') ON CONFLICT DO NOTHING`, a, author)
	case n < 28:
		s.exec(`DELETE FROM mutes WHERE muter_id = $1`, a)
	case n < 31:
		s.exec(`UPDATE posts SET status = $2, visibility = $3, body = 'edited' WHERE id = $1`, s.anyPost(), 1+s.random.IntN(3), s.random.IntN(3))
	case n < 33:
		s.exec(`UPDATE posts SET `+column+` = CASE WHEN `+column+` IS NULL THEN '2026-03-01'::timestamp END WHERE id = $1`, s.anyPost())
	case n < 34:
		s.exec(`DELETE FROM posts WHERE id = $1`, s.anyPost())
	case n < 35:
		s.exec(`UPDATE users SET suspended_at = CASE WHEN suspended_at IS NULL THEN '2026-03-01'::timestamp END WHERE id = $1`, a)
	case n < 37:
		s.exec(`UPDATE users SET private = NOT private WHERE id = $1`, a)
	case n < 38:
		s.exec(`UPDATE users SET discarded_at = CASE WHEN discarded_at IS NULL THEN '2026-03-01'::timestamp END, confirmed_at = CASE WHEN id % 2 = 0 THEN confirmed_at END WHERE id = $1 AND id % 5 = 0`, a)
	case n < 39:
		s.exec(`INSERT INTO likes (user_id, likeable_type, likeable_id, created_at, updated_at) SELECT $1, CASE WHEN id % 4 = 0 THEN 'Comment' ELSE 'Post' END, id, '2026-03-01', '2026-03-01' FROM posts WHERE id = $2 ON CONFLICT DO NOTHING`, a, s.anyPost())
	default:
		s.exec(`INSERT INTO bookmarks (user_id, post_id, created_at, updated_at) SELECT $1, id, '2026-03-01', '2026-03-01' FROM posts WHERE id = $2 ON CONFLICT DO NOTHING`, a, s.anyPost())
	}
}
