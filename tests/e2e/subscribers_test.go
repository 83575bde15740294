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
	"github.com/tideline-feeds/tideline/tests/harness"
)

// subscribersFlag is how many subscribers one process is given; scripts/subscribers.sh
// gives it ten thousand.
var subscribersFlag = flag.Int("subscribers", 200, "how many subscribers one process is given")

// TestSubscription_ReachesManySubscribersOfOneProcess lets many followers of one author subscribe,
// each over a socket of his own, and publishes: everybody is told, once. What that takes
// is logged.
func TestSubscription_ReachesManySubscribersOfOneProcess(t *testing.T) {
	t.Parallel()
	const publishes = 5
	n := *subscribersFlag
	env := []string{"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false", "TIDELINE_ADMIN_TOKEN=" + harness.Secret}
	harness.ImportFile(t, env, harness.StarFile(t, n), fmt.Sprintf("%d new, 0 known, 0 bad", 2*n+1))
	s := startServer(t, env...)
	empty := s.residentMemory(t)

	crowd := s.crowd(t, n)
	settled := s.residentMemory(t)
	t.Logf("%d idle subscribers: %d MB, %d KB for each", n, (settled-empty)>>20, (settled-empty)>>10/int64(n))

	star := harness.TokenFor(t, 1)
	for range publishes {
		began := time.Now()
		id := s.Publish(t, star, "to everybody")
		took := tellAll(t, crowd, id, began)
		t.Logf("one publish: half were told after %v, the last after %v", took[n/2].Round(time.Millisecond), took[n-1].Round(time.Millisecond))
	}
}

// crowd lets the n followers of starFile subscribe, some at a time, and returns when all
// hear.
func (s *server) crowd(t *testing.T, n int) []<-chan told {
	t.Helper()
	crowd := make([]<-chan told, n)
	var group errgroup.Group
	group.SetLimit(20)
	for i := range crowd {
		token := harness.TokenFor(t, feed.UserID(i+2))
		group.Go(func() error { crowd[i] = s.overSocket(t, token); return nil })
	}
	_ = group.Wait() // a failure has ended the test
	eventually.True(t, "all are subscribed", func() bool {
		_, text := s.Get(t, "/metrics", harness.Secret)
		return strings.Contains(text, fmt.Sprintf("\ntideline_subscribers %d\n", n))
	})
	return crowd
}

// tellAll waits until everybody is told of a content, and of nothing else, and returns how
// long after it began each was, the quickest first.
func tellAll(t *testing.T, crowd []<-chan told, id string, began time.Time) []time.Duration {
	t.Helper()
	took := make([]time.Duration, len(crowd))
	var group errgroup.Group
	for i, events := range crowd {
		group.Go(func() error {
			select {
			case e := <-events:
				took[i] = time.Since(began)
				if got := e.Data.HomeFeedEdges.Node.DatabaseID; got != id {
					return fmt.Errorf("subscriber %d is told %+v, not of content %s", i, e, id)
				}
				return nil
			case <-time.After(eventually.Limit):
				return fmt.Errorf("subscriber %d is told nothing", i)
			}
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(took)
	return took
}

// residentMemory returns what the server's process has in memory, in bytes.
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
