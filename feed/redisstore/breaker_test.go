package redisstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// bench is a breaker with a clock of its own.
type bench struct {
	*breaker
	time time.Time
}

func newBench() *bench {
	b := &bench{time: time.Unix(1_700_000_000, 0)}
	b.breaker = newBreaker(func() time.Time { return b.time }, time.Minute)
	return b
}

// ask calls a server that answers with err, and says whether it was asked.
func (b *bench) ask(ctx context.Context, t *testing.T, server string, err error) bool {
	t.Helper()
	asked := false
	got := b.call(ctx, server, func(context.Context) error {
		asked = true
		return err
	})
	want := err
	if !asked {
		want = errResting
	}
	if !errors.Is(got, want) {
		t.Errorf("the call returned %v, want %v", got, want)
	}
	return asked
}

// errSilent is what a call returns that got no answer.
var errSilent = errors.New("i/o timeout")

func TestAServerThatDidNotAnswerRestsAndIsThenAskedOnce(t *testing.T) {
	b := newBench()
	for i, step := range []struct {
		after  time.Duration
		answer error
		asked  bool
	}{
		{0, nil, true},
		{0, errSilent, true},
		{0, nil, false},
		{restFor - 1, nil, false},
		{1, errSilent, true},
		{restFor - 1, nil, false},
		{1, nil, true},
		{0, nil, true},
		{0, nil, true},
	} {
		b.time = b.time.Add(step.after)
		if asked := b.ask(t.Context(), t, "a", step.answer); asked != step.asked {
			t.Errorf("step %d: the server was asked: %v, want %v", i, asked, step.asked)
		}
	}
}

func TestOfManyAfterARestOneIsLetThrough(t *testing.T) {
	b := newBench()
	b.ask(t.Context(), t, "a", errSilent)
	b.time = b.time.Add(restFor)
	err := b.call(t.Context(), "a", func(ctx context.Context) error {
		if b.ask(ctx, t, "a", nil) {
			t.Error("a second call was let through beside the first")
		}
		// When the first never returns, another one is let through after another rest.
		b.time = b.time.Add(restFor)
		if !b.ask(ctx, t, "a", errSilent) {
			t.Error("no call was let through after another rest")
		}
		return nil
	})
	if err != nil || !b.ask(t.Context(), t, "a", nil) {
		t.Errorf("after an answer the server still rests (%v)", err)
	}
}

func TestServersRestEachOnItsOwn(t *testing.T) {
	b := newBench()
	b.ask(t.Context(), t, "a", errSilent)
	if !b.ask(t.Context(), t, "b", nil) || b.ask(t.Context(), t, "a", nil) {
		t.Error("the answer of one server counts for another")
	}
}

func TestAnAnswerIsNoReasonToRest(t *testing.T) {
	b := newBench()
	for _, answer := range []error{redis.Nil, loading{}} {
		b.ask(t.Context(), t, "a", answer)
		if !b.ask(t.Context(), t, "a", nil) {
			t.Errorf("after the answer %q the server rests", answer)
		}
	}
}

// loading is the answer of a Redis that has just been started.
type loading struct{}

func (loading) Error() string { return "LOADING Redis is loading the dataset in memory" }
func (loading) RedisError()   {}

func TestACallerThatGaveUpSaysNothingAboutTheServer(t *testing.T) {
	b := newBench()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b.ask(ctx, t, "a", context.Canceled)
	if !b.ask(t.Context(), t, "a", nil) {
		t.Error("the server rests")
	}
}

func TestACallEndsInTime(t *testing.T) {
	b := newBench()
	b.within = 10 * time.Millisecond
	began := time.Now()
	err := b.call(t.Context(), "a", func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took < b.within || b.ask(t.Context(), t, "a", nil) {
		t.Errorf("it ended after %v with %v, or the server does not rest", took, err)
	}
}
