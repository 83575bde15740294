package share

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// twoKinds are two gathers on the same lanes, of which trips wait to be let go on.
type twoKinds struct {
	near, far *Gather[int, int, *loading]
	// begun has the keys of each call of a trip, as it begins; each takes one answer.
	begun chan [][]int
	goOn  chan struct{}
	// broken says that the trip that was let go on had been broken off before.
	broken chan bool
}

func newTwoKinds() *twoKinds {
	k := &twoKinds{begun: make(chan [][]int, 10), goOn: make(chan struct{}), broken: make(chan bool, 10)}
	l := New(1, func(ctx context.Context, calls []*loading, ended func(i int, err error)) {
		var keys [][]int
		for _, c := range calls {
			keys = append(keys, c.keys)
		}
		k.begun <- keys
		<-k.goOn
		k.broken <- ctx.Err() != nil
		inTurn(ctx, calls, ended)
	}, isAway)
	same := func(_ context.Context, keys []int) ([]int, error) { return keys, nil }
	k.near, k.far = NewGather(l, loaded(same)), NewGather(l, loaded(func(_ context.Context, keys []int) ([]int, error) {
		if keys[0] < 0 {
			panic("such a key was never heard of")
		}
		return keys, nil
	}))
	return k
}

// ask reads a key, and returns once the read has joined a round.
func (k *twoKinds) ask(ctx context.Context, g *Gather[int, int, *loading], key int) <-chan error {
	r, _ := g.join(ctx, []int{key})
	out := make(chan error, 1)
	go func() { out <- g.lanes.await(ctx, nil, g, r) }()
	return out
}

func (k *twoKinds) wants(t *testing.T, what string, keys ...[]int) {
	t.Helper()
	if diff := cmp.Diff(keys, <-k.begun); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", what, diff)
	}
}

func TestATripTakesTheOldestRoundOfEveryKind(t *testing.T) {
	k := newTwoKinds()
	first := k.ask(t.Context(), k.far, 1)
	k.wants(t, "the first trip", []int{1})
	rest := []<-chan error{k.ask(t.Context(), k.far, 2), k.ask(t.Context(), k.near, 3), k.ask(t.Context(), k.far, 4)}
	k.goOn <- struct{}{}
	k.wants(t, "the trip for those who waited", []int{3}, []int{2, 4})
	k.goOn <- struct{}{}
	for _, done := range append(rest, first) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestATripIsBrokenOffWhenNobodyWaitsForAnyOfItsRounds(t *testing.T) {
	for name, stays := range map[string]bool{"somebody stays": true, "all give up": false} {
		t.Run(name, func(t *testing.T) {
			k := newTwoKinds()
			first := k.ask(t.Context(), k.near, 1)
			k.wants(t, "the first trip", []int{1})
			ctx, giveUp := context.WithCancel(t.Context())
			other, giveUpToo := context.WithCancel(t.Context())
			one, two := k.ask(ctx, k.near, 2), k.ask(other, k.far, 3)
			k.goOn <- struct{}{}
			k.wants(t, "the trip of both", []int{2}, []int{3})
			giveUp()
			if !stays {
				giveUpToo()
				if err := <-two; !errors.Is(err, context.Canceled) {
					t.Errorf("the error is %v", err)
				}
			}
			if err := <-one; !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v", err)
			}
			k.goOn <- struct{}{}
			if <-k.broken; <-k.broken == stays {
				t.Errorf("the trip was broken off: %v", !stays)
			}
			if stays {
				if err := <-two; err != nil {
					t.Error(err)
				}
			}
			giveUpToo()
			if err := <-first; err != nil {
				t.Error(err)
			}
		})
	}
}

// What had been run by then was read.
func TestAPanicFailsWhatItsTripHasNotRunYet(t *testing.T) {
	k := newTwoKinds()
	first := k.ask(t.Context(), k.near, 1)
	k.wants(t, "the first trip", []int{1})
	sound, bad := k.ask(t.Context(), k.near, 2), k.ask(t.Context(), k.far, -3)
	for range 2 {
		k.goOn <- struct{}{}
	}
	for _, done := range []<-chan error{first, sound} {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if err := <-bad; err == nil {
		t.Error("the round that panicked did not fail")
	}
}

func TestErrandsThatWaitGoOnOneTrip(t *testing.T) {
	k := newTwoKinds()
	es := NewErrands(k.near.lanes)
	first := k.ask(t.Context(), k.near, 1)
	k.wants(t, "the first trip", []int{1})
	const errands = 3
	done := make(chan error, errands)
	for i := range errands {
		go func() {
			done <- es.Do(t.Context(), func(context.Context) *loading { return &loading{load: reading(i == 1), keys: []int{i}} })
		}()
	}
	for waiting := 0; waiting < errands; runtime.Gosched() {
		es.lanes.mu.Lock()
		waiting = len(es.waiting)
		es.lanes.mu.Unlock()
	}
	k.goOn <- struct{}{}
	if together := <-k.begun; len(together) != errands {
		t.Errorf("%d errands go together", len(together))
	}
	k.goOn <- struct{}{}
	k.wants(t, "the errand whose call failed goes by itself, which", []int{1})
	k.goOn <- struct{}{}
	failed := 0
	for range errands {
		if err := <-done; err != nil {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d errands fail where one does", failed)
	}
	if err := <-first; err != nil {
		t.Error(err)
	}
}

// reading returns a read that fails, if it is to.
func reading(fails bool) func(context.Context, []int) ([]int, error) {
	return func(context.Context, []int) ([]int, error) {
		if fails {
			return nil, errors.New("again")
		}
		return nil, nil
	}
}

func TestNobodyWaitsForAnErrandForLongerThanItMayTake(t *testing.T) {
	k := newTwoKinds()
	es := NewErrands(k.near.lanes).Within(time.Millisecond)
	first := k.ask(t.Context(), k.near, 1)
	k.wants(t, "the first trip", []int{1})
	err := es.Do(t.Context(), func(context.Context) *loading { return &loading{load: reading(false), keys: []int{9}} })
	if !errors.Is(err, context.DeadlineExceeded) || t.Context().Err() != nil {
		t.Errorf("the error is %v", err)
	}
	k.goOn <- struct{}{}
	if err := <-first; err != nil || len(k.begun) > 0 {
		t.Errorf("%v, and %d more trips", err, len(k.begun))
	}
}

func TestWhoGivesAnErrandUpIsNotKeptWaiting(t *testing.T) {
	k := newTwoKinds()
	es := NewErrands(k.near.lanes)
	first := k.ask(t.Context(), k.near, 1)
	k.wants(t, "the first trip", []int{1})
	ctx, giveUp := context.WithCancel(t.Context())
	done := make(chan error, 1)
	never := func(context.Context) *loading { return &loading{load: reading(false), keys: []int{9}} }
	go func() { done <- es.Do(ctx, never) }()
	giveUp()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if err := es.Do(ctx, never); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that is over the error is %v", err)
	}
	k.goOn <- struct{}{}
	if err := <-first; err != nil || len(k.begun) > 0 {
		t.Errorf("%v, and %d more trips", err, len(k.begun))
	}
}
