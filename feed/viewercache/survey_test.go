package viewercache_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

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

// stranger removes the local cache.
func stranger(c *viewercache.Cache) { c.Local = feedtest.NewLocal() }

// fresh reads posts from the primary.
func fresh(c *viewercache.Cache) {
	store := c.Direct.Primary.(primary).counted.Posts //nolint:forcetypeassert // asks makes it so
	c.Direct.Posts, c.Direct.Primary = store, store
}

func TestSurvey_ReadsUncachedViewerAtOnce(t *testing.T) {
	v := fixture.NewCaching(t)
	v.Cover(ann, star)
	v.Post(star, 1)
	v.Deliver(ann, 2)
	asksFor(v, "of an uncached viewer", asks(v, stranger), "survey", "edges", "own posts")
	asksFor(v, "of an uncached viewer without a cache of posts", asks(v, stranger, fresh), "survey", "edges")
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

// A survey returns only the newest of the viewer's own posts.
func TestSurvey_OwnPostsBelowItAreRead(t *testing.T) {
	v := fixture.NewCaching(t)
	v.Cover(ann, star)
	ids := make([]feed.PostID, 120)
	for i := range ids {
		ids[i] = feed.PostID(i + 1)
	}
	v.Deliver(ann, ids...)
	tl := *v.OtherProcess
	n, after := 20, ""
	var got []feed.PostID
	for range len(ids) / n {
		page, err := tl.Page(t.Context(), ann, feed.PageQuery{First: &n, After: after})
		v.Must(err)
		got = append(got, fixture.IDsOf(page)...)
		after = page.Entries[n-1].Cursor
	}
	slices.Reverse(ids)
	fixture.Same(t, "the feed", got, ids...)
}

// The viewer's own profile is read twice only if the first result may be old.
func TestAuthors_ReadOwnProfileOnce(t *testing.T) {
	v := fixture.NewCaching(t)
	c := &counted{Users: v.Backend.Users, asked: map[string]int{}}
	d := *v.Directory
	d.Primary = profiles{c}
	for fresh, want := range map[bool]int{false: 1, true: 0} {
		clear(c.asked)
		d.Fresh = fresh
		users, err := d.Authors(t.Context(), ann, []feed.UserID{star, ann})
		v.Must(err)
		if c.asked["profile"] != want || users[0].ID != star || users[1].ID != ann {
			t.Errorf("fresh: %t: calls of the primary are %v, users %v", fresh, c.asked, users)
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
