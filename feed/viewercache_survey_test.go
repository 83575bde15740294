package feed_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// asksFor fails the test unless what a read has asked is this, each once.
func (v town) asksFor(when string, got map[string]int, asked ...string) {
	v.Helper()
	want := map[string]int{}
	for _, what := range asked {
		want[what] = 1
	}
	if diff := cmp.Diff(want, got); diff != "" {
		v.Errorf("%s the read asks (-want +got):\n%s", when, diff)
	}
}

// stranger is a cache that is empty.
func stranger(c *viewercache.Cache) { c.Local = feedtest.NewLocal() }

// fresh is a cache whose posts come from no other cache.
func fresh(c *viewercache.Cache) {
	store := c.Direct.Primary.(primary).counted.Posts //nolint:forcetypeassert // asks makes it so
	c.Direct.Posts, c.Direct.Primary = store, store
}

func TestWhoIsNotKnownIsSurveyedAtOnce(t *testing.T) {
	v := newCachingTown(t)
	v.follow(ann, star)
	v.inbox(ann)
	v.post(star, 1)
	v.post(ann, 2)
	v.work()
	v.asksFor("of a stranger", v.asks(stranger), "survey", "edges", "own contents")
	v.asksFor("of a stranger without a cache of posts", v.asks(stranger, fresh), "survey", "edges")
}

// A survey asks whom a warm inbox does not cover, as nearly all inboxes are.
func TestASurveyBehindAColdInboxIsNotGoneByForWhomToPull(t *testing.T) {
	v := newCachingTown(t, func(p *feed.Policy) { p.Fanout, p.PushThreshold, p.LeaseGrace = feed.FanoutHybrid, 0, 0 })
	v.must(v.Audience.Mark(t.Context(), star, feed.MarkSelective))
	v.follow(ann, star)
	v.inbox(ann)
	v.Clock.Advance(v.Policy.ActiveFor + time.Second)
	v.publishes(star, 1)()
	v.asksFor("of a cold stranger", v.asks(stranger), "survey", "pulled", "outbox", "edges")
	same(t, "the feed", v.home(ann), 1)
}

func TestWhoHasNoInboxIsNotSurveyed(t *testing.T) {
	v := newCachingTown(t)
	v.follow(ann, star)
	v.post(star, 1)
	v.asksFor("without an inbox", v.asks(stranger), "stamp", "edges")
}

// A survey has the newest of what is the viewer's own, and there may be more.
func TestWhatIsTheViewersOwnBelowASurveyIsListed(t *testing.T) {
	v := newCachingTown(t)
	v.follow(ann, star)
	v.inbox(ann)
	ids := make([]feed.ContentID, 120)
	for i := range ids {
		ids[i] = feed.ContentID(i + 1)
	}
	v.post(ann, ids...)
	v.work()
	tl := *v.Elsewhere
	n, after := 20, ""
	var got []feed.ContentID
	for range len(ids) / n {
		page, err := tl.Page(t.Context(), ann, feed.HomeRef(), feed.PageQuery{First: &n, After: after})
		v.must(err)
		got = append(got, idsOf(page)...)
		after = page.Entries[n-1].Cursor
	}
	slices.Reverse(ids)
	same(t, "the feed", got, ids...)
}

// His own profile is read twice only where the first answer may be an old one.
func TestTheProfileOfWhoeverLooksIsReadOnceWhereNothingIsCached(t *testing.T) {
	v := newCachingTown(t)
	c := &counted{Users: v.Backend.Users, asked: map[string]int{}}
	d := *v.Directory
	d.Primary = profiles{c}
	for fresh, want := range map[bool]int{false: 1, true: 0} {
		clear(c.asked)
		d.Fresh = fresh
		users, err := d.Authors(t.Context(), ann, []feed.UserID{star, ann})
		v.must(err)
		if c.asked["profile"] != want || users[0].ID != star || users[1].ID != ann {
			t.Errorf("fresh: %t: the primary is asked %v, for %v", fresh, c.asked, users)
		}
	}
}

// Also when there is nothing to be judged on the page.
func TestASurveyIsRemembered(t *testing.T) {
	v := newCachingTown(t)
	v.inbox(ann)
	known := feedtest.NewLocal()
	knowing := func(c *viewercache.Cache) { c.Local = known }
	v.asksFor("at first", v.asks(knowing), "survey")
	v.asksFor("the second time", v.asks(knowing), "stamp")
}
