package feedtest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// rest completes all pending work and compares every home feed with the reference query, during a
// bulk load, if there is one, and after it. It
// compares once with the inboxes of the history, and again after the builds that these reads
// enqueue. At last all absent users return, which needs no further work.
func (m *history) rest(t *rapid.T) {
	for m.scroll != nil {
		m.readNextPage(t)
		m.updateScroll(t)
	}
	check(m.s.Rest(m.ctx))
	if version, err := m.s.Relations.ViewerVersion(m.ctx, 0); err != nil || version.Loading {
		check(err)
		for _, viewer := range m.users {
			m.compareScrolls(t, viewer, nil)
		}
		m.endLoad(t)
	}
	for _, viewer := range m.users {
		m.compareScrolls(t, viewer, m.drawnKinds(t))
	}
	check(m.s.Rest(m.ctx))
	for _, viewer := range m.users {
		m.compareScrolls(t, viewer, nil)
		m.compareScrolls(t, viewer, m.drawnKinds(t))
		m.compareCursors(t, viewer, m.drawnKinds(t))
		m.compareSources(t, viewer)
		m.explainAtRest(t, viewer)
	}
	check(m.s.Presence.SetAbsent(m.ctx, m.users, false))
	clear(m.facts.absent)
	for _, viewer := range m.users {
		m.compareScrolls(t, viewer, nil)
	}
}

// drawnKinds draws a filter of kinds. None means all kinds.
func (m *history) drawnKinds(t *rapid.T) feed.Kinds {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(feed.AllKinds()), 0, 2, rapid.ID).Draw(t, "kinds")
}

// sizes returns the page sizes for the comparison.
func (m *history) sizes(t *rapid.T) []int {
	sizes := []int{1, 2, 3, 7, 100}
	if m.thorough {
		return sizes
	}
	return []int{drawn(t, "page size", sizes)}
}

// compareScrolls reads a feed in pages, in both directions.
func (m *history) compareScrolls(t *rapid.T, viewer feed.UserID, kinds feed.Kinds) {
	want := m.feedOf(t, viewer, kinds)
	for _, n := range m.sizes(t) {
		after := ""
		for from := 0; ; from += n {
			page := m.comparePage(t, viewer, want, from, min(from+n, len(want)),
				feed.PageQuery{First: &n, After: after, Kinds: kinds, LookBack: true})
			if !page.HasNext {
				break
			}
			after = page.Entries[n-1].Cursor
		}
		before := ""
		for to := len(want); ; to -= n {
			page := m.comparePage(t, viewer, want, max(to-n, 0), to,
				feed.PageQuery{Last: &n, Before: before, Kinds: kinds, LookBack: true})
			if !page.HasPrevious {
				break
			}
			before = page.Entries[0].Cursor
		}
	}
}

// comparePage reads a page. It must equal want[from:to] and have correct flags for both sides.
func (m *history) comparePage(t *rapid.T, viewer feed.UserID, want []feed.Key, from, to int, q feed.PageQuery) homePage {
	page := m.page(t, viewer, q)
	newer, older := from > 0, to < len(want)
	if !slices.Equal(page.keys, want[from:to]) || page.HasNext != older || page.HasPrevious != newer {
		t.Fatalf("at rest, user %d got %v from %s, newer %t, older %t;\nwant %v, newer %t, older %t;\nthe reference feed is %v",
			viewer, page.keys, page.from, page.HasPrevious, page.HasNext, want[from:to], newer, older, want)
	}
	return page
}

// compareCursors reads a page in both directions from the position of every post and counts the
// newer entries. The post need not be in the feed.
func (m *history) compareCursors(t *rapid.T, viewer feed.UserID, kinds feed.Kinds) {
	want := m.feedOf(t, viewer, kinds)
	posts := m.posts
	if !m.thorough && len(posts) > 0 {
		posts = []storedPost{drawn(t, "cursor", posts)}
	}
	n := rapid.IntRange(0, 4).Draw(t, "page size")
	for _, c := range posts {
		cursor := feed.Cursor{Kind: feed.FeedHome, Key: c.key}.String()
		// Neither page contains the post itself.
		above := indexFunc(want, func(k feed.Key) bool { return !k.Newer(c.key) })
		below := indexFunc(want, c.key.Newer)
		m.comparePage(t, viewer, want, below, min(below+n, len(want)),
			feed.PageQuery{First: &n, After: cursor, Kinds: kinds, LookBack: true})
		m.comparePage(t, viewer, want, max(above-n, 0), above,
			feed.PageQuery{Last: &n, Before: cursor, Kinds: kinds, LookBack: true})
		got := must(m.s.Timeline.NewCount(m.ctx, viewer, cursor, kinds))
		failIf(t, got != min(above, m.s.Policy.CountMax),
			"user %d got %d as the number of new entries since %v; the reference feed is %v", viewer, got, c.key, want)
	}
}

// indexFunc is slices.IndexFunc, but returns the length if no key matches.
func indexFunc(keys []feed.Key, is func(feed.Key) bool) int {
	if i := slices.IndexFunc(keys, is); i >= 0 {
		return i
	}
	return len(keys)
}

// compareSources checks that reads use the inbox. The top of a feed comes from it, and so does the
// whole feed if the inbox is complete.
func (m *history) compareSources(t *rapid.T, viewer feed.UserID) {
	page := m.page(t, viewer, feed.PageQuery{First: new(1)})
	inbox := must(m.s.Inboxes.Read(m.ctx, viewer, feed.Range{Below: feed.Top, Limit: 1}))
	failIf(t, page.from == feed.SourceReference, "user %d got a page from the reference query, although the inbox is %+v", viewer, inbox)
	whole := m.wholeFeed(t, viewer)
	failIf(t, inbox.Floor == feed.Bottom && whole.from != feed.SourceInbox,
		"user %d got the feed from %s, although the inbox is complete: %+v", viewer, whole.from, inbox)
	if inbox.Count > 0 {
		m.read[page.from]++
	}
}
