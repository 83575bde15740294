package live

import (
	"slices"
	"time"
	"unsafe"

	"github.com/tideline-feeds/tideline/feed"
)

// CachedFeed is the beginning of one viewer's live feed. It is immutable once cached.
// It was read after a [FeedVersion] with its generation, relations version and absences. It is valid
// for a reader who finds the same three, if no host it includes has had a transition after its number.
type CachedFeed struct {
	moment  Moment
	version int64
	// absences is from the [FeedVersion].
	absences int64
	// snapshot is the name of the snapshot of the scroll that read it.
	snapshot uint64
	// sources are the viewer and their followees.
	sources []feed.UserID
	// entries is the beginning of the feed. whole says that it is all of it.
	entries []shown
	whole   bool
}

// fits reports whether c has the generation, relations version and absences of v and is young enough.
func (c *CachedFeed) fits(v FeedVersion, oldest time.Duration) bool {
	age := v.At - c.moment.At
	return c.moment.Generation == v.Generation && c.version == v.Version && c.absences == v.Absences &&
		age >= 0 && age <= oldest.Milliseconds()
}

// start begins a scroll. The moment advances in seconds, so reads within one get identical pages.
func (c *CachedFeed) start(now int64) Cursor {
	const step = 1000
	begin := Cursor{List: ListFeed, Moment: c.moment, Version: c.version, Snapshot: c.snapshot}
	begin.Moment.At += (now - c.moment.At) / step * step
	return begin
}

// behind returns up to want entries after a position; false if they are not all cached.
func (c *CachedFeed) behind(at Position, want int) ([]shown, bool) {
	rest, ok := c.after(at)
	if !ok || len(rest) < want && !c.whole {
		return nil, false
	}
	return slices.Clone(rest[:min(want, len(rest))]), true
}

func (c *CachedFeed) after(at Position) ([]shown, bool) {
	i := firstAfter(c.entries, at)
	return c.entries[i:], i < len(c.entries) || i > 0 && c.entries[i-1].Position == at || c.whole || at == (Position{})
}

// with returns c extended by the want or fewer entries found at a position, or nil for no change.
func (c *CachedFeed) with(at Position, found []shown, want, most int) *CachedFeed {
	rest, ok := c.after(at)
	before := c.entries[:len(c.entries)-len(rest)]
	if !ok || c.whole || len(found) <= len(rest) && len(found) == want || len(before)+len(found) > most {
		return nil
	}
	more := *c
	more.entries, more.whole = slices.Concat(before, found), len(found) < want
	return &more
}

// Bytes estimates the memory of c, sessions included.
func (c *CachedFeed) Bytes() int64 {
	const itself = int64(unsafe.Sizeof(CachedFeed{}))
	n := itself + int64(len(c.sources))*int64(unsafe.Sizeof(feed.UserID(0)))
	for _, e := range c.entries {
		n += int64(unsafe.Sizeof(e)+unsafe.Sizeof(*e.session)) + int64(len(e.session.Title)+len(e.session.ReplayURL))
	}
	return n
}
