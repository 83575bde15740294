package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// errOdd is the error of one change.
var errOdd = errors.New("odd numbers are refused")

// slowCommits is a group commit whose transactions each wait for an element of outcomes.
type slowCommits struct {
	*GroupCommit[string, int]
	begun    chan []int
	outcomes chan error
}

func newSlowCommits() *slowCommits {
	s := &slowCommits{begun: make(chan []int), outcomes: make(chan error)}
	s.GroupCommit = NewGroupCommit(func(_ context.Context, _ string, changes []int) ([]error, error) {
		s.begun <- changes
		if err := <-s.outcomes; err != nil {
			return nil, err
		}
		each := make([]error, len(changes))
		for i, n := range changes {
			if n < 0 {
				panic("a negative change")
			}
			if n%2 == 1 {
				each[i] = fmt.Errorf("%d: %w", n, errOdd)
			}
		}
		return each, nil
	}, isAway)
	return s
}

// ask makes a change, and returns once it is in flight or queued.
func (s *slowCommits) ask(ctx context.Context, key string, n int) <-chan error {
	before := s.pending(key)
	out := make(chan error, 1)
	go func() { out <- s.Do(ctx, key, n) }()
	for s.pending(key) == before {
		runtime.Gosched()
	}
	return out
}

// pending returns how many changes of a key wait, plus one while a transaction is in flight.
func (s *slowCommits) pending(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	queued, inFlight := s.queued[key]
	if inFlight {
		return len(queued) + 1
	}
	return 0
}

// commits waits for the next transaction, which must have these changes, and ends it.
func (s *slowCommits) commits(t *testing.T, err error, changes ...int) {
	t.Helper()
	if got := <-s.begun; !slices.Equal(got, changes) {
		t.Errorf("a transaction has the changes %v, want %v", got, changes)
	}
	s.outcomes <- err
}

func TestGroupCommit_CoalescesWhileInFlight(t *testing.T) {
	s := newSlowCommits()
	first := s.ask(t.Context(), "post", 2)
	changes := <-s.begun
	second, third := s.ask(t.Context(), "post", 4), s.ask(t.Context(), "post", 5)
	if !slices.Equal(changes, []int{2}) {
		t.Errorf("the first transaction has the changes %v", changes)
	}
	s.outcomes <- nil
	s.commits(t, nil, 4, 5)
	if err := errors.Join(<-first, <-second); err != nil {
		t.Error(err)
	}
	if err := <-third; !errors.Is(err, errOdd) {
		t.Errorf("the refused change returns %v", err)
	}
	if len(s.queued) > 0 {
		t.Errorf("unused keys remain: %v", s.queued)
	}
}

func TestGroupCommit_KeysAreIndependent(t *testing.T) {
	s := newSlowCommits()
	first := s.ask(t.Context(), "post", 2)
	<-s.begun
	other := s.ask(t.Context(), "another", 4)
	<-s.begun
	s.outcomes <- nil
	s.outcomes <- nil
	if err := errors.Join(<-first, <-other); err != nil {
		t.Error(err)
	}
}

func TestGroupCommit_LimitsChangesOfOneTransaction(t *testing.T) {
	s := newSlowCommits()
	first := s.ask(t.Context(), "post", 0)
	<-s.begun
	var others []<-chan error
	for range maxChanges + 1 {
		others = append(others, s.ask(t.Context(), "post", 2))
	}
	s.outcomes <- nil
	s.commits(t, nil, slices.Repeat([]int{2}, maxChanges)...)
	s.commits(t, nil, 2)
	for _, done := range append(others, first) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestGroupCommit_CanceledBeforeStartChangesNothing(t *testing.T) {
	s := newSlowCommits()
	first := s.ask(t.Context(), "post", 2)
	<-s.begun
	ctx, cancel := context.WithCancel(t.Context())
	canceled, stays := s.ask(ctx, "post", 4), s.ask(t.Context(), "post", 6)
	cancel()
	if err := <-canceled; !errors.Is(err, context.Canceled) {
		t.Errorf("the canceled change returns %v", err)
	}
	s.outcomes <- nil
	s.commits(t, nil, 6)
	if err := errors.Join(<-first, <-stays); err != nil {
		t.Error(err)
	}
	if err := s.Do(ctx, "post", 8); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended the error is %v", err)
	}
}

func TestGroupCommit_CanceledCallerEndsNoTransaction(t *testing.T) {
	began, end := make(chan context.Context), make(chan struct{})
	g := NewGroupCommit(func(ctx context.Context, _ string, _ []int) ([]error, error) {
		began <- ctx
		<-end
		return nil, ctx.Err()
	}, func(error) bool { return false })
	s := &slowCommits{GroupCommit: g}
	first := s.ask(t.Context(), "post", 1)
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	canceled, stays := s.ask(ctx, "post", 2), s.ask(t.Context(), "post", 3)
	end <- struct{}{}
	transaction := <-began
	cancel()
	if err := <-canceled; !errors.Is(err, context.Canceled) {
		t.Errorf("the canceled change returns %v", err)
	}
	if transaction.Err() != nil {
		t.Error("the transaction ends with the context of its first caller")
	}
	end <- struct{}{}
	if err := errors.Join(<-first, <-stays); err != nil {
		t.Error(err)
	}
}

func TestGroupCommit_SharesOnlySharedErrors(t *testing.T) {
	s := newSlowCommits()
	during := func(err error) (two, four <-chan error) {
		first := s.ask(t.Context(), "post", 0)
		<-s.begun
		two, four = s.ask(t.Context(), "post", 2), s.ask(t.Context(), "post", 4)
		s.outcomes <- nil
		s.commits(t, err, 2, 4)
		if err := <-first; err != nil {
			t.Error(err)
		}
		return two, four
	}
	two, four := during(errAway)
	for _, done := range []<-chan error{two, four} {
		if err := <-done; !errors.Is(err, errAway) {
			t.Errorf("while the server is away a change returns %v", err)
		}
	}
	two, four = during(errOdd)
	s.commits(t, errOdd, 2)
	s.commits(t, nil, 4)
	if err := <-two; !errors.Is(err, errOdd) {
		t.Errorf("the refused change returns %v", err)
	}
	if err := <-four; err != nil {
		t.Errorf("the other change returns %v", err)
	}
}

func TestGroupCommit_PanicFailsOnlyItsChange(t *testing.T) {
	s := newSlowCommits()
	first := s.ask(t.Context(), "post", 0)
	<-s.begun
	bad, good := s.ask(t.Context(), "post", -2), s.ask(t.Context(), "post", 2)
	s.outcomes <- nil
	s.commits(t, nil, -2, 2)
	s.commits(t, nil, -2)
	s.commits(t, nil, 2)
	if err := errors.Join(<-first, <-good); err != nil {
		t.Error(err)
	}
	if err := <-bad; err == nil {
		t.Error("a panic is no error")
	}
	after := s.ask(t.Context(), "post", 4)
	s.commits(t, nil, 4)
	if err := <-after; err != nil {
		t.Error(err)
	}
}

func TestGroupCommit_MakesEachChangeOnce(t *testing.T) {
	var mu sync.Mutex
	var inFlight, most, made int
	g := NewGroupCommit(func(_ context.Context, _ int, changes []int) ([]error, error) {
		mu.Lock()
		inFlight++
		most, made = max(most, inFlight), made+len(changes)
		mu.Unlock()
		defer func() { mu.Lock(); inFlight--; mu.Unlock() }()
		return nil, nil
	}, func(error) bool { return false })
	var all sync.WaitGroup
	const many = 2000
	for n := range many {
		all.Go(func() {
			if err := g.Do(t.Context(), 1, n); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most > 1 || made != many {
		t.Errorf("%d transactions at once, %d changes of %d", most, made, many)
	}
}

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
