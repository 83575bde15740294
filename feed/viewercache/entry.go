package viewercache

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Entry is what is cached about one viewer: results of stores, each read after the version that
// goes with it. It never changes once it was put.
//
// It is valid for a read that finds the same version. Every change of its content raises a number
// of the version in its own transaction. So if two reads find the same number, nothing changed
// between them: what was read after the first is what the second would read, or newer.
type Entry struct {
	version feed.ViewerVersion
	// since is when the oldest part was read, in milliseconds on the clock of the source of
	// truth.
	since int64
	// edges is valid for a relations version, and pulled also for one count of coverage flags.
	edges  edges
	pulled *pulledAuthors
	// own and posts are valid for one count of changes of the viewer's own posts.
	own   *ownOutbox
	posts map[feed.PostID]*feed.Post
}

type pulledAuthors struct {
	since   int64
	cold    bool
	authors []feed.UserID
}

// ownOutbox is the newest of a viewer's own posts, newest first.
type ownOutbox struct {
	keys []feed.Key
	// all says that there are no more.
	all bool
}

const (
	// keepFor is how long an entry is kept. It would be valid for longer. A minute costs one read
	// in thousands, and ends stale entries of a database that was restored without a new
	// generation.
	keepFor = time.Minute
	// mostKept limits the edges and the own posts of one viewer, to more than the authors of ten
	// pages. Beyond that, older ones are dropped.
	mostKept = 300
	// ownMax limits the keys of a viewer's own outbox, to what all but the deepest pages need.
	ownMax = 50
)

func (e *Entry) under(version feed.ViewerVersion) Entry {
	now := Entry{version: version, since: version.Now}
	age := version.Now - e.since
	if e.version.Generation != version.Generation || age < 0 || age > keepFor.Milliseconds() {
		return now
	}
	now.since = e.since
	if e.version.Version == version.Version {
		now.edges = e.edges
		if e.version.Flags == version.Flags {
			now.pulled = e.pulled
		}
	}
	if e.version.Own == version.Own {
		now.own, now.posts = e.own, e.posts
	}
	return now
}

// Bytes estimates the memory of e.
func (e *Entry) Bytes() int64 {
	const itself, perEdge, perPost, perKey, perAuthor = 300, 16, 300, 16, 8
	n := itself + perEdge*len(e.edges) + perPost*len(e.posts)
	for _, p := range e.posts {
		if p != nil {
			n += len(p.Text)
		}
	}
	if e.own != nil {
		n += perKey * len(e.own.keys)
	}
	if e.pulled != nil {
		n += perAuthor * len(e.pulled.authors)
	}
	return int64(n)
}

// newOwnOutbox returns the outbox with the newest keys: ownMax of them, or all.
func newOwnOutbox(keys []feed.Key) *ownOutbox { return &ownOutbox{keys: keys, all: len(keys) < ownMax} }

// within returns the keys within r, in its direction and of any kind, which must not be changed;
// false if the cached part is not enough.
func (o *ownOutbox) within(r feed.Range) ([]feed.Key, bool) {
	// Newest first: keys not below the range, keys within it, and keys not above it.
	from := sort.Search(len(o.keys), func(i int) bool { return r.Below.Newer(o.keys[i]) })
	to := from + sort.Search(len(o.keys)-from, func(i int) bool { return !o.keys[from+i].Newer(r.Above) })
	keys := o.keys[from:to]
	// There may be more below the oldest cached key.
	whole := o.all || len(o.keys) > 0 && !o.keys[len(o.keys)-1].Newer(r.Above)
	if r.Ascending {
		keys = slices.Clone(keys)
		slices.Reverse(keys)
	}
	if !whole && (r.Ascending || len(keys) < r.Limit) {
		return nil, false
	}
	return keys[:min(len(keys), r.Limit)], true
}

// edges are the edges to some users, ordered by id.
type edges []edgeTo

type edgeTo struct {
	other feed.UserID
	edge  feed.Edge
}

func byOther(a, b edgeTo) int { return cmp.Compare(a.other, b.other) }

func (e edges) to(other feed.UserID) (feed.Edge, bool) {
	i, found := slices.BinarySearchFunc(e, edgeTo{other: other}, byOther)
	if !found {
		return feed.Edge{}, false
	}
	return e[i].edge, true
}

// with returns a copy with further edges; only those if there would be too many.
func (e edges) with(others []feed.UserID, found []feed.Edge) edges {
	if len(e)+len(others) > mostKept {
		e = nil
	}
	all := append(make(edges, 0, len(e)+len(others)), e...)
	for i, other := range others {
		all = append(all, edgeTo{other, found[i]})
	}
	slices.SortFunc(all, byOther)
	return slices.CompactFunc(all, func(a, b edgeTo) bool { return a.other == b.other })
}

// grown returns a copy of m with further values; only those if there would be too many.
func grown[K comparable, V any](m map[K]V, keys []K, values []V) map[K]V {
	if len(m)+len(keys) > mostKept {
		m = nil
	}
	out := maps.Clone(m)
	if out == nil {
		out = make(map[K]V, len(keys))
	}
	for i, k := range keys {
		out[k] = values[i]
	}
	return out
}
