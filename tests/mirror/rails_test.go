package mirror

import "fmt"

// rails is a system as Rails makes it: numbers as ids, which posts and comments share, times without
// zone, soft deletion, and likes of anything. Its mapping is the proposed one.
func rails() shape {
	return shape{
		schema: railsSchema, types: "user,follow,post,like", settings: []string{"TIDELINE_IDS=text"}, feeds: railsFeeds, step: railsStep,
		begin: func(s *system) {
			s.users, s.posts = 20, 5
			s.exec(`INSERT INTO users SELECT n, 'user' || n, 'User ' || n, NULL, '2026-01-02', NULL, '2026-01-01', '2026-01-01' FROM generate_series(1, 20) n`)
		},
	}
}

const railsSchema = `
CREATE TABLE schema_migrations (version varchar PRIMARY KEY);
CREATE TABLE users (id bigint PRIMARY KEY, username varchar NOT NULL, display_name varchar, avatar_url varchar, last_sign_in_at timestamp, discarded_at timestamp, created_at timestamp NOT NULL, updated_at timestamp NOT NULL);
CREATE UNIQUE INDEX index_users_on_username ON users (username);
CREATE TABLE posts (id bigint PRIMARY KEY, user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, body text NOT NULL, image_url varchar, comments_count integer NOT NULL DEFAULT 0, discarded_at timestamp, created_at timestamp NOT NULL, updated_at timestamp NOT NULL);
CREATE TABLE comments (id bigint PRIMARY KEY, user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, post_id bigint NOT NULL REFERENCES posts ON DELETE CASCADE, body text NOT NULL, discarded_at timestamp, created_at timestamp NOT NULL, updated_at timestamp NOT NULL);
CREATE TABLE relationships (id bigserial PRIMARY KEY, follower_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, followed_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, created_at timestamp NOT NULL DEFAULT '2026-01-01', updated_at timestamp NOT NULL DEFAULT '2026-01-01');
CREATE UNIQUE INDEX index_relationships_on_follower_id_and_followed_id ON relationships (follower_id, followed_id);
CREATE TABLE likes (user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, likeable_type varchar NOT NULL, likeable_id bigint NOT NULL, created_at timestamp NOT NULL DEFAULT '2026-01-01', PRIMARY KEY (user_id, likeable_type, likeable_id));`

const railsFeeds = `
SELECT viewer.id::text, p.id FROM users viewer LEFT JOIN (
    (SELECT id::text, user_id, created_at FROM posts WHERE discarded_at IS NULL UNION ALL SELECT 'comment-' || id, user_id, created_at FROM comments WHERE discarded_at IS NULL) p
    JOIN users author ON author.id = p.user_id AND author.discarded_at IS NULL
  ) ON p.user_id = viewer.id OR EXISTS (SELECT FROM relationships WHERE follower_id = viewer.id AND followed_id = p.user_id)
WHERE viewer.discarded_at IS NULL
ORDER BY viewer.id, p.created_at DESC`

// railsStep runs one random statement.
func railsStep(s *system) {
	s.t.Helper()
	table := []string{"posts", "comments"}[s.random.IntN(2)]
	a, b := s.two()
	switch n := s.random.IntN(34); {
	case n < 10:
		s.posts++
		s.exec(`INSERT INTO posts SELECT $1, $2, $3, 'https://example.com/a.png', 0, NULL, t, t FROM (SELECT `+uniqueTime+` AS t) x`, s.posts, s.anyone(), fmt.Sprintf("post\n%d", s.posts))
	case n < 14: // with the id of a post
		s.posts++
		s.exec(`INSERT INTO comments SELECT $1 - 5, $2, id, 'yes', NULL, t, t FROM posts, (SELECT `+uniqueTime+` AS t) x WHERE id = $3`, s.posts, s.anyone(), s.anyPost())
	case n < 22:
		s.exec(`INSERT INTO relationships (follower_id, followed_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, a, b)
	case n < 24: // a changed key
		s.exec(`UPDATE relationships r SET followed_id = $2 WHERE follower_id = $1 AND id = (SELECT min(id) FROM relationships WHERE follower_id = $1)
			AND NOT EXISTS (SELECT FROM relationships WHERE follower_id = $1 AND followed_id = $2)`, a, b)
	case n < 26:
		s.exec(`DELETE FROM relationships WHERE follower_id = $1 AND followed_id > $2`, s.anyone(), s.anyone())
	case n < 28:
		s.exec(`UPDATE `+table+` SET body = body || ' (edited)', updated_at = '2026-04-01' WHERE id = $1`, s.anyPost())
	case n < 30:
		s.exec(`UPDATE `+table+` SET discarded_at = CASE WHEN discarded_at IS NULL THEN '2026-04-01'::timestamp END WHERE id = $1`, s.anyPost())
	case n < 31:
		s.exec(`UPDATE users SET discarded_at = CASE WHEN discarded_at IS NULL THEN '2026-04-01'::timestamp END WHERE id = $1`, s.anyone())
	case n < 32:
		s.exec(`DELETE FROM `+table+` WHERE id = $1`, s.anyPost())
	default:
		s.exec(`INSERT INTO likes VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, s.anyone(), []string{"Post", "Comment"}[s.random.IntN(2)], s.anyPost())
	}
}

// uniqueTime is a time for the post whose number is $1. No two have the same, since text ids of equal
// times are in an order that only Tideline knows.
const uniqueTime = `'2026-02-01'::timestamptz + ($1 * 7919 % 100003) * interval '1 second'`
