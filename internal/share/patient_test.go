package share

import (
	"slices"
	"testing"
	"time"
)

// patientReads are slow reads whose lanes are patient. The time that they wait is over when
// the test says so.
func patientReads() (s *slowReads, over func()) {
	s = newSlowReads()
	alarms := make(chan func(), 10)
	s.lanes.patience = time.Hour
	s.lanes.later = func(_ time.Duration, do func()) { alarms <- do }
	return s, func() { (<-alarms)() }
}

// begins waits for the next trip, which must be for these keys.
func (s *slowReads) begins(t *testing.T, keys ...int) {
	t.Helper()
	isFor(t, <-s.begun, keys...)
}

func isFor(t *testing.T, got []int, keys ...int) {
	t.Helper()
	if !slices.Equal(got, keys) {
		t.Fatalf("a trip begins for %v, want %v", got, keys)
	}
}

// rests says that no trip begins, though somebody waits.
func (s *slowReads) rests(t *testing.T, what string) {
	t.Helper()
	s.lanes.mu.Lock()
	defer s.lanes.mu.Unlock()
	if len(s.begun) > 0 || !s.waits() {
		t.Errorf("%s a trip begins, or nobody waits", what)
	}
}

func TestWhoWaitsMeetsOthersOnTheWayBackOfTheTripBefore(t *testing.T) {
	s, _ := patientReads()
	first := s.ask(t.Context(), 1)
	s.begins(t, 1)
	second, third := s.ask(t.Context(), 2), s.ask(t.Context(), 3)
	s.rests(t, "while one is under way")
	s.answers <- nil
	s.wants(t, "the first read", first, 10)
	s.begins(t, 2, 3)
	s.answers <- nil
	s.wants(t, "the second read", second, 20)
	s.wants(t, "the third read", third, 30)
}

func TestATripThatIsSlowHoldsNobodyUp(t *testing.T) {
	s, over := patientReads()
	slow := s.ask(t.Context(), 1)
	s.begins(t, 1)
	second := s.ask(t.Context(), 2)
	over()
	s.begins(t, 2)
	third := s.ask(t.Context(), 3)
	s.rests(t, "while all lanes are taken")
	answered := 0
	for begun := false; !begun; {
		select {
		case s.answers <- nil: // of either; it is not the slow one's that the third waits for
			answered++
		case got := <-s.begun:
			begun = true
			isFor(t, got, 3)
		}
	}
	for ; answered < 3; answered++ {
		s.answers <- nil
	}
	s.wants(t, "the slow read", slow, 10)
	s.wants(t, "the second read", second, 20)
	s.wants(t, "the third read", third, 30)
}

func TestATripIsNotSlowBecauseItBeganWhileSomebodyWaited(t *testing.T) {
	s, over := patientReads()
	first := s.ask(t.Context(), 1)
	s.begins(t, 1)
	second := s.ask(t.Context(), 2)
	s.answers <- nil
	s.wants(t, "the first read", first, 10)
	s.begins(t, 2)
	third := s.ask(t.Context(), 3)
	over()
	s.rests(t, "when the time of those before is over")
	over()
	s.begins(t, 3)
	s.answers <- nil
	s.answers <- nil
	s.wants(t, "the second read", second, 20)
	s.wants(t, "the third read", third, 30)
}

func TestNobodyIsLookedAfterWhoIsNotWaitingAnyMore(t *testing.T) {
	s, over := patientReads()
	first := s.ask(t.Context(), 1)
	s.begins(t, 1)
	second := s.ask(t.Context(), 2)
	s.answers <- nil
	s.begins(t, 2)
	over()
	third := s.ask(t.Context(), 3)
	s.rests(t, "though nobody waited when the time was over")
	s.answers <- nil
	s.begins(t, 3)
	s.answers <- nil
	s.wants(t, "the first read", first, 10)
	s.wants(t, "the second read", second, 20)
	s.wants(t, "the third read", third, 30)
}
