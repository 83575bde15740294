package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/internal/upstream"
)

// A call goes on after the reader that began it, for others and for the cache.
func TestFetch_CallOutlivesItsReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		service.Fetch(t.Context(), users(1, 1))
		time.Sleep(freshFor)
		s.took = callTimeout / 2
		ctx, cancel := context.WithTimeout(t.Context(), callTimeout/4)
		defer cancel()
		expect(t, service.Fetch(ctx, users(1, 2)), stale(1, 1, feed.UpstreamTimeout), missing(feed.UpstreamTimeout))
		cancel()
		s.takeCalls()
		for range 2 {
			expect(t, service.Fetch(t.Context(), users(1, 2)), fresh(1, 1), fresh(2, 1))
		}
		if n := s.takeCalls(); n != 0 {
			t.Errorf("%d further calls", n)
		}
	})
}

func TestFetch_LimitsConcurrentCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, service := open(t)
		var readers sync.WaitGroup
		for id := range int64(callsMax) {
			readers.Go(func() { expect(t, service.Fetch(t.Context(), users(id+1, id+1)), fresh(id+1, 1)) })
		}
		synctest.Wait()
		expect(t, service.Fetch(t.Context(), users(100, 100)), missing(feed.UpstreamUnavailable))
		readers.Wait()
		expect(t, service.Fetch(t.Context(), users(100, 100)), fresh(100, 1))
	})
}

// Without stored versions, it is unknown whether an answer is current.
func TestFetch_KeepsNothingWithoutStoredVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		s.unread, s.profiles[2] = errors.New("boom"), gone(7)
		for range 2 {
			expect(t, service.Fetch(t.Context(), users(1, 2)), fresh(1, 1), missing(feed.UpstreamNotFound))
		}
		if diff := cmp.Diff([][]string{{"1", "2"}, {"1", "2"}}, s.calls); diff != "" || len(s.ingested) > 0 {
			t.Errorf("deletions %+v, calls (-want +got):\n%s", s.ingested, diff)
		}
	})
}

func TestTrace_CountsWhereAnswersAreFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		count := func(want upstream.Counts) {
			t.Helper()
			service.Fetch(t.Context(), users(1, 5))
			same(t, "counts", s.counts, want)
		}
		service.Fetch(t.Context(), users(1, 2))
		count(upstream.Counts{Cached: 2, Read: 3})
		service.Evict([]feed.Object{user(1).Object})
		s.set(func() { delete(s.profiles, 1) })
		count(upstream.Counts{Cached: 4, Stale: 1})
		time.Sleep(freshFor + staleFor)
		s.set(func() { s.err = errors.New("boom") })
		count(upstream.Counts{Missing: 5})
	})
}

// What a service said was gone does not show again while it fails.
func TestGone_IsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		service.Fetch(t.Context(), users(1, 1))
		service.Purge()
		s.set(func() { s.profiles[1] = gone(7) })
		expect(t, service.Fetch(t.Context(), users(1, 1)), missing(feed.UpstreamGone))
		s.set(func() { s.err = errors.New("boom") })
		expect(t, service.Fetch(t.Context(), users(1, 1)), missing(feed.UpstreamUnavailable))
	})
}

// Five at once are stored, and one more after two seconds each.
func TestGone_Limits(t *testing.T) {
	for name, c := range map[string]struct {
		first, then int64
		after       time.Duration
		stored      int
	}{
		"five":               {5, 0, 0, 5},
		"six":                {6, 0, 0, 0},
		"one more too early": {5, 1, 2*time.Second - 5*time.Millisecond, 5},
		"one more":           {5, 1, 2 * time.Second, 6},
		"two more":           {5, 2, 2 * time.Second, 5},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, service := open(t)
				for id := range int64(20) {
					s.profiles[id+1] = gone(7)
				}
				service.Fetch(t.Context(), users(1, c.first))
				time.Sleep(c.after)
				service.Fetch(t.Context(), users(c.first+1, c.first+c.then))
				if opened := len(s.opened) > 0; len(s.ingested) != c.stored || opened != (c.stored < int(c.first+c.then)) {
					t.Errorf("%d deletions, turns %v", len(s.ingested), s.opened)
				}
			})
		})
	}
}

// A deletion is stored although its reader has left. A failure is reported, and nothing else.
func TestDeletions_OutliveTheReader(t *testing.T) {
	boom, failed := errors.New("boom"), error(nil)
	d := upstream.NewDeletions("users", func(ctx context.Context, b feed.SourceBatch) error {
		if ctx.Err() != nil || b.Source != "users" || len(b.Records) != 1 {
			t.Errorf("%v, batch %+v", ctx.Err(), b)
		}
		return boom
	}, time.Now, func(err error) { failed = err })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Apply(ctx, []upstream.Deleted{{Ref: user(1), Version: feed.ObjectVersion{Number: 7}}}); err != nil || !errors.Is(failed, boom) {
		t.Errorf("the error is %v, and %v was reported", err, failed)
	}
}

func TestFetch_SurvivesFaultsOfTheAsker(t *testing.T) {
	for name, c := range map[string]struct {
		ask  upstream.Asker[feed.Profile]
		want feed.UpstreamProblem
	}{
		"panic": {func(context.Context, []feed.UpstreamRef) ([]upstream.Answer[feed.Profile], error) { panic("oops") }, feed.UpstreamUnavailable},
		"too few answers": {func(context.Context, []feed.UpstreamRef) ([]upstream.Answer[feed.Profile], error) {
			return nil, nil
		}, feed.UpstreamUnavailable},
		"gone, but cannot be": {func(context.Context, []feed.UpstreamRef) ([]upstream.Answer[feed.Profile], error) {
			return []upstream.Answer[feed.Profile]{gone(7)}, nil
		}, feed.UpstreamNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			service := upstream.New(upstream.Options[feed.Profile]{
				Name: "users", Ask: c.ask, Timeout: callTimeout, CallsMax: 1, Clock: time.Now,
				Cache: lrucache.NewContents[feed.Object, feed.Profile](lrucache.Options{}, 0),
			})
			expect(t, service.Fetch(t.Context(), users(1, 1)), missing(c.want))
		})
	}
}

// A service may itself wait in vain for another.
func TestFetch_NamesTimeoutsOfTheService(t *testing.T) {
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusGatewayTimeout)
		_, _ = fmt.Fprint(w, `{"code": "deadline_exceeded"}`)
	}))
	service := cached("users", upstream.NewClient(upstream.JSON, "").Users(url), 1, freshFor, time.Now)
	expect(t, service.Fetch(t.Context(), users(1, 1)), missing(feed.UpstreamTimeout))
}
