package fleet

import (
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// moved is a network of one author and two followers, and servers that store its inboxes in
// different places.
type moved struct {
	*testing.T
	env     []string
	oracle  *harness.Oracle
	readers []string
	// want has the ids of all feeds, newest first.
	want []string
}

func newMoved(t *testing.T) *moved {
	t.Helper()
	database := harness.Postgres(t)
	m := &moved{T: t, readers: []string{harness.TokenFor(t, 2), harness.TokenFor(t, 3)}, env: []string{
		"TIDELINE_DATABASE_URL=" + database, "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_LOG_LEVEL=debug", "TIDELINE_DEMO=false",
	}}
	harness.ImportLines(t, m.env, harness.UserRecord(1), harness.UserRecord(2), harness.UserRecord(3), harness.FollowRecord(2, 1), harness.FollowRecord(3, 1))
	m.oracle = harness.NewOracle(t, database)
	return m
}

// start starts a server with a storage of inboxes.
func (m *moved) start(place ...string) *harness.Server {
	m.Helper()
	return harness.StartServer(m.T, append(place, m.env...)...)
}

// stop interrupts a server and waits.
func (m *moved) stop(s *harness.Server) {
	m.Helper()
	s.Process.Interrupt()
	if code := s.Process.Wait(); code != 0 {
		m.Errorf("a server ended with exit code %d", code)
	}
}

// publish publishes a post by a server and waits until any server has pushed it.
func (m *moved) publish(s *harness.Server, text string) {
	m.Helper()
	m.want = append([]string{s.Publish(m.T, harness.TokenFor(m.T, 1), text)}, m.want...)
	eventually.True(m.T, "all is pushed: "+text, func() bool { return m.oracle.Open() == 0 })
}

// show compares all feeds of some servers with want.
func (m *moved) show(when string, servers ...*harness.Server) {
	m.Helper()
	for i, s := range servers {
		for _, reader := range m.readers {
			if got := s.Home(m.T, reader, 10, 10); !slices.Equal(got, m.want) {
				m.Errorf("%s: a feed of server %d is %v, want %v", when, i, got, m.want)
			}
		}
	}
}

// warm reads all feeds by a server until they come from inboxes.
func (m *moved) warm(when string, s *harness.Server) {
	m.Helper()
	eventually.True(m.T, "feeds come from inboxes: "+when, func() bool {
		before := s.CountLines("home feed read", "source=inbox")
		m.show(when, s)
		return s.CountLines("home feed read", "source=inbox") == before+len(m.readers)
	})
}

// generation returns the current generation of inboxes.
func (m *moved) generation() (n int64) {
	m.Helper()
	harness.Check(m.T, m.oracle.Conn.QueryRow(m.Context(), "SELECT generation FROM feed_state").Scan(&n))
	return n
}

// Inboxes in one storage lack what was pushed to those in another, but look complete. The test
// changes the storage and changes it back. For a while servers of both run: only one may push, and
// each shows complete feeds.
func TestMove_InboxesLackNothingAfterReturn(t *testing.T) {
	for name, places := range map[string]func(t *testing.T) (one, other []string){
		"redis, sql and redis": func(t *testing.T) (one, other []string) {
			redis := "TIDELINE_REDIS_URL=" + testenv.Redis(t)
			return []string{redis}, []string{redis, "TIDELINE_INBOX=sql"}
		},
		"sql, redis and sql": func(t *testing.T) (one, other []string) {
			redis := "TIDELINE_REDIS_URL=" + testenv.Redis(t)
			return []string{redis, "TIDELINE_INBOX=sql"}, []string{redis}
		},
		"one Redis, another and the first": func(t *testing.T) (one, other []string) {
			queue := "TIDELINE_QUEUE_REDIS_URL=" + testenv.Redis(t)
			return []string{queue, "TIDELINE_REDIS_URL=" + testenv.Redis(t)}, []string{queue, "TIDELINE_REDIS_URL=" + testenv.Redis(t)}
		},
		"sql, the embedded Redis and sql": func(t *testing.T) (one, other []string) {
			redis, dir := "TIDELINE_REDIS_URL="+testenv.Redis(t), "TIDELINE_DATA_DIR="+t.TempDir()
			return []string{redis, "TIDELINE_INBOX=sql"}, []string{dir}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits until processes count as gone
			one, other := places(t)
			newMoved(t).thereAndBack(one, other)
		})
	}
}

func (m *moved) thereAndBack(one, other []string) {
	first := m.start(one...)
	m.publish(first, "before")
	m.warm("at first", first)
	began := m.generation()
	m.stop(first)
	first = m.start(one...)
	m.warm("after a start with the same settings", first)
	if m.generation() != began {
		m.Error("a start with the same settings made all inboxes absent")
	}

	second := m.start(other...)
	m.publish(first, "by the first of two")
	m.publish(second, "by the second of two")
	m.show("with both", first, second)
	m.stop(first)
	m.publish(second, "in between")
	m.warm("by the second", second)
	m.stop(second)
	first = m.start(one...)
	m.show("back again", first)
	m.publish(first, "afterwards")
	m.warm("afterwards", first)
}
