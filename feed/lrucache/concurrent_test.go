package lrucache_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

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

// gate is a store whose reads wait until they are let go.
type gate struct {
	waiting chan struct{}
	open    chan struct{}
}

func (g *gate) Posts(_ context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	g.waiting <- struct{}{}
	<-g.open
	return []*feed.Post{{ID: ids[0]}}, nil
}

// A post that is always being read must still get into the cache.
func TestCache_KeepsFirstOfOverlappingReads(t *testing.T) {
	g := &gate{waiting: make(chan struct{}), open: make(chan struct{})}
	cache := lrucache.NewPosts(g, roomy(), time.Now)
	ended := make(chan error)
	for range 2 {
		go func() {
			_, err := cache.Posts(t.Context(), []feed.PostID{1})
			ended <- err
		}()
		<-g.waiting
	}
	g.open <- struct{}{}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if _, err := cache.Posts(t.Context(), []feed.PostID{1}); err != nil {
		t.Fatal(err)
	}
	if s := cache.Stats(); s.Hits != 1 || s.Entries != 1 {
		t.Errorf("while the other read is in flight, stats are %+v", s)
	}
	g.open <- struct{}{}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}
