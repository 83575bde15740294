package feedtest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/explain"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

type pair struct{ user, target feed.UserID }

// facts are what the steps of a history have made true. They share no code with the stores.
type facts struct {
	follows   map[pair]bool
	relations map[feed.RelationKind]map[pair]bool
	absent    map[feed.UserID]bool
	deleted   map[feed.PostID]bool
}

func newFacts() facts {
	return facts{
		follows: map[pair]bool{},
		relations: map[feed.RelationKind]map[pair]bool{
			feed.RelationMute: {}, feed.RelationHide: {}, feed.RelationBlock: {},
		},
		absent:  map[feed.UserID]bool{},
		deleted: map[feed.PostID]bool{},
	}
}

// hiding is a reason why a viewer may not see a post, and the post of its chain that has it.
type hiding struct {
	reason explain.Reason
	cause  feed.PostID
}

// hidings returns all reasons why the viewer's home feed lacks a post; none if it has it.
func (m *history) hidings(viewer feed.UserID, p storedPost) (all []hiding) {
	if p.author != viewer && !m.facts.follows[pair{viewer, p.author}] {
		all = append(all, hiding{explain.Reason(feed.HiddenNotFollowed), feed.PostID(p.key.ID)})
	}
	for {
		for reason, holds := range m.facts.about(viewer, p) {
			if holds {
				all = append(all, hiding{explain.Reason(reason), feed.PostID(p.key.ID)})
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
		m.checkExplanation(t, m.someone(t), drawn(t, "post", m.posts), m.drawnKinds(t))
	}
}

// explainAtRest checks a viewer's explanations of all posts, or of a random one.
func (m *history) explainAtRest(t *rapid.T, viewer feed.UserID) {
	posts := m.posts
	if !m.thorough && len(posts) > 0 {
		posts = []storedPost{drawn(t, "post", posts)}
	}
	for _, p := range posts {
		e := m.checkExplanation(t, viewer, p, nil)
		failIf(t, e.InFeed && !e.Shown, "at rest, user %d is not shown post %v: %s", viewer, p.key, e.Reason)
	}
}

// checkExplanation explains a post and compares with the reference query, the page and the facts.
func (m *history) checkExplanation(t *rapid.T, viewer feed.UserID, p storedPost, kinds feed.Kinds) explain.Explanation {
	b := m.s.Backend
	direct := &timeline.Direct{Inboxes: b.Inboxes, Relations: b.Relations, Outboxes: b.Outboxes, Posts: b.Posts, Primary: b.Posts}
	x := explain.Explainer{Viewers: direct, Progress: b.Progress, Fanouts: b.Fanouts}
	id := feed.PostID(p.key.ID)
	e := must(x.Explain(m.ctx, viewer, id, kinds))
	inFeed := slices.Contains(m.feedOf(t, viewer, kinds), p.key)
	failIf(t, e.InFeed != inFeed,
		"user %d: post %v is explained as in the feed: %t (%s); by the reference query: %t", viewer, p.key, e.InFeed, e.Reason, inFeed)
	home := timeline.Timeline{
		Viewers: direct, Inboxes: b.Inboxes, Outboxes: b.Outboxes, Reference: b.Reference,
		Pending: m.s.Backend.Pending, Queue: feed.NoUpkeep{}, Policy: m.s.Policy,
	}
	page := must(home.Page(m.ctx, viewer, feed.PageQuery{First: &m.s.Policy.PageMax, Kinds: kinds}))
	shown := slices.ContainsFunc(page.Entries, func(entry feed.Entry) bool { return entry.Post.ID == id })
	failIf(t, e.Shown != shown, "user %d: post %v is explained as shown: %t (%s), the page shows it: %t", viewer, p.key, e.Shown, e.Reason, shown)
	if !m.isTrue(t, e, p, kinds) {
		t.Fatalf("user %d: post %v is explained by %+v, which is not true; %v hide it, the inbox is %+v",
			viewer, p.key, e, m.hidings(viewer, p), m.inboxOf(t, viewer))
	}
	return e
}

func (m *history) inboxOf(t *rapid.T, viewer feed.UserID) feed.Inbox {
	return must(m.s.Backend.Inboxes.Read(m.ctx, viewer, all()))
}

// isTrue reports whether the reason of an explanation holds.
func (m *history) isTrue(t *rapid.T, e explain.Explanation, p storedPost, kinds feed.Kinds) bool {
	hidings := m.hidings(e.Viewer, p)
	switch {
	case e.InFeed:
		return len(hidings) == 0 && m.isSource(t, e, p)
	case e.Reason == explain.OtherKind:
		return len(hidings) == 0 && !kinds.Has(must(m.s.Backend.Posts.Posts(m.ctx, []feed.PostID{e.Post}))[0].Kind)
	}
	cause := e.Original
	if cause == 0 {
		cause = e.Post
	}
	return slices.Contains(hidings, hiding{e.Reason, cause})
}

// isSource reports whether a read gets the post as explained.
func (m *history) isSource(t *rapid.T, e explain.Explanation, p storedPost) bool {
	in := m.inboxOf(t, e.Viewer)
	version := must(m.s.Backend.Relations.ViewerVersion(m.ctx, e.Viewer))
	_, flag := must2(m.s.Backend.Audience.Reach(m.ctx, p.author))
	usable := !version.Loading && in.State == feed.InboxReady && in.Generation == version.Generation && in.Version <= version.Version
	above, has := usable && p.key.Newer(in.Floor), slices.Contains(in.Keys, p.key)
	pulls := above && !has && p.author != e.Viewer
	switch e.Reason {
	case explain.NoInbox:
		return !usable
	case explain.Own:
		return usable && p.author == e.Viewer
	case explain.BelowFloor:
		return usable && !above
	case explain.Entry:
		return above && has
	case explain.PulledUnpushed:
		return pulls && flag == feed.FlagUnpushed
	case explain.PulledSelective:
		return pulls && flag == feed.FlagSelective && version.Now >= in.WarmUntil
	case explain.PulledFollow:
		return pulls && m.isFollowedSince(t, e.Viewer, p, in.Version)
	case explain.Pending:
		plan := must(m.s.Backend.Plans.PlanOf(m.ctx, e.Post))
		return pulls && (!plan.Stored || len(plan.Open) > 0)
	}
	return false
}

// isFollowedSince reports whether the viewer follows the author since a later version.
func (m *history) isFollowedSince(t *rapid.T, viewer feed.UserID, p storedPost, version int64) bool {
	return slices.Contains(must(m.s.Backend.Coverage.Covered(m.ctx, viewer, feed.FolloweeFilter{Since: version}, all())), p.key)
}
