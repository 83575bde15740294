package mirror

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// legacy is another system: its database, and random statements over it.
type legacy struct {
	t      *testing.T
	url    string
	conn   *pgx.Conn
	random *rand.Rand
	users  int
	posts  int
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

const legacyTypes = "user,post,follow,mute,like"

// newLegacy makes the tables with some rows.
func newLegacy(t *testing.T, url string, seed uint64) *legacy {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	harness.Check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	s := &legacy{t: t, url: url, conn: conn, random: rand.New(rand.NewPCG(seed, 7))}
	s.exec(legacySchema)
	for range 30 {
		s.member()
	}
	s.change(200)
	return s
}

func (s *legacy) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.conn.Exec(s.t.Context(), statement, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

func (s *legacy) member() {
	s.users++
	s.exec(`INSERT INTO members VALUES ($1, $2, '2026-01-01')`, s.users, fmt.Sprintf("nick '%d\\", s.users))
}

func (s *legacy) anyone() int  { return 1 + s.random.IntN(s.users) }
func (s *legacy) anyPost() int { return 1 + s.random.IntN(s.posts+1) }

// change runs a number of random transactions.
func (s *legacy) change(n int) {
	s.t.Helper()
	for range n {
		switch s.random.IntN(8) {
		case 0:
			s.exec("BEGIN")
			for range 1 + s.random.IntN(5) {
				s.step()
			}
			s.exec([]string{"COMMIT", "COMMIT", "ROLLBACK"}[s.random.IntN(3)])
		default:
			s.step()
		}
	}
}

// step runs one random statement.
func (s *legacy) step() {
	s.t.Helper()
	switch n := s.random.IntN(40); {
	case n < 12:
		s.posts++
		s.exec(`INSERT INTO notes VALUES ($1, $2, $3, '2026-02-01 00:00+00'::timestamptz + $4 * interval '1 second')`,
			s.posts, s.anyone(), fmt.Sprintf("note\t%d\\\n", s.posts), s.random.IntN(3000))
	case n < 20:
		a := s.anyone()
		s.exec(`INSERT INTO links (a, b, kind) VALUES ($1, $2, $3) ON CONFLICT (a, b) DO UPDATE SET kind = EXCLUDED.kind`,
			a, (a+s.random.IntN(s.users-1))%s.users+1, []string{"follow", "follow", "follow", "mute"}[s.random.IntN(4)])
	case n < 22:
		s.exec(`DELETE FROM links WHERE a = $1 AND b > $2`, s.anyone(), s.anyone())
	case n < 24: // a changed key
		s.exec(`UPDATE links SET b = $2 WHERE a = $1 AND b = $3 AND a <> $2 AND NOT EXISTS (SELECT FROM links WHERE a = $1 AND b = $2)`, s.anyone(), s.anyone(), s.anyone())
	case n < 27:
		s.exec(`UPDATE notes SET body = repeat(body, 2 + (id % 300)::int), state = state WHERE id = $1 AND length(body) < 1000`, s.anyPost())
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

// lsn returns the place of the database as a text and as a number.
func (s *legacy) lsn() (text string, n int64) {
	s.t.Helper()
	harness.Check(s.t, s.conn.QueryRow(s.t.Context(), `SELECT l::text, (l - '0/0')::bigint FROM pg_current_wal_insert_lsn() l`).Scan(&text, &n))
	return text, n
}

const legacyFeed = `
SELECT n.id FROM notes n JOIN members m ON m."memberId" = n.member
WHERE n.state = 1 AND n.removed_at IS NULL AND m.left_at IS NULL
  AND (n.member = $1 OR EXISTS (SELECT FROM links WHERE a = $1 AND b = n.member AND kind = 'follow'))
ORDER BY n.written DESC, n.id DESC`

// feedOf returns a home feed as the system would compute it; false for one who has left.
func (s *legacy) feedOf(user int) (ids []string, there bool) {
	s.t.Helper()
	harness.Check(s.t, s.conn.QueryRow(s.t.Context(), `SELECT EXISTS (SELECT FROM members WHERE "memberId" = $1 AND left_at IS NULL)`, user).Scan(&there))
	rows, err := s.conn.Query(s.t.Context(), legacyFeed, user)
	harness.Check(s.t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	harness.Check(s.t, err)
	for _, id := range list {
		ids = append(ids, strconv.FormatInt(id, 10))
	}
	return ids, there
}

// checkFeeds compares the home feeds of all users, as of a position at least, with those of the
// system.
func (s *legacy) checkFeeds(web *harness.Server, position string) {
	s.t.Helper()
	total := 0
	for user := range s.users {
		want, there := s.feedOf(user + 1)
		if !there {
			continue
		}
		total += len(want)
		got := web.HomeAtLeast(s.t, harness.TokenFor(s.t, feed.UserID(user+1)), position, 100, len(want)+1)
		if !slices.Equal(got, want) {
			missing, extra := harness.Without(want, got), harness.Without(got, want)
			s.t.Errorf("the home feed of user %d lacks [%s] and has [%s] besides, of %d posts",
				user+1, strings.Join(missing, " "), strings.Join(extra, " "), len(want))
		}
	}
	if total == 0 {
		s.t.Error("all feeds are empty")
	}
}
