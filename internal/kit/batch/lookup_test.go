package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// loading is a call of the tests.
type loading struct {
	load   func(ctx context.Context, keys []int) ([]int, error)
	keys   []int
	values []int
}

// loaded returns a [Prepare] that loads with a function.
func loaded(load func(ctx context.Context, keys []int) ([]int, error)) Prepare[int, int, *loading] {
	return func(_ context.Context, keys Keys[int]) (*loading, func() []int) {
		l := &loading{load: load, keys: keys.List}
		return l, func() []int { return l.values }
	}
}

// inTurn runs calls one after the other.
func inTurn(ctx context.Context, calls []*loading, done func(i int, err error)) {
	for i, c := range calls {
		var err error
		c.values, err = c.load(ctx, c.keys)
		done(i, err)
	}
}

// errAway is a shared error.
var errAway = errors.New("the server is away")

func isAway(err error) bool { return errors.Is(err, errAway) }

// testInFlight is how many batches run at once.
const testInFlight = 2

// slowReads is a lookup whose reads each wait for an element of outcomes, and then return ten
// times the key.
type slowReads struct {
	*Lookup[int, int, *loading]
	load func(ctx context.Context, keys []int) ([]int, error)
	// begun gets the keys of each read when it begins.
	begun    chan []int
	outcomes chan error
}

func newSlowReads() *slowReads {
	s := &slowReads{begun: make(chan []int, 100), outcomes: make(chan error)}
	s.load = func(ctx context.Context, keys []int) ([]int, error) {
		s.begun <- slices.Clone(keys)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case err := <-s.outcomes:
			if err != nil {
				return nil, err
			}
		}
		out := make([]int, len(keys))
		for i, k := range keys {
			out[i] = 10 * k
		}
		return out, nil
	}
	b := New(testInFlight, inTurn, isAway)
	s.Lookup = NewLookup(b, loaded(func(ctx context.Context, keys []int) ([]int, error) { return s.load(ctx, keys) }))
	return s
}

// result is what a lookup returned.
type result struct {
	values []int
	err    error
}

// ask starts a lookup, and returns once it is queued or running.
func (s *slowReads) ask(ctx context.Context, keys ...int) <-chan result {
	before := s.progress()
	out := make(chan result, 1)
	go func() {
		values, err := s.All(ctx, keys)
		out <- result{values, err}
	}()
	for s.progress() == before {
		select {
		case a := <-out:
			out <- a
			return out
		default:
			runtime.Gosched()
		}
	}
	return out
}

// progress tells the states before and after a caller has joined apart.
func (s *slowReads) progress() string {
	s.batcher.mu.Lock()
	defer s.batcher.mu.Unlock()
	n := 0
	for _, r := range s.queued {
		n += r.n
	}
	return fmt.Sprint(n, len(s.begun), len(s.batcher.inFlight))
}

// fill has as many batches in flight as the limit allows, and returns their results.
func (s *slowReads) fill(t *testing.T) (held []<-chan result) {
	t.Helper()
	for i := range testInFlight {
		held = append(held, s.ask(t.Context(), 1000+i))
		<-s.begun
	}
	return held
}

// begins waits for the next read, which must have these keys.
func (s *slowReads) begins(t *testing.T, keys ...int) {
	t.Helper()
	hasKeys(t, <-s.begun, keys...)
}

func hasKeys(t *testing.T, got []int, keys ...int) {
	t.Helper()
	if diff := cmp.Diff(keys, got); diff != "" {
		t.Fatalf("a read has other keys (-want +got):\n%s", diff)
	}
}

func (s *slowReads) wants(t *testing.T, what string, from <-chan result, values ...int) {
	t.Helper()
	if a := <-from; a.err != nil || !slices.Equal(a.values, values) {
		t.Errorf("%s returns %v, %v, want %v", what, a.values, a.err, values)
	}
}

func TestLookup_StartsAtOnceWhenIdle(t *testing.T) {
	s := newSlowReads()
	one := s.ask(t.Context(), 3, 1, 3)
	s.begins(t, 3, 1)
	s.outcomes <- nil
	s.wants(t, "the lookup", one, 30, 10, 30)
}

// A caller that joined a running read could miss a commit that happened in between.
func TestLookup_JoinsNoRunningRead(t *testing.T) {
	s := newSlowReads()
	held := s.fill(t)
	one, two := s.ask(t.Context(), 1, 2), s.ask(t.Context(), 2, 3)
	if n := len(s.begun); n != 0 {
		t.Fatalf("%d reads exceed the limit", n)
	}
	s.outcomes <- nil
	s.begins(t, 1, 2, 3)
	three := s.ask(t.Context(), 1)
	for range testInFlight {
		s.outcomes <- nil
	}
	s.begins(t, 1)
	s.outcomes <- nil
	s.wants(t, "the first", one, 10, 20)
	s.wants(t, "the second", two, 20, 30)
	s.wants(t, "the third", three, 10)
	for i, from := range held {
		s.wants(t, "a read before", from, 10*(1000+i))
	}
}

func TestLookup_LimitsKeysOfOneRead(t *testing.T) {
	s := newSlowReads()
	s.fill(t)
	many := make([]int, maxKeys)
	for i := range many {
		many[i] = i
	}
	s.ask(t.Context(), many...)
	last := s.ask(t.Context(), 5000)
	s.outcomes <- nil
	s.begins(t, many...)
	s.outcomes <- nil
	s.begins(t, 5000)
	for range testInFlight {
		s.outcomes <- nil
	}
	s.wants(t, "the last", last, 50_000)
}

func TestLookup_CanceledCallerLeavesOthersTheirRead(t *testing.T) {
	s := newSlowReads()
	s.fill(t)
	ctx, cancel := context.WithCancel(t.Context())
	canceled, stays := s.ask(ctx, 1), s.ask(t.Context(), 2)
	cancel()
	if a := <-canceled; !errors.Is(a.err, context.Canceled) {
		t.Errorf("the canceled caller gets %v, %v", a.values, a.err)
	}
	s.outcomes <- nil
	<-s.begun
	for range testInFlight {
		s.outcomes <- nil
	}
	s.wants(t, "the other caller", stays, 20)
}

func TestLookup_AbandonedReadIsCanceledOrNotStarted(t *testing.T) {
	s := newSlowReads()
	ctx, cancel := context.WithCancel(t.Context())
	other, cancelQueued := context.WithCancel(t.Context())
	running := s.ask(ctx, 1)
	s.begins(t, 1)
	held := s.ask(t.Context(), 9)
	s.begins(t, 9)
	queued := s.ask(other, 2)
	// In this order, or the end of the running read would start the queued one.
	cancelQueued()
	canceled := []result{<-queued}
	cancel()
	for _, a := range append(canceled, <-running) {
		if !errors.Is(a.err, context.Canceled) {
			t.Errorf("a canceled caller gets %v, %v", a.values, a.err)
		}
	}
	late := s.ask(t.Context(), 3)
	s.begins(t, 3)
	s.outcomes <- nil
	s.outcomes <- nil
	s.wants(t, "the late caller", late, 30)
	s.wants(t, "the other running read", held, 90)
	if _, err := s.All(ctx, []int{4}); !errors.Is(err, context.Canceled) || len(s.begun) > 0 {
		t.Errorf("a context that has ended gives %v, and %d reads", err, len(s.begun))
	}
}

// overdue is a context that has ended before its Done channel is closed.
type overdue struct {
	context.Context
	over bool
}

func (c *overdue) Err() error {
	if c.over {
		return context.DeadlineExceeded
	}
	return nil
}

// A canceled batch breaks its connection, often when the deadlines of others pass too.
func TestLookup_PrefersErrorOfContext(t *testing.T) {
	ctx := &overdue{Context: t.Context()}
	l := NewLookup(New(testInFlight, inTurn, isAway), loaded(func(context.Context, []int) ([]int, error) {
		ctx.over = true
		return nil, errAway
	}))
	if _, err := l.All(ctx, []int{1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}

// A damaged row of one page must not fail the pages read at the same time. A server that is
// away is away for all of them, and is asked once.
func TestLookup_SharesOnlySharedErrors(t *testing.T) {
	damaged := errors.New("the row is damaged")
	for name, c := range map[string]struct {
		fails func() ([]int, error)
		// retried says that each caller reads again alone.
		retried bool
	}{
		"unreadable row":      {func() ([]int, error) { return nil, damaged }, true},
		"panic":               {func() ([]int, error) { panic(damaged) }, true},
		"missing value":       {func() ([]int, error) { return []int{1}, nil }, true},
		"server that is away": {func() ([]int, error) { return nil, errAway }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSlowReads()
			slow := s.load
			s.load = func(ctx context.Context, keys []int) ([]int, error) {
				if out, err := slow(ctx, keys); err != nil || !slices.Contains(keys, 2) || len(keys) == 1 {
					return out, err
				}
				return c.fails()
			}
			s.fill(t)
			one, two := s.ask(t.Context(), 1), s.ask(t.Context(), 2)
			for range testInFlight + 1 {
				s.outcomes <- nil
			}
			if !c.retried {
				for _, a := range []result{<-one, <-two} {
					if !isAway(a.err) {
						t.Errorf("a caller gets %v, %v", a.values, a.err)
					}
				}
				return
			}
			s.outcomes <- nil
			s.outcomes <- nil
			s.wants(t, "the caller of the sound row", one, 10)
			s.wants(t, "the caller of the other row", two, 20)
		})
	}
}

// indexes returns a lookup that gives each key its index in the keys of its read.
func indexes(t *testing.T) *Lookup[int, int, *loading] {
	return NewLookup(New(testInFlight, inTurn, isAway), func(_ context.Context, keys Keys[int]) (*loading, func() []int) {
		l := &loading{keys: keys.List, load: func(context.Context, []int) ([]int, error) { return nil, nil }}
		return l, func() []int {
			out := make([]int, len(keys.List))
			for i, key := range keys.List {
				index, ok := keys.Index(key)
				if other, found := keys.Index(-key); found || !ok {
					t.Errorf("in %v, %d is found: %v, and %d at %d", keys.List, key, ok, -key, other)
				}
				out[i] = index
			}
			return out
		}
	})
}

func TestKeys_IndexKnowsOnlyItsOwnRead(t *testing.T) {
	l := indexes(t)
	for n := range 20 {
		keys, want := []int{}, []int{}
		for i := range 3 + n*20 {
			// No read has a key of the one before.
			keys, want = append(keys, (1+i)*(1-2*(n%2))), append(want, i)
		}
		got, err := l.All(t.Context(), keys)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("the indexes of read %d are %v, %v", n, got, err)
		}
	}
}
