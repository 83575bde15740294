package viewercache_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// The users of the tests.
const (
	ann  = fixture.Ann
	bob  = fixture.Bob
	cem  = fixture.Cem
	star = fixture.Star
	moon = fixture.Moon
)

// Several reads fill a viewer's entry while relations and posts change between their steps.
// Whichever read filled it last, the first read after a change sees the change.
func TestInterleavings_CacheShowsChange(t *testing.T) {
	cached := func(v fixture.Service) {
		atHome(v)
		v.Home(ann)
	}
	for name, c := range changesOfAnns() {
		for when, before := range map[string]func(v fixture.Service){"nothing is cached": atHome, "all is cached": cached} {
			t.Run(name+", "+when, func(t *testing.T) {
				fixture.Interleaving{Mode: feed.FanoutHybrid, Before: before, Actors: func(v fixture.Service) []feedtest.Actor {
					return []feedtest.Actor{v.Reads(), v.Changes(func() { c.change(v) }, c.id, c.shown)}
				}}.Run(t)
			})
		}
	}
}

// atHome gives ann an inbox with a post by star, and a post of her own.
func atHome(v fixture.Service) {
	v.Cover(ann, star)
	v.Deliver(star, 1)
	v.Post(ann, 2)
}

// changeOfAnns is a change after which a post of ann's feed ([atHome]) is in the feed or not.
type changeOfAnns struct {
	change func(v fixture.Service)
	id     feed.PostID
	shown  bool
}

func changesOfAnns() map[string]changeOfAnns {
	return map[string]changeOfAnns{
		"a mute":               {func(v fixture.Service) { v.Relate(feed.RelationMute, ann, star) }, 1, false},
		"a block by the other": {func(v fixture.Service) { v.Relate(feed.RelationBlock, star, ann) }, 1, false},
		"a hide by the other":  {func(v fixture.Service) { v.Relate(feed.RelationHide, star, ann) }, 1, false},
		"an unfollow":          {func(v fixture.Service) { v.Unfollow(ann, star) }, 1, false},
		"a follow": {func(v fixture.Service) {
			v.Post(moon, 3)
			v.Follow(ann, moon)
		}, 3, true},
		"a takedown":                 {func(v fixture.Service) { impose(v, feed.Subject{Post: 1}) }, 1, false},
		"a suspension":               {func(v fixture.Service) { impose(v, feed.Subject{User: star}) }, 1, false},
		"a takedown of an own post":  {func(v fixture.Service) { impose(v, feed.Subject{Post: 2}) }, 2, true},
		"a suspension of the viewer": {func(v fixture.Service) { impose(v, feed.Subject{User: ann}) }, 2, true},
		"a publish":                  {func(v fixture.Service) { v.Post(ann, 3) }, 3, true},
		"a deletion":                 {func(v fixture.Service) { v.Delete(ann, 2) }, 2, false},
		"a post by another author that is no longer pushed": {func(v fixture.Service) {
			v.Flag(star, feed.FlagUnpushed)
			v.Deliver(star, 3)
		}, 3, true},
	}
}

func impose(v fixture.Service, of feed.Subject) {
	v.Must(v.Moderation.Impose(v.Context(), feed.Sanction{Subject: of, Reason: "spam"}))
}

// counted counts reads of relations and of the primary.
type counted struct {
	feed.Relations
	feed.Surveyor
	feed.Outboxes
	asked map[string]int
}

// primary counts reads of posts from the primary.
type primary struct {
	store feed.Posts
	asked map[string]int
}

func (p primary) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	p.asked["own posts"]++
	return p.store.Posts(ctx, ids)
}

func (c *counted) ViewerVersion(ctx context.Context, viewer feed.UserID) (feed.ViewerVersion, error) {
	c.asked["version"]++
	return c.Relations.ViewerVersion(ctx, viewer)
}

func (c *counted) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	c.asked["edges"]++
	return c.Relations.Edges(ctx, viewer, others)
}

func (c *counted) Pulled(ctx context.Context, viewer feed.UserID, inbox feed.Completeness) ([]feed.UserID, error) {
	c.asked["pulled"]++
	return c.Relations.Pulled(ctx, viewer, inbox)
}

func (c *counted) Outbox(ctx context.Context, viewer feed.UserID, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	c.asked["outbox"]++
	return c.Outboxes.Outbox(ctx, viewer, authors, r)
}

func (c *counted) Survey(ctx context.Context, viewer feed.UserID, since int64, cold bool, own int) (feed.Survey, error) {
	c.asked["survey"]++
	return c.Surveyor.Survey(ctx, viewer, since, cold, own)
}

// asks returns the counted reads of one page of ann's feed, through a viewer cache that change
// may modify.
func asks(v fixture.Service, change ...func(c *viewercache.Cache)) map[string]int {
	v.Helper()
	c := &counted{Relations: v.Backend.Relations, Surveyor: v.Surveyor, Outboxes: v.Backend.Outboxes, asked: map[string]int{}}
	direct, cache, t := *v.Cache.Direct, *v.Cache, *v.Cached
	direct.Relations, direct.Outboxes, direct.Primary = c, c, primary{v.Backend.Posts, c.asked}
	cache.Direct, cache.Surveyor = &direct, c
	t.Viewers, t.Outboxes = &cache, c
	for _, c := range change {
		c(&cache)
	}
	n := v.Policy.PageMax
	fixture.Got(t.Page(v.Context(), ann, feed.PageQuery{First: &n})).Must(v)
	return c.asked
}

// asksFor fails the test unless a read made exactly these calls, each once.
func asksFor(v fixture.Service, when string, got map[string]int, asked ...string) {
	v.Helper()
	want := map[string]int{}
	for _, what := range asked {
		want[what] = 1
	}
	if diff := cmp.Diff(want, got); diff != "" {
		v.Errorf("%s: calls (-want +got):\n%s", when, diff)
	}
}

func TestCache_ReadsOnlyVersionWhileUnchanged(t *testing.T) {
	v := fixture.NewCaching(t)
	v.Cover(ann, star)
	v.Post(star, 1)
	v.Deliver(ann, 2)
	wants := func(when string, asked ...string) {
		t.Helper()
		asksFor(v, when, asks(v), asked...)
	}
	wants("at first", "survey", "edges", "own posts")
	wants("when all is cached", "version")
	v.Relate(feed.RelationMute, ann, bob)
	v.Reconcile(ann)
	wants("after a change of a relation", "version", "edges", "pulled")
	v.Post(ann, 3)
	wants("after a publish", "version", "outbox", "own posts")
	v.Edit(ann, 2, "other words")
	wants("after an edit", "version", "outbox", "own posts")
	fixture.Got(v.Backend.Profiles.UpdateProfile(t.Context(), ann, feed.ProfileChange{Name: new("Another")})).Must(t)
	wants("after a change of her profile", "version", "outbox", "own posts")
	v.Flag(moon, feed.FlagSelective)
	wants("after a raised flag", "version", "pulled")
	v.Must(v.PulseLog.RaiseGeneration(t.Context()))
	v.BuildInbox(ann)
	wants("under a new generation", "version", "edges", "pulled", "outbox", "own posts")
	v.Clock.Advance(time.Minute + time.Millisecond)
	wants("after a minute", "version", "edges", "pulled", "outbox", "own posts")
	v.Clock.Advance(40 * time.Second)
	v.Post(ann, 4)
	wants("after another publish", "version", "outbox", "own posts")
	v.Clock.Advance(30 * time.Second)
	wants("a minute after its oldest part", "version", "edges", "pulled", "outbox", "own posts")
	v.Clock.Advance(-time.Second)
	wants("when the clock was set back", "version", "edges", "pulled", "outbox", "own posts")
}

// Neither the end of a lease nor a loss of Redis changes the version.
func TestCache_KeepsPulledAuthorsPerInboxState(t *testing.T) {
	for name, sc := range map[string]func(v fixture.Service){
		"the inbox has become cold": func(v fixture.Service) {
			v.Flag(star, feed.FlagSelective)
			v.Cover(ann, star)
			v.Clock.Advance(v.Policy.ActiveFor - time.Second)
			v.Home(ann)
			v.Clock.Advance(2 * time.Second)
			v.Publishes(star, 1)()
		},
		"the inbox has been set back to an earlier version": func(v fixture.Service) {
			v.BuildInbox(ann)
			v.Server.Save()
			v.Follow(ann, star)
			v.Reconcile(ann)
			v.Deliver(star, 1)
			v.Home(ann)
			v.Server.Restore()
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewCaching(t, func(p *feed.Policy) {
				p.Fanout, p.PushThreshold, p.LeaseGrace = feed.FanoutHybrid, 0, 0
			})
			sc(v)
			fixture.Same(t, "the feed", v.Home(ann), 1)
		})
	}
}

// An edit changes no list, so only the version tells that the text has changed.
func TestCache_ShowsLatestOwnText(t *testing.T) {
	v := fixture.NewCaching(t)
	v.BuildInbox(ann)
	v.Post(ann, 1)
	v.Home(ann)
	v.Edit(ann, 1, "other words")
	fixture.Is(t, "the text", v.Page(ann, 1, "").Entries[0].Post.Text, "other words")
}

// More own posts than are cached, read in every direction and by kind.
func TestCache_ReadsOutboxBelowCachedPart(t *testing.T) {
	v := fixture.NewCaching(t)
	var want []feed.PostID
	for id := feed.PostID(1); id <= 120; id++ {
		v.Post(ann, id)
		want = append(want, id)
	}
	v.BuildInbox(ann)
	oldest := slices.Clone(want)
	slices.Reverse(want)
	for _, size := range []int{1, 7, 49, 50, 51, 100} {
		fixture.Same(t, "the whole feed", pages(v, ann, feed.PageQuery{First: &size}), want...)
		fixture.Same(t, "the whole feed from its end", pages(v, ann, feed.PageQuery{Last: &size}), oldest...)
	}
	size := 30
	fixture.Same(t, "the comments", pages(v, ann, feed.PageQuery{First: &size, Filter: feed.OfKinds(feed.KindComment)}))
	fixture.Same(t, "the posts", pages(v, ann, feed.PageQuery{First: &size, Filter: feed.OfKinds(feed.KindPost)}), want...)
	v.Timeline = v.OtherProcess // surveys only the newest
	fixture.Same(t, "the whole feed without a local cache", pages(v, ann, feed.PageQuery{First: &size}), want...)
}

// pages reads the viewer's whole feed by pages of one kind.
func pages(v fixture.Service, viewer feed.UserID, q feed.PageQuery) (ids []feed.PostID) {
	v.Helper()
	for {
		p := fixture.Got(v.Timeline.Page(v.Context(), viewer, q)).Must(v)
		page := fixture.IDsOf(p)
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

// The entry of a viewer who reads ever more authors stays limited.
func TestCache_LimitsEntry(t *testing.T) {
	for name, c := range map[string]struct {
		most int64
		post func(v fixture.Service)
	}{
		"edges": {10_000, func(v fixture.Service) {
			for id := feed.UserID(100); id < 1300; id++ {
				v.MakeUser(&feed.User{ID: id, Handle: "user" + id.String(), Name: "name"})
				v.Follow(ann, id)
				v.Post(id, feed.PostID(id))
			}
		}},
		"own posts": {120_000, func(v fixture.Service) {
			for id := feed.PostID(100); id < 700; id++ {
				v.Post(ann, id)
			}
		}},
	} {
		v := fixture.NewCaching(t, func(p *feed.Policy) { p.FollowLimit, p.InboxCap = 2000, 2000 })
		local := feedtest.NewLocal()
		v.Cache.Local = local
		c.post(v)
		v.BuildInbox(ann)
		n := 40
		pages(v, ann, feed.PageQuery{First: &n})
		if bytes := local.Get(ann).Bytes(); bytes > c.most {
			t.Errorf("%s: the entry of one viewer takes %d bytes", name, bytes)
		}
	}
}

// stranger removes the local cache.
func stranger(c *viewercache.Cache) { c.Local = feedtest.NewLocal() }

// A survey asks for the authors that a warm inbox does not cover, because nearly all inboxes are
// warm.
func TestSurvey_OfWarmInboxIsNotUsedForCold(t *testing.T) {
	v := fixture.NewCaching(t, func(p *feed.Policy) { p.Fanout, p.PushThreshold, p.LeaseGrace = feed.FanoutHybrid, 0, 0 })
	v.Flag(star, feed.FlagSelective)
	v.Cover(ann, star)
	v.Clock.Advance(v.Policy.ActiveFor + time.Second)
	v.Publishes(star, 1)()
	asksFor(v, "of an uncached viewer with a cold inbox", asks(v, stranger), "survey", "pulled", "outbox", "edges")
	fixture.Same(t, "the feed", v.Home(ann), 1)
}

func TestSurvey_SkippedWithoutInbox(t *testing.T) {
	v := fixture.NewCaching(t)
	v.Follow(ann, star)
	v.Post(star, 1)
	asksFor(v, "without an inbox", asks(v, stranger), "version", "edges")
}

// profiles counts reads of profiles.
type profiles struct {
	store
	asked int
}

// store is [feed.Users] under a name that does not stand in its method's way.
type store interface{ feed.Users }

func (p *profiles) Users(ctx context.Context, ids []feed.UserID) ([]*feed.User, error) {
	p.asked++
	return p.store.Users(ctx, ids)
}

// The viewer's own profile is read twice only if the first result may be old.
func TestAuthors_ReadOwnProfileOnce(t *testing.T) {
	v := fixture.NewCaching(t)
	d := *v.Directory
	for fresh, want := range map[bool]int{false: 1, true: 0} {
		primary := &profiles{store: v.Backend.Users}
		d.Primary, d.Fresh = primary, fresh
		users := fixture.Got(d.Authors(t.Context(), ann, []feed.UserID{star, ann})).Must(t)
		if primary.asked != want || users[0].ID != star || users[1].ID != ann {
			t.Errorf("fresh: %t: the primary was called %d times, users %v", fresh, primary.asked, users)
		}
	}
}

// Also if the page has nothing to judge.
func TestSurvey_IsCached(t *testing.T) {
	v := fixture.NewCaching(t)
	v.BuildInbox(ann)
	local := feedtest.NewLocal()
	caching := func(c *viewercache.Cache) { c.Local = local }
	asksFor(v, "at first", asks(v, caching), "survey")
	asksFor(v, "the second time", asks(v, caching), "version")
}
