package e2e

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// subscribersFlag is the number of subscribers of one process. scripts/subscribers.sh sets it to
// ten thousand.
var subscribersFlag = flag.Int("subscribers", 200, "the number of subscribers of one process")

// TestSubscription_ReachesManySubscribersOfOneProcess subscribes followers of one author, each over
// its own socket, and publishes: each must receive the posts in turn. It logs memory and times. The
// import resets the change log, which must not end the first subscriptions.
func TestSubscription_ReachesManySubscribersOfOneProcess(t *testing.T) {
	t.Parallel()
	const publishes = 5
	n := *subscribersFlag
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false", "TIDELINE_ADMIN_TOKEN=" + harness.Secret,
	}
	harness.ImportFile(t, env, harness.StarFile(t, n), fmt.Sprintf("%d new, 0 known, 0 bad", 2*n+1))
	s := startServer(t, env...)
	empty := s.residentMemory(t)

	began := time.Now()
	subscribers := s.subscribeAll(t, n)
	t.Logf("all are subscribed after %v", time.Since(began).Round(time.Millisecond))
	settled := s.residentMemory(t)
	t.Logf("%d idle subscribers: %d MB, %d KB for each", n, (settled-empty)>>20, (settled-empty)>>10/int64(n))

	star := harness.TokenFor(t, 1)
	before := ""
	for range publishes {
		began := time.Now()
		id := s.Publish(t, star, "to all")
		took := awaitAll(t, subscribers, before, id, began)
		before = id
		share := func(i int) time.Duration { return took[i].Round(time.Millisecond) }
		t.Logf("one publish: half received it after %v, 99 %% after %v, the last after %v", share(n/2), share(n*99/100), share(n-1))
	}
}

// subscribeAll subscribes the n followers of starFile, some at a time, and returns when all receive
// events.
func (s *server) subscribeAll(t *testing.T, n int) []<-chan event {
	t.Helper()
	subscribers := make([]<-chan event, n)
	var group errgroup.Group
	group.SetLimit(20)
	for i := range subscribers {
		token := harness.TokenFor(t, feed.UserID(i+2))
		group.Go(func() error { subscribers[i] = s.overSocket(t, token); return nil })
	}
	_ = group.Wait() // a failure has ended the test
	eventually.True(t, "all are subscribed", func() bool {
		_, text := s.Get(t, "/metrics", harness.Secret)
		return strings.Contains(text, fmt.Sprintf("\ntideline_subscribers %d\n", n))
	})
	return subscribers
}

// awaitAll waits until every subscriber receives a post and nothing else, and returns the times
// since began, the shortest first. Subscribers who get a post before all others may get it again, so
// the post before may come once more.
func awaitAll(t *testing.T, subscribers []<-chan event, before, id string, began time.Time) []time.Duration {
	t.Helper()
	took := make([]time.Duration, len(subscribers))
	var group errgroup.Group
	for i, events := range subscribers {
		group.Go(func() error {
			for again := before; ; again = "" {
				select {
				case e := <-events:
					took[i] = time.Since(began)
					switch got := e.Data.HomeFeedEdges.Node.DatabaseID; {
					case got == id:
						return nil
					case got == "" || got != again:
						return fmt.Errorf("subscriber %d receives %+v, want post %s", i, e, id)
					}
				case <-time.After(eventually.Limit):
					return fmt.Errorf("subscriber %d receives nothing", i)
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(took)
	return took
}

// residentMemory returns the resident memory of the server's process in bytes.
func (s *server) residentMemory(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.Process.Pid()))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
