package chaos

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestServer_FastWhileRedisRefuses brings Redis into states in which it temporarily refuses writes.
// Pages and publishes must take hardly longer than before, and afterwards every feed must be exact.
// feed/redisstore has tests of all other refusals.
func TestServer_FastWhileRedisRefuses(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(s, other *testenv.RedisServer) (end func()){
		"that is full": func(s, _ *testenv.RedisServer) func() {
			s.FillMemory()
			return s.FreeMemory
		},
		"that became a replica": func(s, other *testenv.RedisServer) func() {
			s.Follow(other)
			return s.Promote
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits for Redis
			redis, other := testenv.StartRedis(t, testenv.RedisOptions{}), testenv.StartRedis(t, testenv.RedisOptions{})
			s := newOutage(t, harness.Postgres(t), redis.URL())
			healthy := s.measure()
			end := begin(redis, other)
			s.stayFast(name, healthy)
			end()
			s.recover()
		})
	}
}

// medians has the median times of a page and of a publish.
type medians struct{ page, publish time.Duration }

// samples is the number of requests behind a median.
const samples = 30

// measure returns the median times of pages and publishes.
func (s *outage) measure() medians {
	s.Helper()
	return medians{
		page: s.median(func() error {
			_, _, err := s.api.Page(s.Context(), 1, 20, nil)
			return err
		}),
		publish: s.median(func() error {
			s.published++
			_, err := s.api.Publish(s.Context(), 2, fmt.Sprint("measured ", s.published))
			return err
		}),
	}
}

func (s *outage) median(do func() error) time.Duration {
	s.Helper()
	times := make([]time.Duration, samples)
	for i := range times {
		began := time.Now()
		harness.Check(s.T, do())
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	return times[samples/2]
}

// noise is the time that a busy machine may add to a median. The waits to detect take 80 ms or more.
const noise = 40 * time.Millisecond

// stayFast checks that pages and publishes take at most three times as long as before, from a
// second after the fault. Only scripts/chaos.sh judges times.
func (s *outage) stayFast(fault string, healthy medians) {
	s.Helper()
	for began := time.Now(); time.Since(began) < time.Second; {
		for viewer := range s.viewers() {
			if _, _, err := s.api.Page(s.Context(), viewer, 20, nil); err != nil {
				s.Fatal(err)
			}
		}
	}
	now := s.measure()
	s.Logf("%s: a page takes %v (before %v), a publish %v (before %v)", fault, now.page, healthy.page, now.publish, healthy.publish)
	if now.page > harness.AtMost(3*healthy.page+noise) || now.publish > harness.AtMost(3*healthy.publish+noise) {
		s.Errorf("%s: pages or publishes wait for Redis", fault)
	}
}
