//go:build nightly

package e2e

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// reader receives the changes of a home feed, as the Go client does by default: after each end, it
// connects again with its last token, later each time and with jitter.
type reader struct {
	home *tideline.Home

	mu      sync.Mutex
	since   string
	arrived map[string][]time.Time // by post id
	err     error
}

// begin reads the first page, which must be empty.
func (r *reader) begin(ctx context.Context) error {
	for page, err := range r.home.Pages(ctx) {
		if err != nil || len(page.Edges) > 0 || page.SyncToken == nil {
			return fmt.Errorf("the first page is %+v: %w", page, err)
		}
		r.since = *page.SyncToken
	}
	return nil
}

// run receives changes until ctx ends or the client gives up.
func (r *reader) run(ctx context.Context) {
	for page, err := range r.home.Changes(ctx, r.since) {
		if ctx.Err() != nil {
			return
		}
		r.take(page, err)
	}
}

func (r *reader) take(page *tideline.ChangePage, err error) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err = errors.Join(r.err, err); err != nil {
		return
	}
	for _, c := range page.Changes {
		if c.Kind != tideline.HomeChangeKindAdded {
			r.err = errors.Join(r.err, fmt.Errorf("a change is %s", c.Kind))
			continue
		}
		r.arrived[*c.PostId] = append(r.arrived[*c.PostId], now)
	}
}

// first returns when the first post after a time arrived. It returns false if none did.
func (r *reader) first(after time.Time) (time.Time, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var first time.Time
	for _, times := range r.arrived {
		for _, at := range times {
			if at.After(after) && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
	}
	return first, !first.IsZero()
}

// when returns when a post first arrived. It returns false if it did not.
func (r *reader) when(post string) (time.Time, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if times := r.arrived[post]; len(times) > 0 {
		return times[0], true
	}
	return time.Time{}, false
}

// crowd are readers of the posts of one author.
type crowd struct {
	wires   wires
	readers []*reader

	mu    sync.Mutex
	posts []string
	err   error // why the author gave up
}

// connect lets readers read their first page, some at a time, and then receive changes.
func (c *crowd) connect(ctx context.Context, t *testing.T, a audience, running *sync.WaitGroup) {
	t.Helper()
	var group errgroup.Group
	group.SetLimit(20)
	for i := range a.subscribers {
		r := &reader{home: c.wires.client(harness.TokenFor(t, a.user(i))).Home(), arrived: map[string][]time.Time{}}
		c.readers = append(c.readers, r)
		group.Go(func() error {
			if err := r.begin(ctx); err != nil {
				return err
			}
			running.Go(func() { r.run(ctx) })
			return nil
		})
	}
	harness.Check(t, group.Wait())
}

// publish publishes posts until ctx ends, one per pace. It repeats each, by an idempotency key, until
// a server accepts it.
func (c *crowd) publish(ctx context.Context, token string, pace time.Duration) {
	client := c.wires.client(token)
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for n := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		text := fmt.Sprintf("post %d", n)
		got, err := tideline.PublishPost(context.WithoutCancel(ctx), client, tideline.PublishPostInput{Text: text, IdempotencyKey: &text})
		if err != nil {
			continue
		}
		c.mu.Lock()
		c.posts = append(c.posts, got.PublishPost.FeedEdge.Node.Id)
		c.err = errors.Join(c.err, tideline.Refused(got.PublishPost.UserErrors))
		c.mu.Unlock()
		n++
	}
}

func (c *crowd) published() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.posts)
}

// awaitPosts waits until all readers have all posts so far.
func (c *crowd) awaitPosts(t *testing.T) {
	t.Helper()
	posts := c.published()
	eventually.True(t, fmt.Sprintf("all readers have %d posts", len(posts)), func() bool {
		return !slices.ContainsFunc(c.readers, func(r *reader) bool {
			return slices.ContainsFunc(posts, func(id string) bool { _, has := r.when(id); return !has })
		})
	})
}

// awaitMorePosts waits until the author has published n more posts and all readers have them.
func (c *crowd) awaitMorePosts(t *testing.T, n int) {
	t.Helper()
	n += len(c.published())
	eventually.True(t, "the author has published more", func() bool { return len(c.published()) >= n })
	c.awaitPosts(t)
}

// firstAfter returns how long after a time each reader received a post, the shortest first.
func (c *crowd) firstAfter(t *testing.T, began time.Time) []time.Duration {
	t.Helper()
	took := make([]time.Duration, len(c.readers))
	for i, r := range c.readers {
		at, ok := r.first(began)
		if !ok {
			t.Fatalf("reader %d has received nothing", i)
		}
		took[i] = at.Sub(began).Round(time.Millisecond)
	}
	slices.Sort(took)
	return took
}

// wantExactly checks that each reader got the posts and nothing else. It returns how many came twice.
// A post comes twice if it was sent early, and a third time if a fan-out was repeated.
func (c *crowd) wantExactly(t *testing.T) (repeated int) {
	t.Helper()
	harness.Check(t, c.err)
	posts := c.published()
	for i, r := range c.readers {
		r.mu.Lock()
		if r.err != nil || len(r.arrived) != len(posts) {
			t.Errorf("reader %d has %d posts of %d, and the error %v", i, len(r.arrived), len(posts), r.err)
		}
		for _, times := range r.arrived {
			repeated += len(times) - 1
		}
		r.mu.Unlock()
	}
	return repeated
}

// stop is a way in which a process ends.
type stop struct {
	name string
	end  func(*testenv.Process)
}

func stops(t *testing.T) []stop {
	return []stop{{"SIGTERM", func(p *testenv.Process) {
		p.Signal(syscall.SIGTERM)
		if code := p.Wait(); code != 0 {
			t.Errorf("the process ended with %d after SIGTERM", code)
		}
	}}, {"kill -9", (*testenv.Process).Kill}}
}

// TestSubscription_ReturnsAfterRestarts stops the process of many subscribers while an author
// publishes, and starts another one: all must return to it, and get each post.
func TestSubscription_ReturnsAfterRestarts(t *testing.T) {
	t.Parallel()
	n := *subscribersFlag
	a := audience{n, n}
	env := shared(t, noDemo)
	a.importStar(t, env)
	s := startServer(t, env...)

	ctx, leave := context.WithCancel(t.Context())
	var running, writing sync.WaitGroup
	defer running.Wait()
	defer leave()
	c := &crowd{}
	c.wires.setServers(s.Base)
	c.connect(ctx, t, a, &running)
	s.awaitSubscribers(t, n)
	write, finish := context.WithCancel(ctx)
	defer finish()
	writing.Go(func() {
		c.publish(write, harness.TokenFor(t, 1), max(50*time.Millisecond, time.Duration(n)*time.Millisecond))
	})

	for _, stop := range stops(t) {
		c.awaitMorePosts(t, 2)
		began := time.Now()
		stop.end(s.Process)
		ended := time.Now()
		s = startServer(t, env...)
		c.wires.setServers(s.Base)
		ready := time.Now()
		s.awaitSubscribers(t, n)
		back := time.Now()
		c.awaitMorePosts(t, 2)
		first := c.firstAfter(t, ready)
		t.Logf("%s: ended after %v, another is ready after %v, all are back %v later; half received a post after %v, 99 %% after %v, the last after %v; at most %d MB",
			stop.name, ended.Sub(began).Round(time.Millisecond), ready.Sub(ended).Round(time.Millisecond), back.Sub(ready).Round(time.Millisecond),
			first[n/2], first[n*99/100], first[n-1], harness.PeakMemory(t, s.Process)>>20)
		s.wantNoFailures(t)
	}
	finish()
	writing.Wait()
	c.awaitPosts(t)
	t.Logf("%d posts reached all, %d times again", len(c.published()), c.wantExactly(t))
}

// failures are metrics of operations that failed, of refusals, and of subscriptions that ended early.
var failures = regexp.MustCompile(`(?m)^tideline_(operations_total\{.*outcome="([^o]|o[^k]).*|limits_hit_total.*|subscriptions_ended_total.*) [1-9].*$`)

// wantNoFailures checks that no operation has failed.
func (s *server) wantNoFailures(t *testing.T) {
	t.Helper()
	_, text := s.Get(t, "/metrics", operatorToken)
	if found := failures.FindAllString(text, -1); len(found) > 0 {
		t.Errorf("the process has failures:\n%s", strings.Join(found, "\n"))
	}
}
