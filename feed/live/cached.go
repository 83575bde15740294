package live

import (
	"slices"
	"time"
	"unsafe"

	"github.com/tideline-feeds/tideline/feed"
)

// Known is what a process knows of one viewer's live feed: how it begins, as of a number
// and a version of his relations. It is never changed once it is kept.
//
// It was read after a [Standing], of which it has the generation and the version. It holds
// for whoever finds these again and, of those whom he follows, no transition after the
// number: what the feed shows changes with nothing else. What was read after the first
// standing is then what would be read behind the second, or, if something was committed
// behind both, newer.
type CachedFeed struct {
	moment  Moment
	version int64
	// snapshot names that of the scroll that found all this out.
	snapshot uint64
	// sources are the viewer and those he follows.
	sources []feed.UserID
	// entries is the beginning of the feed, and whole says that it is all of it.
	entries []shown
	whole   bool
}

// fits says whether k is of the generation and the version of a standing, and at most as old
// as given.
func (k *CachedFeed) fits(s FeedVersion, oldest time.Duration) bool {
	age := s.At - k.moment.At
	return k.moment.Generation == s.Generation && k.version == s.Version &&
		age >= 0 && age <= oldest.Milliseconds()
}

// start returns a cursor of a scroll that begins at the given time. Its moment is told in
// whole seconds from when k was read on, so that who reads again at once gets, to the byte,
// the same page: the feed has shown the same all along.
func (k *CachedFeed) start(now int64) cursor {
	const step = 1000
	c := cursor{list: listFeed, moment: k.moment, version: k.version, snapshot: k.snapshot}
	c.moment.At += (now - k.moment.At) / step * step
	return c
}

// behind returns up to want entries behind a position, and false when that cannot be told
// from what is known.
func (k *CachedFeed) behind(at Position, want int) ([]shown, bool) {
	rest, ok := k.after(at)
	if !ok || len(rest) < want && !k.whole {
		return nil, false
	}
	return slices.Clone(rest[:min(want, len(rest))]), true
}

// after returns the entries that are known behind a position, and false when there may be
// unknown ones before these.
func (k *CachedFeed) after(at Position) ([]shown, bool) {
	i, _ := slices.BinarySearchFunc(k.entries, at, func(e shown, at Position) int {
		if e.Compare(at) <= 0 {
			return -1
		}
		return 1
	})
	return k.entries[i:], i < len(k.entries) || i > 0 && k.entries[i-1].Position == at || k.whole || at == (Position{})
}

// with returns k with what was found when want entries behind a position were read; nil
// when that adds nothing to it, or makes it more than most entries.
func (k *CachedFeed) with(at Position, found []shown, want, most int) *CachedFeed {
	rest, ok := k.after(at)
	before := k.entries[:len(k.entries)-len(rest)]
	if !ok || k.whole || len(found) <= len(rest) && len(found) == want || len(before)+len(found) > most {
		return nil
	}
	more := *k
	more.entries, more.whole = slices.Concat(before, found), len(found) < want
	return &more
}

// Bytes estimates what k takes in memory, with the sessions that it shows.
func (k *CachedFeed) Bytes() int64 {
	const itself = int64(unsafe.Sizeof(CachedFeed{}))
	n := itself + int64(len(k.sources))*int64(unsafe.Sizeof(feed.UserID(0)))
	for _, e := range k.entries {
		n += int64(unsafe.Sizeof(e)+unsafe.Sizeof(*e.session)) + int64(len(e.session.Title)+len(e.session.ReplayURL))
	}
	return n
}
