package lrucache_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/lrucache"
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
