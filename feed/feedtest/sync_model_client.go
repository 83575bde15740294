package feedtest

import (
	"errors"
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/subscribe"
)

// syncClient holds a part of a home feed, as docs/clients.md describes it.
type syncClient struct {
	viewer feed.UserID
	kinds  feed.Kinds
	size   int
	// keeps says that the client keeps what changes have named, also below its oldest entry, and
	// prefers it to pages. Its pages may then come from a process that lags behind its token.
	keeps bool
	// open is false until the first page and after a reset.
	open    bool
	entries map[feed.PostID]heldEntry
	named   map[feed.PostID]bool
	token   string
	// next is the cursor of the oldest entry while there is a next page; empty otherwise.
	next   string
	oldest feed.Key
	// began is the place of the first page.
	began feed.ChangePlace
	// sub sends changes after the token; nil for a client that reads them.
	sub *subscribe.Subscription
}

type heldEntry struct {
	key  feed.Key
	text string
}

func heldOf(e feed.Entry) heldEntry { return heldEntry{e.Post.Key(), e.Post.Text} }

// shows reports whether the client shows an entry.
func (c *syncClient) shows(e heldEntry) bool { return c.next == "" || !c.oldest.Newer(e.key) }

// steps returns the steps of a home feed, and those of clients and of the log. Steps that reset all
// clients are rare.
func (m *syncHistory) steps() map[string]step {
	steps := m.history.steps()
	for _, name := range []string{"import", "load", "users", "heartbeat", "settings", "lose an inbox"} {
		whole := steps[name]
		steps[name] = func(t *rapid.T) {
			if rapid.IntRange(0, 9).Draw(t, name+", if zero") == 0 {
				whole(t)
			}
		}
	}
	for name, s := range map[string]step{
		"open a client":              m.openClient,
		"read the next page":         m.readNext,
		"read changes":               m.readChanges,
		"read changes again":         m.readChanges,
		"read changes, interrupted":  m.interrupted(m.readChanges),
		"open a client, interrupted": m.interrupted(m.openClient),
		"read on, interrupted":       m.interrupted(m.readNext),
		"edit a held post":           m.editHeld,
		"edit a held post again":     m.editHeld,
		"ingest":                     m.ingest,
		"ingest again":               m.ingest,
		"number changes":             m.numberSome,
		"number changes again":       m.numberSome,
		"a process catches up":       m.catchUp,
		"delete an account":          m.deleteAccount,
		"purge":                      m.purge,
		"trim or restore":            m.endTokens,
		"subscribe":                  m.subscribe,
		"receive":                    m.receive,
		"receive, interrupted":       m.interrupted(m.receive),
		"disconnect":                 m.disconnect,
	} {
		steps[name] = s
	}
	return steps
}

// interrupted returns a step during which another step runs, and all processes may then see it.
func (m *syncHistory) interrupted(s step) step {
	return func(t *rapid.T) {
		changes := m.history.changes()
		changes["run a task"], changes["ingest"] = m.runTask, m.ingest
		names := []string{"ingest", "publish", "delete", "edit", "follow", "unfollow", "relate", "run a task", "run a task"}
		m.s.interrupt(t, s, changes[drawn(t, "concurrent step", names)], m.settleLog)
	}
}

// settleLog numbers all changes, and lets all processes see them.
func (m *syncHistory) settleLog(t *rapid.T) {
	m.must(t, m.s.numberAll(m.ctx))
	for _, p := range m.processes {
		m.must(t, p.follower.CatchUp(m.ctx))
	}
}

func (m *syncHistory) process(t *rapid.T) *syncProcess { return drawn(t, "process", m.processes) }

func (m *syncHistory) client(t *rapid.T) (*syncClient, bool) {
	if len(m.clients) == 0 {
		return nil, false
	}
	return drawn(t, "client", m.clients), true
}

func (m *syncHistory) openClient(t *rapid.T) {
	c := &syncClient{viewer: m.someone(t), size: rapid.IntRange(1, 6).Draw(t, "page size"), keeps: rapid.Bool().Draw(t, "keeps")}
	if rapid.IntRange(0, 3).Draw(t, "with kinds, if zero") == 0 {
		c.kinds = m.drawnKinds(t)
	}
	if len(m.clients) < 3 {
		m.clients = append(m.clients, c)
	} else {
		i := rapid.IntRange(0, 2).Draw(t, "in place of")
		m.clients[i].unsubscribe()
		m.clients[i] = c
	}
	m.readFirst(t, c)
}

func (m *syncHistory) readFirst(t *rapid.T, c *syncClient) {
	page, err := m.process(t).timeline.Page(m.ctx, c.viewer, feed.PageQuery{First: &c.size, Kinds: c.kinds})
	m.must(t, err)
	token, err := feed.ParseSyncToken(page.SyncToken, c.viewer, c.kinds)
	m.must(t, err)
	c.open, c.token, c.began = true, page.SyncToken, token.Place
	c.entries, c.named = map[feed.PostID]heldEntry{}, map[feed.PostID]bool{}
	c.take(page)
}

// take puts the entries of a page.
func (c *syncClient) take(page *feed.Page) {
	c.next = ""
	for _, e := range page.Entries {
		if !c.keeps || !c.named[e.Post.ID] {
			c.entries[e.Post.ID] = heldOf(e)
		}
		c.oldest = e.Post.Key()
		if page.HasNext {
			c.next = e.Cursor
		}
	}
}

// readNext reads the next page from a process that has seen the changes that the client has seen,
// or for a client that keeps changes, those that its first page has seen.
func (m *syncHistory) readNext(t *rapid.T) {
	c, any := m.client(t)
	if !any || !c.open || c.next == "" {
		return
	}
	p := m.process(t)
	m.s.Atomically(func() {
		seen := c.began
		if !c.keeps {
			token, err := feed.ParseSyncToken(c.token, c.viewer, c.kinds)
			m.must(t, err)
			seen = token.Place
		}
		place, err := p.follower.Place(m.ctx)
		m.must(t, err)
		if place.Epoch != seen.Epoch || place.Number < seen.Number {
			m.must(t, p.follower.CatchUp(m.ctx))
		}
	})
	page, err := p.timeline.Page(m.ctx, c.viewer, feed.PageQuery{First: &c.size, After: c.next, Kinds: c.kinds})
	m.must(t, err)
	c.take(page)
}

// readChanges reads a page of changes, or all of them.
func (m *syncHistory) readChanges(t *rapid.T) {
	c, any := m.client(t)
	switch {
	case !any:
	case !c.open:
		m.readFirst(t, c)
	case c.sub != nil:
	case rapid.Bool().Draw(t, "all"):
		m.readAllChanges(t, c)
	default:
		m.readSomeChanges(t, c)
	}
}

// readAllChanges reads all changes, and ends early after a reset.
func (m *syncHistory) readAllChanges(t *rapid.T, c *syncClient) {
	for more := true; more; {
		more = m.readSomeChanges(t, c)
	}
}

func (m *syncHistory) readSomeChanges(t *rapid.T, c *syncClient) (more bool) {
	q := feed.HomeChangeQuery{Since: c.token, Kinds: c.kinds}
	if n := rapid.IntRange(0, 4).Draw(t, "first"); n > 0 {
		q.First = &n
	}
	if !c.keeps && rapid.Bool().Draw(t, "down to the oldest") {
		q.DownTo = c.next
	}
	page, err := m.process(t).reader.Changes(m.ctx, c.viewer, q)
	m.must(t, err)
	if q.First != nil && len(page.Changes) > *q.First {
		t.Fatalf("got %d changes, asked for %d", len(page.Changes), *q.First)
	}
	for _, change := range page.Changes {
		m.count(change)
		c.apply(change)
	}
	c.token = page.Token.String()
	return page.HasMore && c.open
}

func (c *syncClient) apply(change feed.HomeChange) {
	c.named[change.ID] = true
	switch change.Kind {
	case feed.HomeReset:
		c.open = false
		c.unsubscribe()
	case feed.HomeRemoved:
		delete(c.entries, change.ID)
	case feed.HomeAdded, feed.HomeChanged:
		if e := heldOf(change.Entry); c.keeps || c.shows(e) {
			c.entries[change.ID] = e
		}
	}
}

// editHeld edits a post that a client holds. Edits of random posts seldom meet one.
func (m *syncHistory) editHeld(t *rapid.T) {
	c, any := m.client(t)
	if !any {
		return
	}
	held := slices.DeleteFunc(slices.Clone(m.posts), func(p storedPost) bool {
		_, holds := c.entries[feed.PostID(p.key.ID)]
		return !holds
	})
	if len(held) > 0 {
		m.editPost(t, drawn(t, "held post", held))
	}
}

func (m *syncHistory) numberSome(t *rapid.T) {
	m.must(t, m.s.numberSome(m.ctx, t))
}

func (m *syncHistory) catchUp(t *rapid.T) { m.must(t, m.process(t).follower.CatchUp(m.ctx)) }

// deleteAccount deletes a user and forgets their clients.
func (m *syncHistory) deleteAccount(t *rapid.T) {
	if len(m.users) < 4 || rapid.Bool().Draw(t, "spared") {
		return
	}
	gone := m.someone(t)
	m.must(t, m.s.Profiles.DeleteAccount(m.ctx, gone, m.s.Clock.Millis()))
	m.users = slices.DeleteFunc(slices.Clone(m.users), func(id feed.UserID) bool { return id == gone })
	m.clients = slices.DeleteFunc(m.clients, func(c *syncClient) bool {
		if c.viewer == gone {
			c.unsubscribe()
		}
		return c.viewer == gone
	})
	m.scroll = nil
}

func (m *syncHistory) purge(t *rapid.T) {
	_, err := m.s.Profiles.PurgeDeleted(m.ctx, rapid.IntRange(1, 3).Draw(t, "rows to purge"))
	m.must(t, err)
}

// endTokens makes tokens invalid.
func (m *syncHistory) endTokens(t *rapid.T) {
	m.must(t, m.s.endTokens(m.ctx, t))
}

// rest completes all pending work, and compares what clients hold with the reference query.
func (m *syncHistory) rest(t *rapid.T) {
	m.ingestAll(t)
	m.must(t, m.s.Rest(m.ctx))
	for more := true; more; {
		var err error
		more, err = m.s.Profiles.PurgeDeleted(m.ctx, many)
		m.must(t, err)
	}
	m.settleLog(t)
	for _, c := range m.clients {
		switch {
		case c.sub != nil:
			m.receiveAll(t, c)
		case c.open:
			m.readAllChanges(t, c)
		}
		if !c.open {
			m.readFirst(t, c)
			m.readAllChanges(t, c)
		}
		m.compareClient(t, c)
		m.findsNothingNew(t, c)
	}
}

func (m *syncHistory) compareClient(t *rapid.T, c *syncClient) {
	var got, want []heldEntry
	for _, e := range c.entries {
		if c.shows(e) {
			got = append(got, e)
		}
	}
	slices.SortFunc(got, func(a, b heldEntry) int { return b.key.Compare(a.key) })
	var ids []feed.PostID
	for _, k := range m.feedOf(t, c.viewer, c.kinds) {
		ids = append(ids, feed.PostID(k.ID))
	}
	posts, err := m.s.Posts.Posts(m.ctx, ids)
	m.must(t, err)
	for _, p := range posts {
		if e := (heldEntry{p.Key(), p.Text}); c.shows(e) {
			want = append(want, e)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the client of user %d, of kinds %v, holds\n%v, down to %v (more: %t); the reference query says\n%v",
			c.viewer, c.kinds, got, c.oldest, c.next != "", want)
	}
}

// findsNothingNew reads changes again. A subscriber has the token of the last change that it
// received; if the log has been trimmed beyond it, reading is a reset.
func (m *syncHistory) findsNothingNew(t *rapid.T, c *syncClient) {
	if c.sub != nil {
		token, err := feed.ParseSyncToken(c.token, c.viewer, c.kinds)
		m.must(t, err)
		if _, _, err := m.s.Changes.HomeChanges(m.ctx, c.viewer, token.Place, 1); errors.Is(err, feed.ErrChangesGone) {
			return
		}
	}
	page, err := m.process(t).reader.Changes(m.ctx, c.viewer, feed.HomeChangeQuery{Since: c.token, Kinds: c.kinds})
	m.must(t, err)
	if len(page.Changes) > 0 || page.HasMore {
		t.Fatalf("the client of user %d has read all changes and finds %+v, more %t", c.viewer, page.Changes, page.HasMore)
	}
}
