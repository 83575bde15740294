package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/internal/upstream"
)

// shop is a service in memory, and what the database knows of its objects.
type shop struct {
	mu       sync.Mutex
	profiles map[int64]upstream.Answer[feed.Profile]
	stored   map[int64]feed.ObjectVersion
	// calls are the ids of each call.
	calls [][]string
	// err fails calls, unread reads of versions. took is how long calls take.
	err, unread error
	took        time.Duration
	// ingested are the records of deletions.
	ingested []feed.Record
	opened   []bool
	counts   upstream.Counts
}

func (s *shop) ask(ctx context.Context, refs []feed.UpstreamRef) ([]upstream.Answer[feed.Profile], error) {
	s.mu.Lock()
	var ids []string
	answers := make([]upstream.Answer[feed.Profile], len(refs))
	for i, ref := range refs {
		ids = append(ids, string(ref.ID))
		answers[i] = s.profiles[ref.Object.A]
	}
	s.calls = append(s.calls, ids)
	err, took := s.err, s.took
	s.mu.Unlock()
	select {
	case <-time.After(took):
		return answers, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *shop) versions(_ context.Context, objects []feed.Object) ([]feed.ObjectVersion, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]feed.ObjectVersion, len(objects))
	for i, o := range objects {
		out[i] = s.stored[o.A]
	}
	return out, s.unread
}

func (s *shop) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *shop) takeCalls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.calls)
	s.calls = nil
	return n
}

const (
	callTimeout = 100 * time.Millisecond
	callsMax    = 8
	freshFor    = time.Minute
	staleFor    = time.Hour
)

// open returns a service of a shop with users 1 to 300, whose names are their ids.
func open(t *testing.T) (*shop, *upstream.Service[feed.Profile]) {
	t.Helper()
	s := &shop{profiles: map[int64]upstream.Answer[feed.Profile]{}, stored: map[int64]feed.ObjectVersion{}, took: time.Millisecond}
	for id := range int64(300) {
		s.profiles[id+1] = named(id+1, 1)
	}
	gone := upstream.NewDeletions("upstream-users", func(_ context.Context, b feed.SourceBatch) error {
		s.set(func() { s.ingested = append(s.ingested, b.Records...) })
		return nil
	}, time.Now, func(err error) { t.Error(err) })
	return s, upstream.New(upstream.Options[feed.Profile]{
		CallOptions: upstream.CallOptions{Name: "users", Timeout: callTimeout, CallsMax: callsMax, Clock: time.Now, Trace: upstream.Trace{
			Turned:  func(_ string, open bool, _ error) { s.set(func() { s.opened = append(s.opened, open) }) },
			Fetched: func(_ string, n upstream.Counts) { s.set(func() { s.counts = n }) },
		}},
		Ask: s.ask, Versions: s.versions, Gone: gone,
		Cache: lrucache.NewContents[feed.Object, feed.Profile](lrucache.Options{Size: 1000, Bytes: 1 << 20, TTL: freshFor}, staleFor),
	})
}

func named(id, version int64) upstream.Answer[feed.Profile] {
	return upstream.Answer[feed.Profile]{
		Status: upstream.Found, Version: feed.ObjectVersion{Number: version}, Value: feed.Profile{Name: fmt.Sprintf("user %d v%d", id, version)},
	}
}

func user(id int64) feed.UpstreamRef { return (&feed.User{ID: feed.UserID(id)}).UpstreamRef() }

func users(from, to int64) []feed.UpstreamRef {
	var refs []feed.UpstreamRef
	for id := from; id <= to; id++ {
		refs = append(refs, user(id))
	}
	return refs
}

// fresh, stale and missing are expected answers.
func fresh(id, version int64) feed.Fetched[feed.Profile] {
	return feed.Fetched[feed.Profile]{Value: named(id, version).Value}
}

func stale(id, version int64, why feed.UpstreamProblem) feed.Fetched[feed.Profile] {
	return feed.Fetched[feed.Profile]{Value: named(id, version).Value, Problem: why, Stale: true}
}

func missing(why feed.UpstreamProblem) feed.Fetched[feed.Profile] {
	return feed.Fetched[feed.Profile]{Problem: why}
}

func expect(t *testing.T, got []feed.Fetched[feed.Profile], want ...feed.Fetched[feed.Profile]) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("answers (-want +got):\n%s", diff)
	}
}

func TestFetch_AsksOnceAndCaches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		expect(t, service.Fetch(t.Context(), []feed.UpstreamRef{user(2), user(1), user(2)}), fresh(2, 1), fresh(1, 1), fresh(2, 1))
		expect(t, service.Fetch(t.Context(), users(1, 3)), fresh(1, 1), fresh(2, 1), fresh(3, 1))
		same(t, "calls", s.calls, [][]string{{"2", "1"}, {"3"}})
		s.takeCalls()
		time.Sleep(freshFor - 3*time.Millisecond) // the two calls took one each
		for after, want := range []int{0, 1} {
			service.Fetch(t.Context(), users(1, 1))
			if n := s.takeCalls(); n != want {
				t.Errorf("%d calls %d ms after the end of the time to live", n, after-1)
			}
			time.Sleep(time.Millisecond)
		}
	})
}

func TestFetch_ConcurrentReadersShareCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		var readers sync.WaitGroup
		for i := range int64(20) {
			readers.Go(func() {
				if got := service.Fetch(t.Context(), users(1, 5+i%3)); got[4] != fresh(5, 1) {
					t.Errorf("user 5 is %+v", got[4])
				}
			})
			synctest.Wait() // all before the first answer
		}
		readers.Wait()
		asked := map[string]int{}
		for _, id := range slices.Concat(s.calls...) {
			asked[id]++
		}
		want := map[string]int{"1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "7": 1}
		same(t, "how often ids were asked for", asked, want)
	})
}

func TestFetch_SplitsLargeBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		got := service.Fetch(t.Context(), users(1, 250))
		if got[249] != fresh(250, 1) {
			t.Errorf("the last answer is %+v", got[249])
		}
		var sizes []int
		for _, ids := range s.calls {
			sizes = append(sizes, len(ids))
		}
		slices.Sort(sizes)
		same(t, "sizes of calls", sizes, []int{50, 100, 100})
	})
}

func TestFetch_StaleWhileTheServiceFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		service.Fetch(t.Context(), users(1, 1))
		s.set(func() { s.err = errors.New("boom") })
		time.Sleep(freshFor)
		expect(t, service.Fetch(t.Context(), users(1, 2)), stale(1, 1, feed.UpstreamUnavailable), missing(feed.UpstreamUnavailable))
		time.Sleep(staleFor)
		expect(t, service.Fetch(t.Context(), users(1, 1)), missing(feed.UpstreamUnavailable))
	})
}

func TestFetch_EndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		s.took = time.Hour
		began := time.Now()
		expect(t, service.Fetch(t.Context(), users(1, 1)), missing(feed.UpstreamTimeout))
		if took := time.Since(began); took != callTimeout {
			t.Errorf("a call took %s", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		began = time.Now()
		expect(t, service.Fetch(ctx, users(1, 1)), missing(feed.UpstreamTimeout))
		if took := time.Since(began); took != 30*time.Millisecond {
			t.Errorf("with a budget of 30 ms, a read took %s", took)
		}
		synctest.Wait()
		time.Sleep(callTimeout) // the call goes on without its reader
	})
}

func TestBreaker_OpensAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		s.err = errors.New("boom")
		for range 3 {
			service.Fetch(t.Context(), users(1, 1))
		}
		s.takeCalls()
		service.Fetch(t.Context(), users(1, 1))
		if n := s.takeCalls(); n != 0 {
			t.Errorf("%d calls while the circuit is open", n)
		}
		time.Sleep(time.Second)
		service.Fetch(t.Context(), users(1, 1))
		service.Fetch(t.Context(), users(1, 1))
		if n := s.takeCalls(); n != 1 {
			t.Errorf("%d probes", n)
		}
		s.set(func() { s.err = nil })
		time.Sleep(time.Second)
		expect(t, service.Fetch(t.Context(), users(1, 1)), fresh(1, 1))
		same(t, "turns of the circuit", s.opened, []bool{true, false})
	})
}

func TestBreaker_NeedsFailuresInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		for id := range int64(12) {
			s.set(func() {
				if s.err = errors.New("boom"); id%3 == 2 {
					s.err = nil
				}
			})
			service.Fetch(t.Context(), users(id+1, id+1))
		}
		if n := s.takeCalls(); n != 12 || len(s.opened) > 0 {
			t.Errorf("%d calls, turns %v", n, s.opened)
		}
	})
}

func TestFetch_NeverKeepsOlderAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		s.stored[1] = feed.ObjectVersion{Number: 2}
		expect(t, service.Fetch(t.Context(), users(1, 1)), stale(1, 1, feed.UpstreamOutdated))
		s.set(func() { s.profiles[1] = named(1, 2) })
		expect(t, service.Fetch(t.Context(), users(1, 1)), fresh(1, 2))
		s.set(func() { s.profiles[1] = named(1, 1) })
		expect(t, service.Fetch(t.Context(), users(1, 1)), fresh(1, 2))
	})
}

// A change record evicts at once, also what is being read meanwhile, by a call that ends later.
func TestEvict_EndsCallsUnderWay(t *testing.T) {
	for name, evict := range map[string]func(*upstream.Service[feed.Profile]){
		"evict": func(s *upstream.Service[feed.Profile]) { s.Evict([]feed.Object{user(1).Object}) },
		"purge": (*upstream.Service[feed.Profile]).Purge,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, service := open(t)
				s.took = callTimeout / 2
				var before sync.WaitGroup
				before.Go(func() { expect(t, service.Fetch(t.Context(), users(1, 1)), fresh(1, 1)) })
				synctest.Wait()
				s.set(func() { s.profiles[1], s.took = named(1, 2), time.Millisecond })
				evict(service)
				expect(t, service.Fetch(t.Context(), users(1, 1)), fresh(1, 2))
				before.Wait()
				expect(t, service.Fetch(t.Context(), users(1, 1)), fresh(1, 2))
				evict(service)
				s.set(func() { s.err = errors.New("boom") })
				expect(t, service.Fetch(t.Context(), users(1, 1)), stale(1, 2, feed.UpstreamUnavailable))
			})
		})
	}
}

func TestNotFound_HidesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		service.Fetch(t.Context(), users(1, 1))
		service.Evict([]feed.Object{user(1).Object})
		s.set(func() { clear(s.profiles) })
		expect(t, service.Fetch(t.Context(), users(1, 2)), stale(1, 1, feed.UpstreamNotFound), missing(feed.UpstreamNotFound))
		if len(s.ingested) > 0 {
			t.Errorf("deletions: %+v", s.ingested)
		}
	})
}

func gone(version int64) upstream.Answer[feed.Profile] {
	return upstream.Answer[feed.Profile]{Status: upstream.Gone, Version: feed.ObjectVersion{Number: version}}
}

// Half of the objects are gone, one after the other.
func TestGone_IsStoredAsAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		for id := int64(1); id <= 20; id += 2 {
			s.set(func() { s.profiles[id] = gone(7) })
			expect(t, service.Fetch(t.Context(), users(id, id+1)), missing(feed.UpstreamGone), fresh(id+1, 1))
			time.Sleep(2 * time.Second)
		}
		var ids []feed.UserID
		for _, r := range s.ingested {
			if r.User == nil || r.User.DeletedAt == 0 || r.Version.Number != 7 {
				t.Fatalf("record %+v", r)
			}
			ids = append(ids, r.User.ID)
		}
		if diff := cmp.Diff([]feed.UserID{1, 3, 5, 7, 9, 11, 13, 15, 17, 19}, ids); diff != "" || len(s.opened) > 0 {
			t.Errorf("turns %v, deletions (-want +got):\n%s", s.opened, diff)
		}
	})
}

func TestGone_ManyAtOnceOpenTheCircuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		service.Fetch(t.Context(), users(1, 20))
		service.Purge()
		for id := int64(1); id <= 20; id += 2 {
			s.set(func() { s.profiles[id] = gone(7) })
		}
		for _, a := range service.Fetch(t.Context(), users(1, 20)) {
			if !a.Stale || a.Problem != feed.UpstreamUnavailable {
				t.Errorf("an answer is %+v", a)
			}
		}
		if len(s.ingested) > 0 || !slices.Equal(s.opened, []bool{true}) {
			t.Errorf("turns %v, deletions %+v", s.opened, s.ingested)
		}
	})
}

func TestGone_NeedsANewerVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		s.stored[1] = feed.ObjectVersion{Number: 7}
		s.profiles[1], s.profiles[2], s.profiles[3] = gone(7), gone(0), gone(0)
		in := s.profiles[3]
		in.Version.Epoch = 1
		s.profiles[3] = in
		expect(t, service.Fetch(t.Context(), users(1, 3)), missing(feed.UpstreamNotFound), missing(feed.UpstreamNotFound), missing(feed.UpstreamNotFound))
		if len(s.ingested) > 0 {
			t.Errorf("deletions: %+v", s.ingested)
		}
	})
}

// check ends the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same fails the test if two values differ.
func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
