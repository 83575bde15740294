package chaos

import (
	"crypto/rand"
	"strings"
	"testing"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// A full Redis does not affect readers, and /readyz, the log and the doctor report it.
func TestFullRedis_IsNamed(t *testing.T) {
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	s := newOutage(t, harness.Postgres(t), redis.URL())
	redis.FillMemory()
	eventually.True(t, "/readyz and the log say that Redis is full", func() bool {
		code, got := s.server.Ready(t)
		return code == 200 && got.Redis == "Redis is full" && got.Queue == "Redis is full" &&
			s.server.CountLines("writes to the Redis of --redis-url fail: Redis is full") > 0
	})
	harness.DoctorSays(t, s.env, nil, 0, "writes to the Redis of --redis-url fail: Redis is full")
	redis.FreeMemory()
	eventually.True(t, "/readyz reports no problem of Redis", func() bool {
		_, got := s.server.Ready(t)
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

// A full database refuses writes with its cause and serves reads.
func TestFullPostgres_IsNamed(t *testing.T) {
	postgres := testenv.StartPostgresOnDisk(t, 200)
	s := newOutage(t, postgres.URL(), testenv.Redis(t))
	_, err := s.oracle.Conn.Exec(s.Context(), "CREATE TABLE filler (text TEXT)")
	harness.Check(t, err)
	postgres.FillDisk()
	// A server may still free space that it keeps for its log.
	_, err = s.oracle.Conn.Exec(s.Context(), "INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, 200000)")
	if err == nil {
		t.Fatal("the disk is not full")
	}
	const full = "the database has no room left"
	eventually.True(t, "a publish is refused because the database is full", func() bool {
		_, err := tideline.PublishPost(s.Context(), s.api.As(1), tideline.PublishPostInput{Text: incompressible()})
		return err != nil && harness.CodeOf(err) == string(feed.CodeUnavailable) && strings.Contains(err.Error(), full)
	})
	eventually.True(t, "/readyz names the cause and stays ready", func() bool {
		code, got := s.server.Ready(t)
		return code == 200 && got.SQL == full
	})
	if _, _, err := s.api.Page(s.Context(), 1, 20, nil); err != nil {
		t.Errorf("a read ended with %v", err)
	}
	if s.server.CountLines("could not extend file", "SQLSTATE 53100") == 0 {
		t.Error("the log does not name the cause")
	}
	harness.DoctorSays(t, s.env, nil, 0, "writes to the database fail: "+full)
	if postgres.FreeDisk() {
		s.oracle = harness.NewOracle(t, postgres.URL())
	}
	s.comeBack()
}
