package feedtest

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// readHome reads a home feed and checks the invariants of every read.
func (m *history) readHome(t *rapid.T, viewer feed.UserID) {
	page, whole := m.wholeFeed(t, viewer), m.feedOf(viewer, feed.Filter{})
	m.hasOnly(t, viewer, page, whole)
	m.hasAll(t, viewer, page, m.requiredKeys(viewer, whole))
	// During a task, a read may pull posts that no push has added yet. Later reads need not show
	// them until the task has pushed them.
	if !m.inTask {
		m.requireShown(viewer, page.keys)
	}
}

func (m *history) requireShown(viewer feed.UserID, keys []feed.Key) {
	for _, k := range keys {
		m.required[viewer][k] = max(m.required[viewer][k], requiredByDisplay)
	}
}

// requiredKeys returns the keys of whole that the viewer's home feed must have: their own posts and
// the required ones.
func (m *history) requiredKeys(viewer feed.UserID, whole []feed.Key) []feed.Key {
	own := map[feed.Key]bool{}
	for _, c := range m.posts {
		own[c.key] = c.author == viewer
	}
	return slices.DeleteFunc(slices.Clone(whole), func(k feed.Key) bool { return !own[k] && m.required[viewer][k] == notRequired })
}

// hasOnly fails unless a page is in feed order and has only these keys.
func (m *history) hasOnly(t *rapid.T, viewer feed.UserID, page homePage, keys []feed.Key) {
	failIf(t, !inFeedOrder(page.keys), "user %d got page %v, which is not in feed order", viewer, page.keys)
	extra := without(page.keys, keys)
	failIf(t, len(extra) > 0, "user %d got posts %v from %s, which are not in their feed", viewer, extra, page.from)
}

// hasAll fails unless a page has all of these keys.
func (m *history) hasAll(t *rapid.T, viewer feed.UserID, page homePage, keys []feed.Key) {
	lost := without(keys, page.keys)
	failIf(t, len(lost) > 0, "the page of user %d lacks posts %v; got, from %s, %v", viewer, lost, page.from, page.keys)
}

// readInterrupted runs another step during a read. The page must have the posts that were visible
// both before and after. It must not have posts that were visible at neither time.
func (m *history) readInterrupted(t *rapid.T) {
	viewer := m.someone(t)
	m.readHome(t, viewer)
	before := m.feedOf(viewer, feed.Filter{})
	required := m.requiredKeys(viewer, before)
	cancel := m.interrupt(t, 8)
	page := m.wholeFeed(t, viewer)
	cancel()
	after := m.feedOf(viewer, feed.Filter{})
	m.hasOnly(t, viewer, page, slices.Concat(before, after))
	m.hasAll(t, viewer, page, slices.DeleteFunc(required, func(k feed.Key) bool { return !slices.Contains(after, k) }))
}

// readFresh reads a home feed whose pushes may be pending.
func (m *history) readFresh(t *rapid.T) {
	viewer := m.someone(t)
	n := rapid.IntRange(1, 4).Draw(t, "page size")
	want := m.feedOf(viewer, feed.Filter{})
	page := m.pageIn(feed.WithFreshReads(m.ctx), t, viewer, feed.PageQuery{First: &n})
	first := want[:min(n, len(want))]
	failIf(t, !slices.Equal(page.keys, first) || page.HasNext != (len(want) > n),
		"user %d got %v from %s in a fresh read, want %v", viewer, page.keys, page.from, first)
}

// readFreshInterrupted runs another step during a fresh read. The page must have all posts that
// were visible both before and after.
func (m *history) readFreshInterrupted(t *rapid.T) {
	viewer := m.someone(t)
	before := m.feedOf(viewer, feed.Filter{})
	cancel := m.interrupt(t, 8)
	page := m.pageIn(feed.WithFreshReads(m.ctx), t, viewer, feed.PageQuery{First: new(m.s.Policy.PageMax)})
	cancel()
	after := m.feedOf(viewer, feed.Filter{})
	m.hasOnly(t, viewer, page, slices.Concat(before, after))
	m.hasAll(t, viewer, page, slices.DeleteFunc(before, func(k feed.Key) bool { return !slices.Contains(after, k) }))
}

// readWithoutInboxes reads a home feed while the inboxes are down. The reference query must serve
// it.
func (m *history) readWithoutInboxes(t *rapid.T) {
	viewer := m.someone(t)
	m.s.Flaky.Down = true
	page := m.wholeFeed(t, viewer)
	m.s.Flaky.Down = false
	want := m.feedOf(viewer, feed.Filter{})
	failIf(t, !slices.Equal(page.keys, want) || page.from != feed.SourceReference,
		"the inboxes are down: user %d got %v from %s, want %v from the reference query", viewer, page.keys, page.from, want)
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
	// required are the entries that existed when the scroll began and have been visible since.
	required []feed.Key
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

// continueScroll reads the next page of the open scroll, or begins a scroll.
func (m *history) continueScroll(t *rapid.T) {
	if m.scroll == nil {
		m.beginScroll(t)
		return
	}
	m.readNextPage(t)
}

func (m *history) readNextPage(t *rapid.T) {
	s := m.scroll
	page := m.page(t, s.viewer, s.query())
	more := s.take(page)
	failIf(t, more && len(page.keys) != s.size, "user %d got a page of %d entries, want %d, because more follow", s.viewer, len(page.keys), s.size)
	inOrder := slices.Clone(s.seen)
	if s.up {
		slices.Reverse(inOrder)
	}
	failIf(t, !inFeedOrder(inOrder), "the scroll of user %d got %v, which is not in feed order", s.viewer, s.seen)
	if more {
		return
	}
	m.scroll = nil
	lost := without(s.required, s.seen)
	failIf(t, len(lost) > 0, "the scroll of user %d lacks posts %v, which existed when it began; got %v", s.viewer, lost, s.seen)
}

// beginScroll reads the first page of a scroll. A second scroll then reads all other pages at once,
// to find the required entries.
func (m *history) beginScroll(t *rapid.T) {
	s := openScroll{
		viewer: m.someone(t),
		size:   rapid.IntRange(1, 3).Draw(t, "page size"),
		up:     rapid.Bool().Draw(t, "up"),
	}
	ctx := m.ctx
	if rapid.Bool().Draw(t, "the first page is fresh") {
		ctx = feed.WithFreshReads(ctx)
	}
	if !s.take(m.pageIn(ctx, t, s.viewer, s.query())) {
		return
	}
	rest := s
	rest.seen = slices.Clone(s.seen)
	for rest.take(m.page(t, s.viewer, rest.query())) {
	}
	s.required = rest.seen
	m.scroll = &s
}

// updateScroll removes posts that are no longer visible from the required entries of the open
// scroll.
func (m *history) updateScroll(t *rapid.T) {
	if s := m.scroll; s != nil {
		whole := m.feedOf(s.viewer, feed.Filter{})
		s.required = slices.DeleteFunc(s.required, func(k feed.Key) bool { return !slices.Contains(whole, k) })
	}
}

type pair struct{ user, target feed.UserID }

// facts are what the steps of a history have made true. They share no code with the stores.
type facts struct {
	follows map[pair]bool
	// options are those of follows and requests.
	options   map[pair]feed.FollowOptions
	relations map[feed.RelationKind]map[pair]bool
	exclusive map[feed.UserID]*exclusiveList
	absent    map[feed.UserID]bool
	deleted   map[feed.PostID]bool
	private   map[feed.UserID]bool
	// sanctioned are posts that are taken down and users who are suspended.
	sanctioned map[feed.Subject]bool
}

func newFacts() facts {
	return facts{
		follows: map[pair]bool{}, options: map[pair]feed.FollowOptions{},
		relations: map[feed.RelationKind]map[pair]bool{
			feed.RelationMute: {}, feed.RelationHide: {}, feed.RelationBlock: {},
		},
		exclusive: map[feed.UserID]*exclusiveList{},
		absent:    map[feed.UserID]bool{},
		deleted:   map[feed.PostID]bool{},
		private:   map[feed.UserID]bool{}, sanctioned: map[feed.Subject]bool{},
	}
}

// hiding is a reason why a viewer may not see a post, and the post of its chain that has it.
type hiding struct {
	reason examine.Reason
	cause  feed.PostID
}

// hidings returns all reasons why the viewer's home feed lacks a post; none if it has it.
func (m *history) hidings(viewer feed.UserID, p storedPost) (all []hiding) {
	if p.author != viewer && !m.facts.follows[pair{viewer, p.author}] {
		all = append(all, hiding{examine.Reason(feed.HiddenNotFollowed), feed.PostID(p.key.ID)})
	}
	if m.facts.exclusive[viewer].has(p.author) {
		all = append(all, hiding{examine.Reason(feed.HiddenListed), feed.PostID(p.key.ID)})
	}
	options := m.facts.options[pair{viewer, p.author}]
	for kind, hides := range map[feed.Kind]feed.Hidden{feed.KindRepost: feed.HiddenRepost, feed.KindComment: feed.HiddenReply} {
		if p.author != viewer && p.kind == kind && options.Hides(kind) {
			all = append(all, hiding{examine.Reason(hides), feed.PostID(p.key.ID)})
		}
	}
	for {
		about := m.facts.about(viewer, p)
		maps.Copy(about, m.facts.audienceHides(viewer, must(m.s.Backend.Posts.Posts(m.ctx, []feed.PostID{feed.PostID(p.key.ID)}))[0]))
		for reason, holds := range about {
			if holds {
				all = append(all, hiding{examine.Reason(reason), feed.PostID(p.key.ID)})
			}
		}
		if p.original == 0 {
			return all
		}
		p = m.stored(p.original)
	}
}

// about returns which reasons hold for a post without its originals.
func (f facts) about(viewer feed.UserID, p storedPost) map[feed.Hidden]bool {
	out, in := pair{viewer, p.author}, pair{p.author, viewer}
	return map[feed.Hidden]bool{
		feed.HiddenDeleted:      f.deleted[feed.PostID(p.key.ID)],
		feed.HiddenTakenDown:    p.author != viewer && f.sanctioned[feed.Subject{Post: feed.PostID(p.key.ID)}],
		feed.HiddenSuspended:    p.author != viewer && f.sanctioned[feed.Subject{User: p.author}],
		feed.HiddenAuthorAbsent: f.absent[p.author],
		feed.HiddenMuted:        f.relations[feed.RelationMute][out],
		feed.HiddenFromViewer:   f.relations[feed.RelationHide][in],
		feed.HiddenBlocked:      f.relations[feed.RelationBlock][out],
		feed.HiddenBlockedBy:    f.relations[feed.RelationBlock][in],
	}
}

func (m *history) stored(id feed.PostID) storedPost {
	return m.posts[slices.IndexFunc(m.posts, func(p storedPost) bool { return p.key.ID == int64(id) })]
}

// explain checks the explanation of a random post for a random viewer.
func (m *history) explain(t *rapid.T) {
	if len(m.posts) > 0 {
		m.checkExplanation(t, m.someone(t), drawn(t, "post", m.posts), drawnFilter(t))
	}
}

// explainAtRest checks a viewer's explanations of all posts, or of a random one.
func (m *history) explainAtRest(t *rapid.T, viewer feed.UserID) {
	posts := m.posts
	if !m.thorough && len(posts) > 0 {
		posts = []storedPost{drawn(t, "post", posts)}
	}
	for _, p := range posts {
		e := m.checkExplanation(t, viewer, p, feed.Filter{})
		failIf(t, e.InFeed && !e.Shown, "at rest, user %d is not shown post %v: %s", viewer, p.key, e.Reason)
	}
}

// checkExplanation explains a post and compares with the reference query, the page and the facts.
func (m *history) checkExplanation(t *rapid.T, viewer feed.UserID, p storedPost, filter feed.Filter) examine.Explanation {
	b := m.s.Backend
	direct := &timeline.Direct{Inboxes: b.Inboxes, Relations: b.Relations, Outboxes: b.Outboxes, Posts: b.Posts, Primary: b.Posts}
	x := examine.Examiner{Viewers: direct, Progress: b.Progress, Fanouts: b.Fanouts}
	id := feed.PostID(p.key.ID)
	e := must(x.Explain(m.ctx, viewer, id, filter))
	inFeed := slices.Contains(m.feedOf(viewer, filter), p.key)
	failIf(t, e.InFeed != inFeed,
		"user %d: post %v is explained as in the feed: %t (%s); by the reference query: %t", viewer, p.key, e.InFeed, e.Reason, inFeed)
	home := timeline.Timeline{
		Viewers: direct, Inboxes: b.Inboxes, Outboxes: b.Outboxes, Reference: b.Reference,
		Pending: m.s.Backend.Pending, Queue: feed.NoUpkeep{}, Policy: m.s.Policy,
	}
	page := must(home.Page(m.ctx, viewer, feed.PageQuery{First: &m.s.Policy.PageMax, Filter: filter}))
	shown := slices.ContainsFunc(page.Entries, func(entry feed.Entry) bool { return entry.Post.ID == id })
	failIf(t, e.Shown != shown, "user %d: post %v is explained as shown: %t (%s), the page shows it: %t", viewer, p.key, e.Shown, e.Reason, shown)
	if !m.isTrue(e, p, filter) {
		t.Fatalf("user %d: post %v is explained by %+v, which is not true; %v hide it, the inbox is %+v",
			viewer, p.key, e, m.hidings(viewer, p), m.inboxOf(viewer))
	}
	return e
}

func (m *history) inboxOf(viewer feed.UserID) feed.Inbox {
	return must(m.s.Backend.Inboxes.Read(m.ctx, viewer, all()))
}

// isTrue reports whether the reason of an explanation holds.
func (m *history) isTrue(e examine.Explanation, p storedPost, filter feed.Filter) bool {
	hidings := m.hidings(e.Viewer, p)
	switch {
	case e.InFeed:
		return len(hidings) == 0 && m.isSource(e, p)
	case e.Reason == examine.OtherKind:
		return len(hidings) == 0 && !filter.Match(must(m.s.Backend.Posts.Posts(m.ctx, []feed.PostID{e.Post}))[0])
	}
	cause := e.Original
	if cause == 0 {
		cause = e.Post
	}
	return slices.Contains(hidings, hiding{e.Reason, cause})
}

// isSource reports whether a read gets the post as explained.
func (m *history) isSource(e examine.Explanation, p storedPost) bool {
	in := m.inboxOf(e.Viewer)
	version := must(m.s.Backend.Relations.ViewerVersion(m.ctx, e.Viewer))
	_, flag := must2(m.s.Backend.Audience.Reach(m.ctx, p.author))
	usable := !version.Loading && in.State == feed.InboxReady && in.Generation == version.Generation && in.Version <= version.Version
	above, has := usable && p.key.Newer(in.Floor), slices.Contains(in.Keys, p.key)
	pulls := above && !has && p.author != e.Viewer
	switch e.Reason {
	case examine.NoInbox:
		return !usable
	case examine.Own:
		return usable && p.author == e.Viewer
	case examine.BelowFloor:
		return usable && !above
	case examine.Entry:
		return above && has
	case examine.PulledUnpushed:
		return pulls && flag == feed.FlagUnpushed
	case examine.PulledSelective:
		return pulls && flag == feed.FlagSelective && version.Now >= in.WarmUntil
	case examine.PulledFollow:
		return pulls && m.isFollowedSince(e.Viewer, p, in.Version)
	case examine.Pending:
		plan := must(m.s.Backend.Plans.PlanOf(m.ctx, e.Post))
		return pulls && (!plan.Stored || len(plan.Open) > 0)
	}
	return false
}

// isFollowedSince reports whether the viewer follows the author since a later version.
func (m *history) isFollowedSince(viewer feed.UserID, p storedPost, version int64) bool {
	return slices.Contains(must(m.s.Backend.Coverage.Covered(m.ctx, viewer, feed.FolloweeFilter{Since: version}, all())), p.key)
}
