package batch

import (
	"testing"
	"time"
)

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
