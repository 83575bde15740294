package mirror

import "fmt"

// django is a system as Django makes it, with UUIDs as ids, documents as texts of posts, and answers
// that are posts. Its mapping is the proposed one.
func django() shape {
	return shape{
		schema: djangoSchema, types: "user,follow,post,like", settings: []string{"TIDELINE_IDS=text"}, feeds: djangoFeeds, step: djangoStep,
		begin: func(s *system) {
			s.users = 20
			s.exec(`INSERT INTO accounts_user SELECT key('user', n), '!', 'user' || n, 'User', n::text, true, NULL, '2026-01-01' FROM generate_series(1, 20) n`)
		},
	}
}

const djangoSchema = `
CREATE FUNCTION key(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT md5(kind || n)::uuid $$;
CREATE TABLE django_migrations (id serial PRIMARY KEY, app varchar(255) NOT NULL, name varchar(255) NOT NULL, applied timestamptz NOT NULL);
CREATE TABLE accounts_user (id uuid PRIMARY KEY, password varchar(128) NOT NULL, username varchar(150) NOT NULL UNIQUE, first_name varchar(150) NOT NULL, last_name varchar(150) NOT NULL, is_active boolean NOT NULL, last_login timestamptz, date_joined timestamptz NOT NULL);
CREATE TABLE feed_post (id uuid PRIMARY KEY, author_id uuid NOT NULL REFERENCES accounts_user ON DELETE CASCADE, parent_id uuid REFERENCES feed_post ON DELETE CASCADE, status smallint NOT NULL, content jsonb NOT NULL, published timestamptz NOT NULL, modified timestamptz NOT NULL);
CREATE TABLE feed_follow (id bigserial PRIMARY KEY, created timestamptz NOT NULL DEFAULT '2026-01-01', from_user_id uuid NOT NULL REFERENCES accounts_user ON DELETE CASCADE, to_user_id uuid NOT NULL REFERENCES accounts_user ON DELETE CASCADE, UNIQUE (from_user_id, to_user_id));
CREATE TABLE feed_post_liked_by (id bigserial PRIMARY KEY, post_id uuid NOT NULL REFERENCES feed_post ON DELETE CASCADE, user_id uuid NOT NULL REFERENCES accounts_user ON DELETE CASCADE, UNIQUE (post_id, user_id));`

const djangoFeeds = `
SELECT viewer.id::text, p.id::text FROM accounts_user viewer LEFT JOIN (
    feed_post p JOIN accounts_user author ON author.id = p.author_id AND author.is_active
  ) ON p.status = 1 AND (p.author_id = viewer.id OR EXISTS (SELECT FROM feed_follow WHERE from_user_id = viewer.id AND to_user_id = p.author_id))
WHERE viewer.is_active
ORDER BY viewer.id, p.published DESC`

// djangoStep runs one random statement.
func djangoStep(s *system) {
	s.t.Helper()
	a, b := s.two()
	switch n := s.random.IntN(34); {
	case n < 12:
		s.posts++
		s.exec(`INSERT INTO feed_post SELECT key('post', $1), key('user', $2), (SELECT id FROM feed_post WHERE id = key('post', $4)), 1, jsonb_build_object('text', $3::text), t, t FROM (SELECT `+uniqueTime+` AS t) x`,
			s.posts, s.anyone(), fmt.Sprintf("post \"%d\"", s.posts), s.anyPost()*(1+s.random.IntN(2)))
	case n < 21:
		s.exec(`INSERT INTO feed_follow (from_user_id, to_user_id) VALUES (key('user', $1), key('user', $2)) ON CONFLICT DO NOTHING`, a, b)
	case n < 23: // a changed key
		s.exec(`UPDATE feed_follow SET to_user_id = key('user', $2) WHERE id = (SELECT min(id) FROM feed_follow WHERE from_user_id = key('user', $1))
			AND NOT EXISTS (SELECT FROM feed_follow WHERE from_user_id = key('user', $1) AND to_user_id = key('user', $2))`, a, b)
	case n < 25:
		s.exec(`DELETE FROM feed_follow WHERE from_user_id = key('user', $1) AND to_user_id > key('user', $2)`, s.anyone(), s.anyone())
	case n < 27:
		s.exec(`UPDATE feed_post SET content = jsonb_set(content, '{text}', to_jsonb(content ->> 'text' || ' (edited)')), modified = '2026-04-01' WHERE id = key('post', $1)`, s.anyPost())
	case n < 29:
		s.exec(`UPDATE feed_post SET status = 1 - status WHERE id = key('post', $1)`, s.anyPost())
	case n < 30:
		s.exec(`UPDATE accounts_user SET is_active = NOT is_active WHERE id = key('user', $1)`, s.anyone())
	case n < 31:
		s.exec(`DELETE FROM feed_post WHERE id = key('post', $1)`, s.anyPost())
	default:
		s.exec(`INSERT INTO feed_post_liked_by (post_id, user_id) SELECT id, key('user', $2) FROM feed_post WHERE id = key('post', $1) ON CONFLICT DO NOTHING`, s.anyPost(), s.anyone())
	}
}
