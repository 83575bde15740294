package app

import (
	"context"
	"errors"
	"testing"
	"time"
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
