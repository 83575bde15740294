//go:build nightly

package mirror

// lemmy is Lemmy: people 1 to 30 and communities 1 to 6 change at random, the other communities are those of probes.
func lemmy() application {
	return application{name: "lemmy", types: "user,follow,post,like,favorite,block", settings: []string{"TIDELINE_IDS=text"}, oracle: lemmyOracle, begin: lemmyBegin, step: lemmyStep}
}

const lemmyOracle = `
CREATE VIEW oracle.viewers AS SELECT id::text FROM person WHERE NOT deleted;
CREATE VIEW oracle.follows AS SELECT person_id::text AS viewer, target_id::text AS author FROM person_actions WHERE followed_at IS NOT NULL AND follow_pending IS NOT TRUE;
CREATE VIEW oracle.mutes AS SELECT '' AS viewer, '' AS author WHERE false;
CREATE VIEW oracle.posts AS SELECT p.* FROM post p JOIN community c ON c.id = p.community_id
  WHERE NOT (p.removed OR p.deleted OR p.nsfw OR p.federation_pending) AND p.scheduled_publish_time_at IS NULL AND NOT (c.removed OR c.deleted OR c.local_removed OR c.nsfw) AND c.visibility = 'Public';
CREATE VIEW oracle.sees AS SELECT v.id AS viewer, p.id AS post, author.id::text AS author, NULL AS original, at
  FROM (SELECT id::text FROM person UNION ALL SELECT '') v, person author JOIN (
    SELECT id::text, creator_id, published_at AS at FROM oracle.posts
    UNION ALL SELECT 'comment-' || id, creator_id, published_at FROM comment c WHERE NOT (removed OR deleted OR federation_pending) AND EXISTS (SELECT FROM oracle.posts WHERE id = c.post_id)) p ON author.id = p.creator_id
  WHERE NOT author.deleted AND NOT EXISTS (SELECT FROM person_actions b WHERE blocked_at IS NOT NULL
    AND (b.person_id::text = v.id AND b.target_id = author.id OR b.target_id::text = v.id AND b.person_id = author.id));`

func lemmyBegin(s *system) {
	s.users = 30
	s.exec(`
INSERT INTO person (id, name, ap_id, local, published_at, deleted) SELECT n, 'user' || n, 'https://example.org/u/' || n, n % 5 > 0, '2026-01-01', n = 902 FROM (SELECT generate_series(1, 30) UNION ALL SELECT generate_series(901, 902)) AS t (n);
INSERT INTO community (id, name, removed, deleted, nsfw, local_removed, visibility) SELECT n, 'c' || n, n = 11, n = 12, n = 13, n = 14,
  (CASE n WHEN 15 THEN 'Unlisted' WHEN 16 THEN 'LocalOnlyPublic' WHEN 17 THEN 'LocalOnlyPrivate' WHEN 18 THEN 'Private' ELSE 'Public' END)::community_visibility FROM (SELECT generate_series(1, 6) UNION ALL SELECT generate_series(11, 18)) AS t (n);
INSERT INTO person_actions (person_id, target_id, followed_at, follow_pending) SELECT n, author, '2026-01-01', n > 20 FROM generate_series(1, 25) n, generate_series(901, 902) author WHERE (n + author) % 3 > 0;
INSERT INTO person_actions (person_id, target_id, blocked_at) VALUES (901, 26, '2026-01-01'), (27, 901, '2026-01-01');
INSERT INTO post (id, name, ap_id, creator_id, community_id, published_at, removed, deleted, nsfw, federation_pending, scheduled_publish_time_at)
  SELECT 9000 + n, 'probe', 'https://example.org/p/' || n, CASE n WHEN 6 THEN 902 ELSE 901 END, CASE WHEN n > 10 THEN n ELSE 1 END, '2026-01-05'::timestamptz + n * interval '1 second', n = 1, n = 2, n = 3, n = 4, CASE n WHEN 5 THEN '2027-01-01'::timestamptz END
  FROM (SELECT generate_series(0, 6) UNION ALL SELECT generate_series(11, 18)) AS t (n);
INSERT INTO comment (id, content, ap_id, creator_id, post_id, published_at, removed, deleted, federation_pending)
  SELECT 9000 + n, 'probe', 'https://example.org/c/' || n, CASE n WHEN 4 THEN 902 ELSE 901 END, CASE WHEN n > 10 THEN 9000 + n - 100 ELSE 9000 END, '2026-01-06'::timestamptz + n * interval '1 second', n = 1, n = 2, n = 3
  FROM (SELECT generate_series(1, 4) UNION ALL SELECT generate_series(101, 105) UNION ALL SELECT generate_series(111, 118)) AS t (n);
INSERT INTO private_message (id, creator_id, recipient_id, content, ap_id) VALUES (9099, 901, 1, 'probe', 'https://example.org/m/1');
INSERT INTO oracle.probes SELECT kind, 9000 + n FROM (VALUES ('removed', 1), ('deleted', 2), ('nsfw', 3), ('federation pending', 4), ('scheduled', 5), ('by a deleted person', 6), ('in a removed community', 11), ('in a deleted community', 12),
  ('in an nsfw community', 13), ('in a community removed here', 14), ('in an unlisted community', 15), ('in a local community', 16), ('in a local community for members', 17), ('in a private community', 18), ('private message', 99)) AS p (kind, n);
INSERT INTO oracle.probes SELECT 'comment: ' || kind, 'comment-' || 9000 + n FROM (VALUES ('removed', 1), ('deleted', 2), ('federation pending', 3), ('by a deleted person', 4)) AS p (kind, n)
  UNION ALL SELECT 'comment on a post: ' || kind, 'comment-' || post::int + 100 FROM oracle.probes WHERE post::int BETWEEN 9001 AND 9005 OR post::int BETWEEN 9011 AND 9018;`)
}

func lemmyStep(s *system) {
	s.t.Helper()
	a, b := s.two()
	author := []int{b, 901}[s.random.IntN(2)]
	flag := []string{"removed", "deleted", "federation_pending"}[s.random.IntN(3)]
	switch n := s.random.IntN(44); {
	case n < 10:
		s.posts++
		s.exec(`INSERT INTO post (id, name, body, ap_id, creator_id, community_id, published_at, nsfw, url_content_type) SELECT $1::int, 'post', 'body', 'https://example.org/p/p' || $1, $2, $3, `+uniqueTime+`, $4 = '0', 'image/png'`, s.posts, a, 1+s.random.IntN(6), s.random.IntN(8))
	case n < 16:
		s.posts++
		s.exec(`INSERT INTO comment (id, content, ap_id, creator_id, post_id, published_at) SELECT $1::int, 'comment', 'https://example.org/c/c' || $1, $2, id, `+uniqueTime+` FROM post WHERE id = $3`, s.posts, a, s.anyPost())
	case n < 23:
		s.exec(`INSERT INTO person_actions (person_id, target_id, followed_at, follow_pending) VALUES ($1, $2, '2026-01-01', $3) ON CONFLICT (person_id, target_id) DO UPDATE SET followed_at = EXCLUDED.followed_at, follow_pending = EXCLUDED.follow_pending`,
			a, author, s.random.IntN(4) == 0)
	case n < 25:
		s.exec(`UPDATE person_actions SET follow_pending = false WHERE person_id = $1 AND followed_at IS NOT NULL`, a)
	case n < 27:
		s.exec(`UPDATE person_actions SET followed_at = NULL, follow_pending = NULL WHERE person_id = $1 AND target_id = $2`, a, author)
	case n < 29:
		s.exec(`INSERT INTO person_actions (person_id, target_id, blocked_at) VALUES ($1, $2, '2026-01-01') ON CONFLICT (person_id, target_id) DO UPDATE SET blocked_at = EXCLUDED.blocked_at`, a, author)
	case n < 31:
		s.exec(`UPDATE person_actions SET blocked_at = NULL WHERE person_id = $1`, a)
	case n < 33:
		s.exec(`UPDATE post SET `+flag+` = NOT `+flag+`, body = 'edited' WHERE id = $1`, s.anyPost())
	case n < 35:
		s.exec(`UPDATE comment SET `+flag+` = NOT `+flag+`, content = 'edited' WHERE id = $1`, s.anyPost())
	case n < 37:
		s.exec(`UPDATE community SET nsfw = $2 = '0', removed = $2 = '1', visibility = CASE $2 WHEN '2' THEN 'Private' ELSE 'Public' END::community_visibility WHERE id = $1`, 1+s.random.IntN(6), s.random.IntN(5))
	case n < 38:
		s.exec(`UPDATE post SET community_id = $2 WHERE id = $1`, s.anyPost(), 1+s.random.IntN(6))
	case n < 39:
		s.exec(`DELETE FROM post WHERE id = $1`, s.anyPost())
	case n < 40:
		s.exec(`UPDATE person SET deleted = NOT deleted WHERE id = $1`, a)
	case n < 42:
		s.exec(`INSERT INTO post_actions (person_id, post_id, voted_at, vote_is_upvote, saved_at) SELECT $1, id, '2026-03-01', $3, '2026-03-01' FROM post WHERE id = $2 ON CONFLICT (person_id, post_id) DO UPDATE SET vote_is_upvote = EXCLUDED.vote_is_upvote`, a, s.anyPost(), s.random.IntN(2) == 0)
	default:
		s.exec(`INSERT INTO comment_actions (person_id, comment_id, saved_at) SELECT $1, id, '2026-03-01' FROM comment WHERE id = $2 ON CONFLICT DO NOTHING`, a, s.anyPost())
	}
}
