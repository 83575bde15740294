package tasks_test

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
	"github.com/tideline-feeds/tideline/tasks"
)

// ranAt returns when, from the start, each of the first calls happened; call n
// returns what outcome says. Time is synctest's and passes at once.
func ranAt(t *testing.T, calls int, interval time.Duration, outcome func(n int) error) []time.Duration {
	t.Helper()
	var at []time.Duration
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		tasks.Every(ctx, interval, "sweep", slog.New(slog.DiscardHandler), func(context.Context) error {
			at = append(at, time.Since(start))
			if len(at) == calls {
				cancel()
			}
			return outcome(len(at))
		})
	})
	return at
}

func TestEvery_BacksOffAfterFailures(t *testing.T) {
	for name, c := range map[string]struct {
		interval time.Duration
		failures int
		want     []time.Duration // between calls, in seconds
	}{
		"no failure":         {time.Second, 0, []time.Duration{1, 1, 1}},
		"a long outage":      {time.Second, 7, []time.Duration{2, 4, 5, 5, 5, 5, 5, 1, 1}},
		"of a long interval": {time.Hour, 9, []time.Duration{3600}},
	} {
		var pauses []time.Duration
		at := ranAt(t, len(c.want)+1, c.interval, func(n int) error {
			if n <= c.failures {
				return errors.New("the store is away")
			}
			return nil
		})
		for i := range at[1:] {
			pauses = append(pauses, (at[i+1]-at[i])/time.Second)
		}
		if at[0] != 0 || !slices.Equal(pauses, c.want) {
			t.Errorf("%s: called first after %v, and then after %v seconds, want %v", name, at[0], pauses, c.want)
		}
	}
}

// A handler of the log knows which failures of stores belong together, and when they end.
func TestEvery_LogsWhenFailuresBeginAndEnd(t *testing.T) {
	boom, down := errors.New("boom"), feed.Unavailable("the database", errors.New("refused"))
	const failed, again = "periodic work failed", "periodic work succeeds again"
	for name, c := range map[string]struct {
		results []error
		want    []string
	}{
		"failures":             {[]error{nil, boom, boom, boom, boom, nil, nil, boom}, []string{failed, again, failed}},
		"failures of a store":  {[]error{down, down, down, nil, nil}, []string{failed, failed, failed}},
		"failures of two kind": {[]error{down, boom, boom, nil}, []string{failed, failed, again}},
	} {
		logged := newLogSignals()
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			calls := 0
			tasks.Every(ctx, time.Second, "sweep", slog.New(logged), func(context.Context) error {
				if calls++; calls > len(c.results) {
					cancel()
					return nil
				}
				return c.results[calls-1]
			})
		})
		close(logged)
		same(t, name, slices.Collect(channel(logged)), c.want)
	}
}

// channel returns what is in a closed channel.
func channel[T any](from <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range from {
			if !yield(v) {
				return
			}
		}
	}
}

func TestEvery_EndsAfterRunningCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		logged := newLogSignals()
		finished := false
		tasks.Every(ctx, time.Second, "sweep", slog.New(logged), func(ctx context.Context) error {
			cancel()
			<-ctx.Done()
			finished = true
			return ctx.Err()
		})
		if !finished {
			t.Error("it returned before the call had")
		}
		same(t, "messages at the end of the context", len(logged), 0)
	})
}

// led has a process do work every second, for which it must lead for the five seconds that a
// pause may take too.
func led(ctx context.Context, leaders feed.Leaders, holder string, do func() error) {
	l := inbox.Leadership{Leaders: leaders, Name: "heartbeat", Holder: holder, For: 5 * time.Second}
	tasks.Every(ctx, time.Second, "heartbeat", slog.New(slog.DiscardHandler), func(ctx context.Context) error {
		return l.Do(ctx, func(context.Context) error { return do() })
	})
}

// A process that reaches the database and not Redis would come back just in time to go on
// leading.
func TestEvery_AnotherProcessTakesFailingWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := sqlitetest.New(t, time.Now)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began, tries, beats, first := time.Now(), 0, 0, time.Duration(0)
		var wg sync.WaitGroup
		wg.Go(func() {
			led(ctx, store, "one", func() error {
				tries++
				return errors.New("Redis is away from here")
			})
		})
		synctest.Wait()
		wg.Go(func() {
			led(ctx, store, "two", func() error {
				if beats++; beats == 1 {
					first = time.Since(began)
				}
				return nil
			})
		})
		wg.Wait()
		if tries != 1 || beats < 55 || first > time.Second {
			t.Errorf("the one tried %d times, and the other did it %d times in a minute, first after %v", tries, beats, first)
		}
	})
}

func TestEvery_DoneContextRunsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tasks.Every(ctx, time.Second, "sweep", slog.New(slog.DiscardHandler), func(context.Context) error {
		t.Error("it ran")
		return nil
	})
}
