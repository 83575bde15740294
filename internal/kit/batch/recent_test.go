package batch_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

func TestRecent_KeepsResultsAndErrors(t *testing.T) {
	now, reads, fails := time.Unix(100, 0), 0, errors.New("down")
	results := []error{fails, nil, fails}
	r := batch.Recent[int]{
		Clock: func() time.Time { return now }, For: time.Second, Within: time.Minute,
		Read: func(context.Context) (int, error) { reads++; return reads, results[reads-1] },
	}
	if _, found := r.Last(); found {
		t.Error("there is a result before the first read")
	}
	for i, step := range []struct {
		after time.Duration
		reads int
	}{{0, 1}, {999 * time.Millisecond, 1}, {time.Millisecond, 2}, {0, 2}, {-time.Millisecond, 3}, {0, 3}} {
		now = now.Add(step.after)
		got, err := r.Get(t.Context())
		if want := results[step.reads-1]; got != step.reads || !errors.Is(err, want) {
			t.Errorf("call %d returned %d, %v; want %d, %v", i, got, err, step.reads, want)
		}
	}
	if last, found := r.Last(); !found || last != 2 {
		t.Errorf("the last result without an error is %d, want 2", last)
	}
}

func TestRecent_WaitsOnlyAsLongAsCaller(t *testing.T) {
	release := make(chan struct{})
	r := batch.Recent[string]{
		Clock: time.Now, For: time.Hour, Within: time.Hour,
		Read: func(ctx context.Context) (string, error) { <-release; return "read", ctx.Err() },
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	for range 2 { // one begins the read, the other finds it under way
		if _, err := r.Get(left); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that has left got %v", err)
		}
	}
	close(release)
	if got, err := r.Get(t.Context()); got != "read" || err != nil {
		t.Errorf("the caller that stayed got %q, %v", got, err)
	}
}
