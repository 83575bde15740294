package share

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// errOdd is the fault of one part.
var errOdd = errors.New("odd numbers are refused")

// slowChanges are changes each of which says when it begins, and ends when it is told how.
type slowChanges struct {
	crowd   *Crowd[string, int]
	begun   chan []int
	answers chan error
}

func newSlowChanges() *slowChanges {
	s := &slowChanges{begun: make(chan []int), answers: make(chan error)}
	s.crowd = NewCrowd(func(_ context.Context, _ string, parts []int) ([]error, error) {
		s.begun <- parts
		if err := <-s.answers; err != nil {
			return nil, err
		}
		each := make([]error, len(parts))
		for i, n := range parts {
			if n < 0 {
				panic("no change is below zero")
			}
			if n%2 == 1 {
				each[i] = fmt.Errorf("%d: %w", n, errOdd)
			}
		}
		return each, nil
	}, isAway)
	return s
}

// ask asks for a change, and returns once it is under way or waits.
func (s *slowChanges) ask(ctx context.Context, key string, n int) <-chan error {
	before := s.asked(key)
	out := make(chan error, 1)
	go func() { out <- s.crowd.Do(ctx, key, n) }()
	for s.asked(key) == before {
		runtime.Gosched()
	}
	return out
}

// asked returns how many wait for a change of something, and one more while one is under way.
func (s *slowChanges) asked(key string) int {
	s.crowd.mu.Lock()
	defer s.crowd.mu.Unlock()
	waiting, under := s.crowd.under[key]
	if under {
		return len(waiting) + 1
	}
	return 0
}

// begins waits for the next change, which must have these parts, and ends it.
func (s *slowChanges) begins(t *testing.T, err error, parts ...int) {
	t.Helper()
	if got := <-s.begun; !slices.Equal(got, parts) {
		t.Errorf("a change begins of %v, want %v", got, parts)
	}
	s.answers <- err
}

func TestWhoComesDuringAChangeIsPartOfTheNext(t *testing.T) {
	s := newSlowChanges()
	first := s.ask(t.Context(), "post", 2)
	parts := <-s.begun
	second, third := s.ask(t.Context(), "post", 4), s.ask(t.Context(), "post", 5)
	if !slices.Equal(parts, []int{2}) {
		t.Errorf("whoever finds nothing under way shares a change of %v", parts)
	}
	s.answers <- nil
	s.begins(t, nil, 4, 5)
	if err := errors.Join(<-first, <-second); err != nil {
		t.Error(err)
	}
	if err := <-third; !errors.Is(err, errOdd) {
		t.Errorf("what is wrong with one part is told as %v", err)
	}
	if len(s.crowd.under) > 0 {
		t.Errorf("things that nobody changes any more are kept: %v", s.crowd.under)
	}
}

func TestChangesOfOtherThingsDoNotWait(t *testing.T) {
	s := newSlowChanges()
	first := s.ask(t.Context(), "post", 2)
	<-s.begun
	other := s.ask(t.Context(), "another", 4)
	<-s.begun
	s.answers <- nil
	s.answers <- nil
	if err := errors.Join(<-first, <-other); err != nil {
		t.Error(err)
	}
}

func TestAChangeTakesABoundedCrowd(t *testing.T) {
	s := newSlowChanges()
	first := s.ask(t.Context(), "post", 0)
	<-s.begun
	var others []<-chan error
	for range crowdMax + 1 {
		others = append(others, s.ask(t.Context(), "post", 2))
	}
	s.answers <- nil
	s.begins(t, nil, slices.Repeat([]int{2}, crowdMax)...)
	s.begins(t, nil, 2)
	for _, done := range append(others, first) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestWhoLeavesBeforeHisPartIsBegunHasChangedNothing(t *testing.T) {
	s := newSlowChanges()
	first := s.ask(t.Context(), "post", 2)
	<-s.begun
	ctx, leave := context.WithCancel(t.Context())
	gone, stays := s.ask(ctx, "post", 4), s.ask(t.Context(), "post", 6)
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("whoever leaves is told %v", err)
	}
	s.answers <- nil
	s.begins(t, nil, 6)
	if err := errors.Join(<-first, <-stays); err != nil {
		t.Error(err)
	}
	if err := s.crowd.Do(ctx, "post", 8); !errors.Is(err, context.Canceled) {
		t.Errorf("whoever comes without time is told %v", err)
	}
}

func TestWhoLeavesDuringASharedChangeDoesNotEndItForOthers(t *testing.T) {
	began, end := make(chan context.Context), make(chan struct{})
	c := NewCrowd(func(ctx context.Context, _ string, _ []int) ([]error, error) {
		began <- ctx
		<-end
		return nil, ctx.Err()
	}, func(error) bool { return false })
	s := &slowChanges{crowd: c}
	first := s.ask(t.Context(), "post", 1)
	<-began
	ctx, leave := context.WithCancel(t.Context())
	gone, stays := s.ask(ctx, "post", 2), s.ask(t.Context(), "post", 3)
	end <- struct{}{}
	shared := <-began
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("whoever leaves is told %v", err)
	}
	if shared.Err() != nil {
		t.Error("the change ends with the one who came first")
	}
	end <- struct{}{}
	if err := errors.Join(<-first, <-stays); err != nil {
		t.Error(err)
	}
}

func TestAFailureThatIsCommonIsEverybodysAndAnotherIsNot(t *testing.T) {
	s := newSlowChanges()
	during := func(err error) (two, four <-chan error) {
		first := s.ask(t.Context(), "post", 0)
		<-s.begun
		two, four = s.ask(t.Context(), "post", 2), s.ask(t.Context(), "post", 4)
		s.answers <- nil
		s.begins(t, err, 2, 4)
		if err := <-first; err != nil {
			t.Error(err)
		}
		return two, four
	}
	two, four := during(errAway)
	for _, done := range []<-chan error{two, four} {
		if err := <-done; !errors.Is(err, errAway) {
			t.Errorf("while the server is away one is told %v", err)
		}
	}
	two, four = during(errOdd)
	s.begins(t, errOdd, 2)
	s.begins(t, nil, 4)
	if err := <-two; !errors.Is(err, errOdd) {
		t.Errorf("the one whose fault it is is told %v", err)
	}
	if err := <-four; err != nil {
		t.Errorf("another is told %v", err)
	}
}

func TestAPanicInAChangeIsAnErrorOfThatChange(t *testing.T) {
	s := newSlowChanges()
	first := s.ask(t.Context(), "post", 0)
	<-s.begun
	bad, good := s.ask(t.Context(), "post", -2), s.ask(t.Context(), "post", 2)
	s.answers <- nil
	s.begins(t, nil, -2, 2)
	s.begins(t, nil, -2)
	s.begins(t, nil, 2)
	if err := errors.Join(<-first, <-good); err != nil {
		t.Error(err)
	}
	if err := <-bad; err == nil {
		t.Error("a panic is no error")
	}
	after := s.ask(t.Context(), "post", 4)
	s.begins(t, nil, 4)
	if err := <-after; err != nil {
		t.Error(err)
	}
}

func TestACrowdOfManyGetsThrough(t *testing.T) {
	var mu sync.Mutex
	var under, most, made int
	c := NewCrowd(func(_ context.Context, _ int, parts []int) ([]error, error) {
		mu.Lock()
		under++
		most, made = max(most, under), made+len(parts)
		mu.Unlock()
		defer func() { mu.Lock(); under--; mu.Unlock() }()
		return nil, nil
	}, func(error) bool { return false })
	var all sync.WaitGroup
	const many = 2000
	for n := range many {
		all.Go(func() {
			if err := c.Do(t.Context(), 1, n); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most > 1 || made != many {
		t.Errorf("%d changes of one thing are under way at once, and %d parts are made of %d", most, made, many)
	}
}
