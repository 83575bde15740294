package inbox_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

// leading is a store of leaders whose answer a test can set.
type leading struct {
	feed.Leaders
	calls  atomic.Int64
	answer atomic.Pointer[func() (bool, error)]
}

func (l *leading) Lead(ctx context.Context, name, holder string, d time.Duration) (bool, error) {
	l.calls.Add(1)
	if answer := l.answer.Load(); answer != nil {
		return (*answer)()
	}
	return l.Leaders.Lead(ctx, name, holder, d)
}

// from has the store answer so from now on.
func (l *leading) from(leads bool, err error) {
	answer := func() (bool, error) { return leads, err }
	l.answer.Store(&answer)
}

// contender returns one of several who would lead for d.
func contender(l feed.Leaders, holder string, d time.Duration) inbox.Leadership {
	return inbox.Leadership{Leaders: l, Name: "work", Holder: holder, For: d}
}

// does says whether the work was done.
func does(t *testing.T, l inbox.Leadership) bool {
	t.Helper()
	done := false
	if err := l.Do(t.Context(), func(context.Context) error { done = true; return nil }); err != nil {
		t.Fatal(err)
	}
	return done
}

func TestLeadership_OneLeadsUntilItResigns(t *testing.T) {
	store := memstore.New(time.Now)
	one, two := contender(store, "one", time.Hour), contender(store, "two", time.Hour)
	if !does(t, one) || does(t, two) || !does(t, one) {
		t.Error("the first does not lead alone")
	}
	if err := two.Resign(t.Context()); err != nil || does(t, two) || !does(t, one) {
		t.Errorf("the resignation of one who does not lead changes who does, or is an error: %v", err)
	}
	if err := one.Resign(t.Context()); err != nil || !does(t, two) || does(t, one) {
		t.Errorf("no process leads after the resignation: %v", err)
	}
}

func TestLeadership_DoesNothingWithoutStore(t *testing.T) {
	l := &leading{}
	want := errors.New("away")
	l.from(false, want)
	err := contender(l, "one", time.Hour).Do(t.Context(), func(context.Context) error {
		t.Error("it was done")
		return nil
	})
	fixture.Fails(t, err, want)
}

// renewed returns when the store has been called n times, or the context has ended.
func (l *leading) renewed(ctx context.Context, n int64) error {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for l.calls.Load() < n && ctx.Err() == nil {
		<-ticker.C
	}
	return ctx.Err()
}

// The work goes on until the tenth renewal, long after the end of the first lease.
func TestLeadership_RenewsDuringLongWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &leading{Leaders: memstore.New(time.Now)}
		err := contender(l, "one", 300*time.Millisecond).Do(t.Context(), func(ctx context.Context) error { return l.renewed(ctx, 10) })
		if err != nil {
			t.Error(err)
		}
	})
}

// The same holds if the store has just renewed the lease. A late renewal must not take the resignation
// back.
func TestLeadership_ResignsAfterFailure(t *testing.T) {
	for calls, lease := range map[int64]time.Duration{1: time.Hour, 5: 30 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			l := &leading{Leaders: memstore.New(time.Now)}
			one, two := contender(l, "one", lease), contender(l, "two", time.Hour)
			want := errors.New("no way to it")
			for range 2 {
				err := one.Do(t.Context(), func(ctx context.Context) error {
					if leads, err := l.Leaders.Lead(ctx, two.Name, two.Holder, two.For); leads || err != nil {
						t.Errorf("another process leads during the work, %v", err)
					}
					return errors.Join(l.renewed(ctx, calls), want)
				})
				fixture.Fails(t, err, want)
			}
			if !does(t, two) || does(t, one) {
				t.Error("no process takes over after one whose work failed")
			}
		})
	}
}

// late is a store that receives a renewal only when the leader's context ends.
type late struct {
	feed.Leaders
	calls atomic.Int64
}

func (l *late) Lead(ctx context.Context, name, holder string, d time.Duration) (bool, error) {
	if l.calls.Add(1) > 1 && d > 0 {
		<-ctx.Done()
	}
	return l.Leaders.Lead(context.WithoutCancel(ctx), name, holder, d)
}

func TestLeadership_ResignsAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New(time.Now)
		err := contender(&late{Leaders: store}, "one", 300*time.Millisecond).Do(t.Context(), func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if err == nil {
			t.Error("there was no error")
		}
		if !does(t, contender(store, "two", time.Hour)) {
			t.Error("no process takes over after one whose time was over")
		}
	})
}

// A stopping process resigns by itself, so Do must not.
func TestLeadership_CanceledLeaderDoesNotResign(t *testing.T) {
	l := &leading{Leaders: memstore.New(time.Now)}
	ctx, stop := context.WithCancel(t.Context())
	err := contender(l, "one", time.Hour).Do(ctx, func(ctx context.Context) error {
		stop()
		return ctx.Err()
	})
	if !errors.Is(err, context.Canceled) || l.calls.Load() != 1 {
		t.Errorf("the store was asked %d times, and the error is %v", l.calls.Load(), err)
	}
}

func TestLeadership_EndsWorkWhenLost(t *testing.T) {
	for name, c := range map[string]struct {
		leads bool
		err   error
		// after is the earliest time at which the work may end.
		after time.Duration
	}{
		"as soon as another one leads":                {false, nil, 0},
		"when its time is over and the store is away": {true, errors.New("cut"), 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &leading{Leaders: memstore.New(time.Now)}
				began := time.Now()
				var stopped time.Duration
				err := contender(l, "one", 300*time.Millisecond).Do(t.Context(), func(ctx context.Context) error {
					l.from(c.leads, c.err)
					<-ctx.Done()
					stopped = time.Since(began)
					return ctx.Err()
				})
				if err == nil || stopped < c.after {
					t.Errorf("the leader stopped after %v with %v", stopped, err)
				}
			})
		})
	}
}
