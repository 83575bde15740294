package circuit_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/kit/circuit"
)

const interval = time.Second

var errDown = errors.New("it is down")

// bench is a breaker with a clock of its own.
type bench struct {
	*circuit.Breaker
	time time.Time
}

func newBench() *bench {
	b := &bench{time: time.Unix(1_700_000_000, 0)}
	b.Breaker = circuit.New(func() time.Time { return b.time }, interval)
	return b
}

func TestBreaker_ProbesOncePerInterval(t *testing.T) {
	b := newBench()
	for i, step := range []struct {
		after   time.Duration
		outcome circuit.Outcome
		allowed bool
	}{
		{0, circuit.Working, true},
		{0, circuit.Failing, true},
		{interval - 1, circuit.Working, false},
		{1, circuit.Failing, true},
		{interval - 1, circuit.Working, false},
		{1, circuit.Working, true},
		{0, circuit.Working, true},
		{0, circuit.Working, true},
	} {
		b.time = b.time.Add(step.after)
		allowed := b.Allow("a") == nil
		if allowed != step.allowed {
			t.Errorf("step %d: allowed: %v, want %v", i, allowed, step.allowed)
		}
		if allowed {
			b.Report("a", step.outcome, errDown)
		}
	}
}

func TestBreaker_SurvivesAProbeThatNeverReports(t *testing.T) {
	b := newBench()
	b.Report("a", circuit.Failing, errDown)
	b.time = b.time.Add(interval)
	if b.Allow("a") != nil || b.Allow("a") == nil {
		t.Error("want one probe per interval")
	}
	b.time = b.time.Add(interval)
	if b.Allow("a") != nil {
		t.Error("want another probe after another interval")
	}
}

func TestBreaker_KeepsKeysApart(t *testing.T) {
	b := newBench()
	b.Report("a", circuit.Failing, errDown)
	if b.Allow("b") != nil || b.Allow("a") == nil {
		t.Error("the outcome of one key counts for another")
	}
}

func TestBreaker_IgnoresUnknownOutcomes(t *testing.T) {
	b := newBench()
	b.Report("a", circuit.Unknown, nil)
	if b.Allow("a") != nil {
		t.Error("an unknown outcome opened the circuit")
	}
	b.Report("a", circuit.Failing, errDown)
	b.Report("a", circuit.Unknown, nil)
	if b.Allow("a") == nil {
		t.Error("an unknown outcome closed the circuit")
	}
}

func TestBreaker_NamesTheCause(t *testing.T) {
	b := newBench()
	b.Report("a", circuit.Failing, errDown)
	if err := b.Allow("a"); !errors.Is(err, circuit.ErrOpen) || !errors.Is(err, errDown) {
		t.Errorf("the error is %v", err)
	}
	b.Report("a", circuit.Failing, context.DeadlineExceeded)
	if err := b.Allow("a"); errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error wraps a context error: %v", err)
	}
}
