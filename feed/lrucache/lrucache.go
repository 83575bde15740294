// Package lrucache has in-memory caches in front of any store. Those of posts, profiles and
// counters are shared by all viewers, and nothing in them depends on the viewer. [Viewers] and
// [LiveFeeds] are per viewer. An entry ends by an eviction ([Evictor]), by its time to live, or as
// the least recently used one.
package lrucache

import "time"

// Options limit a cache. If any field is zero, the cache keeps nothing.
type Options struct {
	Size int
	// Bytes is the maximum memory, estimated when an entry is added.
	Bytes int64
	// TTL, from the beginning of the read, limits how old state is that missed an eviction.
	TTL time.Duration
}

func (o Options) keeps() bool { return o.Size > 0 && o.Bytes > 0 && o.TTL > 0 }

// defaultTTL keeps the hit rate of a popular post near one.
const defaultTTL = 5 * time.Second

// DefaultPosts returns the limits of the cache of posts: many of 200 characters, or few of 5,000.
func DefaultPosts() Options { return Options{Size: 50_000, Bytes: 64 << 20, TTL: defaultTTL} }

// DefaultUsers returns the limits of the cache of profiles. A profile takes some 400 bytes.
func DefaultUsers() Options { return Options{Size: 20_000, Bytes: 16 << 20, TTL: defaultTTL} }

// DefaultCounters returns the limits of each cache of counters.
func DefaultCounters() Options { return Options{Size: 50_000, Bytes: 16 << 20, TTL: defaultTTL} }

// DefaultViewers returns the limits of the viewer cache. A viewer takes some kilobytes.
func DefaultViewers() Options { return Options{Size: 50_000, Bytes: 64 << 20, TTL: defaultTTL} }

// DefaultLiveFeeds returns the limits of the cache of live feeds. A feed takes some four kilobytes.
func DefaultLiveFeeds() Options { return Options{Size: 50_000, Bytes: 32 << 20, TTL: defaultTTL} }

// DefaultSessions returns the limits of the cache of live sessions. A session takes some 400 bytes.
func DefaultSessions() Options { return Options{Size: 20_000, Bytes: 8 << 20, TTL: defaultTTL} }

// DefaultFollowees returns the limits of the cache of followees. Two thousand take 16 kilobytes.
func DefaultFollowees() Options { return Options{Size: 50_000, Bytes: 16 << 20, TTL: defaultTTL} }

// Stats describes a cache. Counts are of ids since the start.
type Stats struct {
	// Hits came from the cache. Misses were read from the store and found there.
	Hits, Misses uint64
	// Passed were read from the store and not found there.
	Passed uint64
	// Evictions counts entries removed because the cache was full.
	Evictions uint64
	// Entries and Bytes are the current size, expired entries included.
	Entries int
	Bytes   int64
}
