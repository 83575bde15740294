package feed

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"time"
)

// Memory keeps what a process knows of its viewers between their reads. It may forget
// anybody at any time. Its methods may be called by many goroutines at once.
type Memory interface {
	// Recall returns what was kept of viewer last; nil when nothing is.
	Recall(viewer UserID) *Knowledge
	// Keep keeps k, in the place of what was kept of him before.
	Keep(viewer UserID, k *Knowledge)
}

// Knowledge is what reads have found out about a viewer, each after it had read the stamp
// that goes with it. It is never changed once it is kept.
//
// It holds for whoever reads that stamp again. Every change of what it says raises a number
// of the stamp in its own transaction. So when two reads find the same number, nothing
// changed between them; what was read after the first is what the second would read, or, if
// a change was committed behind both, newer.
type Knowledge struct {
	stamp Stamp
	// seen is where the [Journal] was before the stamp was read, or later and still without a
	// change of it; 0 when there is none.
	seen int64
	// learned is when something of it was last read, on the clock of the journal.
	learned time.Time
	// since is when the first of it was read, on the clock of the source of truth.
	since int64
	// edges and pulled hold for a relations version, and pulled for the state of all marks.
	edges  knownEdges
	pulled *pulledAuthors
	// own, posts and profile hold for a number of what is the viewer's own.
	own     *ownOutbox
	posts   map[ContentID]*Post
	profile *User
}

// pulledAuthors is an answer of [Relations.Pulled].
type pulledAuthors struct {
	since   int64
	cold    bool
	authors []UserID
}

// ownOutbox is the newest of a viewer's own contents, newest first.
type ownOutbox struct {
	keys []Key
	// all says that there are no more.
	all bool
}

const (
	// knowFor is how long anything is remembered. By the numbers of the stamp it would hold
	// for ever; a minute costs one read in thousands, and ends what a database might leave
	// behind that was set back to an earlier state without a new generation.
	knowFor = time.Minute
	// knowMax is how many edges, and how many own contents, are remembered of one viewer:
	// more than the authors of ten pages. When they are more he is got to know anew.
	knowMax = 300
	// ownMax is how much of a viewer's own outbox is remembered: what all but the deepest
	// pages look at.
	ownMax = 50
)

// asOf returns what of k still holds when the viewer's stamp is the given one, which the
// journal can tell about from seen on.
func (k *Knowledge) asOf(stamp Stamp, seen int64) Knowledge {
	now := Knowledge{stamp: stamp, since: stamp.Now, seen: seen, learned: k.learned}
	age := stamp.Now - k.since
	if k.stamp.Generation != stamp.Generation || age < 0 || age > knowFor.Milliseconds() {
		return now
	}
	now.since = k.since
	if k.stamp.Version == stamp.Version {
		now.edges = k.edges
		if k.stamp.Marks == stamp.Marks {
			now.pulled = k.pulled
		}
	}
	if k.stamp.Own == stamp.Own {
		now.own, now.posts, now.profile = k.own, k.posts, k.profile
	}
	return now
}

// Bytes estimates what k takes in memory.
func (k *Knowledge) Bytes() int64 {
	const itself, perEdge, perPost, perProfile, perKey, perAuthor = 300, 16, 300, 100, 16, 8
	n := itself + perEdge*len(k.edges) + perPost*len(k.posts)
	for _, p := range k.posts {
		if p != nil {
			n += len(p.Text)
		}
	}
	if u := k.profile; u != nil {
		n += perProfile + len(u.Handle) + len(u.Name) + len(u.AvatarURL)
	}
	if k.own != nil {
		n += perKey * len(k.own.keys)
	}
	if k.pulled != nil {
		n += perAuthor * len(k.pulled.authors)
	}
	return int64(n)
}

// newOwnOutbox makes it of the newest keys, ownMax of them or all there are.
func newOwnOutbox(keys []Key) *ownOutbox { return &ownOutbox{keys: keys, all: len(keys) < ownMax} }

// within returns the keys within r, in its direction and of any kind, as inboxes do, which
// must not be changed; false when that cannot be told from what is remembered.
func (o *ownOutbox) within(r Range) ([]Key, bool) {
	// They stand newest first: those not below the range, those within it, and those below it.
	from := sort.Search(len(o.keys), func(i int) bool { return r.Below.Newer(o.keys[i]) })
	to := from + sort.Search(len(o.keys)-from, func(i int) bool { return !o.keys[from+i].Newer(r.Above) })
	keys := o.keys[from:to]
	// Below the oldest key that is remembered there may be more.
	whole := o.all || !o.keys[len(o.keys)-1].Newer(r.Above)
	if r.Ascending {
		keys = slices.Clone(keys)
		slices.Reverse(keys)
	}
	if !whole && (r.Ascending || len(keys) < r.Limit) {
		return nil, false
	}
	return keys[:min(len(keys), r.Limit)], true
}

// knownEdges are the edges to some users, in the order of their ids.
type knownEdges []edgeTo

// edgeTo is the edge to one of them.
type edgeTo struct {
	other UserID
	edge  Edge
}

func byOther(a, b edgeTo) int { return cmp.Compare(a.other, b.other) }

// to returns the edge to a user, if it is known.
func (k knownEdges) to(other UserID) (Edge, bool) {
	i, known := slices.BinarySearchFunc(k, edgeTo{other: other}, byOther)
	if !known {
		return Edge{}, false
	}
	return k[i].edge, true
}

// with returns a copy that has some more, to users to whom none was known; those alone when
// they would be too many.
func (k knownEdges) with(others []UserID, edges []Edge) knownEdges {
	if len(k)+len(others) > knowMax {
		k = nil
	}
	all := append(make(knownEdges, 0, len(k)+len(others)), k...)
	for i, other := range others {
		all = append(all, edgeTo{other, edges[i]})
	}
	slices.SortFunc(all, byOther)
	return slices.CompactFunc(all, func(a, b edgeTo) bool { return a.other == b.other })
}

// grown returns a copy of m with the new values; of those alone when it would be too large.
func grown[K comparable, V any](m map[K]V, keys []K, values []V) map[K]V {
	if len(m)+len(keys) > knowMax {
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
