package feedtest

import (
	"context"
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

func newLiveClient(t *rapid.T, viewer feed.UserID) *liveClient {
	return &liveClient{clientState: clientState{viewer: viewer, size: rapid.IntRange(1, 6).Draw(t, "page size")}}
}

func (m *liveSyncHistory) readFirst(t *rapid.T, c *liveClient) {
	page := must(m.fleet.process(t).feed.Page(m.ctx, c.viewer, live.Query{First: &c.size}))
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

// readNext reads the next page, from any process.
func (m *liveSyncHistory) readNext(t *rapid.T, c *liveClient) {
	page := must(m.fleet.process(t).feed.Page(m.ctx, c.viewer, live.Query{First: &c.size, After: c.next}))
	if page.SyncToken != "" {
		t.Fatal("a later page has a sync token")
	}
	c.take(page)
}

func (m *liveSyncHistory) readSome(t *rapid.T, c *liveClient) (more bool) {
	q := live.ChangeQuery{Since: c.token}
	n := rapid.IntRange(0, 4).Draw(t, "first")
	if n > 0 {
		q.First = &n
	}
	page := must(m.fleet.process(t).reader.Changes(m.ctx, c.viewer, q))
	failIf(t, n > 0 && len(page.Changes) > n, "got %d changes, asked for %d", len(page.Changes), n)
	m.apply(c, page)
	return page.HasMore && c.open
}

func (m *liveSyncHistory) apply(c *liveClient, page *live.ChangePage) {
	applied(page, c, func(change live.Change) {
		m.reported[change.Kind]++
		switch change.Kind {
		case feed.HomeReset:
		case feed.HomeRemoved:
			delete(c.sessions, change.ID)
		case feed.HomeAdded, feed.HomeChanged:
			c.sessions[change.ID] = heldLive(change.Entry)
		}
	})
}

func (m *liveSyncHistory) subscribe(t *rapid.T, p *liveSyncProcess, c *liveClient) *clientSubscription {
	sub := must(p.subscriptions.SubscribeLive(m.ctx, c.viewer, c.token))
	return clientSubscriptionOf(m.ctx, m.must, sub, func(page *live.ChangePage) { m.apply(c, page) })
}

// laggingSessions caches sessions until they are evicted.
type laggingSessions struct {
	sessions  pausedSessions
	kept      map[live.ID]*live.Session
	evictions int
}

// Sessions implements [live.SessionReader].
func (c *laggingSessions) Sessions(ctx context.Context, ids []live.ID) ([]*live.Session, error) {
	before := c.evictions
	return viaCache(ids, c.kept, func(missing []live.ID) ([]*live.Session, bool, error) {
		found, err := c.sessions.Sessions(ctx, missing)
		return found, c.evictions == before, err
	})
}

// Evict implements [feed.Evictor].
func (c *laggingSessions) Evict(posts []feed.PostID, users []feed.UserID) {
	c.evictions++
	for id, s := range c.kept {
		if slices.Contains(posts, feed.ReplayRef(int64(id))) || slices.Contains(users, s.Host) {
			delete(c.kept, id)
		}
	}
}

// Purge implements [changes.Cache].
func (c *laggingSessions) Purge() {
	c.evictions++
	clear(c.kept)
}

// pausedSessions calls [Service.BeforeCall] before every read.
type pausedSessions struct {
	allSessions
	s *Service
}

type allSessions = live.Sessions

func (p pausedSessions) Sessions(ctx context.Context, ids []live.ID) ([]*live.Session, error) {
	return afterPause(p.s, p.allSessions).Sessions(ctx, ids)
}

func (p pausedSessions) OfHost(ctx context.Context, host feed.UserID, below feed.Key, limit int) ([]live.HostSession, error) {
	return afterPause(p.s, p.allSessions).OfHost(ctx, host, below, limit)
}
