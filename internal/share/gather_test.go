package share

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

// loaded makes a function what a gather asks with.
func loaded(load func(ctx context.Context, keys []int) ([]int, error)) Ask[int, int, *loading] {
	return func(_ context.Context, keys Keys[int]) (*loading, func() []int) {
		l := &loading{load: load, keys: keys.List}
		return l, func() []int { return l.values }
	}
}

// inTurn runs calls one after the other.
func inTurn(ctx context.Context, calls []*loading, ended func(i int, err error)) {
	for i, c := range calls {
		var err error
		c.values, err = c.load(ctx, c.keys)
		ended(i, err)
	}
}

// errAway is everybody's failure.
var errAway = errors.New("the server is away")

func isAway(err error) bool { return errors.Is(err, errAway) }

// lanesOfTests is how many trips go on at once.
const lanesOfTests = 2

// slowReads is a gather over a store whose reads each wait to be let go on, and then return
// ten times the key.
type slowReads struct {
	*Gather[int, int, *loading]
	// load is one read.
	load func(ctx context.Context, keys []int) ([]int, error)
	// begun has the keys of every read, as it begins; each takes one of the answers.
	begun   chan []int
	answers chan error
}

func newSlowReads() *slowReads {
	s := &slowReads{begun: make(chan []int, 100), answers: make(chan error)}
	s.load = func(ctx context.Context, keys []int) ([]int, error) {
		s.begun <- slices.Clone(keys)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case err := <-s.answers:
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
	l := New(lanesOfTests, inTurn, isAway)
	s.Gather = NewGather(l, loaded(func(ctx context.Context, keys []int) ([]int, error) { return s.load(ctx, keys) }))
	return s
}

// answer is what a read returned.
type answer struct {
	values []int
	err    error
}

// ask reads and returns where the answer will be. It returns once the read has joined a
// round.
func (s *slowReads) ask(ctx context.Context, keys ...int) <-chan answer {
	before := s.readers()
	out := make(chan answer, 1)
	go func() {
		values, err := s.Read(ctx, keys)
		out <- answer{values, err}
	}()
	for s.readers() == before {
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

// readers returns how many readers the rounds that wait have, and how many rounds have begun.
func (s *slowReads) readers() string {
	s.lanes.mu.Lock()
	defer s.lanes.mu.Unlock()
	n := 0
	for _, r := range s.waiting {
		n += r.readers
	}
	return fmt.Sprint(n, len(s.begun), len(s.lanes.under))
}

// busy fills every lane with a read that waits, and returns them.
func (s *slowReads) busy(t *testing.T) (held []<-chan answer) {
	t.Helper()
	for lane := range lanesOfTests {
		held = append(held, s.ask(t.Context(), 1000+lane))
		<-s.begun
	}
	return held
}

func (s *slowReads) wants(t *testing.T, what string, from <-chan answer, values ...int) {
	t.Helper()
	if a := <-from; a.err != nil || !slices.Equal(a.values, values) {
		t.Errorf("%s is answered %v, %v, and not %v", what, a.values, a.err, values)
	}
}

func TestAReadThatFindsNothingUnderWayBeginsAtOnce(t *testing.T) {
	s := newSlowReads()
	one := s.ask(t.Context(), 3, 1, 3)
	if diff := cmp.Diff([]int{3, 1}, <-s.begun); diff != "" {
		t.Error(diff)
	}
	s.answers <- nil
	s.wants(t, "the read", one, 30, 10, 30)
}

// A read that came after a round had begun might miss what was committed in between.
func TestAReadIsServedByARoundThatBeginsAfterItHasAsked(t *testing.T) {
	s := newSlowReads()
	held := s.busy(t)
	one, two := s.ask(t.Context(), 1, 2), s.ask(t.Context(), 2, 3)
	if n := len(s.begun); n != 0 {
		t.Fatalf("%d rounds have begun beside those under way", n)
	}
	s.answers <- nil
	if diff := cmp.Diff([]int{1, 2, 3}, <-s.begun); diff != "" {
		t.Errorf("the next round is not for all who waited:\n%s", diff)
	}
	three := s.ask(t.Context(), 1)
	for range lanesOfTests {
		s.answers <- nil
	}
	if diff := cmp.Diff([]int{1}, <-s.begun); diff != "" {
		t.Errorf("who came later is not served by a round of his own:\n%s", diff)
	}
	s.answers <- nil
	s.wants(t, "the first", one, 10, 20)
	s.wants(t, "the second", two, 20, 30)
	s.wants(t, "the third", three, 10)
	for lane, from := range held {
		s.wants(t, "who kept a lane busy", from, 10*(1000+lane))
	}
}

func TestARoundTakesNobodyInBeyondItsBound(t *testing.T) {
	s := newSlowReads()
	s.busy(t)
	many := make([]int, gatherMax)
	for i := range many {
		many[i] = i
	}
	s.ask(t.Context(), many...)
	last := s.ask(t.Context(), 5000)
	s.answers <- nil
	if n := len(<-s.begun); n != gatherMax {
		t.Errorf("the round has %d keys", n)
	}
	s.answers <- nil
	if diff := cmp.Diff([]int{5000}, <-s.begun); diff != "" {
		t.Error(diff)
	}
	for range lanesOfTests {
		s.answers <- nil
	}
	s.wants(t, "the last", last, 50_000)
}

func TestWhoGivesUpLeavesTheOthersTheirRound(t *testing.T) {
	s := newSlowReads()
	s.busy(t)
	ctx, giveUp := context.WithCancel(t.Context())
	gone, stays := s.ask(ctx, 1), s.ask(t.Context(), 2)
	giveUp()
	if a := <-gone; !errors.Is(a.err, context.Canceled) {
		t.Errorf("who gave up gets %v, %v", a.values, a.err)
	}
	s.answers <- nil
	<-s.begun
	for range lanesOfTests {
		s.answers <- nil
	}
	s.wants(t, "who stayed", stays, 20)
}

func TestARoundThatNobodyWaitsForIsBrokenOffOrDoesNotBegin(t *testing.T) {
	s := newSlowReads()
	ctx, giveUp := context.WithCancel(t.Context())
	other, giveUpWaiting := context.WithCancel(t.Context())
	under := s.ask(ctx, 1)
	<-s.begun
	held := s.ask(t.Context(), 9)
	<-s.begun
	waits := s.ask(other, 2)
	// In this order, or the end of the one round would begin the other.
	giveUpWaiting()
	gone := []answer{<-waits}
	giveUp()
	for _, a := range append(gone, <-under) {
		if !errors.Is(a.err, context.Canceled) {
			t.Errorf("who gave up gets %v, %v", a.values, a.err)
		}
	}
	late := s.ask(t.Context(), 3)
	if diff := cmp.Diff([]int{3}, <-s.begun); diff != "" {
		t.Errorf("the round that takes the place of the broken one:\n%s", diff)
	}
	s.answers <- nil
	s.answers <- nil
	s.wants(t, "who came late", late, 30)
	s.wants(t, "who held the other lane", held, 90)
	if _, err := s.Read(ctx, []int{4}); !errors.Is(err, context.Canceled) || len(s.begun) > 0 {
		t.Errorf("a context that was over before is answered %v, after %d reads", err, len(s.begun))
	}
}

// overdue is a context that is over before anybody who waits has been told.
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

// Connections break when those give up who wait for them, which is when others have no
// time left either.
func TestWhoHasNoTimeLeftIsToldThatAlsoByARoundThatFailsThen(t *testing.T) {
	ctx := &overdue{Context: t.Context()}
	g := NewGather(New(lanesOfTests, inTurn, isAway), loaded(func(context.Context, []int) ([]int, error) {
		ctx.over = true
		return nil, errAway
	}))
	if _, err := g.Read(ctx, []int{1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}

// A damaged row of one page must not fail the pages of those who read at the same time; a
// server that is away is away for all of them, and asked once.
func TestAFailureThatIsNotTheServersIsNobodyElses(t *testing.T) {
	damaged := errors.New("the row is damaged")
	for name, c := range map[string]struct {
		fails func() ([]int, error)
		// alone says that both read again, each for himself, and the sound row is read.
		alone bool
	}{
		"a row that cannot be read": {func() ([]int, error) { return nil, damaged }, true},
		"a panic":                   {func() ([]int, error) { panic(damaged) }, true},
		"an answer too few":         {func() ([]int, error) { return []int{1}, nil }, true},
		"a server that is away":     {func() ([]int, error) { return nil, errAway }, false},
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
			s.busy(t)
			one, two := s.ask(t.Context(), 1), s.ask(t.Context(), 2)
			for range lanesOfTests + 1 {
				s.answers <- nil
			}
			if !c.alone {
				for _, a := range []answer{<-one, <-two} {
					if !isAway(a.err) {
						t.Errorf("a reader gets %v, %v", a.values, a.err)
					}
				}
				return
			}
			s.answers <- nil
			s.answers <- nil
			s.wants(t, "who asked for the sound row", one, 10)
			s.wants(t, "who asked for the other alone", two, 20)
		})
	}
}
