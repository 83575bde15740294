package buses

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// redisStream is a stream of a redis-server.
type redisStream struct {
	process *testenv.RedisServer
	client  *redis.Client
}

const stream = "change records"

func startRedis(t *testing.T) *redisStream {
	t.Helper()
	s := &redisStream{process: testenv.StartRedis(t, testenv.RedisOptions{AppendFsync: "always"})}
	options, err := redis.ParseURL(s.process.URL())
	harness.Check(t, err)
	s.client = redis.NewClient(options)
	t.Cleanup(func() { _ = s.client.Close() })
	return s
}

func (s *redisStream) url() string { return s.process.URL() + "/" + url.PathEscape(stream) }

// create does nothing: a stream exists once it has entries.
func (s *redisStream) create(*testing.T) {}

func (s *redisStream) remove(t *testing.T) { s.do(t, "DEL", stream) }

func (s *redisStream) do(t *testing.T, args ...any) {
	t.Helper()
	if err := s.client.Do(t.Context(), args...).Err(); err != nil && !errors.Is(err, redis.Nil) {
		t.Fatal(err)
	}
}

func (s *redisStream) send(t *testing.T, payloads ...[]byte) {
	t.Helper()
	for part := range slices.Chunk(payloads, 200) {
		_, err := s.client.Pipelined(t.Context(), func(pipe redis.Pipeliner) error {
			for _, p := range part {
				pipe.Do(t.Context(), "XADD", stream, "*", "trace", "7", "data", p)
			}
			return nil
		})
		harness.Check(t, err)
	}
}

func (s *redisStream) trim(t *testing.T, keep int) { s.do(t, "XTRIM", stream, "MAXLEN", keep) }
func (s *redisStream) stop(*testing.T)             { s.process.Kill() }
func (s *redisStream) start(*testing.T)            { s.process.Restart() }

func TestRedisStream_KeepsThePromises(t *testing.T) {
	conform(t, func(t *testing.T) server { return startRedis(t) })
}

// newRedisTest returns a stream with entries 0-1 to 0-5, all read.
func newRedisTest(t *testing.T) (*busTest, *redisStream, ingest.Place) {
	t.Helper()
	s := startRedis(t)
	b := &busTest{T: t, server: s, bus: openBus(t, s)}
	for _, id := range []string{"0-1", "0-2", "0-3", "0-4", "0-5"} {
		s.do(t, "XADD", stream, id, "data", id)
	}
	_, end := b.read(ingest.Place{}, 5)
	return b, s, end
}

func TestRedisStream_StopsIfUnreadEntryDeleted(t *testing.T) {
	b, s, end := newRedisTest(t)
	s.do(t, "XADD", stream, "0-6", "data", "6")
	s.do(t, "XADD", stream, "0-7", "data", "7")
	s.do(t, "XDEL", stream, "0-6")
	b.lost(end)
}

func TestRedisStream_GoesOnIfReadEntryDeleted(t *testing.T) {
	b, s, end := newRedisTest(t)
	s.do(t, "XADD", stream, "0-6", "data", "6")
	s.do(t, "XDEL", stream, "0-2")
	got, _ := b.read(end, 1)
	b.expect(got, [][]byte{[]byte("6")})
}

// A restored stream keeps its identity, and gets new entries with higher ids.
func TestRedisStream_StopsAfterRestore(t *testing.T) {
	b, s, end := newRedisTest(t)
	dump := s.client.Dump(t.Context(), stream).Val()
	s.do(t, "XADD", stream, "0-6", "data", "6")
	_, later := b.read(end, 1)
	s.do(t, "RESTORE", stream, 0, dump, "REPLACE")
	b.lost(later)
	s.do(t, "XADD", stream, "0-9", "data", "other")
	b.lost(later)
}

func TestRedisStream_NeedsFieldData(t *testing.T) {
	s := startRedis(t)
	b := &busTest{T: t, server: s, bus: openBus(t, s)}
	s.do(t, "XADD", stream, "*", "other", "x", "ce_type", "y")
	got, _ := b.read(ingest.Place{}, 1)
	if !strings.Contains(got[0].Bad, `no field "data"`) || got[0].Headers["ce_type"] != "y" {
		t.Errorf("the message is %+v", got[0])
	}
}
