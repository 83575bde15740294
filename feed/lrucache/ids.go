package lrucache

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// IDs is a [feed.IDMap] that caches the numbers of external ids, which never change. It is safe for
// concurrent use.
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
