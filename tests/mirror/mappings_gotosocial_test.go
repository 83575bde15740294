//go:build nightly

package mirror

// gotosocial is GoToSocial: accounts 1 to 30 change at random, those from 901 are the authors of probes.
func gotosocial() application {
	return application{name: "gotosocial", types: "user,follow,post,like,favorite,mute,block", settings: []string{"TIDELINE_IDS=text"}, oracle: gotosocialOracle, begin: gotosocialBegin, step: gotosocialStep}
}

// A status is open to a viewer by its own account and visibility; a boost needs an open original, too. The function id
// makes an id of a number.
const gotosocialOracle = `
CREATE FUNCTION oracle.id(n int) RETURNS char(26) LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT '01JAAAAAAAAAAAAAAA' || lpad(n::text, 8, '0') $$;
CREATE VIEW oracle.viewers AS SELECT id::text FROM accounts WHERE suspended_at IS NULL;
CREATE VIEW oracle.follows AS SELECT account_id::text AS viewer, target_account_id::text AS author FROM follows;
CREATE VIEW oracle.mutes AS SELECT account_id::text AS viewer, target_account_id::text AS author FROM user_mutes WHERE expires_at IS NULL OR expires_at > now();
CREATE VIEW oracle.open AS SELECT v.id AS viewer, s.* FROM (SELECT id::text FROM accounts UNION ALL SELECT '') v, statuses s JOIN accounts author ON author.id = s.account_id AND author.suspended_at IS NULL
  WHERE s.visibility IN (2, 3, 4) AND s.federated AND NOT s.pending_approval AND (s.in_reply_to_uri IS NULL OR s.in_reply_to_id IS NOT NULL)
    AND (author.id::text = v.id OR EXISTS (SELECT FROM oracle.follows WHERE viewer = v.id AND follows.author = s.account_id::text)
      OR s.visibility = 2 AND author.silenced_at IS NULL AND NOT EXISTS (SELECT FROM account_settings WHERE account_id = author.id AND web_visibility = 1))
    AND NOT EXISTS (SELECT FROM blocks WHERE account_id::text = v.id AND target_account_id = author.id OR account_id = author.id AND target_account_id::text = v.id);
CREATE VIEW oracle.sees AS SELECT viewer, id::text AS post, account_id::text AS author, boost_of_account_id::text AS original, created_at AS at FROM oracle.open o
  WHERE boost_of_id IS NULL OR EXISTS (SELECT FROM oracle.open WHERE viewer = o.viewer AND id = o.boost_of_id);`

func gotosocialBegin(s *system) {
	s.users = 30
	s.exec(`
INSERT INTO accounts (id, username, domain, uri, public_key_uri, locked, silenced_at, suspended_at, created_at) SELECT oracle.id(n), 'user' || n, CASE WHEN n % 5 = 0 THEN 'example.org' END, 'https://example.org/' || n, 'https://example.org/key/' || n, n % 2 = 0,
  CASE n WHEN 903 THEN '2026-01-02'::timestamptz END, CASE n WHEN 902 THEN '2026-01-02'::timestamptz END, '2026-01-01' FROM (SELECT generate_series(1, 30) UNION ALL SELECT generate_series(901, 905)) AS t (n);
INSERT INTO account_settings (account_id, web_visibility) SELECT id, CASE id WHEN oracle.id(904) THEN 1 ELSE 2 END FROM accounts WHERE domain IS NULL;
INSERT INTO follows (id, uri, account_id, target_account_id, created_at) SELECT oracle.id(10000 + 10 * n + author), 'f' || n || '-' || author, oracle.id(n), oracle.id(900 + author), '2026-01-01' FROM generate_series(1, 20) n, generate_series(1, 5) author WHERE (n + author) % 3 > 0;
INSERT INTO follow_requests (id, uri, account_id, target_account_id, created_at) SELECT oracle.id(20000 + n), 'r' || n, oracle.id(n), oracle.id(901), '2026-01-01' FROM generate_series(21, 25) n;
INSERT INTO blocks (id, uri, account_id, target_account_id, created_at) VALUES (oracle.id(20100), 'b1', oracle.id(901), oracle.id(1), '2026-01-01'), (oracle.id(20101), 'b2', oracle.id(2), oracle.id(901), '2026-01-01');
INSERT INTO statuses (id, uri, account_id, account_uri, activity_streams_type, visibility, federated, pending_approval, in_reply_to_id, in_reply_to_uri, boost_of_id, boost_of_account_id, text, mentions, created_at)
  SELECT oracle.id(9000 + n), 's' || n, oracle.id(author), '', 'Note', visibility, n <> 5, n = 6, oracle.id(9000 + parent), CASE WHEN parent IS NOT NULL OR n = 10 THEN 'parent' END, oracle.id(9000 + original),
    oracle.id(CASE original WHEN 7 THEN 902 WHEN 8 THEN 903 WHEN 3 THEN 901 END), CASE WHEN original IS NULL THEN 'probe' END, ARRAY[oracle.id(26)], '2026-01-05'::timestamptz + n * interval '1 second'
  FROM (VALUES (0, 901, 2, NULL::int, NULL::int), (1, 901, 6, NULL, NULL), (2, 901, 5, NULL, NULL), (3, 901, 4, NULL, NULL), (4, 901, 3, NULL, NULL), (5, 901, 2, NULL, NULL), (6, 901, 2, 0, NULL), (7, 902, 2, NULL, NULL), (8, 903, 2, NULL, NULL),
    (9, 904, 2, NULL, NULL), (10, 901, 2, NULL, NULL), (11, 901, 4, 0, NULL), (12, 901, 6, 0, NULL), (13, 905, 2, NULL, 7), (14, 905, 2, NULL, 8), (15, 901, 4, NULL, 3)) AS p (n, author, visibility, parent, original);
INSERT INTO scheduled_statuses VALUES (oracle.id(9099), oracle.id(901), '2027-01-01', 'probe', 2);
INSERT INTO oracle.probes SELECT kind, oracle.id(9000 + n) FROM (VALUES ('direct', 1), ('for mutual followers', 2), ('for followers', 3), ('unlisted', 4), ('not federated', 5), ('reply that awaits approval', 6), ('by a suspended account', 7),
  ('by a limited account', 8), ('by an account that is not on the web', 9), ('reply without its parent', 10), ('reply for followers', 11), ('direct reply', 12), ('boost of a suspended account', 13), ('boost of a limited account', 14),
  ('boost of one for followers', 15), ('scheduled', 99)) AS p (kind, n);`)
}

func gotosocialStep(s *system) {
	s.t.Helper()
	a, b := s.two()
	author := []int{b, 901, 903, 904, 905}[s.random.IntN(5)]
	visibility := []int{2, 2, 3, 4, 5, 6}[s.random.IntN(6)]
	pair := `oracle.id(30000 + $1 * 1000 + $2), 'u' || $1 || '-' || $2, oracle.id($1), oracle.id($2), '2026-01-01'`
	switch n := s.random.IntN(44); {
	case n < 11:
		s.posts++
		s.exec(`INSERT INTO statuses (id, created_at, uri, account_id, account_uri, activity_streams_type, visibility, federated, pending_approval, text, attachments) SELECT oracle.id($1), `+uniqueTime+`, 'p' || $1, oracle.id($2), '', 'Note', $3, $4 <> '0', $4 = '1', 'post', '{m}'`,
			s.posts, a, visibility, s.random.IntN(9))
	case n < 15:
		s.posts++
		s.exec(`INSERT INTO statuses (id, created_at, uri, account_id, account_uri, activity_streams_type, visibility, federated, content, in_reply_to_id, in_reply_to_uri) SELECT oracle.id($1), `+uniqueTime+`, 'p' || $1, oracle.id($2), '', 'Note', $3, true, 'reply', id, uri FROM statuses WHERE id = oracle.id($4)`,
			s.posts, a, visibility, s.anyPost())
	case n < 17:
		s.posts++
		s.exec(`INSERT INTO statuses (id, created_at, uri, account_id, account_uri, activity_streams_type, visibility, federated, boost_of_id, boost_of_account_id) SELECT oracle.id($1), `+uniqueTime+`, 'p' || $1, oracle.id($2), '', 'Announce', visibility, true, id, account_id FROM statuses WHERE id = oracle.id($3) AND boost_of_id IS NULL`,
			s.posts, a, s.anyPost())
	case n < 23:
		s.exec(`INSERT INTO follows (id, uri, account_id, target_account_id, created_at) SELECT `+pair+` WHERE NOT EXISTS (SELECT FROM follow_requests WHERE account_id = oracle.id($1) AND target_account_id = oracle.id($2)) ON CONFLICT DO NOTHING`, a, author)
	case n < 26:
		s.exec(`INSERT INTO follow_requests (id, uri, account_id, target_account_id, created_at) SELECT `+pair+` WHERE NOT EXISTS (SELECT FROM follows WHERE account_id = oracle.id($1) AND target_account_id = oracle.id($2)) ON CONFLICT DO NOTHING`, a, author)
	case n < 29: // accepted, as GoToSocial does it
		s.exec(`INSERT INTO follows (id, uri, account_id, target_account_id, created_at) SELECT id, uri, account_id, target_account_id, created_at FROM follow_requests WHERE account_id = oracle.id($1) ON CONFLICT DO NOTHING`, a)
		s.exec(`DELETE FROM follow_requests WHERE account_id = oracle.id($1)`, a)
	case n < 31:
		s.exec(`DELETE FROM follows WHERE account_id = oracle.id($1) AND target_account_id IN (oracle.id($2), oracle.id($3))`, a, b, author)
	case n < 33:
		s.exec(`INSERT INTO blocks (id, uri, account_id, target_account_id, created_at) SELECT `+pair+` ON CONFLICT DO NOTHING`, a, author)
	case n < 34:
		s.exec(`DELETE FROM blocks WHERE account_id = oracle.id($1)`, a)
	case n < 35:
		s.exec(`INSERT INTO user_mutes (id, account_id, target_account_id, created_at, expires_at) VALUES (oracle.id(30000 + $1 * 1000 + $2), oracle.id($1), oracle.id($2), '2026-01-01', $3) ON CONFLICT DO NOTHING`, a, author, s.expiry())
	case n < 36:
		s.exec(`DELETE FROM user_mutes WHERE account_id = oracle.id($1)`, a)
	case n < 38:
		s.exec(`UPDATE statuses SET text = 'edited', edited_at = '2026-03-01', pending_approval = false WHERE id = oracle.id($1) AND boost_of_id IS NULL`, s.anyPost())
	case n < 39:
		s.exec(`DELETE FROM statuses WHERE id = oracle.id($1)`, s.anyPost())
	case n < 40:
		s.exec(`UPDATE accounts SET suspended_at = CASE WHEN suspended_at IS NULL THEN '2026-03-01'::timestamptz END WHERE id = oracle.id($1)`, a)
	case n < 41:
		s.exec(`UPDATE accounts SET silenced_at = CASE WHEN silenced_at IS NULL THEN '2026-03-01'::timestamptz END, locked = NOT locked WHERE id = oracle.id($1)`, a)
	case n < 42:
		s.exec(`UPDATE account_settings SET web_visibility = 3 - web_visibility WHERE account_id = oracle.id($1)`, a)
	case n < 43:
		s.exec(`INSERT INTO status_faves (id, uri, account_id, target_account_id, status_id, pending_approval) SELECT oracle.id(70000 + $1 * 1000 + $2), 'l' || $1 || '-' || $2, oracle.id($1), account_id, id, $2 % 3 = 0 FROM statuses WHERE id = oracle.id($2) ON CONFLICT DO NOTHING`, a, s.anyPost())
	default:
		s.exec(`INSERT INTO status_bookmarks (id, account_id, target_account_id, status_id) SELECT oracle.id(70000 + $1 * 1000 + $2), oracle.id($1), account_id, id FROM statuses WHERE id = oracle.id($2) ON CONFLICT DO NOTHING`, a, s.anyPost())
	}
}
