package feed_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// reads is an actor that reads ann's feed, so that what it depends on is remembered as of
// some moment of the run.
func (v town) reads() feedtest.Actor {
	return func() { v.home(ann) }
}

// changes is an actor that changes something in one step, reads ann's feed in another, and
// fails the test when a content is there, or is not, that must not be, or must, from now on.
func (v town) changes(change func(), id feed.ContentID, shown bool) feedtest.Actor {
	return func() {
		v.Atomically(change)
		v.Turn()
		v.Atomically(func() {
			if got := v.home(ann); slices.Contains(got, id) != shown {
				v.Errorf("the next read shows %v; content %s is to be shown: %v", got, id, shown)
			}
		})
	}
}

// What is remembered of a viewer is filled by several reads, between whose steps his
// relations and contents change. Whichever read filled it last, the first read behind a
// change sees it.
func TestInEveryOrderOfReadsAndAChangeTheNextReadSeesTheChange(t *testing.T) {
	known := func(v town) {
		atHome(v)
		v.home(ann)
	}
	for name, c := range changesOfAnns() {
		for when, before := range map[string]func(v town){"nothing is known": atHome, "all is known": known} {
			t.Run(name+", "+when, func(t *testing.T) {
				scene{mode: feed.FanoutHybrid, before: before, actors: func(v town) []feedtest.Actor {
					return []feedtest.Actor{v.reads(), v.changes(func() { c.change(v) }, c.id, c.shown)}
				}}.runs(t, 100_000)
			})
		}
	}
}

// atHome lets ann have an inbox with a content of star's, and have published one herself.
func atHome(v town) {
	v.follow(ann, star)
	v.inbox(ann)
	v.post(star, 1)
	v.work()
	v.post(ann, 2)
}

// changeOfAnns is a change by which a content is in the feed of ann, of whom [atHome] tells, or is not.
type changeOfAnns struct {
	change func(v town)
	id     feed.ContentID
	shown  bool
}

func changesOfAnns() map[string]changeOfAnns {
	return map[string]changeOfAnns{
		"a mute":               {func(v town) { v.relate(feed.RelationMute, ann, star) }, 1, false},
		"a block by the other": {func(v town) { v.relate(feed.RelationBlock, star, ann) }, 1, false},
		"a hide by the other":  {func(v town) { v.relate(feed.RelationHide, star, ann) }, 1, false},
		"an unfollow":          {func(v town) { v.unfollow(ann, star) }, 1, false},
		"a follow": {func(v town) {
			v.post(moon, 3)
			v.follow(ann, moon)
		}, 3, true},
		"a publish":  {func(v town) { v.post(ann, 3) }, 3, true},
		"a deletion": {func(v town) { v.delete(ann, 2) }, 2, false},
		"a content of another that is not pushed any more": {func(v town) {
			v.must(v.Audience.Mark(v.Context(), star, feed.MarkUnpushed))
			v.post(star, 3)
			v.work()
		}, 3, true},
	}
}

// counted counts what is asked about relations, and of the primary.
type counted struct {
	feed.Relations
	feed.Surveyor
	feed.Outboxes
	feed.Posts
	feed.Users
	asked map[string]int
}

func (c *counted) ViewerVersion(ctx context.Context, viewer feed.UserID) (feed.ViewerVersion, error) {
	c.asked["stamp"]++
	return c.Relations.ViewerVersion(ctx, viewer)
}

func (c *counted) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	c.asked["edges"]++
	return c.Relations.Edges(ctx, viewer, others)
}

func (c *counted) Pulled(ctx context.Context, viewer feed.UserID, since int64, cold bool) ([]feed.UserID, error) {
	c.asked["pulled"]++
	return c.Relations.Pulled(ctx, viewer, since, cold)
}

func (c *counted) Outbox(ctx context.Context, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	c.asked["outbox"]++
	return c.Outboxes.Outbox(ctx, authors, r)
}

func (c *counted) Survey(ctx context.Context, viewer feed.UserID, since int64, cold bool, own int) (feed.Survey, error) {
	c.asked["survey"]++
	return c.Surveyor.Survey(ctx, viewer, since, cold, own)
}

// profiles is the primary's profiles, counted.
type profiles struct{ *counted }

func (p profiles) Users(ctx context.Context, ids []feed.UserID) ([]*feed.User, error) {
	p.asked["profile"]++
	return p.counted.Users.Users(ctx, ids)
}

func (p profiles) UserByHandle(ctx context.Context, handle string) (*feed.User, error) {
	return p.counted.Users.UserByHandle(ctx, handle)
}

func (c *counted) PostsOf(ctx context.Context, ids []feed.ContentID) ([]*feed.Post, error) {
	c.asked["own contents"]++
	return c.Posts.Posts(ctx, ids)
}

// primary is the primary's contents, counted.
type primary struct{ *counted }

func (p primary) Posts(ctx context.Context, ids []feed.ContentID) ([]*feed.Post, error) {
	return p.PostsOf(ctx, ids)
}

// asks returns what one read of ann's feed asks besides her inbox and the posts of others,
// through a viewer cache that change may change.
func (v town) asks(change ...func(c *viewercache.Cache)) map[string]int {
	v.Helper()
	c := &counted{Relations: v.Backend.Relations, Surveyor: v.Surveyor, Outboxes: v.Backend.Outboxes, Posts: v.Backend.Posts, asked: map[string]int{}}
	direct, cache, t := *v.Cache.Direct, *v.Cache, *v.Cached
	direct.Relations, direct.Outboxes, direct.Primary = c, c, primary{c}
	cache.Direct, cache.Surveyor = &direct, c
	t.Viewers, t.Outboxes = &cache, c
	for _, c := range change {
		c(&cache)
	}
	n := v.Policy.PageMax
	_, err := t.Page(v.Context(), ann, feed.HomeRef(), feed.PageQuery{First: &n})
	v.must(err)
	return c.asked
}

// wants fails the test unless the next read of ann's feed asks this and nothing else.
func (v town) wants(when string, asked ...string) {
	v.Helper()
	got := v.asks()
	for _, what := range asked {
		if got[what] != 1 {
			v.Errorf("%s the read asks %v, and should ask for %s once", when, got, what)
		}
		delete(got, what)
	}
	if len(got) > 0 {
		v.Errorf("%s the read asks for %v, which has not changed", when, got)
	}
}

func TestAWarmReadAsksForNothingButTheStampUntilItChanges(t *testing.T) {
	v := newCachingTown(t)
	v.follow(ann, star)
	v.inbox(ann)
	v.post(star, 1)
	v.post(ann, 2)
	v.work()
	v.wants("at first", "survey", "edges", "own contents")
	v.wants("when all is known", "stamp")
	v.relate(feed.RelationMute, ann, bob)
	v.reconcile(ann)
	v.wants("after a change of a relation", "stamp", "edges", "pulled")
	v.post(ann, 3)
	v.wants("after a publish", "stamp", "outbox", "own contents")
	_, err := v.Publisher.Edit(t.Context(), ann, 2, "other words")
	v.must(err)
	v.wants("after an edit", "stamp", "outbox", "own contents")
	_, err = v.Backend.Profiles.UpdateProfile(t.Context(), ann, feed.ProfileChange{Name: new("Another")})
	v.must(err)
	v.wants("after a change of her profile", "stamp", "outbox", "own contents")
	v.must(v.Audience.Mark(t.Context(), moon, feed.MarkSelective))
	v.wants("after a mark", "stamp", "pulled")
	v.must(v.PulseLog.RaiseGeneration(t.Context()))
	v.inbox(ann)
	v.wants("under a new generation", "stamp", "edges", "pulled", "outbox", "own contents")
	v.Clock.Advance(time.Minute + time.Millisecond)
	v.wants("when a minute is over", "stamp", "edges", "pulled", "outbox", "own contents")
	v.Clock.Advance(-time.Second)
	v.wants("when the clock has been set back to before", "stamp", "edges", "pulled", "outbox", "own contents")
}

// Neither the end of a lease nor a Redis that forgets changes the stamp.
func TestWhomToPullIsRememberedForOneStateOfTheInboxOnly(t *testing.T) {
	for name, sc := range map[string]func(v town){
		"the inbox has become cold": func(v town) {
			v.must(v.Audience.Mark(t.Context(), star, feed.MarkSelective))
			v.follow(ann, star)
			v.inbox(ann)
			v.Clock.Advance(v.Policy.ActiveFor - time.Second)
			v.home(ann)
			v.Clock.Advance(2 * time.Second)
			v.publishes(star, 1)()
		},
		"the inbox has been set back to an earlier version": func(v town) {
			v.inbox(ann)
			v.Server.Save()
			v.follow(ann, star)
			v.post(star, 1)
			v.work()
			v.home(ann)
			v.Server.Restore()
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := newCachingTown(t, func(p *feed.Policy) {
				p.Fanout, p.PushThreshold, p.LeaseGrace = feed.FanoutHybrid, 0, 0
			})
			sc(v)
			same(t, "the feed", v.home(ann), 1)
		})
	}
}

// An edit changes no list, so nothing else would tell that the text is another.
func TestTheTextOfAnOwnContentIsTheLastOne(t *testing.T) {
	v := newCachingTown(t)
	v.inbox(ann)
	v.post(ann, 1)
	v.home(ann)
	_, err := v.Publisher.Edit(t.Context(), ann, 1, "other words")
	v.must(err)
	if got := v.page(ann, 1, "").Entries[0].Post.Text; got != "other words" {
		t.Errorf("the text is %q", got)
	}
}

// More own contents than are remembered, read in every direction and by kind.
func TestAnOutboxThatIsRememberedInPartIsReadOnBelow(t *testing.T) {
	v := newCachingTown(t)
	var want []feed.ContentID
	for id := feed.ContentID(1); id <= 120; id++ {
		v.post(ann, id)
		want = append(want, id)
	}
	v.inbox(ann)
	oldest := slices.Clone(want)
	slices.Reverse(want)
	for _, size := range []int{1, 7, 49, 50, 51, 100} {
		same(t, "the whole feed", v.pages(ann, feed.PageQuery{First: &size}), want...)
		same(t, "the whole feed from its end", v.pages(ann, feed.PageQuery{Last: &size}), oldest...)
	}
	size := 30
	if got := v.pages(ann, feed.PageQuery{First: &size, Kinds: feed.Kinds{feed.KindComment}}); len(got) != 0 {
		t.Errorf("there are comments: %v", got)
	}
	same(t, "the posts", v.pages(ann, feed.PageQuery{First: &size, Kinds: feed.Kinds{feed.KindPost}}), want...)
}

// pages reads the viewer's whole feed by pages of a kind, in the order of the pages.
func (v town) pages(viewer feed.UserID, q feed.PageQuery) (ids []feed.ContentID) {
	v.Helper()
	for {
		p, err := v.Timeline.Page(v.Context(), viewer, feed.HomeRef(), q)
		v.must(err)
		page := idsOf(p)
		more := p.HasNext
		if q.Last != nil {
			more = p.HasPrevious
			slices.Reverse(page)
		}
		ids = append(ids, page...)
		if !more || len(page) == 0 {
			return ids
		}
		if q.Last != nil {
			q.Before = p.Entries[0].Cursor
		} else {
			q.After = p.Entries[len(p.Entries)-1].Cursor
		}
	}
}

// One who reads ever other authors is not remembered without a bound.
func TestWhatIsKnownOfAViewerIsBounded(t *testing.T) {
	v := newCachingTown(t, func(p *feed.Policy) { p.FollowLimit, p.InboxCap = 2000, 2000 })
	local := feedtest.NewLocal()
	v.Cache.Local = local
	for id := feed.UserID(100); id < 1300; id++ {
		v.make(&feed.User{ID: id, Handle: "user" + id.String(), Name: "name"})
		v.follow(ann, id)
		v.post(id, feed.ContentID(id))
	}
	v.inbox(ann)
	n := 40
	v.pages(ann, feed.PageQuery{First: &n})
	if bytes := local.Get(ann).Bytes(); bytes > 20_000 {
		t.Errorf("what is known of one viewer takes %d bytes", bytes)
	}
}
