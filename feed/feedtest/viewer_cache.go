package feedtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// CachingInboxStore is a store of inboxes and of the shared viewer cache.
type CachingInboxStore interface {
	InboxStore
	feed.SharedViewerCache
}

// SharedViewerCache checks an implementation of [feed.SharedViewerCache] against the comments of
// the port. open returns an empty store whose inboxes have at most cap entries. It is called for
// every subtest and closes the store through t.Cleanup.
func SharedViewerCache(t *testing.T, open func(t *testing.T, cap int) CachingInboxStore) {
	promise := func(name string, check func(t cacheTest)) {
		t.Run(name, protected(func(t *testing.T) {
			store := open(t, 5)
			check(cacheTest{inboxTest{T: t, store: store, cap: 5}, store})
		}))
	}
	promise("At first there is no cached state", func(t cacheTest) {
		t.wantCached(viewerA, "")
		t.ready(viewerB, keyAt(1, 1))
		t.wantCached(viewerB, "")
	})
	promise("A read with cached state returns the same inbox as a read without", func(t cacheTest) {
		keys := []feed.Key{keyAt(4, 4), keyAt(3, 3), keyAt(2, math.MaxInt64), keyAt(2, 2), keyAt(1, 1)}
		t.ready(viewerA, keys...)
		t.put(viewerA, "some state")
		t.wantCached(viewerA, "some state")
		for _, r := range rangesOf(keys) {
			in, cached, err := t.cache.ReadCached(t.Context(), viewerA, r)
			if err != nil || string(cached) != "some state" {
				t.Fatalf("reading %+v: got state %q, error %v, want the stored state", r, cached, err)
			}
			t.same("the range with cached state", t.read(viewerA, r), in)
		}
	})
	promise("State is cached for viewers without an inbox", func(t cacheTest) {
		t.put(viewerA, "some state")
		t.wantCached(viewerA, "some state")
		t.building(viewerA)
		t.wantCached(viewerA, "some state")
	})
	promise("The last stored state of each viewer is returned", func(t cacheTest) {
		t.put(viewerA, "the first, which is long")
		t.put(viewerB, "another's")
		t.put(viewerA, "the last")
		t.wantCached(viewerA, "the last")
		t.wantCached(viewerB, "another's")
	})
	promise("Cached state may be thousands of arbitrary bytes", func(t cacheTest) {
		all := make([]byte, 256)
		for i := range all {
			all[i] = byte(i)
		}
		long := string(bytes.Repeat(all, 32))
		t.ready(viewerA, keyAt(1, 1))
		t.put(viewerA, long)
		t.wantCached(viewerA, long)
		t.put(viewerA, "\x00")
		t.wantCached(viewerA, "\x00")
	})
	promise("Changes of an inbox keep the cached state, and walks ignore it", func(t cacheTest) {
		t.put(viewerB, "an absent inbox")
		t.ready(viewerA, keyAt(1, 1))
		t.put(viewerA, "some state")
		for n := range int64(2 * t.cap) {
			t.push(keyAt(2+n, 2), viewerA, viewerB)
		}
		must(t.store.Amend(t.Context(), viewerA, feed.Amendment{Token: "one", Version: 1, NewVersion: 2}))
		t.same("the viewers of a walk", []feed.UserID{viewerA}, t.walkViewers("", 1000, nil))
		check(t.store.Trim(t.Context(), []feed.UserID{viewerA, viewerB}, 1))
		t.wantCached(viewerA, "some state")
		t.wantCached(viewerB, "an absent inbox")
	})
	promise("Remove deletes the cached state", func(t cacheTest) {
		t.ready(viewerA, keyAt(1, 1))
		for _, viewer := range []feed.UserID{viewerA, viewerB} {
			t.put(viewer, "some state")
			t.remove(viewer)
			t.wantCached(viewer, "")
		}
	})
	promise("Concurrent reads and writes return each viewer's own state", func(t cacheTest) {
		const viewers, rounds = 40, 5
		for v := range feed.UserID(viewers) {
			t.ready(1+v, keyAt(1, int64(1+v)))
		}
		var all sync.WaitGroup
		for v := range feed.UserID(viewers) {
			all.Go(func() {
				for n := range rounds {
					want := fmt.Sprintf("state %d of %d", n, v)
					if err := t.cache.PutCached(t.Context(), 1+v, []byte(want), cacheFor); err != nil {
						t.Error(err)
					}
					in, cached, err := t.cache.ReadCached(t.Context(), 1+v, wholeInbox())
					if err != nil || string(cached) != want || len(in.Keys) != 1 || in.Keys[0].ID != int64(1+v) {
						t.Errorf("reading viewer %d: got inbox %+v, state %q, error %v, want their own", 1+v, in, cached, err)
					}
				}
			})
		}
		all.Wait()
	})
	promise("An ended context is an error", func(t cacheTest) {
		t.put(viewerA, "some state")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := t.cache.ReadCached(ctx, viewerA, wholeInbox()); !errors.Is(err, context.Canceled) {
			t.Errorf("ReadCached: got error %v, want the context's error", err)
		}
		if err := t.cache.PutCached(ctx, viewerA, []byte("another"), cacheFor); !errors.Is(err, context.Canceled) {
			t.Errorf("PutCached: got error %v, want the context's error", err)
		}
		t.wantCached(viewerA, "some state")
	})
}

// cacheTest is the environment of a case.
type cacheTest struct {
	inboxTest
	cache feed.SharedViewerCache
}

// cacheFor is so long that no cached state expires within a test.
const cacheFor = time.Hour

func (t cacheTest) put(viewer feed.UserID, cached string) {
	check(t.cache.PutCached(t.Context(), viewer, []byte(cached), cacheFor))
}

// wantCached compares the cached state of a viewer, and checks that a read of the inbox returns it
// too.
func (t cacheTest) wantCached(viewer feed.UserID, want string) {
	in, cached := must2(t.cache.ReadCached(t.Context(), viewer, wholeInbox()))
	t.same("the cached state", want, string(cached))
	t.same("the inbox with cached state", t.read(viewer, wholeInbox()), in)
}
