package viewercache_test

import (
	"context"
	"testing"
	"time"


	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// stranger removes the local cache.
func stranger(c *viewercache.Cache) { c.Local = feedtest.NewLocal() }

// fresh reads posts from the primary.
func fresh(c *viewercache.Cache) {
	store := c.Direct.Primary.(primary).store //nolint:forcetypeassert // asks makes it so
	c.Direct.Posts, c.Direct.Primary = store, store
}

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
