package batch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestKeyedMutex_LocksInOrderOfCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewKeyedMutex[string]()
		var order []int
		var all sync.WaitGroup
		err := m.Do(t.Context(), "post", func() error {
			for n := range 5 {
				all.Go(func() {
					if err := m.Do(t.Context(), "post", func() error { order = append(order, n); return nil }); err != nil {
						t.Error(err)
					}
				})
				synctest.Wait()
			}
			return m.Do(t.Context(), "another", func() error { order = append(order, -1); return nil })
		})
		all.Wait()
		if err != nil || !slices.Equal(order, []int{-1, 0, 1, 2, 3, 4}) {
			t.Errorf("the order is %v (%v)", order, err)
		}
		if len(m.locks) > 0 {
			t.Errorf("unused locks remain: %v", m.locks)
		}
	})
}

func TestKeyedMutex_CanceledCallerBlocksNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewKeyedMutex[string]()
		ctx, cancel := context.WithCancel(t.Context())
		canceled, stays := make(chan error, 1), make(chan error, 1)
		lock := func() error { return m.Do(t.Context(), "post", func() error { return nil }) }
		err := m.Do(t.Context(), "post", func() error {
			go func() {
				canceled <- m.Do(ctx, "post", func() error { t.Error("a canceled caller runs"); return nil })
			}()
			synctest.Wait()
			go func() { stays <- lock() }()
			synctest.Wait()
			cancel()
			return <-canceled
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the canceled caller gets %v", err)
		}
		if err := <-stays; err != nil {
			t.Error(err)
		}
		if len(m.locks) > 0 {
			t.Errorf("unused locks remain: %v", m.locks)
		}
	})
}

func TestKeyedMutex_PanicUnlocks(t *testing.T) {
	m := NewKeyedMutex[string]()
	func() {
		defer func() { _ = recover() }()
		_ = m.Do(t.Context(), "post", func() error { panic("oh") })
	}()
	if err := m.Do(t.Context(), "post", func() error { return errAway }); !errors.Is(err, errAway) {
		t.Errorf("the next caller gets %v", err)
	}
}

// lingeringReads are slow reads whose batcher lingers. The linger time ends when the test calls
// over.
func lingeringReads() (s *slowReads, over func()) {
	s = newSlowReads()
	timers := make(chan func(), 10)
	s.batcher.linger = time.Hour
	s.batcher.afterFunc = func(_ time.Duration, f func()) { timers <- f }
	return s, func() { (<-timers)() }
}

// lingers fails unless a call waits and no read begins.
func (s *slowReads) lingers(t *testing.T, when string) {
	t.Helper()
	s.batcher.mu.Lock()
	defer s.batcher.mu.Unlock()
	if len(s.begun) > 0 || !s.batcher.waiting() {
		t.Errorf("%s a batch starts, or no call waits", when)
	}
}

func TestLinger_WaitsForBatchInFlight(t *testing.T) {
	s, _ := lingeringReads()
	first := s.ask(t.Context(), 1)
	s.begins(t, 1)
	second, third := s.ask(t.Context(), 2), s.ask(t.Context(), 3)
	s.lingers(t, "while one is in flight")
	s.outcomes <- nil
	s.wants(t, "the first read", first, 10)
	s.begins(t, 2, 3)
	s.outcomes <- nil
	s.wants(t, "the second read", second, 20)
	s.wants(t, "the third read", third, 30)
}

func TestLinger_SlowBatchDelaysNoOther(t *testing.T) {
	s, over := lingeringReads()
	slow := s.ask(t.Context(), 1)
	s.begins(t, 1)
	second := s.ask(t.Context(), 2)
	over()
	s.begins(t, 2)
	third := s.ask(t.Context(), 3)
	s.lingers(t, "at the limit")
	ended := 0
	for begun := false; !begun; {
		select {
		case s.outcomes <- nil: // of either; the third does not wait for the slow one
			ended++
		case got := <-s.begun:
			begun = true
			hasKeys(t, got, 3)
		}
	}
	for ; ended < 3; ended++ {
		s.outcomes <- nil
	}
	s.wants(t, "the slow read", slow, 10)
	s.wants(t, "the second read", second, 20)
	s.wants(t, "the third read", third, 30)
}

func TestLinger_CountsFromStartOfBatch(t *testing.T) {
	s, over := lingeringReads()
	first := s.ask(t.Context(), 1)
	s.begins(t, 1)
	second := s.ask(t.Context(), 2)
	s.outcomes <- nil
	s.wants(t, "the first read", first, 10)
	s.begins(t, 2)
	third := s.ask(t.Context(), 3)
	over()
	s.lingers(t, "when the time of the batch before is over")
	over()
	s.begins(t, 3)
	s.outcomes <- nil
	s.outcomes <- nil
	s.wants(t, "the second read", second, 20)
	s.wants(t, "the third read", third, 30)
}

func TestLinger_TimerWithoutWaitersStartsNothing(t *testing.T) {
	s, over := lingeringReads()
	first := s.ask(t.Context(), 1)
	s.begins(t, 1)
	second := s.ask(t.Context(), 2)
	s.outcomes <- nil
	s.begins(t, 2)
	over()
	third := s.ask(t.Context(), 3)
	s.lingers(t, "though no call waited when the time was over")
	s.outcomes <- nil
	s.begins(t, 3)
	s.outcomes <- nil
	s.wants(t, "the first read", first, 10)
	s.wants(t, "the second read", second, 20)
	s.wants(t, "the third read", third, 30)
}
