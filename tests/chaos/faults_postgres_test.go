package chaos

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestServer_OutlivesUnreachableDatabase takes PostgreSQL from a server that is never restarted,
// and gives it back. Meanwhile the server must refuse requests in time, with a code that tells
// clients to retry.
func TestServer_OutlivesUnreachableDatabase(t *testing.T) {
	t.Run("that is killed and recovers", func(t *testing.T) {
		t.Parallel()
		postgres := testenv.StartPostgres(t)
		s := newOutage(t, postgres.URL(), testenv.Redis(t))
		s.publishAll()
		postgres.Kill()
		s.beRefused(refusedWithin)
		postgres.Restart()
		s.oracle = harness.NewOracle(t, postgres.URL())
		s.comeBack()
	})
	for name, fault := range map[string]func(*testenv.Proxy){
		"that is cut off":                          (*testenv.Proxy).Cut,
		"that accepts requests and never responds": (*testenv.Proxy).Silence,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database := harness.Postgres(t)
			proxy := testenv.StartProxy(t, database)
			s := newOutage(t, proxy.URL(database), testenv.Redis(t))
			s.oracle = harness.NewOracle(t, database)
			s.publishAll()
			fault(proxy)
			s.beRefused(refusedWithin)
			s.beRefused(refusedAtOnce)
			proxy.Heal()
			s.comeBack()
		})
	}
}

// A refusal may take one second before the database is pinged, three for the ping, and more on a
// busy machine. Later refusals may take the time of the next ping.
const (
	refusedWithin = 8 * time.Second
	refusedAtOnce = 2 * time.Second
)

// beRefused has every viewer publish and read at the same time. All must be refused in time.
func (s *outage) beRefused(within time.Duration) {
	s.Helper()
	var group sync.WaitGroup
	refused := func(what string, do func() error) {
		began := time.Now()
		err := do()
		took := time.Since(began)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.slowest[what] = max(s.slowest[what], took)
		if harness.CodeOf(err) != string(feed.CodeUnavailable) || took > harness.AtMost(within) {
			s.Errorf("a %s took %v and returned %v", what, took, err)
		}
	}
	for viewer := range s.viewers() {
		group.Go(func() {
			refused("refusal of a publish", func() error {
				_, err := s.api.Publish(s.Context(), viewer, fmt.Sprint("refused, by ", viewer))
				return err
			})
		})
		group.Go(func() {
			refused("refusal of a read", func() error {
				_, _, err := s.api.Page(s.Context(), viewer, 20, nil)
				return err
			})
		})
	}
	group.Wait()
}

// comeBack waits until the server publishes again, and then checks all feeds.
func (s *outage) comeBack() {
	s.Helper()
	began := time.Now()
	eventually.True(s.T, "the server publishes again", func() bool {
		_, err := s.api.Publish(s.Context(), 1, "back")
		return err == nil
	})
	s.Logf("published again after %v", time.Since(began).Round(time.Millisecond))
	s.recover()
}
