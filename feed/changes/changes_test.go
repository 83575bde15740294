package changes_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// listeners hear of signals of one kind.
type listeners struct {
	mu    sync.Mutex
	heard []func()
}

func (l *listeners) listen(ctx context.Context, heard func()) error {
	l.mu.Lock()
	l.heard = append(l.heard, heard)
	l.mu.Unlock()
	heard()
	<-ctx.Done()
	return ctx.Err()
}

func (l *listeners) signal(lost bool) error {
	if lost {
		return errors.New("lost")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, heard := range l.heard {
		heard()
	}
	return nil
}

// signals are [feed.ChangeSignal] in memory.
type signals struct {
	followers, leaders listeners
	lost               atomic.Bool
	// hanging is closed when signals may go on; nil if they need not wait.
	hanging chan struct{}
	mu      sync.Mutex
	sent    []feed.ChangePlace
	// wakes is the number of signals of waiting changes.
	wakes int
}

func (s *signals) Signal(_ context.Context, last feed.ChangePlace) error {
	if s.hanging != nil {
		<-s.hanging
	}
	s.mu.Lock()
	s.sent = append(s.sent, last)
	s.mu.Unlock()
	return s.followers.signal(s.lost.Load())
}

func (s *signals) SignalWaiting(context.Context) error {
	s.mu.Lock()
	s.wakes++
	s.mu.Unlock()
	return s.leaders.signal(s.lost.Load())
}

func (s *signals) Listen(ctx context.Context, heard func()) error {
	return s.followers.listen(ctx, heard)
}

func (s *signals) ListenWaiting(ctx context.Context, heard func()) error {
	return s.leaders.listen(ctx, heard)
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
	fixture.Same(t, "the cache after "+after, c.done, want...)
	c.done = nil
}

// world is a store with two users.
type world struct {
	*sqlstore.Store
	t *testing.T
}

func newWorld(t *testing.T) world {
	s := sqlitetest.Of(t).Empty(time.Now)
	for id := feed.UserID(1); id <= 2; id++ {
		fixture.Got(s.EnsureUser(t.Context(), &feed.User{ID: id, Handle: "u" + id.String()})).Must(t)
	}
	return world{s, t}
}

func (w world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w world) publish(id feed.PostID) {
	w.t.Helper()
	p := &feed.Post{ID: id, Author: 1, Kind: feed.KindPost, Text: "x", PublishedAt: 1}
	fixture.Got(w.Publish(w.t.Context(), p, feed.Idempotency{}, feed.FirstDispatch{})).Must(w.t)
}

func (w world) edit(id feed.PostID) {
	w.t.Helper()
	fixture.Got(w.Edit(w.t.Context(), id, feed.PostEdit{Text: new("y"), At: 2})).Must(w.t)
}

func (w world) rename(user feed.UserID) {
	w.t.Helper()
	fixture.Got(w.UpdateProfile(w.t.Context(), user, feed.ProfileChange{Name: new("New")})).Must(w.t)
}

func catchUp(t *testing.T, f *changes.Follower) {
	t.Helper()
	world{t: t}.must(f.CatchUp(t.Context()))
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
	w.must(w.Follow(t.Context(), 1, 2, 1, 9, feed.FollowChoice{}))
	catchUp(t, f)
	c.takes(t, "a publish and a follow", "posts [8] users []")
	w.edit(7)
	w.must(w.Delete(t.Context(), 8, 2))
	w.rename(2)
	w.must(w.DeleteAccount(t.Context(), 1, 3))
	catchUp(t, f)
	c.takes(t, "four changes", "posts [7 8] users [2 1]")
	for _, absent := range []bool{true, false} {
		w.must(w.SetAbsent(t.Context(), []feed.UserID{2}, absent))
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
			w.must(lose(w))
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
	fixture.Fails(t, f.CatchUp(t.Context()), away)
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

// A lost signal costs a poll of the numberer and one of the follower, and an old program, which
// sends none, as much.
func TestFollower_EvictsInTime(t *testing.T) {
	for name, c := range map[string]struct {
		lost, unsignalled bool // all signals are lost; only that of the writer is
		edits             int
		pause, within     time.Duration
	}{
		"at once when idle":                {edits: 3, pause: 10*time.Second + 123*time.Millisecond, within: time.Millisecond},
		"within a poll when busy":          {edits: 20, within: 60 * time.Millisecond},
		"within a poll, every second":      {edits: 20, pause: 930 * time.Millisecond, within: 60 * time.Millisecond},
		"within a poll, after a second":    {edits: 20, pause: 950 * time.Millisecond, within: 60 * time.Millisecond},
		"within a poll when less busy":     {edits: 20, pause: 1540 * time.Millisecond, within: 60 * time.Millisecond},
		"within two polls without signals": {lost: true, edits: 1, within: 2100 * time.Millisecond},
		"within a poll after a lost one":   {unsignalled: true, edits: 1, within: 1010 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(t *testing.T, r *running) {
				r.signals.lost.Store(c.lost)
				r.pass(10 * time.Second)
				for range c.edits {
					r.pass(c.pause)
					if r.world.edit(7); !c.unsignalled {
						r.waker.Wake()
					}
					r.pass(c.within)
					r.cache.takes(t, c.within.String(), "posts [7] users []")
				}
			})
		})
	}
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
		last := fixture.Got(r.LastChange(t.Context())).Must(t)
		fixture.Same(t, "the signals", r.signals.sent[before:], last)
	})
}

// counting counts how often changes are numbered, and has as many full batches as full says. If it is
// idle, it has no changes.
type counting struct {
	feed.ChangeNumberer
	calls, full atomic.Int64
	idle        bool
}

func (c *counting) NumberChanges(context.Context, int) (bool, feed.ChangePlace, error) {
	n := c.calls.Add(1)
	if c.idle {
		n = 0
	}
	return c.full.Add(-1) >= 0, feed.ChangePlace{Epoch: 1, Number: n}, nil
}

// numberer returns a numberer of a log, in a process of its own.
func numberer(t *testing.T, log feed.ChangeNumberer, s *signals) *changes.Numberer {
	return &changes.Numberer{Log: log, Signal: s, Leaders: sqlitetest.New(t, time.Now), Holder: "one"}
}

func TestNumberer_PollsSeldomWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &counting{idle: true}
		lead(t, numberer(t, log, &signals{}), 100*time.Second)
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
		lead(t, numberer(t, log, &signals{}), 25*time.Millisecond)
		fixture.Is(t, "how often it numbered within half a poll", log.calls.Load(), 51)
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
		var leading sync.WaitGroup
		leading.Go(func() { lead(t, numberer(t, log, hanging), 10*time.Second) })
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
		store, one, two := sqlitetest.New(t, time.Now), &counting{}, &counting{}
		first := &changes.Numberer{Log: one, Signal: &signals{}, Leaders: store, Holder: "one"}
		second := &changes.Numberer{Log: two, Signal: &signals{}, Leaders: store, Holder: "two"}
		var leading sync.WaitGroup
		leading.Go(func() { lead(t, first, time.Minute) })
		<-time.After(30 * time.Second)
		lead(t, second, time.Second)
		fixture.Is(t, "what the second does while the first leads", two.calls.Load(), 0)
		leading.Wait()
		world{store, t}.must(first.Resign(t.Context()))
		lead(t, second, time.Second)
		if two.calls.Load() == 0 {
			t.Error("no process leads after the first has resigned")
		}
	})
}

func TestWaker_SignalsAtMostOnceASecond(t *testing.T) {
	run(t, func(t *testing.T, r *running) {
		for range 100 {
			r.edit(7)
			r.pass(50 * time.Millisecond)
		}
		fixture.Is(t, "signals in five seconds", r.signals.wakes, 5)
	})
}

// A fleet of writers, each of which signals, must not make the numberer poll more often.
func TestNumberer_PollsNoMoreForManySignals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, signals := &counting{idle: true}, &signals{}
		var leading sync.WaitGroup
		leading.Go(func() { lead(t, numberer(t, log, signals), 10*time.Second) })
		for range 990 {
			<-time.After(10 * time.Millisecond)
			_ = signals.SignalWaiting(t.Context())
		}
		leading.Wait()
		if n := log.calls.Load(); n > 10*20+10 {
			t.Errorf("polled %d times in 10 seconds", n)
		}
	})
}
