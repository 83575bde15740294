// Package lrucache keeps in memory, in front of any store, what many feeds show: contents,
// profiles and counters. A content that a million feeds show is read from SQL about once
// per process and lifetime. It also keeps the viewer cache's entries in the process ([Viewers])
// and of their live feeds ([LiveFeeds]).
//
// A cache here is shared by all viewers, so nothing in it depends on who asks, and
// a viewer's own posts are read past it (timeline.Direct and people.Directory do so). The viewer
// cache is apart from it.
//
// What is asked for all the time is read anew before its time is over ([Posts.Refresh]).
//
// Three things end the life of an entry: an eviction, when what it holds has
// changed ([Evictor]); its time to live, which bounds how long a process that was
// not told goes on showing the past; and the bounds in entries and bytes, which the
// least recently used entries make room for.
package lrucache

import "time"

// Options bound a cache. With the zero value in any field it keeps nothing.
type Options struct {
	// Size is how many entries it keeps at most.
	Size int
	// Bytes is how much memory they take at most, as estimated when they come in:
	// texts and URLs by their length, and what Go needs to hold them.
	Bytes int64
	// TTL is how long an entry is kept at most, from the moment its read began. It
	// bounds what a process shows of the past when it was not told of a change.
	TTL time.Duration
}

// keeps says whether there is room for anything, and time.
func (o Options) keeps() bool { return o.Size > 0 && o.Bytes > 0 && o.TTL > 0 }

// defaultTTL keeps the hit rate of a hot content near one, and a missed eviction
// short.
const defaultTTL = 5 * time.Second

// DefaultPosts returns the bounds of the cache of contents that Tideline runs with.
// A post of 200 characters takes about half a kilobyte, so that the two bounds meet
// at somewhat more than a kilobyte a post: the first holds for ordinary posts, the
// second when many are of the full 5,000 characters.
func DefaultPosts() Options { return Options{Size: 50_000, Bytes: 64 << 20, TTL: defaultTTL} }

// DefaultUsers returns the bounds of the cache of profiles that Tideline runs with.
// A profile takes some 400 bytes, and there are fewer authors than there are posts
// by them.
func DefaultUsers() Options { return Options{Size: 20_000, Bytes: 16 << 20, TTL: defaultTTL} }

// DefaultCounters returns the bounds of either cache of counters that Tideline runs with.
func DefaultCounters() Options { return Options{Size: 50_000, Bytes: 16 << 20, TTL: defaultTTL} }

// DefaultViewers returns the bounds of the viewer cache that Tideline runs with: some kilobytes
// of each viewer who has read lately.
func DefaultViewers() Options { return Options{Size: 50_000, Bytes: 64 << 20, TTL: defaultTTL} }

// DefaultLiveMemory returns the bounds of what Tideline remembers of live feeds: some four
// kilobytes of each that was read lately.
func DefaultLiveFeeds() Options { return Options{Size: 50_000, Bytes: 32 << 20, TTL: defaultTTL} }

// Stats tell how a cache does. The counts are of ids asked for, since the start.
type Stats struct {
	// Hits were answered from the cache; Misses were read from the store and found
	// there. Hits over Hits plus Misses is the hit rate.
	Hits, Misses uint64
	// Passed were read from the store and are not stored.
	Passed uint64
	// Evictions counts entries that made room for others because of a bound. Many of
	// them while the hit rate is low say that the bounds are too tight.
	Evictions uint64
	// Entries and Bytes are what is held now, expired entries that nobody has asked
	// for since included.
	Entries int
	Bytes   int64
}
