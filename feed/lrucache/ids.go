package lrucache

import (
	"context"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// IDs is a [feed.IDMap] that caches the numbers of external ids. They never change, unless the
// database is restored from a backup. It is safe for concurrent use.
type IDs struct {
	feed.IDMap
	cache *cache[externalID, int64]
}

type externalID struct {
	kind feed.IDKind
	id   feed.ExternalID
}

// NewIDs returns a cache of at most size ids in front of inner.
func NewIDs(inner feed.IDMap, size int, clock feed.Clock) *IDs {
	const most = entryCost + stringCost + feed.MaxExternalID
	o := Options{Size: size, Bytes: int64(size) * most, TTL: 24 * time.Hour}
	return &IDs{IDMap: inner, cache: newCache[externalID](o, clock, class[int64]{
		keeps: func(n int64) bool { return n != 0 },
		cost:  func(int64) int64 { return most },
	})}
}

// Purge evicts everything.
func (c *IDs) Purge() { c.cache.purge() }

// Stats returns the statistics of the cache.
func (c *IDs) Stats() Stats { return c.cache.snapshot() }

// DrawIDs implements [feed.IDMap].
func (c *IDs) DrawIDs(ctx context.Context, kind feed.IDKind, ids []feed.NumberedID) ([]int64, error) {
	texts := make([]feed.ExternalID, len(ids))
	for i, id := range ids {
		texts[i] = id.ID
	}
	numbers, err := c.FindIDs(ctx, kind, texts)
	if err != nil || !slices.Contains(numbers, 0) {
		return numbers, err
	}
	return c.IDMap.DrawIDs(ctx, kind, ids)
}

// FindIDs implements [feed.IDMap].
func (c *IDs) FindIDs(ctx context.Context, kind feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	keys := make([]externalID, len(ids))
	for i, id := range ids {
		keys[i] = externalID{kind, id}
	}
	return c.cache.get(ctx, keys, func(ctx context.Context, missing []externalID) ([]int64, error) {
		list := make([]feed.ExternalID, len(missing))
		for i, k := range missing {
			list[i] = k.id
		}
		return c.IDMap.FindIDs(ctx, kind, list)
	})
}
