package lrucache_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

// refreshed is a world after the first refresh, with posts 1 to 3 read and the first two used
// since, shortly before they expire.
func refreshed(t *testing.T) (*world, []*feed.Post) {
	t.Helper()
	o := roomy()
	o.TTL = 5 * time.Second
	w := newWorld(o)
	for id := feed.PostID(1); id <= 3; id++ {
		w.store.stored[id] = bigPost(id, 10)
	}
	w.refresh(t)
	ids := []feed.PostID{1, 2}
	w.load(t, 1, 2, 3)
	before, err := w.cache.Posts(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	w.clock.advance(o.TTL - 200*time.Millisecond)
	w.store.asked = nil
	return w, before
}

func (w *world) refresh(t *testing.T) {
	t.Helper()
	if err := w.cache.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Entries in use are reloaded together before they expire, and others are not. Readers then read
// nothing from the store.
func TestRefresh_ReloadsUsedEntriesInTime(t *testing.T) {
	w, before := refreshed(t)
	changed := bigPost(2, 20)
	w.store.stored[2] = changed
	w.refresh(t)
	if diff := cmp.Diff([]feed.PostID{1, 2}, w.store.asked); diff != "" {
		t.Errorf("what was read (-want +got):\n%s", diff)
	}
	w.refresh(t)
	w.clock.advance(4 * time.Second)
	after, err := w.cache.Posts(t.Context(), []feed.PostID{1, 2})
	if err != nil || len(w.store.asked) != 2 {
		t.Fatalf("the store was called for %v, %v", w.store.asked, err)
	}
	if after[0] != before[0] {
		t.Error("an unchanged post is another object")
	}
	if !cmp.Equal(*after[1], changed) {
		t.Errorf("the changed post is %+v", after[1])
	}
	if s := w.cache.Stats(); s.Misses != 3 {
		t.Errorf("%+v: a refresh counts as a miss", s)
	}
}

// They are not reloaded long before they expire.
func TestRefresh_IsNotTooEarly(t *testing.T) {
	w, _ := refreshed(t)
	w.clock.advance(-time.Second)
	w.refresh(t)
	if len(w.store.asked) != 0 {
		t.Errorf("the store was called for %v", w.store.asked)
	}
}

// An eviction during the reload wins.
func TestRefresh_RespectsEvictions(t *testing.T) {
	w, _ := refreshed(t)
	w.store.during = func() {
		w.store.during = nil
		w.evictor.Evict([]feed.PostID{2}, nil)
	}
	w.refresh(t)
	w.store.asked = nil
	w.load(t, 1, 2)
	if diff := cmp.Diff([]feed.PostID{2}, w.store.asked); diff != "" {
		t.Errorf("what had to be read (-want +got):\n%s", diff)
	}
}

// If the store fails, entries expire as usual.
func TestRefresh_FailureChangesNothing(t *testing.T) {
	w, _ := refreshed(t)
	w.store.err = errors.New("away")
	if err := w.cache.Refresh(t.Context()); !errors.Is(err, w.store.err) {
		t.Errorf("the error is %v", err)
	}
	w.store.err, w.store.asked = nil, nil
	w.load(t, 1, 2, 3)
	if len(w.store.asked) != 0 {
		t.Errorf("the store was called for %v", w.store.asked)
	}
	w.clock.advance(time.Second)
	w.load(t, 1)
	if len(w.store.asked) != 1 {
		t.Error("an expired entry is shown")
	}
}

// Profiles and counters are refreshed too.
func TestRefresh_CoversUsersAndCounters(t *testing.T) {
	clock, store := newClock(), &tallies{}
	people := &users{}
	profiles, counters := lrucache.NewUsers(people, roomy(), clock.Now), lrucache.NewCounters(store, roomy(), clock.Now)
	refresh := func() {
		if err := errors.Join(profiles.Refresh(t.Context()), counters.Refresh(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	read := func() {
		_, err := profiles.Users(t.Context(), []feed.UserID{1})
		_, posts := counters.PostCounters(t.Context(), []feed.PostID{1})
		_, users := counters.UserCounters(t.Context(), []feed.UserID{1})
		if err := errors.Join(err, posts, users); err != nil {
			t.Fatal(err)
		}
	}
	refresh()
	read()
	read()
	clock.advance(900 * time.Millisecond)
	refresh()
	if store.asked != 4 {
		t.Errorf("%d reads of two counters", store.asked)
	}
	clock.advance(roomy().TTL - time.Second)
	refresh()
	if len(people.asked) != 2 {
		t.Errorf("%d reads of a profile", len(people.asked))
	}
}
