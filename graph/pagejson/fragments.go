package pagejson

import (
	"math/bits"
	"sync/atomic"
)

// FragmentCache caches the JSON of field runs of posts and users, which many pages show. A field
// run never depends on the viewer or on the time.
//
// The version of an object is its pointer: other caches share objects, which never change. An
// edited or expired object is another pointer, and its JSON is written again. So the cache needs
// no invalidation, and no response is older than its objects.
//
// It is a hash table with two slots per bucket, without locks; a new fragment displaces an old one.
// Create one with [NewFragmentCache]. A nil one caches nothing. It is safe for concurrent use.
type FragmentCache struct {
	slots []atomic.Pointer[fragment]
	// shift reduces a hash to the index of a slot.
	shift    int
	maxBytes int64

	hits, misses, bytes, entries atomic.Int64
}

// fragment is the JSON of a run of one object.
type fragment struct {
	run    *fieldRun
	id     int64
	object any
	text   []byte
}

// A text of up to a few hundred bytes lies directly behind its entry, where the processor
// prefetches it. The sizes are common for users and posts, and with the entry are size classes of
// Go's allocator.
type (
	smallFragment struct {
		fragment
		room [320 - fragmentSize]byte
	}
	mediumFragment struct {
		fragment
		room [512 - fragmentSize]byte
	}
	largeFragment struct {
		fragment
		room [768 - fragmentSize]byte
	}
)

// fragmentSize is the size of an entry without its text.
const fragmentSize = 56

// newFragment returns an entry with a copy of the text.
func newFragment(r *fieldRun, id int64, object any, text []byte) *fragment {
	var f *fragment
	var room []byte
	switch n := len(text); {
	case n <= len(smallFragment{}.room):
		whole := new(smallFragment)
		f, room = &whole.fragment, whole.room[:]
	case n <= len(mediumFragment{}.room):
		whole := new(mediumFragment)
		f, room = &whole.fragment, whole.room[:]
	case n <= len(largeFragment{}.room):
		whole := new(largeFragment)
		f, room = &whole.fragment, whole.room[:]
	default:
		f = new(fragment)
	}
	f.run, f.id, f.object, f.text = r, id, object, append(room[:0], text...)
	return f
}

// replaceable reports whether a fragment is nil, or of the same run of any version of an object.
func (f *fragment) replaceable(r *fieldRun, id int64) bool {
	return f == nil || f.id == id && f.isOf(r)
}

func (f *fragment) isOf(r *fieldRun) bool { return f.run == r || f.run.name == r.name }

// entryBytes is what an entry takes besides its text. It keeps the object alive, which may be in no
// other cache any more: about as much text again, the struct, and the entry itself.
const entryBytes = 300

// slotBytes is how many bytes of the cache there are per slot. Texts take many times as much, so
// that a bucket rarely has more than two fragments. With buckets of one slot, one in twenty
// fragments of a page was displaced.
const slotBytes = 64

// maxText is the longest text that is cached. Most have some hundred bytes.
const maxText = 16 << 10

// NewFragmentCache returns a cache of at most so many bytes, including the objects that it keeps
// alive; nil if that is too little for one fragment.
func NewFragmentCache(maxBytes int64) *FragmentCache {
	if maxBytes < slotBytes {
		return nil
	}
	width := max(1, bits.Len64(uint64(maxBytes/slotBytes-1)))
	return &FragmentCache{slots: make([]atomic.Pointer[fragment], 1<<width), shift: 64 - width, maxBytes: maxBytes}
}

// FragmentStats are the counts of a cache: hits and misses since its creation, and its size now.
type FragmentStats struct {
	Hits, Misses uint64
	Entries      int
	Bytes        int64
}

// Stats returns the counts of the cache.
func (c *FragmentCache) Stats() FragmentStats {
	if c == nil {
		return FragmentStats{}
	}
	return FragmentStats{
		Hits: uint64(c.hits.Load()), Misses: uint64(c.misses.Load()),
		Entries: int(c.entries.Load()), Bytes: c.bytes.Load(),
	}
}

// bucket returns the two slots of an object's run, which share a cache line. The multiplication
// spreads adjacent ids over the table (Fibonacci hashing).
func (c *FragmentCache) bucket(r *fieldRun, id int64) *[2]atomic.Pointer[fragment] {
	const spread = 0x9E3779B97F4A7C15
	at := (uint64(id) ^ r.salt) * spread >> c.shift &^ 1
	return (*[2]atomic.Pointer[fragment])(c.slots[at:])
}

// get returns the JSON of a run of an object; nil if it is not cached.
func (c *FragmentCache) get(r *fieldRun, id int64, object any) []byte {
	bucket := c.bucket(r, id)
	for i := range bucket {
		if f := bucket[i].Load(); f != nil && f.object == object && f.isOf(r) {
			return f.text
		}
	}
	return nil
}

// put caches a copy of the JSON of a run of an object. It replaces that of an earlier version,
// takes an empty slot, or takes the first slot, whose fragment moves to the second. If the cache is
// full, or the text too long, it only removes the fragment that it would displace.
func (c *FragmentCache) put(r *fieldRun, id int64, object any, text []byte) {
	var added *fragment
	if size := sizeOf(text); len(text) <= maxText && c.bytes.Load()+size <= c.maxBytes {
		added = newFragment(r, id, object, text)
		c.count(1, size)
	}
	bucket := c.bucket(r, id)
	var removed *fragment
	switch {
	case bucket[0].Load().replaceable(r, id):
		removed = bucket[0].Swap(added)
	case bucket[1].Load().replaceable(r, id):
		removed = bucket[1].Swap(added)
	default:
		removed = bucket[1].Swap(bucket[0].Swap(added))
	}
	if removed != nil {
		c.count(-1, -sizeOf(removed.text))
	}
}

func (c *FragmentCache) count(entries, bytes int64) {
	c.entries.Add(entries)
	c.bytes.Add(bytes)
}

func sizeOf(text []byte) int64 { return entryBytes + 2*int64(len(text)) }
