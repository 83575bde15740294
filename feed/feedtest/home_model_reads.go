package feedtest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// readHome reads a home feed and checks the invariants of every read.
func (m *history) readHome(t *rapid.T, viewer feed.UserID) {
	page, whole := m.whole(t, viewer), m.feedOf(t, viewer, nil)
	m.within(t, viewer, page, whole)
	m.holds(t, viewer, page, m.owing(viewer, whole))
	// While a task is half done, a read may show posts that the task has not processed and a push
	// has yet to add. It gets them by a pull or from the reference query. Other shown posts must
	// stay.
	if !m.inTask {
		m.owe(viewer, page.keys)
	}
}

func (m *history) owe(viewer feed.UserID, keys []feed.Key) {
	for _, k := range keys {
		m.owed[viewer][k] = max(m.owed[viewer][k], owedAsShown)
	}
}

// owing returns the keys of whole that the viewer's home feed must have: their own posts and the
// owed posts.
func (m *history) owing(viewer feed.UserID, whole []feed.Key) []feed.Key {
	own := map[feed.Key]bool{}
	for _, c := range m.contents {
		own[c.key] = c.author == viewer
	}
	return slices.DeleteFunc(slices.Clone(whole), func(k feed.Key) bool { return !own[k] && m.owed[viewer][k] == owedNot })
}

// within fails unless a page is in feed order and has only these keys.
func (m *history) within(t *rapid.T, viewer feed.UserID, page homePage, keys []feed.Key) {
	t.Helper()
	if !isDescending(page.keys) {
		t.Fatalf("user %d reads %v, which is not in feed order", viewer, page.keys)
	}
	if extra := without(page.keys, keys); len(extra) > 0 {
		t.Fatalf("user %d sees %v from %s, but must not", viewer, extra, page.from)
	}
}

// holds fails unless a page has all of these keys.
func (m *history) holds(t *rapid.T, viewer feed.UserID, page homePage, keys []feed.Key) {
	if lost := without(keys, page.keys); len(lost) > 0 {
		t.Helper()
		t.Fatalf("user %d does not see %v from %s, only %v", viewer, lost, page.from, page.keys)
	}
}

// readDisturbed runs another step during a read. The page must have the posts that were visible
// both before and after. It must not have posts that were visible at neither time.
func (m *history) readDisturbed(t *rapid.T) {
	viewer := m.someone(t)
	m.readHome(t, viewer)
	before := m.feedOf(t, viewer, nil)
	owing := m.owing(viewer, before)
	happened := m.disturb(t, 8)
	page := m.whole(t, viewer)
	happened()
	after := m.feedOf(t, viewer, nil)
	m.within(t, viewer, page, slices.Concat(before, after))
	m.holds(t, viewer, page, slices.DeleteFunc(owing, func(k feed.Key) bool { return !slices.Contains(after, k) }))
}

// readWithoutInboxes reads a home feed while the inboxes are down. The reference query must serve
// it.
func (m *history) readWithoutInboxes(t *rapid.T) {
	viewer := m.someone(t)
	m.s.Flaky.Down = true
	page := m.whole(t, viewer)
	m.s.Flaky.Down = false
	if want := m.feedOf(t, viewer, nil); !slices.Equal(page.keys, want) || page.from != feed.SourceReference {
		t.Fatalf("user %d reads %v from %s, want %v", viewer, page.keys, page.from, want)
	}
}

// openScroll is an unfinished scroll. Other steps run between its pages.
type openScroll struct {
	viewer feed.UserID
	size   int
	// up means that the scroll goes from the oldest entries to the newest.
	up bool
	// seen are the shown entries, in the order of the scroll.
	seen []feed.Key
	next string
	// due are the entries that existed when the scroll began and have been visible all the time
	// since.
	due []feed.Key
}

// query returns the query for the next page.
func (s *openScroll) query() feed.PageQuery {
	if s.up {
		return feed.PageQuery{Last: &s.size, Before: s.next}
	}
	return feed.PageQuery{First: &s.size, After: s.next}
}

// take adds a page and reports whether more pages follow.
func (s *openScroll) take(page homePage) (more bool) {
	more = page.HasNext
	keys := slices.Clone(page.keys)
	if s.up {
		slices.Reverse(keys)
		more = page.HasPrevious
	}
	s.seen = append(s.seen, keys...)
	if n := len(page.Entries); n > 0 {
		s.next = page.Entries[n-1].Cursor
		if s.up {
			s.next = page.Entries[0].Cursor
		}
	}
	return more
}

// goOnScrolling reads the next page of the open scroll, or begins a scroll.
func (m *history) goOnScrolling(t *rapid.T) {
	if m.scroll == nil {
		m.beginScroll(t)
		return
	}
	m.turnPage(t)
}

func (m *history) turnPage(t *rapid.T) {
	s := m.scroll
	page := m.page(t, s.viewer, s.query())
	more := s.take(page)
	if more && len(page.keys) != s.size {
		t.Fatalf("user %d reads a page of %d entries instead of %d, and more follow", s.viewer, len(page.keys), s.size)
	}
	inOrder := slices.Clone(s.seen)
	if s.up {
		slices.Reverse(inOrder)
	}
	if !isDescending(inOrder) {
		t.Fatalf("user %d scrolls through %v, which is not in feed order", s.viewer, s.seen)
	}
	if more {
		return
	}
	m.scroll = nil
	if lost := without(s.due, s.seen); len(lost) > 0 {
		t.Fatalf("user %d scrolls past %v, which existed when the scroll began, and sees %v", s.viewer, lost, s.seen)
	}
}

// beginScroll reads the first page of a scroll. A second scroll then reads all other pages at once,
// to find the entries that are due.
func (m *history) beginScroll(t *rapid.T) {
	s := openScroll{
		viewer: m.someone(t),
		size:   rapid.IntRange(1, 3).Draw(t, "page size"),
		up:     rapid.Bool().Draw(t, "up"),
	}
	if !s.take(m.page(t, s.viewer, s.query())) {
		return
	}
	rest := s
	rest.seen = slices.Clone(s.seen)
	for rest.take(m.page(t, s.viewer, rest.query())) {
	}
	s.due = rest.seen
	m.scroll = &s
}

// keepScroll removes posts that are no longer visible from the due entries of the open scroll.
func (m *history) keepScroll(t *rapid.T) {
	if s := m.scroll; s != nil {
		whole := m.feedOf(t, s.viewer, nil)
		s.due = slices.DeleteFunc(s.due, func(k feed.Key) bool { return !slices.Contains(whole, k) })
	}
}
