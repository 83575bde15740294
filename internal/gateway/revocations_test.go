package gateway

import (
	"context"
	"slices"
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
		if err := r.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	verify := func() Identity {
		t.Helper()
		id, err := r.Verify(t.Context(), "token")
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	refresh(time.Second)
	verify()
	verify()
	refresh(time.Second)
	refresh(time.Second)
	now = now.Add(10 * time.Minute)
	verify()
	if want := []time.Duration{keepFor, time.Second + windowOverlap, 10*time.Minute + time.Second + windowOverlap}; !slices.Equal(store.loaded, want) {
		t.Errorf("loaded %v, want %v", store.loaded, want)
	}
	if store.lookups != 1 {
		t.Errorf("looked the token up %d times", store.lookups)
	}
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

// anyToken accepts every token.
type anyToken struct{}

func (anyToken) Verify(context.Context, string) (Identity, error) {
	return Identity{Claims: Claims{User: 1}, Expires: time.Unix(2e9, 0)}, nil
}
