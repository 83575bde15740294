package mirror

// mastodon is Mastodon: accounts 1 to 30 change at random, those from 901 are the authors of probes.
func mastodon() application {
	return application{name: "mastodon", types: "user,follow,post,like,favorite,mute,block,list,list_member", oracle: mastodonOracle, begin: mastodonBegin, step: mastodonStep}
}

// A status is open to a viewer by its own account and visibility; a boost needs an open original, too.
const mastodonOracle = `
CREATE VIEW oracle.viewers AS SELECT id::text FROM accounts WHERE suspended_at IS NULL;
CREATE VIEW oracle.follows AS SELECT account_id::text AS viewer, target_account_id::text AS author FROM follows;
CREATE OR REPLACE VIEW oracle.hides AS SELECT account_id::text AS viewer, target_account_id::text AS author FROM follows WHERE NOT show_reblogs;
CREATE OR REPLACE VIEW oracle.lacks AS SELECT l.account_id::text AS viewer, a.account_id::text AS author FROM lists l JOIN list_accounts a ON a.list_id = l.id WHERE l.exclusive;
CREATE VIEW oracle.mutes AS SELECT account_id::text AS viewer, target_account_id::text AS author FROM mutes WHERE expires_at IS NULL OR expires_at > now();
CREATE VIEW oracle.open AS SELECT v.id AS viewer, s.* FROM (SELECT id FROM accounts UNION ALL SELECT 0) v, statuses s JOIN accounts author ON author.id = s.account_id
  WHERE author.suspended_at IS NULL AND s.deleted_at IS NULL AND s.visibility IN (0, 1, 2) AND (NOT s.reply OR s.in_reply_to_id IS NOT NULL)
    AND (s.account_id = v.id OR EXISTS (SELECT FROM follows WHERE account_id = v.id AND target_account_id = s.account_id) OR s.visibility < 2 AND author.silenced_at IS NULL)
    AND NOT EXISTS (SELECT FROM blocks WHERE account_id = v.id AND target_account_id = s.account_id OR account_id = s.account_id AND target_account_id = v.id);
CREATE VIEW oracle.sees AS SELECT CASE viewer WHEN 0 THEN '' ELSE viewer::text END AS viewer, id::text AS post, account_id::text AS author, created_at AS at,
  (SELECT account_id::text FROM statuses WHERE id = o.reblog_of_id) AS original FROM oracle.open o
  WHERE reblog_of_id IS NULL OR EXISTS (SELECT FROM oracle.open WHERE viewer = o.viewer AND id = o.reblog_of_id);`

func mastodonBegin(s *system) {
	s.users = 30
	s.exec(`
INSERT INTO accounts (id, username, domain, display_name, locked, silenced_at, suspended_at, created_at, updated_at, fields)
  SELECT n, 'user' || n, CASE WHEN n % 5 = 0 THEN 'example.org' END, '', n % 3 = 0, NULL::timestamp, NULL::timestamp, '2026-01-01'::timestamp, '2026-01-01'::timestamp, '[]'::jsonb FROM generate_series(1, 30) n
  UNION ALL SELECT 901, 'open', NULL, 'Open', true, NULL, NULL, '2026-01-01', '2026-01-01', NULL
  UNION ALL SELECT 902, 'suspended', NULL, 'Suspended', false, NULL, '2026-01-02', '2026-01-01', '2026-01-01', NULL
  UNION ALL SELECT 903, 'limited', NULL, 'Limited', false, '2026-01-02', NULL, '2026-01-01', '2026-01-01', NULL
  UNION ALL SELECT 904, 'booster', NULL, 'Booster', false, NULL, NULL, '2026-01-01', '2026-01-01', NULL;
INSERT INTO follows (account_id, target_account_id, created_at, updated_at) SELECT n, author, '2026-01-01', '2026-01-01' FROM generate_series(1, 20) n, generate_series(901, 904) author WHERE (n + author) % 3 > 0;
INSERT INTO follow_requests (account_id, target_account_id, created_at, updated_at) SELECT n, 901, '2026-01-01', '2026-01-01' FROM generate_series(21, 25) n;
INSERT INTO lists (id, account_id, title, created_at, updated_at, exclusive) SELECT 1000 + n, n, 'List', '2026-01-01', '2026-01-01', n % 2 = 0 FROM generate_series(1, 10) n;
INSERT INTO list_accounts (list_id, account_id, follow_id) SELECT 1000 + account_id, target_account_id, id FROM follows WHERE account_id <= 10 AND target_account_id % 2 = 0;
INSERT INTO blocks (account_id, target_account_id, created_at, updated_at) VALUES (901, 1, '2026-01-01', '2026-01-01'), (2, 901, '2026-01-01', '2026-01-01');
INSERT INTO statuses (id, account_id, visibility, in_reply_to_id, reply, reblog_of_id, deleted_at, text, created_at, updated_at)
  SELECT id, account, visibility, parent, reply, original, deleted::timestamp, CASE WHEN original IS NULL THEN 'probe' ELSE '' END, '2026-01-05'::timestamp + id * interval '1 ms', '2026-01-05' FROM (VALUES
    (9000, 901, 0, NULL::bigint, false, NULL::bigint, NULL::timestamp), (9001, 901, 2, NULL, false, NULL, NULL), (9002, 901, 3, NULL, false, NULL, NULL), (9003, 901, 4, NULL, false, NULL, NULL),
    (9004, 901, 0, NULL, false, NULL, '2026-01-06'), (9005, 902, 0, NULL, false, NULL, NULL), (9006, 903, 1, NULL, false, NULL, NULL), (9007, 901, 2, 9000, true, NULL, NULL),
    (9008, 901, 3, 9000, true, NULL, NULL), (9009, 901, 0, NULL, true, NULL, NULL), (9010, 901, 2, NULL, false, 9001, NULL), (9011, 904, 0, NULL, false, 9005, NULL),
    (9012, 904, 0, NULL, false, 9006, NULL), (9013, 904, 2, 9001, true, NULL, NULL), (9014, 901, 2, NULL, false, 9000, NULL)) AS p (id, account, visibility, parent, reply, original, deleted);
INSERT INTO mentions (status_id, account_id, created_at, updated_at) SELECT id, 26, '2026-01-05', '2026-01-05' FROM statuses WHERE visibility > 1;
INSERT INTO scheduled_statuses (id, account_id, scheduled_at, params) VALUES (9099, 901, '2027-01-01', '{"text": "probe"}');
INSERT INTO oracle.probes VALUES ('for followers', '9001'), ('direct', '9002'), ('for a circle', '9003'), ('deleted', '9004'), ('by a suspended account', '9005'), ('by a limited account', '9006'),
  ('reply for followers', '9007'), ('direct reply', '9008'), ('reply without its parent', '9009'), ('boost of one for followers', '9010'), ('boost of a suspended account', '9011'), ('boost of a limited account', '9012'),
  ('reply for followers to one for those of another', '9013'), ('boost for followers', '9014'), ('scheduled', '9099');`)
}

func mastodonStep(s *system) {
	s.t.Helper()
	a, b := s.two()
	// author is one whose posts are probes, or any other.
	author := []int{b, 901, 903, 904}[s.random.IntN(4)]
	const at = `'2026-02-01'::timestamp + $2 * interval '1 second'`
	switch n := s.random.IntN(57); {
	case n < 10:
		s.posts++
		s.exec(`INSERT INTO statuses (id, created_at, updated_at, account_id, visibility, text, language, ordered_media_attachment_ids) SELECT $1, `+at+`, '2026-02-01', $3, $4, 'post ' || $1, 'en', '{5}'`,
			s.posts, s.random.IntN(3000), a, s.random.IntN(5))
	case n < 14:
		s.posts++
		s.exec(`INSERT INTO statuses (id, created_at, updated_at, account_id, visibility, text, reply, in_reply_to_id, in_reply_to_account_id) SELECT $1, `+at+`, '2026-02-01', $3, $4, 'reply', true, id, account_id FROM statuses WHERE id = $5 AND reblog_of_id IS NULL`,
			s.posts, s.random.IntN(3000), a, s.random.IntN(4), s.anyPost())
	case n < 17:
		s.posts++
		s.exec(`INSERT INTO statuses (id, created_at, updated_at, account_id, visibility, reblog_of_id) SELECT $1, `+at+`, '2026-02-01', CASE visibility WHEN 2 THEN account_id ELSE $3 END, greatest(visibility, $4), id FROM statuses WHERE id = $5 AND reblog_of_id IS NULL AND visibility < 3`,
			s.posts, s.random.IntN(3000), a, s.random.IntN(3), s.anyPost())
	case n < 23:
		s.exec(`INSERT INTO follows (account_id, target_account_id, created_at, updated_at) SELECT $1, $2, '2026-01-01', '2026-01-01' WHERE NOT EXISTS (SELECT FROM follow_requests WHERE account_id = $1 AND target_account_id = $2) ON CONFLICT DO NOTHING`, a, author)
	case n < 26:
		s.exec(`INSERT INTO follow_requests (account_id, target_account_id, created_at, updated_at) SELECT $1, $2, '2026-01-01', '2026-01-01' WHERE NOT EXISTS (SELECT FROM follows WHERE account_id = $1 AND target_account_id = $2) ON CONFLICT DO NOTHING`, a, author)
	case n < 29: // accepted, as Mastodon does it
		s.exec(`INSERT INTO follows (account_id, target_account_id, created_at, updated_at) SELECT account_id, target_account_id, '2026-01-02', '2026-01-02' FROM follow_requests WHERE account_id = $1 ON CONFLICT DO NOTHING`, a)
		s.exec(`DELETE FROM follow_requests WHERE account_id = $1`, a)
	case n < 31:
		s.exec(`DELETE FROM follows WHERE account_id = $1 AND target_account_id IN ($2, $3)`, a, b, author)
	case n < 33: // a block ends follows and requests
		s.exec(`INSERT INTO blocks (account_id, target_account_id, created_at, updated_at) VALUES ($1, $2, '2026-01-01', '2026-01-01') ON CONFLICT DO NOTHING`, a, author)
		s.exec(`DELETE FROM follows WHERE account_id = $1 AND target_account_id = $2 OR account_id = $2 AND target_account_id = $1`, a, author)
		s.exec(`DELETE FROM follow_requests WHERE account_id = $1 AND target_account_id = $2 OR account_id = $2 AND target_account_id = $1`, a, author)
	case n < 34:
		s.exec(`DELETE FROM blocks WHERE account_id = $1`, a)
	case n < 35:
		s.exec(`INSERT INTO mutes (account_id, target_account_id, created_at, updated_at, expires_at) VALUES ($1, $2, '2026-01-01', '2026-01-01', $3) ON CONFLICT DO NOTHING`, a, author, s.expiry())
	case n < 36:
		s.exec(`DELETE FROM mutes WHERE account_id = $1`, a)
	case n < 38:
		s.exec(`UPDATE statuses SET text = text || ' (edited)', edited_at = '2026-03-01' WHERE id = $1 AND reblog_of_id IS NULL`, s.anyPost())
	case n < 40:
		s.exec(`UPDATE statuses SET visibility = $2 WHERE id = $1 AND reblog_of_id IS NULL`, s.anyPost(), s.random.IntN(5))
	case n < 42: // deleted, and sometimes erased: replies lose their parent, boosts go
		s.exec(`UPDATE statuses SET deleted_at = CASE WHEN deleted_at IS NULL THEN '2026-03-01'::timestamp END WHERE id = $1`, s.anyPost())
	case n < 43:
		s.exec(`DELETE FROM statuses WHERE id = $1`, s.anyPost())
	case n < 44:
		s.exec(`UPDATE accounts SET suspended_at = CASE WHEN suspended_at IS NULL THEN '2026-03-01'::timestamp END WHERE id = $1`, a)
	case n < 45:
		s.exec(`UPDATE accounts SET silenced_at = CASE WHEN silenced_at IS NULL THEN '2026-03-01'::timestamp END WHERE id = $1`, a)
	case n < 46:
		s.exec(`UPDATE accounts SET locked = NOT locked, display_name = 'other' WHERE id = $1`, a)
	case n < 47:
		s.exec(`INSERT INTO favourites (account_id, status_id, created_at, updated_at) SELECT $1, id, '2026-03-01', '2026-03-01' FROM statuses WHERE id = $2 ON CONFLICT DO NOTHING`, a, s.anyPost())
	case n < 50:
		s.exec(`UPDATE follows SET show_reblogs = NOT show_reblogs WHERE account_id = $1`, a)
	case n < 51: // members are followed, and leave with the follow
		s.exec(`INSERT INTO list_accounts (list_id, account_id, follow_id) SELECT l.id, f.target_account_id, f.id FROM lists l JOIN follows f USING (account_id) WHERE account_id = $1 ON CONFLICT DO NOTHING`, a)
	case n < 52:
		s.exec(`DELETE FROM list_accounts WHERE account_id = $1`, author)
	case n < 54:
		s.exec(`UPDATE lists SET exclusive = NOT exclusive, title = title || '!' WHERE account_id = $1`, a)
	case n < 55:
		s.exec(`INSERT INTO lists (account_id, title, created_at, updated_at, exclusive) VALUES ($1, 'Other', '2026-01-01', '2026-01-01', true) ON CONFLICT DO NOTHING`, 10+a%10)
	case n < 56:
		s.exec(`DELETE FROM lists WHERE account_id = $1`, a)
	default:
		s.exec(`INSERT INTO bookmarks (account_id, status_id, created_at, updated_at) SELECT $1, id, '2026-03-01', '2026-03-01' FROM statuses WHERE id = $2 ON CONFLICT DO NOTHING`, a, s.anyPost())
	}
}
