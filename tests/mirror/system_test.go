// Package mirror has the tests of tideline mirror on real servers.
package mirror

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// shape is a kind of system.
type shape struct {
	schema string
	// types are those of the records that its tables make.
	types string
	// mapping is the mapping file. If it is empty, that is the one that tideline mirror init proposes.
	mapping  string
	settings []string
	// begin makes the first rows, step runs one random statement.
	begin, step func(*system)
	// feeds selects all home feeds as the system would show them: the ids of viewers and of posts,
	// the newest first, and NULL for an empty feed.
	feeds string
}

// system is another system: its database, and random statements over it.
type system struct {
	shape
	t      *testing.T
	url    string
	conn   *pgx.Conn
	random *rand.Rand
	// users and posts count what was made.
	users, posts int
}

func newSystem(t *testing.T, url string, of shape, seed uint64) *system {
	t.Helper()
	s := &system{shape: of, t: t, url: url, random: rand.New(rand.NewPCG(seed, 7))}
	s.connect()
	s.exec(s.schema)
	s.begin(s)
	s.change(200)
	return s
}

// connect opens the connection, again after the server has ended.
func (s *system) connect() {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), s.url)
	harness.Check(s.t, err)
	s.t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(s.t.Context())) })
	s.conn = conn
}

// other returns another connection to the system.
func (s *system) other() *system {
	s.t.Helper()
	o := *s
	o.connect()
	return &o
}

func (s *system) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.conn.Exec(s.t.Context(), statement, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...); err != nil {
		s.t.Fatalf("%.2000s: %v", statement, err)
	}
}

// texts returns the rows of a query with one column.
func (s *system) texts(query string) []string {
	s.t.Helper()
	rows, err := s.conn.Query(s.t.Context(), query)
	harness.Check(s.t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	harness.Check(s.t, err)
	return list
}

// lsn returns the place of the database as a text and as a number.
func (s *system) lsn() (text string, n int64) {
	s.t.Helper()
	harness.Check(s.t, s.conn.QueryRow(s.t.Context(), `SELECT l::text, (l - '0/0')::bigint FROM pg_current_wal_insert_lsn() l`).Scan(&text, &n))
	return text, n
}

func (s *system) anyone() int  { return 1 + s.random.IntN(s.users) }
func (s *system) anyPost() int { return 1 + s.random.IntN(s.posts+1) }

// two returns two users.
func (s *system) two() (a, b int) {
	a = s.anyone()
	return a, (a+s.random.IntN(s.users-1))%s.users + 1
}

// change runs a number of random transactions.
func (s *system) change(n int) {
	s.t.Helper()
	for range n {
		switch s.random.IntN(8) {
		case 0:
			s.exec("BEGIN")
			for range 1 + s.random.IntN(5) {
				s.step(s)
			}
			s.exec([]string{"COMMIT", "COMMIT", "ROLLBACK"}[s.random.IntN(3)])
		default:
			s.step(s)
		}
	}
}

// expected returns all home feeds as the system would show them.
func (s *system) expected() map[string][]string {
	s.t.Helper()
	rows, err := s.conn.Query(s.t.Context(), s.feeds)
	harness.Check(s.t, err)
	var viewer string
	var post *string
	feeds := map[string][]string{}
	_, err = pgx.ForEachRow(rows, []any{&viewer, &post}, func() error {
		feeds[viewer] = slices.Clip(feeds[viewer])
		if post != nil {
			feeds[viewer] = append(feeds[viewer], *post)
		}
		return nil
	})
	harness.Check(s.t, err)
	return feeds
}

// checkFeeds compares the home feeds of all users, as of a position at least, with those of the
// system.
func (s *system) checkFeeds(web *harness.Server, position string) {
	s.t.Helper()
	total := 0
	feeds, token := s.expected(), s.service()
	for _, viewer := range slices.Sorted(maps.Keys(feeds)) {
		want := feeds[viewer]
		total += len(want)
		got := web.HomeAtLeast(s.t, token, viewer, position, 100, len(want)+1)
		if !slices.Equal(got, want) {
			missing, extra := harness.Without(want, got), harness.Without(got, want)
			s.t.Errorf("the home feed of user %s lacks [%s] and has [%s] besides, of %d posts",
				viewer, strings.Join(missing, " "), strings.Join(extra, " "), len(want))
		}
	}
	if total == 0 {
		s.t.Error("all feeds are empty")
	}
}

// service returns the token of a service.
func (s *system) service() string {
	s.t.Helper()
	token, err := gateway.NewTokens([]byte(harness.Secret), time.Now).Sign(gateway.Claims{Service: "system"}, time.Hour)
	harness.Check(s.t, err)
	return token
}

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
