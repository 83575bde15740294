package circuit_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/circuit"
)

const rest = time.Second

// bench is a breaker with a clock of its own.
type bench struct {
	*circuit.Breaker
	time time.Time
}

func newBench() *bench {
	b := &bench{time: time.Unix(1_700_000_000, 0)}
	b.Breaker = circuit.New(func() time.Time { return b.time }, rest)
	return b
}

func TestBreaker_ProbesOnceARest(t *testing.T) {
	b := newBench()
	for i, step := range []struct {
		after   time.Duration
		outcome circuit.Outcome
		allowed bool
	}{
		{0, circuit.Working, true},
		{0, circuit.Failing, true},
		{rest - 1, circuit.Working, false},
		{1, circuit.Failing, true},
		{rest - 1, circuit.Working, false},
		{1, circuit.Working, true},
		{0, circuit.Working, true},
		{0, circuit.Working, true},
	} {
		b.time = b.time.Add(step.after)
		allowed := b.Allow("a")
		if allowed != step.allowed {
			t.Errorf("step %d: allowed: %v, want %v", i, allowed, step.allowed)
		}
		if allowed {
			b.Report("a", step.outcome)
		}
	}
}

func TestBreaker_SurvivesAProbeThatNeverReports(t *testing.T) {
	b := newBench()
	b.Report("a", circuit.Failing)
	b.time = b.time.Add(rest)
	if !b.Allow("a") || b.Allow("a") {
		t.Error("want one probe after a rest")
	}
	b.time = b.time.Add(rest)
	if !b.Allow("a") {
		t.Error("want another probe after another rest")
	}
}

func TestBreaker_KeepsKeysApart(t *testing.T) {
	b := newBench()
	b.Report("a", circuit.Failing)
	if !b.Allow("b") || b.Allow("a") {
		t.Error("the outcome of one key counts for another")
	}
}

func TestBreaker_IgnoresUnknownOutcomes(t *testing.T) {
	b := newBench()
	b.Report("a", circuit.Unknown)
	if !b.Allow("a") {
		t.Error("an unknown outcome opened the circuit")
	}
	b.Report("a", circuit.Failing)
	b.Report("a", circuit.Unknown)
	if b.Allow("a") {
		t.Error("an unknown outcome closed the circuit")
	}
}
