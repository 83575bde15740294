package gateway

import (
	"context"
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

// anyToken accepts every token.
type anyToken struct{}

func (anyToken) Verify(context.Context, string) (Identity, error) {
	return Identity{Claims: Claims{User: 1}, Expires: time.Unix(2e9, 0)}, nil
}
