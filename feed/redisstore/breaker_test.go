package redisstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/circuit"
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
func (b *bench) ask(ctx context.Context, t *testing.T, at target, err error) bool {
	t.Helper()
	asked := false
	got := b.call(ctx, at, func(context.Context) error {
		asked = true
		return err
	})
	want := err
	if !asked {
		want = circuit.ErrOpen
	}
	if !errors.Is(got, want) {
		t.Errorf("the call returned %v, want %v", got, want)
	}
	return asked
}

// errSilent is what a call returns that got no answer.
var errSilent = errors.New("i/o timeout")

// oneServer is the target of all keys where there is one server.
var oneServer = target{}

func TestBreaker_OpensWithoutAnAnswer(t *testing.T) {
	b := newBench()
	b.ask(t.Context(), t, oneServer, errSilent)
	if b.ask(t.Context(), t, oneServer, nil) {
		t.Error("the server was asked again at once")
	}
	b.time = b.time.Add(restFor)
	for range 2 {
		if !b.ask(t.Context(), t, oneServer, nil) {
			t.Error("the circuit stays open after an answer")
		}
	}
}

func TestBreaker_StaysClosedOnOtherReplies(t *testing.T) {
	b := newBench()
	for _, answer := range []error{
		redis.Nil, refusal("WRONGTYPE Operation against a key holding the wrong kind of value"),
		refusal("NOSCRIPT No matching script."), refusal("BUSYGROUP Consumer Group name already exists"),
		refusal("MOVED 3999 127.0.0.1:6381"),
	} {
		b.ask(t.Context(), t, oneServer, answer)
		if !b.ask(t.Context(), t, oneServer, nil) {
			t.Errorf("after the answer %q the circuit is open", answer)
		}
	}
}

func TestBreaker_OpensOneSlotOfACluster(t *testing.T) {
	one, other := target{"a:1", "slot 1"}, target{"a:1", "slot 2"}
	for _, reply := range []string{"CLUSTERDOWN Hash slot not served", "TRYAGAIN Multiple keys request during rehashing of slot"} {
		b := newBench()
		b.ask(t.Context(), t, one, refusal(reply))
		if b.ask(t.Context(), t, one, nil) || !b.ask(t.Context(), t, other, nil) {
			t.Errorf("after %q the slot was asked again, or another one was not", reply)
		}
	}
}

func TestBreaker_SparesOtherServers(t *testing.T) {
	b := newBench()
	b.ask(t.Context(), t, target{"a:1", "slot 1"}, refusal("CLUSTERDOWN The cluster is down"))
	if b.ask(t.Context(), t, target{"a:1", "slot 2"}, nil) || !b.ask(t.Context(), t, target{"b:1", "slot 3"}, nil) {
		t.Error("the server was asked again, or another one was not")
	}
}

func TestBreaker_IgnoresCallersThatGaveUp(t *testing.T) {
	b := newBench()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b.ask(ctx, t, oneServer, context.Canceled)
	if !b.ask(t.Context(), t, oneServer, nil) {
		t.Error("the circuit is open")
	}
}

func TestBreaker_EndsCallsInTime(t *testing.T) {
	b := newBench()
	b.within = 10 * time.Millisecond
	began := time.Now()
	err := b.call(t.Context(), oneServer, func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took < b.within || b.ask(t.Context(), t, oneServer, nil) {
		t.Errorf("it ended after %v with %v, or the circuit is closed", took, err)
	}
}
