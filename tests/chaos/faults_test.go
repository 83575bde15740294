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
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// acceptedWithin is how long a request may take while Redis does not answer: as long as
// the server gives any operation.
const acceptedWithin = app.OperationWithin

// TestServer_OutlivesUnreachableRedis has one server, which is never restarted,
// lose Redis in several ways and get it back. Meanwhile it takes publishes and follows
// and shows feeds that lack nothing.
func TestServer_OutlivesUnreachableRedis(t *testing.T) {
	for name, test := range map[string]struct {
		fault func(*testenv.Proxy)
		// away says that nothing at all comes from Redis.
		away bool
	}{
		"that takes requests and never answers": {(*testenv.Proxy).Silence, true},
		"that is cut off":                       {(*testenv.Proxy).Cut, true},
		"that resets every connection":          {(*testenv.Proxy).Reset, true},
		"that is slow":                          {func(p *testenv.Proxy) { p.Delay(150 * time.Millisecond) }, false},
		"behind a narrow connection":            {func(p *testenv.Proxy) { p.Narrow(4) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // much of the time goes by in waiting for what does not come
			redis := testenv.Redis(t)
			proxy := testenv.StartProxy(t, redis)
			s := newOutage(t, testenv.Postgres(t), proxy.URL(redis))
			test.fault(proxy)
			s.publishAll()
			s.followAll()
			s.readAll(test.away)
			proxy.Heal()
			s.recover()
		})
	}
}

// outage is a server that loses something, and what its feeds must be.
type outage struct {
	*testing.T
	server *harness.Server
	api    *harness.Caller
	oracle *harness.Oracle
	net    *harness.Network
	// env is the server's.
	env []string
	// before are the feeds from before it.
	before map[feed.UserID][]string

	mu sync.Mutex
	// own are the posts since then.
	own map[feed.UserID]string
	// slowest is the longest time that anything of a kind took.
	slowest map[string]time.Duration
	// published is how many posts were published for [outage.paces].
	published int
}

// newOutage starts a server whose users all have an inbox, before anything happens.
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

// viewers goes through all users.
func (s *outage) viewers() func(func(feed.UserID) bool) {
	return func(yield func(feed.UserID) bool) {
		for id := feed.UserID(1); int(id) <= s.net.Users && yield(id); id++ {
		}
	}
}

// awaitInboxes reads everybody's feed until all of them come from inboxes.
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

// everybody does something as every user at the same time. Each must succeed within the
// time for it.
func (s *outage) everybody(what string, do func(viewer feed.UserID) error) {
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
				s.Errorf("a %s by %d took %v and ended with %v", what, viewer, took, err)
			}
		})
	}
	group.Wait()
}

// publishAll has everybody publish.
func (s *outage) publishAll() {
	s.Helper()
	s.everybody("publish", func(viewer feed.UserID) error {
		id, err := s.api.Publish(s.Context(), viewer, fmt.Sprint("under a fault, by ", viewer))
		s.mu.Lock()
		defer s.mu.Unlock()
		s.own[viewer] = id
		return err
	})
}

// followAll has everybody follow the next one, who may be followed already.
func (s *outage) followAll() {
	s.Helper()
	s.everybody("follow", func(viewer feed.UserID) error {
		return s.api.Relate(s.Context(), "followUser", viewer, viewer%feed.UserID(s.net.Users)+1)
	})
}

// readAll reads every feed while the fault lasts. When Redis is away altogether, it must
// be what the tables say. Otherwise pushes may be under way: the feed must have all from
// before and the viewer's own, in order, and nothing that the tables do not have.
func (s *outage) readAll(exact bool) {
	s.Helper()
	pages := make([][]string, s.net.Users+1)
	s.everybody("read of a page", func(viewer feed.UserID) (err error) {
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

// checkBetween checks a page that may lack what others have published since the fault,
// which is at most one post each, and whom he has followed since.
func (s *outage) checkBetween(viewer feed.UserID, got, want []string) {
	s.Helper()
	must := slices.DeleteFunc(slices.Clone(want), func(id string) bool {
		return id != s.own[viewer] && !slices.Contains(s.before[viewer], id)
	})
	if lacks := harness.Without(must[:min(len(must), 100-s.net.Users)], got); len(lacks) > 0 {
		s.Errorf("viewer %d lacks %v", viewer, lacks)
	}
	last := -1
	for _, id := range got {
		at := slices.Index(want, id)
		if at <= last {
			s.Errorf("viewer %d sees %s, which is not his to see or out of order", viewer, id)
		}
		last = at
	}
}

// recover waits until everything is pushed and every feed comes from an inbox again, and
// holds all of them against the tables.
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
	harness.DoctorSays(s.T, s.env, []string{"--all"}, 0, "0 of all are stuck")
}
