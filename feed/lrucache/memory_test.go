package lrucache_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

func TestViewers_ReturnLatestEntry(t *testing.T) {
	m := lrucache.NewViewers(roomy())
	if m.Get(1) != nil {
		t.Error("an empty cache returns an entry")
	}
	first, last := &viewercache.Entry{}, &viewercache.Entry{}
	m.Put(1, first)
	m.Put(2, first)
	m.Put(1, last)
	if m.Get(1) != last || m.Get(2) != first {
		t.Error("the entry is not the last one put")
	}
	if s := m.Stats(); s.Hits != 2 || s.Misses != 1 || s.Entries != 2 {
		t.Errorf("stats are %+v", s)
	}
}

func TestViewers_EvictLeastRecentlyUsed(t *testing.T) {
	cost := costOfOne()
	for name, o := range map[string]lrucache.Options{
		"too many viewers": {Size: 2, Bytes: 1 << 20, TTL: time.Hour},
		"too many bytes":   {Size: 100, Bytes: 2*cost + 1, TTL: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			m := lrucache.NewViewers(o)
			m.Put(1, &viewercache.Entry{})
			m.Put(2, &viewercache.Entry{})
			m.Get(1)
			m.Put(3, &viewercache.Entry{})
			if m.Get(2) != nil || m.Get(1) == nil || m.Get(3) == nil {
				t.Error("another entry was evicted")
			}
			if s := m.Stats(); s.Evictions != 1 || s.Entries != 2 || s.Bytes != 2*cost {
				t.Errorf("stats are %+v", s)
			}
		})
	}
}

// costOfOne returns the memory of an empty entry.
func costOfOne() int64 {
	m := lrucache.NewViewers(roomy())
	m.Put(1, &viewercache.Entry{})
	return m.Stats().Bytes
}

// If the entry of a viewer does not fit, the old one must be gone too.
func TestViewers_KeepNothingWithoutRoom(t *testing.T) {
	for _, o := range []lrucache.Options{{Bytes: 1 << 20, TTL: time.Hour}, {Size: 10, TTL: time.Hour}, {Size: 10, Bytes: 1 << 20}} {
		m := lrucache.NewViewers(o)
		m.Put(1, &viewercache.Entry{})
		if m.Get(1) != nil || m.Stats().Bytes != 0 || m.Keeps() {
			t.Errorf("with %+v something is kept, or Keeps is true", o)
		}
	}
	if !lrucache.NewViewers(roomy()).Keeps() {
		t.Error("Keeps is false for a cache with room")
	}
}

// Live feeds are kept as viewers are.
func TestLiveFeeds_KeepEntriesWithinLimits(t *testing.T) {
	cached := &live.CachedFeed{}
	o := roomy()
	o.Size = 2
	m := lrucache.NewLiveFeeds(o)
	for viewer := feed.UserID(1); viewer <= 3; viewer++ {
		m.Put(viewer, cached)
	}
	if m.Get(1) != nil || m.Get(2) != cached || m.Get(3) != cached {
		t.Error("the last two entries are not kept")
	}
	if s := m.Stats(); s.Evictions != 1 || s.Entries != 2 || s.Bytes < 2*cached.Bytes() {
		t.Errorf("stats are %+v", s)
	}
}

type countedIDs struct {
	feed.IDMap
	asked []feed.ExternalID
}

func (c *countedIDs) FindIDs(ctx context.Context, kind feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	c.asked = append(c.asked, ids...)
	return c.IDMap.FindIDs(ctx, kind, ids)
}

func TestIDs_AreReadOnce(t *testing.T) {
	inner := &countedIDs{IDMap: memstore.New(time.Now)}
	ids := lrucache.NewIDs(inner, 10, time.Now)
	drawn, err := ids.DrawIDs(t.Context(), feed.UserIDs, []feed.NumberedID{{ID: "a", Number: 5}})
	if err != nil || drawn[0] != 5 {
		t.Fatal(drawn, err)
	}
	for range 2 {
		found, err := ids.FindIDs(t.Context(), feed.UserIDs, []feed.ExternalID{"a", "b"})
		if err != nil || !slices.Equal(found, []int64{5, 0}) {
			t.Errorf("got %v, %v, want 5 and 0", found, err)
		}
		if found, err := ids.FindIDs(t.Context(), feed.PostIDs, []feed.ExternalID{"a"}); err != nil || found[0] != 0 {
			t.Errorf("the post a has number %v, %v, want 0", found, err)
		}
	}
	if want := []feed.ExternalID{"a", "a", "b", "a", "b", "a"}; !slices.Equal(inner.asked, want) {
		t.Errorf("the store was asked for %v, want %v: only ids that exist are cached", inner.asked, want)
	}
}

func object(id int) feed.Object { return feed.Object{Type: feed.RecordUser, A: int64(id)} }

// A value expires, but may be used until keep is over, if that is later.
func TestContents_AgesFromTheRead(t *testing.T) {
	const ttl, day = time.Minute, 24 * time.Hour
	readAt := time.Unix(1, 0)
	for _, c := range []struct {
		keep, age    time.Duration
		fresh, found bool
	}{
		{time.Hour, ttl - 1, true, true},
		{time.Hour, ttl, false, true},
		{time.Hour, time.Hour - 1, false, true},
		{time.Hour, time.Hour, false, false},
		{0, ttl - 1, true, true},
		{0, ttl, false, false},
		{day, time.Hour, false, true},
	} {
		l := lrucache.NewContents[feed.Object, feed.Profile](lrucache.Options{Size: 9, Bytes: math.MaxInt64, TTL: ttl}, c.keep)
		l.Put(object(1), feed.Profile{Name: "one"}, readAt)
		value, fresh, found := l.Get(object(1), readAt.Add(c.age))
		if fresh != c.fresh || found != c.found || found != (value.Name == "one") {
			t.Errorf("kept for %s, after %s: %+v, fresh %t, found %t", c.keep, c.age, value, fresh, found)
		}
	}
}

func TestContents_KeepsNothingIfOff(t *testing.T) {
	now := time.Unix(1, 0)
	for _, o := range []lrucache.Options{{}, {Size: 9, TTL: time.Hour}, {Size: 9, Bytes: math.MaxInt64}, {Bytes: math.MaxInt64, TTL: time.Hour}} {
		l := lrucache.NewContents[feed.Object, feed.Profile](o, time.Hour)
		l.Put(object(1), feed.Profile{Name: "one"}, now)
		if _, _, found := l.Get(object(1), now); found {
			t.Errorf("with %+v a value is kept", o)
		}
	}
}

func TestContents_ExpireAndRemove(t *testing.T) {
	now := time.Unix(1, 0)
	l := lrucache.NewContents[feed.Object, feed.Profile](lrucache.Options{Size: 3, Bytes: math.MaxInt64, TTL: time.Minute}, time.Hour)
	for key := range 4 { // the first is pushed out
		l.Put(object(key), feed.Profile{}, now)
	}
	l.Expire(object(1), object(99))
	l.Remove(object(2))
	for key, want := range [][2]bool{{false, false}, {false, true}, {false, false}, {true, true}} {
		if _, fresh, found := l.Get(object(key), now); [2]bool{fresh, found} != want {
			t.Errorf("key %d: fresh %t, found %t", key, fresh, found)
		}
	}
	l.ExpireAll()
	if _, fresh, found := l.Get(object(3), now); fresh || !found {
		t.Errorf("after all: fresh %t, found %t", fresh, found)
	}
}
