package feedtest

import (
	"context"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

func (m *liveSyncHistory) process(t *rapid.T) *liveSyncProcess { return drawn(t, "process", m.synced) }

func (m *liveSyncHistory) client(t *rapid.T) (*liveClient, bool) {
	if len(m.clients) == 0 {
		return nil, false
	}
	return drawn(t, "client", m.clients), true
}

func (m *liveSyncHistory) openClient(t *rapid.T) {
	c := &liveClient{viewer: m.someone(t), size: rapid.IntRange(1, 6).Draw(t, "page size")}
	if len(m.clients) < 3 {
		m.clients = append(m.clients, c)
	} else {
		i := rapid.IntRange(0, 2).Draw(t, "in place of")
		m.clients[i].unsubscribe()
		m.clients[i] = c
	}
	m.readFirst(t, c)
}

func (m *liveSyncHistory) readFirst(t *rapid.T, c *liveClient) {
	page, err := m.process(t).feed.Page(m.ctx, c.viewer, live.Query{First: &c.size})
	m.must(t, err)
	c.open, c.token, c.sessions = true, page.SyncToken, map[live.ID]heldSession{}
	c.take(page)
}

// take puts the entries of a page that the client does not hold.
func (c *liveClient) take(page *live.Page) {
	c.next = ""
	for _, e := range page.Entries {
		s := heldLive(e)
		if _, held := c.sessions[e.Session.ID]; !held {
			c.sessions[e.Session.ID] = s
		}
		c.last = s.at
		if page.HasNext {
			c.next = e.Cursor
		}
	}
}

// readOn reads the next page, from any process.
func (m *liveSyncHistory) readOn(t *rapid.T) {
	c, any := m.client(t)
	if !any || !c.open || c.next == "" {
		return
	}
	page, err := m.process(t).feed.Page(m.ctx, c.viewer, live.Query{First: &c.size, After: c.next})
	m.must(t, err)
	if page.SyncToken != "" {
		t.Fatal("a later page has a sync token")
	}
	c.take(page)
}

// readChanges reads a page of changes, or all of them.
func (m *liveSyncHistory) readChanges(t *rapid.T) {
	c, any := m.client(t)
	switch {
	case !any:
	case !c.open:
		m.readFirst(t, c)
	case c.sub != nil:
	case rapid.Bool().Draw(t, "all"):
		m.readAll(t, c)
	default:
		m.readSome(t, c)
	}
}

// readAll reads or receives all changes, and ends early after a reset.
func (m *liveSyncHistory) readAll(t *rapid.T, c *liveClient) {
	for more := c.open; more; {
		if c.sub != nil {
			more = m.receiveSome(t, c)
		} else {
			more = m.readSome(t, c)
		}
	}
}

func (m *liveSyncHistory) readSome(t *rapid.T, c *liveClient) (more bool) {
	q := live.ChangeQuery{Since: c.token}
	if n := rapid.IntRange(0, 4).Draw(t, "first"); n > 0 {
		q.First = &n
	}
	page, err := m.process(t).reader.Changes(m.ctx, c.viewer, q)
	m.must(t, err)
	if q.First != nil && len(page.Changes) > *q.First {
		t.Fatalf("got %d changes, asked for %d", len(page.Changes), *q.First)
	}
	m.apply(c, page)
	return page.HasMore && c.open
}

func (m *liveSyncHistory) apply(c *liveClient, page *live.ChangePage) {
	c.token = page.Token.String()
	for _, change := range page.Changes {
		m.reported[change.Kind]++
		switch change.Kind {
		case feed.HomeReset:
			c.open = false
			c.unsubscribe()
		case feed.HomeRemoved:
			delete(c.sessions, change.ID)
		case feed.HomeAdded, feed.HomeChanged:
			c.sessions[change.ID] = heldLive(change.Entry)
		}
	}
}

// subscribe lets a client receive changes from a process instead of reading them.
func (m *liveSyncHistory) subscribe(t *rapid.T) {
	c, any := m.client(t)
	if !any || !c.open || c.sub != nil {
		return
	}
	var err error
	c.sub, err = m.process(t).subscriptions.SubscribeLive(m.ctx, c.viewer, c.token)
	m.must(t, err)
}

func (m *liveSyncHistory) disconnect(t *rapid.T) {
	if c, any := m.client(t); any {
		c.unsubscribe()
	}
}

func (c *liveClient) unsubscribe() {
	if c.sub != nil {
		c.sub.Close()
		c.sub = nil
	}
}

// receive lets a subscriber receive some of what waits, or all.
func (m *liveSyncHistory) receive(t *rapid.T) {
	c, any := m.client(t)
	if !any || c.sub == nil {
		return
	}
	all := rapid.Bool().Draw(t, "all")
	for more := true; more && c.sub != nil; more = more && all {
		more = m.receiveSome(t, c)
	}
}

// receiveSome receives a page and reports whether there may be more.
func (m *liveSyncHistory) receiveSome(t *rapid.T, c *liveClient) (more bool) {
	page, err := c.sub.Poll(m.ctx)
	m.must(t, err)
	if page != nil {
		m.apply(c, page)
	}
	return page != nil && c.open
}

// pausedSessions calls [Service.BeforeCall] before every read.
type pausedSessions struct {
	allSessions
	s *Service
}

type allSessions = live.Sessions

func (p pausedSessions) Sessions(ctx context.Context, ids []live.ID) ([]*live.Session, error) {
	p.s.pause()
	return p.allSessions.Sessions(ctx, ids)
}

func (p pausedSessions) OfHost(ctx context.Context, host feed.UserID, below feed.Key, limit int) ([]live.HostSession, error) {
	p.s.pause()
	return p.allSessions.OfHost(ctx, host, below, limit)
}
