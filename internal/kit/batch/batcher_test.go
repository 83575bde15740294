package batch

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoKinds are two lookups on one batcher, whose batches wait for the test.
type twoKinds struct {
	near, far *Lookup[int, int, *loading]
	// begun gets the keys of each call of a batch when it begins.
	begun chan [][]int
	goOn  chan struct{}
	// canceled gets for each batch whether it was canceled before it went on.
	canceled chan bool
}

func newTwoKinds() *twoKinds {
	k := &twoKinds{begun: make(chan [][]int, 10), goOn: make(chan struct{}), canceled: make(chan bool, 10)}
	b := New(1, func(ctx context.Context, calls []*loading, done func(i int, err error)) {
		var keys [][]int
		for _, c := range calls {
			keys = append(keys, c.keys)
		}
		k.begun <- keys
		<-k.goOn
		k.canceled <- ctx.Err() != nil
		inTurn(ctx, calls, done)
	}, isAway)
	same := func(_ context.Context, keys []int) ([]int, error) { return keys, nil }
	k.near, k.far = NewLookup(b, loaded(same)), NewLookup(b, loaded(func(_ context.Context, keys []int) ([]int, error) {
		if keys[0] < 0 {
			panic("a negative key")
		}
		return keys, nil
	}))
	return k
}

// ask looks a key up, and returns once the call is queued.
func (k *twoKinds) ask(ctx context.Context, l *Lookup[int, int, *loading], key int) <-chan error {
	r, _ := l.join(ctx, []int{key})
	out := make(chan error, 1)
	go func() { out <- l.batcher.wait(ctx, l, r) }()
	return out
}

func (k *twoKinds) begins(t *testing.T, keys ...[]int) {
	t.Helper()
	if diff := cmp.Diff(keys, <-k.begun); diff != "" {
		t.Errorf("a batch has other calls (-want +got):\n%s", diff)
	}
}

func TestBatcher_TakesOldestCallOfEachQueue(t *testing.T) {
	k := newTwoKinds()
	first := k.ask(t.Context(), k.far, 1)
	k.begins(t, []int{1})
	rest := []<-chan error{k.ask(t.Context(), k.far, 2), k.ask(t.Context(), k.near, 3), k.ask(t.Context(), k.far, 4)}
	k.goOn <- struct{}{}
	k.begins(t, []int{3}, []int{2, 4})
	k.goOn <- struct{}{}
	for _, done := range append(rest, first) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestBatcher_CancelsBatchWithoutWaiters(t *testing.T) {
	for name, stays := range map[string]bool{"one waiter stays": true, "all give up": false} {
		t.Run(name, func(t *testing.T) {
			k := newTwoKinds()
			first := k.ask(t.Context(), k.near, 1)
			k.begins(t, []int{1})
			ctx, cancel := context.WithCancel(t.Context())
			other, cancelOther := context.WithCancel(t.Context())
			one, two := k.ask(ctx, k.near, 2), k.ask(other, k.far, 3)
			k.goOn <- struct{}{}
			k.begins(t, []int{2}, []int{3})
			cancel()
			if !stays {
				cancelOther()
				if err := <-two; !errors.Is(err, context.Canceled) {
					t.Errorf("the error is %v", err)
				}
			}
			if err := <-one; !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v", err)
			}
			k.goOn <- struct{}{}
			if <-k.canceled; <-k.canceled == stays {
				t.Errorf("the batch was canceled: %v", !stays)
			}
			if stays {
				if err := <-two; err != nil {
					t.Error(err)
				}
			}
			cancelOther()
			if err := <-first; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestBatcher_PanicFailsOnlyUnfinishedCalls(t *testing.T) {
	k := newTwoKinds()
	first := k.ask(t.Context(), k.near, 1)
	k.begins(t, []int{1})
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
		t.Error("the call that panicked did not fail")
	}
}

func TestCalls_ShareOneBatch(t *testing.T) {
	k := newTwoKinds()
	q := NewCalls(k.near.batcher)
	first := k.ask(t.Context(), k.near, 1)
	k.begins(t, []int{1})
	const calls = 3
	done := make(chan error, calls)
	for i := range calls {
		go func() {
			done <- q.Do(t.Context(), func(context.Context) *loading { return &loading{load: loads(i != 1), keys: []int{i}} })
		}()
	}
	for queued := 0; queued < calls; runtime.Gosched() {
		q.batcher.mu.Lock()
		queued = len(q.queued)
		q.batcher.mu.Unlock()
	}
	k.goOn <- struct{}{}
	if together := <-k.begun; len(together) != calls {
		t.Errorf("%d calls run together", len(together))
	}
	k.goOn <- struct{}{}
	k.begins(t, []int{1}) // the call that failed, alone
	k.goOn <- struct{}{}
	failed := 0
	for range calls {
		if err := <-done; err != nil {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d calls fail, want 1", failed)
	}
	if err := <-first; err != nil {
		t.Error(err)
	}
}

// loads returns a read that succeeds or fails.
func loads(ok bool) func(context.Context, []int) ([]int, error) {
	return func(context.Context, []int) ([]int, error) {
		if !ok {
			return nil, errors.New("again")
		}
		return nil, nil
	}
}

func TestCalls_CanceledCallReturnsAtOnce(t *testing.T) {
	k := newTwoKinds()
	q := NewCalls(k.near.batcher)
	first := k.ask(t.Context(), k.near, 1)
	k.begins(t, []int{1})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	newCall := func(context.Context) *loading { return &loading{load: loads(true), keys: []int{9}} }
	go func() { done <- q.Do(ctx, newCall) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if err := q.Do(ctx, newCall); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended the error is %v", err)
	}
	k.goOn <- struct{}{}
	if err := <-first; err != nil || len(k.begun) > 0 {
		t.Errorf("%v, and %d more batches", err, len(k.begun))
	}
}
