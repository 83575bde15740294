// Package lrucache has in-memory caches in front of any store: of posts, profiles and counters,
// which many feeds share, and per viewer of viewer states ([Viewers]) and live feeds
// ([LiveFeeds]). A post that a million feeds show is read from SQL about once per process and
// time to live.
//
// Nothing in a shared cache depends on the viewer. Reads of a viewer's own posts bypass it
// (timeline.Direct and people.Directory do that).
//
// An entry ends by an eviction, when its object has changed ([Evictor]); by its time to live,
// which limits how long a process that missed an eviction shows old state; or as the least
// recently used one, when the cache is full. Entries in use are reloaded before their time to
// live ends ([Posts.Refresh]).
package lrucache

import "time"

// Options limit a cache. If any field is zero, the cache keeps nothing.
type Options struct {
	Size int
	// Bytes is the maximum memory, estimated when an entry is added: texts and URLs by their
	// length, and Go's overhead.
	Bytes int64
	// TTL is how long an entry is kept, from the beginning of its read. It limits how long a
	// process shows old state if it missed an eviction.
	TTL time.Duration
}

func (o Options) keeps() bool { return o.Size > 0 && o.Bytes > 0 && o.TTL > 0 }

// defaultTTL keeps the hit rate of a popular post near one and limits the effect of a missed
// eviction.
const defaultTTL = 5 * time.Second

// DefaultPosts returns the default limits of the cache of posts. A post of 200 characters takes
// about half a kilobyte. Size limits ordinary posts, Bytes those of the full 5,000 characters.
func DefaultPosts() Options { return Options{Size: 50_000, Bytes: 64 << 20, TTL: defaultTTL} }

// DefaultUsers returns the default limits of the cache of profiles. A profile takes some 400
// bytes.
func DefaultUsers() Options { return Options{Size: 20_000, Bytes: 16 << 20, TTL: defaultTTL} }

// DefaultCounters returns the default limits of each cache of counters.
func DefaultCounters() Options { return Options{Size: 50_000, Bytes: 16 << 20, TTL: defaultTTL} }

// DefaultViewers returns the default limits of the viewer cache. A viewer takes some kilobytes.
func DefaultViewers() Options { return Options{Size: 50_000, Bytes: 64 << 20, TTL: defaultTTL} }

// DefaultLiveFeeds returns the default limits of the cache of live feeds. A feed takes some four
// kilobytes.
func DefaultLiveFeeds() Options { return Options{Size: 50_000, Bytes: 32 << 20, TTL: defaultTTL} }

// Stats describes a cache. Counts are of ids since the start.
type Stats struct {
	// Hits came from the cache. Misses were read from the store and found there. The hit rate is
	// Hits / (Hits + Misses).
	Hits, Misses uint64
	// Passed were read from the store and not found there.
	Passed uint64
	// Evictions counts entries removed because the cache was full. If there are many while the
	// hit rate is low, the limits are too low.
	Evictions uint64
	// Entries and Bytes are the current size, expired entries included.
	Entries int
	Bytes   int64
}
