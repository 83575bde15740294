package feedtest

import (
	"context"
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// listsOfPrivateAccounts checks what the domain lists of a private account.
func listsOfPrivateAccounts(t *testing.T, b Backend) {
	p := SmallPolicy(feed.FanoutPush)
	s, w := NewService(b, p), worldOf(t, b.Stores)
	w.user(ann, bob, cem)
	w.follow(bob, ann)
	w.follow(ann, cem)
	for id := feed.PostID(1); id <= 40; id++ {
		w.post(id, ann, noon+int64(id))
	}
	s.Live.LiveIDs = []live.ID{1}
	session := must(s.Live.Hosting.Schedule(w.ctx, ann, "A session", b.Clock.Millis()+hour))
	w.setPrivate(ann, true)
	for viewer, shown := range map[feed.UserID]bool{0: false, cem: false, bob: true, ann: true} {
		lists := &countedLists{Lists: b.Stores.Lists}
		feeds := s.Feeds(s.Timeline)
		feeds.Lists = lists
		what := fmt.Sprintf("of the private account for viewer %d", viewer)
		w.same("posts "+what, len(must(feeds.Page(w.ctx, viewer, feed.OutboxRef(ann), feed.PageQuery{})).Entries) > 0, shown)
		w.same("reads of posts "+what, lists.rounds, 1)
		w.same("followers "+what, len(must(s.Directory.Followers(w.ctx, viewer, ann, feed.PageQuery{})).Entries) > 0, shown)
		w.same("followees "+what, len(must(s.Directory.Following(w.ctx, viewer, ann, feed.PageQuery{})).Entries) > 0, shown)
		w.same("sessions "+what, len(must(s.Live.Feed.OfHost(w.ctx, viewer, ann, live.Query{})).Entries) > 0, shown)
		w.same("a session "+what, must(s.Live.Feed.Visible(w.ctx, viewer, []live.ID{session.ID}))[0] != nil, shown)
		w.same("the account for "+what, must(s.Directory.Users(w.ctx, viewer, []feed.UserID{ann}))[0] != nil, true)
		if viewer != ann {
			code := map[bool]feed.Code{true: feed.CodeForbidden, false: feed.CodeNotFound}[shown]
			w.mustHaveCode(code, errorOf(s.Live.Hosting.Cancel(w.ctx, viewer, session.ID)))
		}
	}
	lists := &countedLists{Lists: b.Stores.Lists}
	feeds := s.Feeds(s.Timeline)
	feeds.Lists = lists
	w.setPrivate(ann, false)
	for id := feed.PostID(2); id <= 40; id++ {
		p := newPost(id+100, ann, noon+int64(id)+100)
		p.Audience = feed.AudienceFollowers
		w.publish(p)
	}
	page := must(feeds.Page(w.ctx, cem, feed.OutboxRef(ann), feed.PageQuery{}))
	w.same("a stranger's first post", page.Entries[0].Post.ID, feed.PostID(40))
	w.same("the reads of a stranger's page", lists.rounds, 2)
	page = must(feeds.Page(w.ctx, 0, feed.OutboxRef(ann), feed.PageQuery{}))
	w.same("the first post without a viewer", page.Entries[0].Post.ID, feed.PostID(40))
	w.same("the reads without a viewer", lists.rounds, 3)
}

// countedLists counts reads of lists.
type countedLists struct {
	feed.Lists
	rounds int
}

func (l *countedLists) ReadLists(ctx context.Context, asked []feed.List) ([][]feed.Key, error) {
	l.rounds++
	return l.Lists.ReadLists(ctx, asked)
}
