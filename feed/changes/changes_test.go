package changes_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

// signals are [feed.ChangeSignal] in memory.
type signals struct {
	mu        sync.Mutex
	listeners map[int]func()
	leaders   map[int]func()
	next      int
	sent      []feed.ChangePlace
	// wakes are the times of signals of waiting changes.
	wakes []time.Time
	lost  atomic.Bool
	// hanging is closed when signals may go on; nil if they need not wait.
	hanging chan struct{}
}

func (s *signals) Signal(ctx context.Context, last feed.ChangePlace) error {
	if s.hanging != nil {
		<-s.hanging
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, last)
	if s.lost.Load() {
		return errors.New("lost")
	}
	for _, heard := range s.listeners {
		heard()
	}
	return nil
}

func (s *signals) SignalWaiting(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wakes = append(s.wakes, time.Now())
	if s.lost.Load() {
		return errors.New("lost")
	}
	for _, heard := range s.leaders {
		heard()
	}
	return nil
}

func (s *signals) Listen(ctx context.Context, heard func()) error {
	return s.listen(ctx, &s.listeners, heard)
}

func (s *signals) ListenWaiting(ctx context.Context, heard func()) error {
	return s.listen(ctx, &s.leaders, heard)
}

func (s *signals) listen(ctx context.Context, to *map[int]func(), heard func()) error {
	s.mu.Lock()
	if *to == nil {
		*to = map[int]func(){}
	}
	s.next++
	id := s.next
	(*to)[id] = heard
	s.mu.Unlock()
	heard()
	<-ctx.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(*to, id)
	return ctx.Err()
}

// cache records what is evicted.
type cache struct {
	mu   sync.Mutex
	done []string
}

func (c *cache) Evict(posts []feed.PostID, users []feed.UserID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = append(c.done, fmt.Sprint("posts ", posts, " users ", users))
}

func (c *cache) Purge() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = append(c.done, "purge")
}

// takes fails the test unless the cache has got exactly these calls since the last call.
func (c *cache) takes(t *testing.T, after string, want ...string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Equal(c.done, want) {
		t.Errorf("after %s the cache got %q, want %q", after, c.done, want)
	}
	c.done = nil
}

// world is a store with two users.
type world struct {
	*memstore.Store
	t *testing.T
}

func newWorld(t *testing.T) world {
	s := memstore.New(time.Now)
	for id := feed.UserID(1); id <= 2; id++ {
		if _, err := s.EnsureUser(t.Context(), &feed.User{ID: id, Handle: "u" + id.String()}); err != nil {
			t.Fatal(err)
		}
	}
	return world{s, t}
}

func (w world) publish(id feed.PostID) {
	w.t.Helper()
	_, err := w.Publish(w.t.Context(), &feed.Post{ID: id, Author: 1, Kind: feed.KindPost, Text: "x", PublishedAt: 1}, feed.Idempotency{}, feed.FirstDispatch{})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w world) edit(id feed.PostID) {
	w.t.Helper()
	if _, err := w.Edit(w.t.Context(), id, "y", 2); err != nil {
		w.t.Fatal(err)
	}
}

func (w world) rename(user feed.UserID) {
	w.t.Helper()
	if _, err := w.UpdateProfile(w.t.Context(), user, feed.ProfileChange{Name: new("New")}); err != nil {
		w.t.Fatal(err)
	}
}

func catchUp(t *testing.T, f *changes.Follower) {
	t.Helper()
	if err := f.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestCatchUp_EvictsWhatChanged(t *testing.T) {
	w, c := newWorld(t), &cache{}
	f := &changes.Follower{Log: w, Cache: c}
	w.publish(7)
	catchUp(t, f)
	c.takes(t, "the first read", "purge")
	catchUp(t, f)
	c.takes(t, "nothing")
	w.publish(8)
	if err := w.Follow(t.Context(), 1, 2, 1, 9); err != nil {
		t.Fatal(err)
	}
	catchUp(t, f)
	c.takes(t, "a publish and a follow", "posts [8] users []")
	w.edit(7)
	if err := w.Delete(t.Context(), 8, 2); err != nil {
		t.Fatal(err)
	}
	w.rename(2)
	if err := w.DeleteAccount(t.Context(), 1, 3); err != nil {
		t.Fatal(err)
	}
	catchUp(t, f)
	c.takes(t, "four changes", "posts [7 8] users [2 1]")
	for _, absent := range []bool{true, false} {
		if err := w.SetAbsent(t.Context(), []feed.UserID{2}, absent); err != nil {
			t.Fatal(err)
		}
		catchUp(t, f)
		c.takes(t, "an absence or a return", "posts [] users [2]")
	}
}

func TestCatchUp_PurgesWhenItCannotKnow(t *testing.T) {
	for name, lose := range map[string]func(w world) error{
		"a reset":     func(w world) error { return w.RaiseGeneration(w.t.Context()) },
		"a new epoch": func(w world) error { return w.NewEpoch(w.t.Context()) },
		"trimmed rows": func(w world) error {
			_, err := w.TrimChanges(w.t.Context(), feed.Millis(time.Now().Add(time.Hour)), 1000)
			return err
		},
		"too many changes": func(w world) error {
			for range 10_000 {
				w.edit(7)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, c := newWorld(t), &cache{}
			w.publish(7)
			f := &changes.Follower{Log: w, Cache: c}
			catchUp(t, f)
			w.edit(7)
			if err := lose(w); err != nil {
				t.Fatal(err)
			}
			catchUp(t, f)
			c.takes(t, name, "purge", "purge")
			w.edit(7)
			catchUp(t, f)
			c.takes(t, "an edit after it", "posts [7] users []")
		})
	}
}

// failingLog fails while its error is set.
type failingLog struct {
	feed.ChangeLog
	err atomic.Pointer[error]
}

func (l *failingLog) Changes(ctx context.Context, since feed.ChangePlace, limit int) ([]feed.Change, feed.ChangePlace, error) {
	if err := l.err.Load(); err != nil {
		return nil, feed.ChangePlace{}, *err
	}
	return l.ChangeLog.Changes(ctx, since, limit)
}

func TestCatchUp_RepeatsAfterAnError(t *testing.T) {
	w, c := newWorld(t), &cache{}
	w.publish(7)
	log := &failingLog{ChangeLog: w}
	f := &changes.Follower{Log: log, Cache: c}
	catchUp(t, f)
	w.edit(7)
	away := errors.New("away")
	log.err.Store(&away)
	if err := f.CatchUp(t.Context()); !errors.Is(err, away) {
		t.Errorf("the error is %v", err)
	}
	log.err.Store(nil)
	catchUp(t, f)
	c.takes(t, "the error", "purge", "posts [7] users []")
}

// running is a follower and a numberer that run in the background.
type running struct {
	world
	// waker is that of the process that makes changes.
	waker   *changes.Waker
	cache   *cache
	signals *signals
	log     *failingLog
	failed  chan error
}

// run runs a test in a bubble with a clock of its own.
func run(t *testing.T, test func(t *testing.T, r *running)) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.publish(7)
		r := &running{world: w, cache: &cache{}, signals: &signals{}, log: &failingLog{ChangeLog: w}, failed: make(chan error, 9)}
		r.waker = &changes.Waker{Signal: r.signals}
		f := &changes.Follower{Log: r.log, Signal: r.signals, Cache: r.cache, Failed: func(err error) { r.failed <- err }}
		n := &changes.Numberer{Log: w, Signal: r.signals, Leaders: w, Holder: "one"}
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { f.Run(ctx) })
		all.Go(func() {
			if err := n.Lead(ctx); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		})
		defer all.Wait()
		defer stop()
		r.pass(time.Second)
		r.cache.takes(t, "the start", "purge")
		test(t, r)
	})
}

// pass lets time pass.
func (r *running) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// edit edits a post and wakes the numberer, as the store does after the commit.
func (r *running) edit(id feed.PostID) {
	r.t.Helper()
	r.world.edit(id)
	r.waker.Wake()
}

func TestFollower_EvictsAtOnceWhenIdle(t *testing.T) {
	run(t, func(t *testing.T, r *running) {
		for range 3 {
			r.pass(10*time.Second + 123*time.Millisecond)
			r.edit(7)
			r.pass(time.Millisecond)
			r.cache.takes(t, "an edit in an idle system", "posts [7] users []")
		}
	})
}

func TestFollower_EvictsWithinAPollWhenBusy(t *testing.T) {
	for _, pause := range []time.Duration{60 * time.Millisecond, 990 * time.Millisecond, 1010 * time.Millisecond, 1600 * time.Millisecond} {
		run(t, func(t *testing.T, r *running) {
			r.pass(10 * time.Second)
			for range 20 {
				r.edit(7)
				r.pass(60 * time.Millisecond)
				r.cache.takes(t, "a poll of a busy system", "posts [7] users []")
				r.pass(pause - 60*time.Millisecond)
			}
		})
	}
}

// A lost signal costs a poll of the numberer and one of the follower, and an old program, which
// sends none, as much.
func TestFollower_EvictsWithinTwoSecondsWithoutSignals(t *testing.T) {
	run(t, func(t *testing.T, r *running) {
		r.signals.lost.Store(true)
		r.pass(10 * time.Second)
		r.edit(7)
		r.pass(2100 * time.Millisecond)
		r.cache.takes(t, "two polls", "posts [7] users []")
	})
}

func TestFollower_EvictsWithinAPollAfterALostSignal(t *testing.T) {
	run(t, func(t *testing.T, r *running) {
		r.pass(10 * time.Second)
		r.world.edit(7)
		r.pass(1010 * time.Millisecond)
		r.cache.takes(t, "a poll of an idle system", "posts [7] users []")
	})
}

func TestFollower_ReportsTheBeginAndEndOfFailures(t *testing.T) {
	run(t, func(t *testing.T, r *running) {
		away := errors.New("away")
		r.log.err.Store(&away)
		r.edit(7)
		r.pass(5 * time.Second)
		r.log.err.Store(nil)
		r.pass(2 * time.Second)
		if first, second := <-r.failed, <-r.failed; !errors.Is(first, away) || second != nil || len(r.failed) > 0 {
			t.Errorf("reported %v and %v, and %d more", first, second, len(r.failed))
		}
		r.cache.takes(t, "the failure", "posts [7] users []")
	})
}

func TestNumberer_SignalsEachNewPlaceOnce(t *testing.T) {
	run(t, func(t *testing.T, r *running) {
		before := len(r.signals.sent)
		r.edit(7)
		r.edit(7)
		r.pass(5 * time.Second)
		last, err := r.LastChange(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if sent := r.signals.sent[before:]; !slices.Equal(sent, []feed.ChangePlace{last}) {
			t.Errorf("signalled %v, the last place is %v", sent, last)
		}
	})
}

// counting counts how often changes are numbered, and has as many full batches as full says.
type counting struct {
	feed.ChangeNumberer
	calls, full atomic.Int64
}

func (c *counting) NumberChanges(context.Context, int) (bool, feed.ChangePlace, error) {
	n := c.calls.Add(1)
	return c.full.Add(-1) >= 0, feed.ChangePlace{Epoch: 1, Number: n}, nil
}

// idle has no changes.
type idle struct {
	feed.ChangeNumberer
	calls atomic.Int64
}

func (i *idle) NumberChanges(context.Context, int) (bool, feed.ChangePlace, error) {
	i.calls.Add(1)
	return false, feed.ChangePlace{Epoch: 1}, nil
}

func TestNumberer_PollsSeldomWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &idle{}
		lead(t, &changes.Numberer{Log: log, Signal: &signals{}, Leaders: memstore.New(time.Now), Holder: "one"}, 100*time.Second)
		if n := log.calls.Load(); n > 100+2*30+1 {
			t.Errorf("polled %d times in 100 seconds", n)
		}
	})
}

// lead runs a numberer for a while.
func lead(t *testing.T, n *changes.Numberer, d time.Duration) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), d)
	defer stop()
	if err := n.Lead(ctx); err != nil && ctx.Err() == nil {
		t.Error(err)
	}
}

func TestNumberer_ContinuesAtOnceAfterAFullBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &counting{}
		log.full.Store(50)
		lead(t, &changes.Numberer{Log: log, Signal: &signals{}, Leaders: memstore.New(time.Now), Holder: "one"}, 25*time.Millisecond)
		if n := log.calls.Load(); n != 51 {
			t.Errorf("numbered %d times within half a poll", n)
		}
	})
}

// While Redis hangs, changes must go on to get numbers.
func TestNumberWaiting_EndsWithLastChangeOrMost(t *testing.T) {
	for full, want := range map[int64]int64{0: 1, 3: 4, 1000: 10} {
		log := &counting{}
		log.full.Store(full)
		if err := (&changes.Numberer{Log: log}).NumberWaiting(t.Context()); err != nil || log.calls.Load() != want {
			t.Errorf("%d full batches: numbered %d times, want %d; %v", full, log.calls.Load(), want, err)
		}
	}
}

func TestNumberer_NeverWaitsForSignals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, hanging := &counting{}, &signals{hanging: make(chan struct{})}
		n := &changes.Numberer{Log: log, Signal: hanging, Leaders: memstore.New(time.Now), Holder: "one"}
		var leading sync.WaitGroup
		leading.Go(func() { lead(t, n, 10*time.Second) })
		<-time.After(9 * time.Second)
		if n := log.calls.Load(); n < 89 {
			t.Errorf("numbered %d times in 9 seconds", n)
		}
		close(hanging.hanging)
		leading.Wait()
	})
}

func TestNumberer_OneProcessLeads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, one, two := memstore.New(time.Now), &counting{}, &counting{}
		first := &changes.Numberer{Log: one, Signal: &signals{}, Leaders: store, Holder: "one"}
		second := &changes.Numberer{Log: two, Signal: &signals{}, Leaders: store, Holder: "two"}
		var leading sync.WaitGroup
		leading.Go(func() { lead(t, first, time.Minute) })
		<-time.After(30 * time.Second)
		lead(t, second, time.Second)
		if two.calls.Load() > 0 {
			t.Error("both lead")
		}
		leading.Wait()
		if err := first.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		lead(t, second, time.Second)
		if two.calls.Load() == 0 {
			t.Error("no process leads after the first has resigned")
		}
	})
}
