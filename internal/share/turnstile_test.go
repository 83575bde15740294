package share

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// queueing returns once so many wait for a thing that somebody has.
func (t *Turnstile[K]) queueing(key K, n int) {
	for {
		t.mu.Lock()
		waiting := len(t.passing[key])
		t.mu.Unlock()
		if waiting == n {
			return
		}
		runtime.Gosched()
	}
}

func TestATurnstileLetsOneAfterTheOtherPassInTheirOrder(t *testing.T) {
	gate := NewTurnstile[string]()
	var passed []int
	var all sync.WaitGroup
	err := gate.Pass(t.Context(), "post", func() error {
		for n := range 5 {
			all.Go(func() {
				err := gate.Pass(t.Context(), "post", func() error { passed = append(passed, n); return nil })
				if err != nil {
					t.Error(err)
				}
			})
			gate.queueing("post", n+1)
		}
		return gate.Pass(t.Context(), "another", func() error { passed = append(passed, -1); return nil })
	})
	all.Wait()
	if err != nil || !slices.Equal(passed, []int{-1, 0, 1, 2, 3, 4}) {
		t.Errorf("they pass in the order %v (%v)", passed, err)
	}
	if len(gate.passing) > 0 {
		t.Errorf("things that nobody has any more are kept: %v", gate.passing)
	}
}

func TestWhoLeavesAQueueHoldsNobodyUp(t *testing.T) {
	gate := NewTurnstile[string]()
	ctx, leave := context.WithCancel(t.Context())
	pass := func() error { return gate.Pass(t.Context(), "post", func() error { return nil }) }
	gone, stays := make(chan error, 1), make(chan error, 1)
	never := func() error { t.Error("whoever has left passes"); return nil }
	err := gate.Pass(t.Context(), "post", func() error {
		go func() { gone <- gate.Pass(ctx, "post", never) }()
		gate.queueing("post", 1)
		go func() { stays <- pass() }()
		gate.queueing("post", 2)
		leave()
		return <-gone
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("whoever leaves is told %v", err)
	}
	if err := <-stays; err != nil {
		t.Error(err)
	}
}

func TestATurnThatComesAsSomebodyLeavesIsPassedOn(t *testing.T) {
	gate := NewTurnstile[string]()
	if turn := gate.queue("post"); turn != nil {
		t.Fatal("nobody is there, and one has to wait")
	}
	leaves, stays := gate.queue("post"), gate.queue("post")
	gate.next("post")
	<-leaves
	gate.leave("post", leaves)
	<-stays
	gate.next("post")
	if len(gate.passing) > 0 {
		t.Errorf("things that nobody has any more are kept: %v", gate.passing)
	}
}

func TestAPanicEndsATurn(t *testing.T) {
	gate := NewTurnstile[string]()
	func() {
		defer func() { _ = recover() }()
		_ = gate.Pass(t.Context(), "post", func() error { panic("oh") })
	}()
	if err := gate.Pass(t.Context(), "post", func() error { return errAway }); !errors.Is(err, errAway) {
		t.Errorf("whoever passes behind a panic gets %v", err)
	}
}
