package gateway

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// windows records the windows of loads.
type windows struct {
	fakeRevocations
	loaded  []time.Duration
	lookups int
}

func (w *windows) RevokedWithin(_ context.Context, window time.Duration) ([]feed.Revocation, error) {
	w.loaded = append(w.loaded, window)
	return nil, nil
}

func (w *windows) IsRevoked(context.Context, feed.Revocation) (bool, error) {
	w.lookups++
	return false, nil
}

func TestRevocations_RefreshOnlyWhileTokensAreUsed(t *testing.T) {
	store, now := &windows{}, time.Unix(1e9, 0)
	revocations := NewRevocations(store, func() time.Time { return now })
	r := Revocable{revocations, anyToken{}}
	refresh := func(d time.Duration) {
		t.Helper()
		now = now.Add(d)
		noError(t, r.Refresh(t.Context()))
	}
	verify := func() Identity {
		t.Helper()
		id, err := r.Verify(t.Context(), "token")
		noError(t, err)
		return id
	}
	refresh(time.Second)
	verify()
	verify()
	refresh(time.Second)
	refresh(time.Second)
	now = now.Add(10 * time.Minute)
	verify()
	wantEqual(t, []time.Duration{keepFor, time.Second + windowOverlap, 10*time.Minute + time.Second + windowOverlap}, store.loaded, "the windows that were loaded")
	wantEqual(t, 1, store.lookups, "the lookups of the token")
	now = now.Add(2 * time.Hour)
	verify()
	if store.lookups != 2 || store.loaded[3] != feed.RevocationKeptFor {
		t.Errorf("looked the token up %d times, and loaded %v", store.lookups, store.loaded[3])
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	r.watch(ctx, verify())
	refresh(time.Second)
	refresh(time.Second)
	refresh(time.Second)
	if len(store.loaded) < 6 {
		t.Errorf("loaded %d times with an open connection", len(store.loaded))
	}
}

// The change log evicts a user before it passes on what follows.
func TestRecheck_AsksTheStoreAfterAnEviction(t *testing.T) {
	store := &windows{}
	r := Revocable{NewRevocations(store, atNoon), anyToken{}}
	id, err := r.Verify(t.Context(), "token")
	noError(t, err)
	ctx := r.watch(withIdentity(t.Context(), id), id)
	recheck := func() int {
		t.Helper()
		before := len(store.loaded)
		_ = r.Recheck(ctx) // the test is about the loads
		return len(store.loaded) - before
	}
	wantEqual(t, 0, recheck()+recheck(), "loads for two events")
	r.Evict([]feed.UserID{99})
	wantEqual(t, 1, recheck()+recheck(), "loads for two events after an eviction")
}

// loadingStore calls during while a load runs.
type loadingStore struct {
	windows
	during func()
	found  []feed.Revocation
}

func (s *loadingStore) RevokedWithin(context.Context, time.Duration) ([]feed.Revocation, error) {
	s.during()
	return s.found, nil
}

// An event of a change after the deletion would be sent while the load runs.
func TestRecheck_WaitsForRunningLoad(t *testing.T) {
	store := &loadingStore{during: func() {}}
	r := NewRevocations(store, atNoon)
	ctx := r.watchFor(t.Context(), feed.Revocation{User: 1, Token: "hash"}, errRevoked())
	noError(t, r.Refresh(t.Context()))
	r.Evict([]feed.UserID{99}) // who has no connection, so nothing is loaded at once
	store.found = []feed.Revocation{{User: 1}}
	fresh := true
	store.during = func() { fresh = r.loadedSince(atNoon()) }
	noError(t, r.Refresh(t.Context()))
	if fresh {
		t.Error("what was known before the eviction counts as fresh while the load runs")
	}
	if !r.loadedSince(atNoon()) || context.Cause(ctx) == nil {
		t.Error("after the load the connection of a deleted account is open")
	}
}

// anyToken accepts every token.
type anyToken struct{}

func (anyToken) Verify(context.Context, string) (Identity, error) {
	return Identity{Claims: Claims{User: 1}, Expires: time.Unix(2e9, 0)}, nil
}

func TestTokenCache_EndsWithExpiryAndKeys(t *testing.T) {
	start := time.Unix(1_777_896_000, 0)
	ann := Identity{Claims: Claims{User: 7, Admin: true}, Expires: start.Add(time.Minute)}
	for name, test := range map[string]struct {
		fetched time.Time
		after   time.Duration
		holds   bool
	}{
		"at once":                   {start, 0, true},
		"just before its end":       {start, time.Minute - 1, true},
		"at its end":                {start, time.Minute, false},
		"when other keys are known": {start.Add(time.Second), 0, false},
	} {
		r := newTokenCache()
		r.put("token", ann, start)
		got, ok := r.get("token", test.fetched, start.Add(test.after))
		if ok != test.holds || ok && got != ann {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
		if _, ok := r.get("Token", start, start); ok {
			t.Errorf("%s: another token is cached too", name)
		}
		// A clock that is set back does not revive an expired token.
		if _, ok := r.get("token", start, start); ok != test.holds {
			t.Errorf("%s: the second lookup returned %v", name, ok)
		}
	}
}

func TestTokenCache_IsBounded(t *testing.T) {
	r := newTokenCache()
	now := time.Unix(1_777_896_000, 0)
	id := Identity{Claims: Claims{User: 7}, Expires: now.Add(time.Hour)}
	r.put("used", id, now)
	for i := range 10 * tokenCacheMax {
		r.put(strconv.Itoa(i), id, now)
		if _, ok := r.get("used", now, now); !ok {
			t.Fatalf("a frequently used token was evicted after %d others", i)
		}
		if kept := r.tokens.Len(); kept > tokenCacheMax {
			t.Fatalf("%d tokens are kept", kept)
		}
	}
	if _, ok := r.get("1", now, now); ok {
		t.Error("an unused token is never evicted")
	}
}
