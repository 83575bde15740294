package feedtest

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/delta"
)

// reading is a device of a viewer.
type reading struct {
	viewer feed.UserID
	device string
}

// readPlace is the last position of a device, with the reference feed at that moment.
type readPlace struct {
	feed.ReadPosition
	feed []feed.Key
}

func devices() []string { return []string{"", "phone"} }

// positions returns what a process does with read positions.
func (m *syncHistory) positions(t *rapid.T) *delta.Positions {
	return &delta.Positions{Store: m.s.ReadPositions, Changes: m.fleet.process(t).reader}
}

// markRead stores where the viewer of a client has stopped reading on a device. Absent users cannot. While a
// transaction commits late, nothing is stored: it may have locked the viewer, and this step would wait for it.
func (m *syncHistory) markRead(t *rapid.T, c *syncClient) {
	if m.s.committing || !c.open || c.of != feed.HomeAuthors || c.filter != (feed.Filter{}) || len(c.entries) == 0 {
		return
	}
	by := reading{c.viewer, drawn(t, "device", devices())}
	entry := c.entries[drawn(t, "entry", slices.Sorted(maps.Keys(c.entries)))]
	cursor := feed.Cursor{Kind: feed.FeedHome, Key: entry.key}.String()
	read, err := m.positions(t).Mark(m.ctx, by.viewer, by.device, feed.ReadPosition{Cursor: cursor, SyncToken: c.token})
	if !m.allowed(t, err) {
		return
	}
	failIf(t, read.At <= m.read[by].At, "user %d has read at %d, before that at %d", by.viewer, read.At, m.read[by].At)
	m.read[by] = readPlace{*read, m.feedOf(by.viewer, feed.Filter{})}
}

// markSome marks what a client has read.
func (m *syncHistory) markSome(t *rapid.T) {
	if c, any := m.fleet.client(t); any {
		m.markRead(t, c)
	}
}

// readOnFromRest marks what clients have read, and compares after a few changes: most positions of a
// history end in a reset.
func (m *syncHistory) readOnFromRest(t *rapid.T) {
	for _, c := range m.fleet.clients {
		m.markRead(t, c)
	}
	changes := m.interrupts()
	names := slices.Sorted(maps.Keys(changes))
	for range rapid.IntRange(1, 5).Draw(t, "changes since the marks") {
		changes[drawn(t, "change", names)](t)
	}
	check(m.s.Rest(m.ctx))
	m.fleet.settleLog()
	m.comparePositions(t)
}

// comparePositions compares positions with the last that were stored, and what is unread with all changes
// since and with the reference feed, when nothing is pending.
func (m *syncHistory) comparePositions(t *rapid.T) {
	for _, viewer := range m.users {
		for _, device := range devices() {
			p, want := m.positions(t), m.read[reading{viewer, device}]
			read := must(p.Of(m.ctx, viewer, device))
			if read == nil {
				read = &feed.ReadPosition{}
			}
			failIf(t, *read != want.ReadPosition, "user %d has read %+v on %q, want %+v", viewer, *read, device, want.ReadPosition)
			if read.At > 0 {
				m.compareUnread(t, p, viewer, want)
			}
		}
	}
}

func (m *syncHistory) compareUnread(t *rapid.T, p *delta.Positions, viewer feed.UserID, since readPlace) {
	var added []feed.Key
	n, known, err := p.Unread(m.ctx, viewer, &since.ReadPosition)
	check(err)
	page := must(p.Changes.Changes(m.ctx, viewer, feed.HomeChangeQuery{Since: since.SyncToken, First: new(m.s.Policy.PageMax)}))
	for _, c := range page.Changes {
		if c.Kind == feed.HomeAdded && c.Entry.Post.Author != viewer {
			added = append(added, c.Entry.Post.Key())
		}
	}
	failIf(t, known == page.Resets() || known && n != min(len(added), m.s.Policy.CountMax),
		"%d posts are unread by user %d, known %t; the changes add %v, reset %t", n, viewer, known, added, page.Resets())
	if !known {
		return
	}
	m.reported.unread[n]++
	own := func(k feed.Key) bool {
		return slices.ContainsFunc(m.posts, func(p storedPost) bool { return p.key == k && p.author == viewer })
	}
	all := m.feedOf(viewer, feed.Filter{})
	missed := without(slices.DeleteFunc(without(all, since.feed), own), added)
	failIf(t, len(missed) > 0 || len(without(added, all)) > 0,
		"the changes since user %d has read add %v; the reference feed is %v, and was %v", viewer, added, all, since.feed)
}
