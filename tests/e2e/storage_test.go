package e2e

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// ready returns what /readyz says, and the status it says it with.
func (s *server) ready(t *testing.T) (int, app.Readiness) {
	t.Helper()
	code, body := s.get(t, "/readyz", "")
	var got app.Readiness
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return code, got
}

// A Redis that is full costs readers nothing, and whoever looks is told that it is.
func TestFullRedis_IsNamed(t *testing.T) {
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	s := newOutage(t, testenv.Postgres(t), redis.URL())
	redis.FillMemory()
	eventually.True(t, "/readyz and the log say that Redis is full", func() bool {
		code, got := s.server.ready(t)
		return code == 200 && got.Redis == "Redis is full" && got.Queue == "Redis is full" &&
			s.server.countLines("writes to the Redis of --redis-url fail: Redis is full") > 0
	})
	doctorSays(t, s.env, nil, 0, "writes to the Redis of --redis-url fail: Redis is full")
	redis.FreeMemory()
	eventually.True(t, "/readyz says that Redis is well", func() bool {
		_, got := s.server.ready(t)
		return got.Redis == app.StateOK
	})
	s.recover()
}

// incompressible returns a long text that takes its full length in a database.
func incompressible() string {
	parts := make([]string, 150)
	for i := range parts {
		parts[i] = rand.Text()
	}
	return strings.Join(parts, " ")
}

// A database without room refuses what needs some, says so, and goes on serving reads.
func TestFullPostgres_IsNamed(t *testing.T) {
	postgres := testenv.StartPostgresOnDisk(t, 200)
	s := newOutage(t, postgres.URL(), testenv.Redis(t))
	_, err := s.oracle.conn.Exec(s.Context(), "CREATE TABLE filler (text TEXT)")
	check(t, err)
	postgres.FillDisk()
	// A server may still give room back that it keeps for its log.
	_, err = s.oracle.conn.Exec(s.Context(), "INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, 200000)")
	if err == nil {
		t.Fatal("there is room left")
	}
	const full = "the database has no room left"
	eventually.True(t, "a publish is refused for want of room", func() bool {
		_, err := tideline.PublishPost(s.Context(), s.api.as(1), tideline.PublishPostInput{Text: incompressible()})
		return err != nil && codeOf(err) == string(feed.CodeUnavailable) && strings.Contains(err.Error(), full)
	})
	eventually.True(t, "/readyz names the cause and stays ready", func() bool {
		code, got := s.server.ready(t)
		return code == 200 && got.SQL == full
	})
	if _, _, err := s.api.page(s.Context(), 1, 20, nil); err != nil {
		t.Errorf("a read ended with %v", err)
	}
	if s.server.countLines("could not extend file", "SQLSTATE 53100") == 0 {
		t.Error("the log does not have the cause")
	}
	doctorSays(t, s.env, nil, 0, "writes to the database fail: "+full)
	if postgres.FreeDisk() {
		s.oracle = newOracle(t, postgres.URL())
	}
	s.comeBack()
}

// A database may have SERIALIZABLE as its default, and be read-only unless asked otherwise.
func TestServer_WorksOnASerializableDatabase(t *testing.T) {
	database := testenv.Postgres(t)
	testenv.SetDefaults(t, database, "default_transaction_isolation = 'serializable'", "default_transaction_read_only = on")
	s := newOutage(t, database, testenv.Redis(t))
	// All change what is one row's: what they count, and whom everybody follows.
	var all sync.WaitGroup
	var mu sync.Mutex
	var failures []error
	for viewer := range s.viewers() {
		all.Go(func() {
			for n := range 10 {
				_, err := s.api.publish(s.Context(), viewer, fmt.Sprint("under contention ", viewer, " ", n))
				err = errors.Join(err, s.api.relate(s.Context(), "followUser", viewer, viewer%2+1),
					s.api.relate(s.Context(), "unfollowUser", viewer, viewer%2+1))
				mu.Lock()
				failures = append(failures, err)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if err := errors.Join(failures...); err != nil {
		t.Error(err)
	}
	s.recover()
}
