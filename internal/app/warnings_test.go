package app

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/warnings"
)

type steppedClock struct{ now time.Time }

func (c *steppedClock) time() time.Time { return c.now }

func TestNoWorker_WarnsAfterThirtySeconds(t *testing.T) {
	clock := &steppedClock{time.UnixMilli(0)}
	workers, waits := 1, true
	var failure error
	w := &workerWatch{
		workers: func(context.Context) (int, error) { return workers, failure },
		hasWork: func(context.Context) (bool, error) { return waits, nil },
		clock:   clock.time,
	}
	for _, step := range []struct {
		workers int
		waits   bool
		after   time.Duration
		want    string
	}{
		{1, true, time.Hour, ""},
		{0, true, time.Hour, ""},
		{0, true, WorkerGoneFor - time.Second, ""},
		{0, true, time.Second, NoWorkerMessage},
		{0, false, time.Second, ""},
		{0, true, time.Second, NoWorkerMessage},
		{1, true, time.Second, ""},
		{0, true, time.Second, ""},
	} {
		workers, waits = step.workers, step.waits
		clock.now = clock.now.Add(step.after)
		if got, err := w.look(t.Context()); err != nil || got != step.want {
			t.Errorf("%v with %d workers, work %v: %q, %v, want %q", step.after, step.workers, step.waits, got, err, step.want)
		}
	}
	failure = errors.New("no answer")
	if _, err := w.look(t.Context()); !errors.Is(err, failure) {
		t.Errorf("with a failing queue: %v", err)
	}
}

func TestWritesCheck_AdvisesByCause(t *testing.T) {
	cause := errors.New("x")
	for want, err := range map[string]error{
		"start it":          feed.Unavailable("Redis", cause),
		"make room":         feed.CannotServe("Redis", "is full", cause),
		"take writes":       feed.CannotServe("Redis", "takes no writes, since it is a replica", cause),
		"user and password": feed.CannotServe("Redis", "does not let this program in", cause),
		"read its log":      feed.CannotServe("Redis", "is busy with a script", cause),
	} {
		check := WritesCheck("redis_refuses", "Redis of --redis-url", func(context.Context) error { return err })
		m := warnings.New(slog.New(slog.DiscardHandler), check)
		m.Evaluate(t.Context())
		if got := m.Active(); len(got) != 1 || !strings.Contains(got[0].Action, want) || strings.Contains(got[0].Action, "make room") != (want == "make room") {
			t.Errorf("%v: %+v, want the advice %q", err, got, want)
		}
	}
}

func TestRedisPolicy_NamesOtherPolicies(t *testing.T) {
	for want, policies := range map[string][]string{
		"": {"noeviction", "noeviction"},
		"the Redis of --redis-url runs with maxmemory-policy allkeys-lru":                                    {"allkeys-lru"},
		"the Redis of --redis-url runs with maxmemory-policy allkeys-lru on 1 of 3 servers":                  {"noeviction", "allkeys-lru", "noeviction"},
		"the Redis of --redis-url runs with maxmemory-policy allkeys-lru and volatile-lru on 3 of 3 servers": {"volatile-lru", "allkeys-lru", "volatile-lru"},
	} {
		if got := policyMessage("--redis-url", policies); got != want {
			t.Errorf("%v: %q, want %q", policies, got, want)
		}
	}
}
