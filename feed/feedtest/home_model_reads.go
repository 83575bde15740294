package feedtest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// readHome reads a home feed and checks what must hold at any time.
func (m *history) readHome(t *rapid.T, viewer feed.UserID) {
	page, whole := m.whole(t, viewer), m.feedOf(t, viewer, nil)
	m.within(t, viewer, page, whole)
	m.holds(t, viewer, page, m.owing(viewer, whole))
	// While a task is half done, a read may pull, or take from the reference query, what
	// the task has not seen and will cover, and what a push has yet to bring. Everything
	// else that is shown once stays.
	if !m.inTask {
		m.owe(viewer, page.keys)
	}
}

func (m *history) owe(viewer feed.UserID, keys []feed.Key) {
	for _, k := range keys {
		m.owed[viewer][k] = max(m.owed[viewer][k], owedAsShown)
	}
}

// owing returns what the viewer's home feed must have of the whole feed: their own posts and the
// owed ones.
func (m *history) owing(viewer feed.UserID, whole []feed.Key) []feed.Key {
	own := map[feed.Key]bool{}
	for _, c := range m.contents {
		own[c.key] = c.author == viewer
	}
	return slices.DeleteFunc(slices.Clone(whole), func(k feed.Key) bool { return !own[k] && m.owed[viewer][k] == owedNot })
}

// within fails unless a page is in feed order and has no other keys.
func (m *history) within(t *rapid.T, viewer feed.UserID, page homePage, keys []feed.Key) {
	t.Helper()
	if !isDescending(page.keys) {
		t.Fatalf("user %d reads %v, which is not in feed order", viewer, page.keys)
	}
	if extra := without(page.keys, keys); len(extra) > 0 {
		t.Fatalf("user %d sees %v from %s, but must not", viewer, extra, page.from)
	}
}

// holds fails unless a page has all of the keys.
func (m *history) holds(t *rapid.T, viewer feed.UserID, page homePage, keys []feed.Key) {
	if lost := without(keys, page.keys); len(lost) > 0 {
		t.Helper()
		t.Fatalf("user %d does not see %v from %s, only %v", viewer, lost, page.from, page.keys)
	}
}

// readDisturbed reads a home feed with another step in between. The result must have what was
// visible before and after, and nothing that was neither.
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

// readWithoutInboxes reads a home feed while no inbox can be reached: it is the
// reference query's.
func (m *history) readWithoutInboxes(t *rapid.T) {
	viewer := m.someone(t)
	m.s.Flaky.Down = true
	page := m.whole(t, viewer)
	m.s.Flaky.Down = false
	if want := m.feedOf(t, viewer, nil); !slices.Equal(page.keys, want) || page.from != feed.SourceReference {
		t.Fatalf("user %d reads %v from %s, want %v", viewer, page.keys, page.from, want)
	}
}

// openScroll is a scroll during which other steps run.
type openScroll struct {
	viewer feed.UserID
	size   int
	// up scrolls from the oldest entries to the newest.
	up bool
	// seen are the entries so far, in the order of the scroll.
	seen []feed.Key
	next string
	// due are the entries that the scroll could have shown when it began, and that
	// could be seen all the time since.
	due []feed.Key
}

// query asks for the scroll's next page.
func (s *openScroll) query() feed.PageQuery {
	if s.up {
		return feed.PageQuery{Last: &s.size, Before: s.next}
	}
	return feed.PageQuery{First: &s.size, After: s.next}
}

// take adds a page and returns whether more follow.
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

// goOnScrolling reads the open scroll's next page, or begins a scroll.
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

// beginScroll reads a scroll's first page, and then the rest of it by another scroll
// that is over before anything else happens: that is what could have been shown.
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

// keepScroll removes posts that are no longer visible from what the open scroll must show.
func (m *history) keepScroll(t *rapid.T) {
	if s := m.scroll; s != nil {
		whole := m.feedOf(t, s.viewer, nil)
		s.due = slices.DeleteFunc(s.due, func(k feed.Key) bool { return !slices.Contains(whole, k) })
	}
}
