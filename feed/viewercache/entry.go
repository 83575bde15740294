package viewercache

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Entry is what is cached about one viewer: answers of stores, each read after the version that
// goes with it. It is never changed once it was put.
//
// It holds for any read that finds the same version. Every change of what it says raises a
// number of the version in its own transaction. So if two reads find the same number, nothing
// changed between them; what was read after the first is what the second would read, or, if a
// change was committed after both, newer.
type Entry struct {
	version feed.ViewerVersion
	// since is when the oldest answer was read, in milliseconds on the clock of the source of truth.
	since int64
	// edges and pulled hold for a relations version, and pulled for one state of all coverage flags.
	edges  edges
	pulled *pulledAuthors
	// own and posts hold for one number of changes of the viewer's own posts.
	own   *ownOutbox
	posts map[feed.PostID]*feed.Post
}

// pulledAuthors is an answer of [feed.Relations.Pulled] to the arguments since and cold.
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
	// keepFor is how long an entry is kept. By its version it would hold for ever; a minute costs
	// one read in thousands, and ends what a database might leave behind that was set back to
	// an earlier state without a new generation.
	keepFor = time.Minute
	// mostKept is how many edges, and how many own posts, are kept of one viewer: more than the
	// authors of ten pages. If more are read, the others are dropped.
	mostKept = 300
	// ownMax is how many keys of a viewer's own outbox are kept: what all but the deepest pages
	// look at.
	ownMax = 50
)

// under returns the part of e that holds under a version.
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

// Bytes estimates what e takes in memory.
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

// newOwnOutbox makes it of the newest keys, ownMax of them or all there are.
func newOwnOutbox(keys []feed.Key) *ownOutbox { return &ownOutbox{keys: keys, all: len(keys) < ownMax} }

// within returns the keys within r, in its direction and of any kind, which must not be changed;
// false if the outbox must be read to tell.
func (o *ownOutbox) within(r feed.Range) ([]feed.Key, bool) {
	// Newest first: those not below the range, those within it, and those not above it.
	from := sort.Search(len(o.keys), func(i int) bool { return r.Below.Newer(o.keys[i]) })
	to := from + sort.Search(len(o.keys)-from, func(i int) bool { return !o.keys[from+i].Newer(r.Above) })
	keys := o.keys[from:to]
	// Below the oldest key that is kept there may be more.
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

// edges are the edges to some users, in the order of their ids.
type edges []edgeTo

type edgeTo struct {
	other feed.UserID
	edge  feed.Edge
}

func byOther(a, b edgeTo) int { return cmp.Compare(a.other, b.other) }

// to returns the edge to a user, if it is known.
func (e edges) to(other feed.UserID) (feed.Edge, bool) {
	i, known := slices.BinarySearchFunc(e, edgeTo{other: other}, byOther)
	if !known {
		return feed.Edge{}, false
	}
	return e[i].edge, true
}

// with returns a copy that has edges to more users; those alone if there would be too many.
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

// grown returns a copy of m with the new values; those alone if there would be too many.
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
