package lrucache_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

// bigPost is a post by a popular author with a text of some length.
func bigPost(id feed.PostID, length int) feed.Post {
	return feed.Post{ID: id, Text: strings.Repeat("x", length)}
}

func TestCache_EvictsLeastRecentlyUsedBySize(t *testing.T) {
	for name, c := range map[string]struct {
		loads [][]feed.PostID
		left  []feed.PostID
	}{
		"the first was used again":       {[][]feed.PostID{{1}, {2}, {1}, {3}}, []feed.PostID{1, 3}},
		"all were used, the oldest goes": {[][]feed.PostID{{1, 2}, {1, 2}, {3}}, []feed.PostID{2, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(lrucache.Options{Size: 2, Bytes: 1 << 20, TTL: time.Hour})
			w.store.stored[3] = bigPost(3, 1)
			for _, ids := range c.loads {
				w.load(t, ids...)
			}
			w.has(t, c.left...)
			if s := w.cache.Stats(); s.Entries != 2 || s.Evictions != 1 {
				t.Errorf("stats are %+v", s)
			}
		})
	}
}

func TestCache_ReturnsOversizedValueWithoutKeeping(t *testing.T) {
	w := newWorld(lrucache.Options{Size: 10, Bytes: 5_000, TTL: time.Hour})
	w.load(t, 1)
	w.store.stored[9] = feed.Post{ID: 9, Media: []string{strings.Repeat("m", 5_000)}}
	got, err := w.cache.Posts(t.Context(), []feed.PostID{9})
	if err != nil || got[0] == nil || got[0].ID != 9 {
		t.Fatalf("got %v, %v", got, err)
	}
	w.hits(t, 1)
}

func TestCache_KeepsDuplicateKeyOnce(t *testing.T) {
	once, twice := newWorld(roomy()), newWorld(roomy())
	once.load(t, 1)
	fixture.Same(t, "the texts", twice.load(t, 1, 1), "by a big-V", "by a big-V")
	if a, b := once.cache.Stats(), twice.cache.Stats(); a.Entries != b.Entries || a.Bytes != b.Bytes {
		t.Errorf("read once, stats are %+v; twice, %+v", a, b)
	}
}

func TestCache_ZeroLimitKeepsNothing(t *testing.T) {
	for name, unset := range map[string]func(*lrucache.Options){
		"entries": func(o *lrucache.Options) { o.Size = 0 },
		"bytes":   func(o *lrucache.Options) { o.Bytes = 0 },
		"time":    func(o *lrucache.Options) { o.TTL = 0 },
	} {
		o := roomy()
		unset(&o)
		w := newWorld(o)
		w.load(t, 1)
		w.edit("edited")
		w.shows(t, "without "+name, "edited")
		w.load(t, 2, 2, 12345)
		fixture.Is(t, "the stats without "+name, w.cache.Stats(), lrucache.Stats{Misses: 4, Passed: 1})
	}
}

// In any history the limits hold, the sum is that of the entries, and no result is older than the
// time to live or the last eviction.
func TestCache_LimitsAndFreshnessHoldInAnyHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := lrucache.Options{
			Size:  rapid.IntRange(0, 4).Draw(t, "size"),
			Bytes: rapid.Int64Range(0, 4_000).Draw(t, "bytes"),
			TTL:   time.Duration(rapid.IntRange(0, 3).Draw(t, "seconds to live")) * time.Second,
		}
		w := newWorld(o)
		id := rapid.Custom(func(t *rapid.T) feed.PostID { return feed.PostID(rapid.IntRange(1, 6).Draw(t, "id")) })
		// oldest is the earliest time of a valid result, by id.
		oldest := map[feed.PostID]time.Time{}
		t.Repeat(map[string]func(*rapid.T){
			"write": func(t *rapid.T) {
				p := bigPost(id.Draw(t, "post"), rapid.IntRange(0, 2_000).Draw(t, "length"))
				p.Author, p.EditedAt = authorOf(p.ID), w.clock.now.UnixMilli()
				w.store.stored[p.ID] = p
			},
			"evict": func(t *rapid.T) {
				k := id.Draw(t, "post")
				oldest[k] = w.clock.now
				w.evictor.Evict([]feed.PostID{k}, nil)
			},
			"evict an author": func(t *rapid.T) {
				author := feed.UserID(rapid.IntRange(0, 1).Draw(t, "author"))
				for k := feed.PostID(1); k <= 6; k++ {
					if authorOf(k) == author {
						oldest[k] = w.clock.now
					}
				}
				w.evictor.Evict(nil, []feed.UserID{author})
			},
			"purge": func(*rapid.T) { w.evictor.Purge() },
			"wait":  func(*rapid.T) { w.clock.advance(time.Second / 2) },
			"read": func(t *rapid.T) {
				k := id.Draw(t, "post")
				checkFresh(t, w, k, o.TTL, oldest[k])
			},
			"": func(t *rapid.T) { checkBounds(t, w, o) },
		})
		w.evictor.Purge()
		if s := w.cache.Stats(); s.Bytes != 0 || s.Entries != 0 {
			t.Errorf("after a purge the cache holds %+v", s)
		}
	})
}

// authorOf spreads posts over two authors.
func authorOf(id feed.PostID) feed.UserID { return feed.UserID(id % 2) }

// checkFresh reads a post and compares it with the store's: an older version must
// have been replaced less than ttl ago, and after the last eviction.
func checkFresh(t *rapid.T, w *world, k feed.PostID, ttl time.Duration, evicted time.Time) {
	got, err := w.cache.Posts(t.Context(), []feed.PostID{k})
	if err != nil {
		t.Fatal(err)
	}
	stored := w.store.stored[k]
	if got[0] == nil {
		if stored.ID != 0 {
			t.Errorf("post %d is not found", k)
		}
		return
	}
	if got[0].ID != k {
		t.Errorf("post %d was returned for post %d", got[0].ID, k)
	}
	if got[0].Text == stored.Text {
		return
	}
	replaced := time.UnixMilli(stored.EditedAt)
	if !replaced.Add(ttl).After(w.clock.now) || replaced.Before(evicted) {
		t.Errorf("the result was replaced at %v, now is %v, the last eviction was at %v", replaced, w.clock.now, evicted)
	}
}

func checkBounds(t *rapid.T, w *world, o lrucache.Options) {
	s := w.cache.Stats()
	if s.Entries > o.Size || s.Bytes > o.Bytes || s.Bytes < 0 || (s.Bytes == 0) != (s.Entries == 0) {
		t.Errorf("the cache holds %+v, the limits are %+v", s, o)
	}
}

// The limit in bytes is as good as the estimate.
func TestCost_IsNearHeapGrowth(t *testing.T) {
	const n = 20_000
	for name, media := range map[string]int{"texts": 0, "texts and media": 2} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(lrucache.Options{Size: n, Bytes: 1 << 30, TTL: time.Hour})
			before := heap()
			ids := make([]feed.PostID, 1)
			for id := feed.PostID(1); id <= n; id++ {
				p := bigPost(id, 300)
				for m := range media {
					p.Media = append(p.Media, fmt.Sprintf("https://media.example/%0100d", m))
				}
				w.store.stored = map[feed.PostID]feed.Post{id: p}
				w.store.asked, ids[0] = nil, id
				w.load(t, ids...)
			}
			grown, estimated := heap()-before, w.cache.Stats().Bytes
			if ratio := float64(grown) / float64(estimated); ratio < 0.75 || ratio > 1.25 {
				t.Errorf("the heap grew by %d bytes, the estimate is %d", grown, estimated)
			}
			runtime.KeepAlive(w)
		})
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC() // what the first one's finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

const rows = 8

// table is a store in which every row only ever gets newer: EditedAt counts its
// versions. Reads give way between reading and returning, so that evictions
// overtake them.
type table [rows]atomic.Int64

func (s *table) Posts(_ context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	out := make([]*feed.Post, len(ids))
	for i, id := range ids {
		out[i] = &feed.Post{ID: id, EditedAt: s[id].Load()}
		runtime.Gosched()
	}
	return out, nil
}

// A read that begins after an eviction never shows the state before it, whatever runs at the same
// time.
func TestEvict_HidesOldStateFromLaterReads(t *testing.T) {
	for name, o := range map[string]lrucache.Options{
		"everything fits": roomy(),
		"half fits":       {Size: rows / 2, Bytes: 1 << 20, TTL: time.Hour},
		"few bytes":       {Size: rows, Bytes: 1000, TTL: time.Hour},
		"nothing fits":    {},
	} {
		t.Run(name, func(t *testing.T) {
			var store table
			cache := lrucache.NewPosts(&store, o, time.Now)
			evictor := evictorOf(cache, lrucache.NewUsers(&users{}, o, time.Now))
			// evicted is, by row, the newest version whose eviction has returned.
			var evicted [rows]atomic.Int64

			var writers, readers sync.WaitGroup
			var stop atomic.Bool
			for id := range feed.PostID(rows) {
				writers.Go(func() {
					for version := range int64(2000) {
						store[id].Store(version)
						if version%97 == 0 {
							evictor.Purge()
						} else {
							evictor.Evict([]feed.PostID{id}, nil)
						}
						evicted[id].Store(version)
						runtime.Gosched() // so that other goroutines read it too
					}
				})
			}
			for reader := range uint64(4) {
				readers.Go(func() {
					rng := rand.New(rand.NewPCG(reader, 1))
					for !stop.Load() {
						ids := []feed.PostID{feed.PostID(rng.IntN(rows)), feed.PostID(rng.IntN(rows)), feed.PostID(rng.IntN(rows))}
						readRows(t, cache, ids, &evicted)
					}
				})
			}
			writers.Wait()
			stop.Store(true)
			readers.Wait()
			evictor.Purge()
			if s := cache.Stats(); s.Bytes != 0 || s.Entries != 0 {
				t.Errorf("after a purge the cache holds %+v", s)
			}
		})
	}
}

func readRows(t *testing.T, cache *lrucache.Posts, ids []feed.PostID, evicted *[rows]atomic.Int64) {
	least := make([]int64, len(ids))
	for i, id := range ids {
		least[i] = evicted[id].Load()
	}
	got, err := cache.Posts(t.Context(), ids)
	if err != nil {
		t.Error(err)
		return
	}
	for i, p := range got {
		if p.ID != ids[i] || p.EditedAt < least[i] {
			t.Errorf("row %d in version %d was returned for row %d, whose version %d was evicted before", p.ID, p.EditedAt, ids[i], least[i])
		}
	}
}

// A post that is always being read must still get into the cache.
func TestCache_KeepsFirstOfOverlappingReads(t *testing.T) {
	w := newWorld(roomy())
	w.store.during = func() {
		w.store.during = nil
		w.load(t, 1)
		w.hits(t, 1) // while the other read is in flight
	}
	w.load(t, 1)
	w.hits(t, 2)
}
