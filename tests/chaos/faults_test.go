package chaos

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// acceptedWithin limits a request while Redis does not respond: the time that the server gives any
// operation.
const acceptedWithin = app.OperationTimeout

// TestServer_OutlivesUnreachableRedis takes Redis from a server that is never restarted, in several
// ways, and gives it back. Meanwhile the server accepts publishes and follows, and its feeds are
// complete.
func TestServer_OutlivesUnreachableRedis(t *testing.T) {
	for name, test := range map[string]struct {
		fault func(*testenv.Proxy)
		// away is set if nothing at all comes from Redis.
		away bool
	}{
		"that accepts requests and never responds": {(*testenv.Proxy).Silence, true},
		"that is cut off":                          {(*testenv.Proxy).Cut, true},
		"that resets every connection":             {(*testenv.Proxy).Reset, true},
		"that is slow":                             {func(p *testenv.Proxy) { p.Delay(150 * time.Millisecond) }, false},
		"behind a narrow connection":               {func(p *testenv.Proxy) { p.Narrow(4) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits for timeouts
			redis := testenv.Redis(t)
			proxy := testenv.StartProxy(t, redis)
			s := newOutage(t, harness.Postgres(t), proxy.URL(redis))
			test.fault(proxy)
			s.publishAll()
			s.followAll()
			s.readAll(test.away)
			proxy.Heal()
			s.recover()
		})
	}
}

// outage is a server during a fault, with the feeds it must show.
type outage struct {
	*testing.T
	server *harness.Server
	api    *harness.Caller
	oracle *harness.Oracle
	net    *harness.Network
	// env has the server's settings.
	env []string
	// before has the feeds from before the fault.
	before map[feed.UserID][]string

	mu sync.Mutex
	// own has the viewers' posts since the fault began.
	own map[feed.UserID]string
	// slowest has the longest time of each kind of request.
	slowest map[string]time.Duration
}

// newOutage starts a server and waits until all users have an inbox.
func newOutage(t *testing.T, database, redis string) *outage {
	t.Helper()
	s := &outage{
		T: t, net: harness.NewNetwork(10, 150, 13), slowest: map[string]time.Duration{},
		before: map[feed.UserID][]string{}, own: map[feed.UserID]string{},
	}
	env := []string{
		"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis, "TIDELINE_JWT_SECRET=" + harness.Secret,
		"TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=debug", "TIDELINE_SUBTASK_SIZE=3", "TIDELINE_INBOX_CAP=40",
	}
	harness.ImportFile(t, env, s.net.File(t), " 0 known, 0 bad")
	s.env = env
	s.server = harness.StartServer(t, env...)
	s.api = harness.NewCaller(s.server.Base)
	s.oracle = harness.NewOracle(t, database)
	s.awaitInboxes()
	for viewer := range s.viewers() {
		s.before[viewer] = s.oracle.Feed(viewer)
	}
	return s
}

// viewers returns all users.
func (s *outage) viewers() func(func(feed.UserID) bool) {
	return func(yield func(feed.UserID) bool) {
		for id := feed.UserID(1); int(id) <= s.net.Users && yield(id); id++ {
		}
	}
}

// awaitInboxes reads every feed until all of them come from inboxes.
func (s *outage) awaitInboxes() {
	s.Helper()
	eventually.True(s.T, "every feed comes from an inbox", func() bool {
		before := s.fromInboxes()
		for viewer := range s.viewers() {
			if _, _, err := s.api.Page(s.Context(), viewer, 1, nil); err != nil {
				return false
			}
		}
		return s.fromInboxes()-before == s.net.Users
	})
}

func (s *outage) fromInboxes() int {
	return s.server.CountLines("home feed read", "source=inbox") + s.server.CountLines("home feed read", "source=both")
}

// forEachUser calls do for every user at the same time. Each call must succeed in time.
func (s *outage) forEachUser(what string, do func(viewer feed.UserID) error) {
	s.Helper()
	var group sync.WaitGroup
	for viewer := range s.viewers() {
		group.Go(func() {
			began := time.Now()
			err := do(viewer)
			took := time.Since(began)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.slowest[what] = max(s.slowest[what], took)
			if err != nil || took > harness.AtMost(acceptedWithin) {
				s.Errorf("a %s by user %d took %v and returned %v", what, viewer, took, err)
			}
		})
	}
	group.Wait()
}

// publishAll has every user publish.
func (s *outage) publishAll() {
	s.Helper()
	s.forEachUser("publish", func(viewer feed.UserID) error {
		id, err := s.api.Publish(s.Context(), viewer, fmt.Sprint("under a fault, by ", viewer))
		s.mu.Lock()
		defer s.mu.Unlock()
		s.own[viewer] = id
		return err
	})
}

// followAll has every user follow the next one, again if they already do.
func (s *outage) followAll() {
	s.Helper()
	s.forEachUser("follow", func(viewer feed.UserID) error {
		return s.api.Relate(s.Context(), "followUser", viewer, viewer%feed.UserID(s.net.Users)+1)
	})
}

// readAll reads every feed during the fault. If Redis is unreachable, each must match the tables.
// Otherwise pushes may be pending: a feed must have all posts from before and the viewer's own, in
// order, and none that the tables do not have.
func (s *outage) readAll(exact bool) {
	s.Helper()
	pages := make([][]string, s.net.Users+1)
	s.forEachUser("read of a page", func(viewer feed.UserID) (err error) {
		pages[viewer], _, err = s.api.Page(s.Context(), viewer, 100, nil)
		return err
	})
	for viewer := range s.viewers() {
		want := s.oracle.Feed(viewer)
		if !exact {
			s.checkBetween(viewer, pages[viewer], want)
			continue
		}
		if diff := gocmp.Diff(want[:min(100, len(want))], pages[viewer]); diff != "" {
			s.Errorf("viewer %d:\n%s", viewer, diff)
		}
	}
}

// checkBetween checks a page that may lack posts that others published since the fault, at most one
// each, and posts of users followed since.
func (s *outage) checkBetween(viewer feed.UserID, got, want []string) {
	s.Helper()
	must := slices.DeleteFunc(slices.Clone(want), func(id string) bool {
		return id != s.own[viewer] && !slices.Contains(s.before[viewer], id)
	})
	if lacks := harness.Without(must[:min(len(must), 100-s.net.Users)], got); len(lacks) > 0 {
		s.Errorf("the feed of viewer %d lacks %v", viewer, lacks)
	}
	last := -1
	for _, id := range got {
		at := slices.Index(want, id)
		if at <= last {
			s.Errorf("viewer %d sees %s, which is not in their feed or is out of order", viewer, id)
		}
		last = at
	}
}

// recover waits until everything is pushed and every feed comes from an inbox again, and compares
// all feeds with the tables.
func (s *outage) recover() {
	s.Helper()
	began := time.Now()
	eventually.True(s.T, "everything is pushed", func() bool { return s.oracle.Open() == 0 })
	pushed := time.Since(began)
	s.awaitInboxes()
	sum := s.oracle.Compare(s.api, s.net.Users)
	s.Logf("pushed after %v, all from inboxes after %v, entries %d, missing %d, extra %d",
		pushed.Round(time.Millisecond), time.Since(began).Round(time.Millisecond), sum.Entries, sum.Missing, sum.Extra)
	for _, what := range slices.Sorted(maps.Keys(s.slowest)) {
		s.Logf("slowest %s: %v", what, s.slowest[what].Round(time.Millisecond))
	}
	harness.DoctorSays(s.T, s.env, []string{"--all"}, 0, "; 0 overdue by")
}

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
