package tasks_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

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

func TestPeriodicWorkRunsAtOnceAndThenEveryInterval(t *testing.T) {
	got := ranAt(t, 4, time.Second, func(int) error { return nil })
	if diff := cmp.Diff([]time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPeriodicWorkThatFailsBacksOffAndRecovers(t *testing.T) {
	got := ranAt(t, 10, time.Second, func(n int) error {
		if n <= 7 {
			return errors.New("the store is away")
		}
		return nil
	})
	var gaps []float64
	for i := range got[1:] {
		gaps = append(gaps, (got[i+1] - got[i]).Seconds())
	}
	if diff := cmp.Diff([]float64{2, 4, 5, 5, 5, 5, 5, 1, 1}, gaps); diff != "" {
		t.Errorf("seconds between calls (-want +got):\n%s", diff)
	}
}

// An outage that lasts is logged ever more rarely, and its end once.
func TestPeriodicWorkThatFailsIsLoggedEverMoreRarely(t *testing.T) {
	logged := newLogSignals()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		tasks.Every(ctx, time.Second, "sweep", slog.New(logged), func(context.Context) error {
			if calls++; calls <= 20 {
				return errors.New("the store is away")
			}
			cancel()
			return nil
		})
	})
	// The last call has ended the context, so that its success is not told.
	if n := len(logged); n != 5 {
		t.Errorf("of 20 failures in a row %d are logged, not the first, second, fourth, eighth and sixteenth", n)
	}
}

func TestBackOffNeverMakesALongIntervalShorter(t *testing.T) {
	got := ranAt(t, 2, time.Hour, func(int) error { return errors.New("the store is away") })
	if diff := cmp.Diff([]time.Duration{0, time.Hour}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPeriodicWorkEndsWithItsContextAfterTheCallThatRuns(t *testing.T) {
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
		if len(logged) != 0 {
			t.Errorf("the end of the context was logged as a failure: %s", <-logged)
		}
	})
}

func TestPeriodicWorkDoesNotRunUnderAContextThatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tasks.Every(ctx, time.Second, "sweep", slog.New(slog.DiscardHandler), func(context.Context) error {
		t.Error("it ran")
		return nil
	})
}
