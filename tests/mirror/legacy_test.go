package mirror

import "fmt"

// legacy is a system with numbers as ids, and with names that say little.
func legacy() shape {
	return shape{
		schema: legacySchema, mapping: legacyMap, types: "user,post,follow,mute,like", feeds: legacyFeeds, step: legacyStep,
		begin: func(s *system) {
			for range 30 {
				s.users++
				s.exec(`INSERT INTO members VALUES ($1, $2, '2026-01-01')`, s.users, fmt.Sprintf("nick '%d\\", s.users))
			}
		},
	}
}

const legacySchema = `
CREATE TYPE link AS ENUM ('follow', 'mute');
CREATE TABLE members ("memberId" bigint PRIMARY KEY, nick varchar(40) NOT NULL, joined timestamp NOT NULL, left_at timestamp);
CREATE TABLE notes (id bigint PRIMARY KEY, member bigint NOT NULL, body text, written timestamptz NOT NULL, state smallint NOT NULL DEFAULT 1, removed_at timestamp);
CREATE TABLE links (id bigserial PRIMARY KEY, a bigint NOT NULL, b bigint NOT NULL, kind link NOT NULL, made timestamptz NOT NULL DEFAULT '2026-01-01 00:00+00', UNIQUE (a, b));
CREATE TABLE hearts (member bigint, note bigint, PRIMARY KEY (member, note));
ALTER TABLE notes REPLICA IDENTITY FULL;
ALTER TABLE members REPLICA IDENTITY FULL;
ALTER TABLE links REPLICA IDENTITY FULL;
CREATE TABLE unrelated (n int);`

const legacyMap = `
zone: UTC
inputs:
  public.members:
    - type: user
      when: row.left_at == null
      fields: {id: =row.memberId, handle: "", name: =row.nick, createdAt: =row.joined}
  public.notes:
    - type: post
      when: row.state == 1 && row.removed_at == null
      fields: {id: =row.id, author: =row.member, kind: POST, text: '=row.body == null ? "" : row.body', publishedAt: =row.written}
  public.links:
    - type: follow
      when: row.kind == "follow"
      fields: {follower: =row.a, followee: =row.b, createdAt: =row.made}
    - type: mute
      when: row.kind == "mute"
      fields: {user: =row.a, target: =row.b, createdAt: =row.made}
  public.hearts:
    - type: like
      fields: {user: =row.member, post: =row.note, createdAt: "2026-01-01T00:00:00Z"}
`

const legacyFeeds = `
SELECT viewer."memberId"::text, n.id::text FROM members viewer LEFT JOIN (
    notes n JOIN members author ON author."memberId" = n.member AND author.left_at IS NULL
  ) ON n.state = 1 AND n.removed_at IS NULL
    AND (n.member = viewer."memberId" OR EXISTS (SELECT FROM links WHERE a = viewer."memberId" AND b = n.member AND kind = 'follow'))
WHERE viewer.left_at IS NULL
ORDER BY viewer."memberId", n.written DESC, n.id DESC`

// legacyStep runs one random statement.
func legacyStep(s *system) {
	s.t.Helper()
	switch n := s.random.IntN(40); {
	case n < 12:
		s.posts++
		s.exec(`INSERT INTO notes VALUES ($1, $2, $3, '2026-02-01 00:00+00'::timestamptz + $4 * interval '1 second')`,
			s.posts, s.anyone(), fmt.Sprintf("note\t%d\\\n", s.posts), s.random.IntN(3000))
	case n < 20:
		a, b := s.two()
		s.exec(`INSERT INTO links (a, b, kind) VALUES ($1, $2, $3) ON CONFLICT (a, b) DO UPDATE SET kind = EXCLUDED.kind`,
			a, b, []string{"follow", "follow", "follow", "mute"}[s.random.IntN(4)])
	case n < 22:
		s.exec(`DELETE FROM links WHERE a = $1 AND b > $2`, s.anyone(), s.anyone())
	case n < 24: // a changed key
		s.exec(`UPDATE links SET b = $2 WHERE a = $1 AND b = $3 AND a <> $2 AND NOT EXISTS (SELECT FROM links WHERE a = $1 AND b = $2)`, s.anyone(), s.anyone(), s.anyone())
	case n < 27: // a text of up to 299 * 301 characters, below the limit of 100,000
		s.exec(`UPDATE notes SET body = repeat(body, 2 + (id % 300)::int), state = state WHERE id = $1 AND length(body) < 300`, s.anyPost())
	case n < 30:
		s.exec(`UPDATE notes SET removed_at = CASE WHEN removed_at IS NULL THEN '2026-03-01'::timestamp END WHERE id = $1`, s.anyPost())
	case n < 31:
		s.exec(`UPDATE notes SET state = 1 - state WHERE id % 23 = $1`, s.random.IntN(23))
	case n < 32:
		s.exec(`DELETE FROM notes WHERE id = $1`, s.anyPost())
	case n < 33: // another key
		s.posts++
		s.exec(`UPDATE notes SET id = $2 WHERE id = $1`, s.anyPost(), s.posts)
	case n < 35:
		s.exec(`UPDATE members SET left_at = CASE WHEN left_at IS NULL THEN '2026-03-01'::timestamp END WHERE "memberId" = $1`, s.anyone())
	case n < 36:
		s.exec(`WITH gone AS (DELETE FROM members WHERE "memberId" = $1) SELECT 1`, s.anyone())
	case n < 37:
		s.exec(`INSERT INTO members VALUES ($1, 'back', '2026-01-01') ON CONFLICT DO NOTHING`, s.anyone())
	case n < 38:
		s.exec(`INSERT INTO unrelated SELECT generate_series(1, 10)`)
	default:
		s.exec(`INSERT INTO hearts VALUES ($1, $2) ON CONFLICT DO NOTHING`, s.anyone(), s.anyPost())
	}
}
