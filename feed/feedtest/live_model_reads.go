package feedtest

import (
	"context"
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// liveScroll is an unfinished scroll. Other steps run between its pages.
type liveScroll struct {
	viewer feed.UserID
	size   int
	// host is set for the list of one host.
	host feed.UserID
	// rows are the rows when the scroll began.
	rows []liveRow
	// next is the cursor of the next page and at is its entry. They are empty and nil before the
	// first page.
	next string
	at   *liveRow
}

// liveRow is a session as of the start of a scroll.
type liveRow struct {
	live.Position
	host feed.UserID
	// edge is the number of the viewer's follow of the host.
	edge int
}

// shownLive is the part of a page's entry that the test compares.
type shownLive struct {
	id         live.ID
	state, now live.State
}

// rowsOf returns the rows of a scroll that begins now.
func (m *liveHistory) rowsOf(viewer, host feed.UserID) []liveRow {
	var rows []liveRow
	for _, s := range m.sessions {
		edge := m.edges[[2]feed.UserID{viewer, s.Host}]
		isIn := host == s.Host
		if host == 0 {
			isIn = s.Host == viewer || edge != 0
		}
		if isIn && s.State != live.Cancelled {
			rows = append(rows, liveRow{s.Position(), s.Host, edge})
		}
	}
	slices.SortFunc(rows, func(a, b liveRow) int { return a.Compare(b.Position) })
	return rows
}

// shows reports whether the scroll may still show a row.
func (m *liveHistory) shows(t *rapid.T, s *liveScroll, r liveRow) bool {
	if slices.Contains(m.deleted, r.host) || m.absent[r.host] {
		return false
	}
	edges := must(m.s.Backend.Relations.Edges(m.ctx, s.viewer, []feed.UserID{r.host}))
	switch {
	case m.now(r.ID).State == live.Cancelled:
		return false
	case r.host == s.viewer:
		return true
	case s.host != 0:
		return edges[0].Visible()
	}
	return m.edges[[2]feed.UserID{s.viewer, r.host}] == r.edge && edges[0].Visible() && !edges[0].Mutes
}

func (m *liveHistory) now(id live.ID) *live.Session {
	i := slices.IndexFunc(m.sessions, func(s *live.Session) bool { return s.ID == id })
	return m.sessions[i]
}

// expected returns the rows and the two flags of the scroll's next page.
func (m *liveHistory) expected(t *rapid.T, s *liveScroll) (rows []liveRow, hasNext, hasPrevious bool) {
	for _, r := range s.rows {
		switch {
		case !m.shows(t, s, r):
		case s.at != nil && r.Compare(s.at.Position) <= 0:
			hasPrevious = true
		case len(rows) == s.size:
			return rows, true, hasPrevious
		default:
			rows = append(rows, r)
		}
	}
	return rows, false, hasPrevious
}

func (m *liveHistory) beginScroll(t *rapid.T) {
	s := &liveScroll{viewer: m.someone(t), size: rapid.IntRange(1, 4).Draw(t, "page size")}
	s.rows = m.rowsOf(s.viewer, 0)
	m.scrolls = append(m.scrolls, s)
	m.read(t, s)
}

// readHost begins a scroll through the sessions of one host.
func (m *liveHistory) readHost(t *rapid.T) {
	s := &liveScroll{viewer: m.someone(t), host: m.someone(t), size: rapid.IntRange(1, 4).Draw(t, "page size")}
	s.rows = m.rowsOf(s.viewer, s.host)
	m.scrolls = append(m.scrolls, s)
	m.read(t, s)
}

func (m *liveHistory) readNextPage(t *rapid.T) {
	if len(m.scrolls) > 0 {
		m.read(t, drawn(t, "scroll", m.scrolls))
	}
}

// finishScrolls reads every open scroll to its end.
func (m *liveHistory) finishScrolls(t *rapid.T) {
	for len(m.scrolls) > 0 {
		m.read(t, m.scrolls[0])
	}
}

// read reads the next page of a scroll and checks it. A task may run between the read's steps.
func (m *liveHistory) read(t *rapid.T, s *liveScroll) {
	want, hasNext, hasPrevious := m.expected(t, s)
	over := m.s.At(rapid.IntRange(0, 12).Draw(t, "a task before call"), func() { m.runTask(t) })
	page := m.page(t, s)
	over()
	var got []shownLive
	for _, e := range page.Entries {
		got = append(got, shownLive{e.Session.ID, e.State, e.Session.State})
	}
	var wanted []shownLive
	for _, r := range want {
		wanted = append(wanted, shownLive{r.ID, r.State, m.now(r.ID).State})
	}
	failIf(t, !slices.Equal(got, wanted), "viewer %d (host %d) got page %v, want %v", s.viewer, s.host, got, wanted)
	failIf(t, page.HasNext != hasNext || page.HasPrevious != hasPrevious,
		"page flags: next %t, previous %t; want next %t, previous %t", page.HasNext, page.HasPrevious, hasNext, hasPrevious)
	m.advanceScroll(s, page, want)
}

// advanceScroll moves the scroll to the following page or ends it.
func (m *liveHistory) advanceScroll(s *liveScroll, page *live.Page, rows []liveRow) {
	if !page.HasNext {
		m.scrolls = slices.DeleteFunc(m.scrolls, func(other *liveScroll) bool { return other == s })
		return
	}
	s.next, s.at = page.Entries[len(rows)-1].Cursor, &rows[len(rows)-1]
}

func (m *liveHistory) page(t *rapid.T, s *liveScroll) *live.Page {
	q := live.Query{First: &s.size, After: s.next, LookBack: true}
	lists := drawn(t, "process", m.processes)
	read := lists.Page
	if s.host != 0 {
		read = func(ctx context.Context, viewer feed.UserID, q live.Query) (*live.Page, error) {
			return lists.OfHost(ctx, viewer, s.host, q)
		}
	}
	return must(read(m.ctx, s.viewer, q))
}
