package feedtest

import (
	"errors"
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/subscribe"
)

// syncClient holds a part of a home feed, as docs/clients.md describes it.
type syncClient struct {
	clientState
	of     feed.Authors
	filter feed.Filter
	// keeps says that the client keeps what changes have named, also below its oldest entry, and
	// prefers it to pages. Its pages may then come from a process that lags behind its token.
	keeps   bool
	entries map[feed.PostID]heldEntry
	named   map[feed.PostID]bool
	// oldest is the key of the oldest entry.
	oldest feed.Key
	// began is the place of the first page.
	began feed.ChangePlace
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
	m.fleet.addTo(steps)
	for name, s := range map[string]step{
		"edit a held post":       m.editHeld,
		"edit a held post again": m.editHeld,
		"flip a thread":          m.observed(m.flipThread),
		"flip a thread again":    m.observed(m.flipThread),
		"ingest":                 m.ingest,
		"ingest again":           m.ingest,
		"delete an account":      m.observed(m.deleteAccount),
		"purge":                  m.observed(m.purge),
		"mark as read":           m.markSome,
		"run a task, killed":     m.fleet.killed(m.runTask),
	} {
		steps[name] = s
	}
	if m.s.BeforeCommit == nil {
		// A change and its row of the log appear at once, and the time of these changes, unlike that of a
		// transition of a live session, gives no entry its place. So a late commit would be a later step.
		return steps
	}
	meanwhile := m.fleet.clientSteps()
	meanwhile["change others"] = m.changeOthers
	for name, change := range map[string]step{"delete": m.delete, "edit": m.edit, "update follow": m.updateFollow, "unfollow": m.unfollow, "relate": m.relate} {
		steps[name+", committed late"] = m.fleet.late(m.observed(change), meanwhile)
	}
	return steps
}

// changeOthers logs a change of users who concern no client and no other step.
func (m *syncHistory) changeOthers(t *rapid.T) {
	a, b := m.others, m.others+1
	check(m.s.Backend.Follows.Follow(m.ctx, a, b, m.s.Clock.Millis(), many, feed.FollowChoice{}))
	check(m.s.Backend.Follows.Unfollow(m.ctx, a, b))
}

// interrupts are the steps that may run in the middle of others.
func (m *syncHistory) interrupts() map[string]step {
	all, some := m.history.changes(), map[string]step{"run a task": m.runTask, "run another task": m.runTask, "ingest": m.ingest}
	for _, name := range []string{"publish", "delete", "edit", "follow", "update follow", "unfollow", "relate"} {
		some[name] = all[name]
	}
	return some
}

func (m *syncHistory) newClient(t *rapid.T, viewer feed.UserID) *syncClient {
	c := &syncClient{clientState: clientState{viewer: viewer, size: rapid.IntRange(1, 6).Draw(t, "page size")}}
	c.keeps = rapid.Bool().Draw(t, "keeps")
	if rapid.IntRange(0, 3).Draw(t, "with a filter, if zero") == 0 {
		c.filter = drawnFilter(t)
	}
	c.of = drawn(t, "authors", []feed.Authors{feed.HomeAuthors, feed.HomeAuthors, feed.SpecialAuthors})
	return c
}

func (m *syncHistory) readFirst(t *rapid.T, c *syncClient) {
	page := must(m.fleet.process(t).timeline.Page(m.ctx, c.viewer, feed.PageQuery{First: &c.size, Of: c.of, Filter: c.filter}))
	c.open, c.token, c.began = true, page.SyncToken, must(feed.ParseSyncToken(page.SyncToken, c.viewer, c.of, c.filter)).Place
	c.entries, c.named = map[feed.PostID]heldEntry{}, map[feed.PostID]bool{}
	c.take(page)
	if rapid.Bool().Draw(t, "is marked as read") {
		m.markRead(t, c)
	}
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
func (m *syncHistory) readNext(t *rapid.T, c *syncClient) {
	p := m.fleet.process(t)
	m.s.Atomically(func() {
		seen := c.began
		if !c.keeps {
			seen = must(feed.ParseSyncToken(c.token, c.viewer, c.of, c.filter)).Place
		}
		place := must(p.follower.Place(m.ctx))
		if place.Epoch != seen.Epoch || place.Number < seen.Number {
			check(p.follower.CatchUp(m.ctx))
		}
	})
	c.take(must(p.timeline.Page(m.ctx, c.viewer, feed.PageQuery{First: &c.size, After: c.next, Of: c.of, Filter: c.filter})))
}

func (m *syncHistory) readSome(t *rapid.T, c *syncClient) (more bool) {
	q := feed.HomeChangeQuery{Since: c.token, Of: c.of, Filter: c.filter}
	n := rapid.IntRange(0, 4).Draw(t, "first")
	if n > 0 {
		q.First = &n
	}
	if !c.keeps && rapid.Bool().Draw(t, "down to the oldest") {
		q.DownTo = c.next
	}
	page := must(m.fleet.process(t).reader.Changes(m.ctx, c.viewer, q))
	failIf(t, n > 0 && len(page.Changes) > n, "got %d changes, asked for %d", len(page.Changes), n)
	m.apply(t, c, page)
	return page.HasMore && c.open
}

func (m *syncHistory) apply(t *rapid.T, c *syncClient, page *feed.HomeChangePage) {
	applied(page, c, func(change feed.HomeChange) {
		m.count(change)
		failIf(t, change.Kind == feed.HomeRemoved && !m.seen[sight{c.viewer, change.ID}],
			"the changes of user %d name post %d as removed, which they could never see", c.viewer, change.ID)
		c.put(change)
	})
}

func (c *syncClient) put(change feed.HomeChange) {
	c.named[change.ID] = true
	switch change.Kind {
	case feed.HomeReset:
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
	c, any := m.fleet.client(t)
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

// flipThread makes the audience author of a held post private or public. Random users seldom are one.
func (m *syncHistory) flipThread(t *rapid.T) {
	c, any := m.fleet.client(t)
	if !any {
		return
	}
	var authors []feed.UserID
	for _, p := range must(m.s.Backend.Posts.Posts(m.ctx, slices.Sorted(maps.Keys(c.entries)))) {
		if p != nil && p.AudienceAuthor != p.Author && slices.Contains(m.users, p.AudienceAuthor) {
			authors = append(authors, p.AudienceAuthor)
		}
	}
	if len(authors) > 0 {
		m.flipOf(t, drawn(t, "audience author", authors))
	}
}

func (m *syncHistory) subscribe(t *rapid.T, p *syncProcess, c *syncClient) *clientSubscription {
	sub := must(p.subscriptions.Subscribe(m.ctx, c.viewer, subscribe.Query{Since: c.token, Of: c.of, Filter: c.filter}))
	return clientSubscriptionOf(m.ctx, m.must, sub, func(t *rapid.T, page *feed.HomeChangePage) { m.apply(t, c, page) })
}

// deleteAccount deletes a user and forgets their clients. In its millisecond no post is deleted: the log
// could be trimmed to both.
func (m *syncHistory) deleteAccount(t *rapid.T) {
	if len(m.users) < 4 || rapid.Bool().Draw(t, "spared") {
		return
	}
	gone := m.someone(t)
	m.s.Clock.Advance(time.Millisecond)
	check(m.s.Profiles.DeleteAccount(m.ctx, gone, m.s.Clock.Millis()))
	m.users = slices.DeleteFunc(slices.Clone(m.users), func(id feed.UserID) bool { return id == gone })
	m.fleet.forget(func(viewer feed.UserID) bool { return viewer == gone })
	m.scroll = nil
}

func (m *syncHistory) purge(t *rapid.T) {
	must(m.s.Profiles.PurgeDeleted(m.ctx, rapid.IntRange(1, 3).Draw(t, "rows to purge")))
}

// rest completes all pending work, and compares what clients hold with the reference query.
func (m *syncHistory) rest(t *rapid.T) {
	m.ingestAll(t)
	check(m.s.Rest(m.ctx))
	whileMore(func() (bool, error) { return m.s.Profiles.PurgeDeleted(m.ctx, many) })
	m.look()
	m.fleet.settleLog()
	m.comparePositions(t)
	m.fleet.rest(t)
	m.readOnFromRest(t)
}

// compare also checks that the client finds no more changes.
func (m *syncHistory) compare(t *rapid.T, c *syncClient) {
	m.compareClient(t, c)
	m.findsNothingNew(t, c)
}

func (m *syncHistory) compareClient(t *rapid.T, c *syncClient) {
	var got, want []heldEntry
	for _, e := range c.entries {
		if c.shows(e) {
			got = append(got, e)
		}
	}
	slices.SortFunc(got, func(a, b heldEntry) int { return b.key.Compare(a.key) })
	ids := each(m.feedBy(c.viewer, c.of, c.filter), func(k feed.Key) feed.PostID { return feed.PostID(k.ID) })
	for _, p := range must(m.s.Posts.Posts(m.ctx, ids)) {
		if e := (heldEntry{p.Key(), p.Text}); c.shows(e) {
			want = append(want, e)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the client of user %d, with filter %v, holds\n%v, down to %v (more: %t); the reference query says\n%v",
			c.viewer, c.filter, got, c.oldest, c.next != "", want)
	}
}

// findsNothingNew reads changes again. A subscriber has the token of the last change that it
// received; if the log has been trimmed beyond it, reading is a reset.
func (m *syncHistory) findsNothingNew(t *rapid.T, c *syncClient) {
	if c.sub != nil {
		token := must(feed.ParseSyncToken(c.token, c.viewer, c.of, c.filter))
		if _, _, err := m.s.Changes.HomeChanges(m.ctx, c.viewer, token.Place, 1); errors.Is(err, feed.ErrChangesGone) {
			return
		}
	}
	page := must(m.fleet.process(t).reader.Changes(m.ctx, c.viewer, feed.HomeChangeQuery{Since: c.token, Of: c.of, Filter: c.filter}))
	failIf(t, len(page.Changes) > 0 || page.HasMore,
		"the client of user %d has read all changes and finds %+v, more %t", c.viewer, page.Changes, page.HasMore)
}
