package feed_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
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

// stranger is a timeline that knows nobody, forgetful one that never does.
func stranger(t *feed.Timeline)  { t.Memory = feedtest.NewMemory() }
func forgetful(t *feed.Timeline) { t.Memory = nil }

// fresh is a timeline whose contents come from no cache.
func fresh(t *feed.Timeline) { t.Filter.Fresh = true }

func TestWhoIsNotKnownIsSurveyedAtOnce(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	v.inbox(ann)
	v.post(star, 1)
	v.post(ann, 2)
	v.work()
	v.asksFor("of a stranger", v.asks(stranger), "survey", "edges", "own contents", "profile")
	v.asksFor("without a memory", v.asks(forgetful), "survey", "edges", "own contents")
	v.asksFor("without a memory or a cache", v.asks(forgetful, fresh), "survey", "edges")
	noSurveyor := func(t *feed.Timeline) { t.Surveyor = nil }
	v.asksFor("without a surveyor", v.asks(stranger, noSurveyor), "stamp", "pulled", "outbox", "edges", "own contents", "profile")
	v.asksFor("with neither", v.asks(forgetful, noSurveyor), "stamp", "pulled", "outbox", "edges", "own contents")
}

// A survey asks whom a warm inbox does not cover, as nearly all inboxes are.
func TestASurveyBehindAColdInboxIsNotGoneByForWhomToPull(t *testing.T) {
	v := newTown(t, func(p *feed.Policy) { p.Fanout, p.PushThreshold, p.LeaseGrace = feed.FanoutHybrid, 0, 0 })
	v.must(v.Audience.Mark(t.Context(), star, feed.MarkSelective))
	v.follow(ann, star)
	v.inbox(ann)
	v.Clock.Advance(v.Policy.ActiveFor + time.Second)
	v.publishes(star, 1)()
	v.asksFor("of a cold stranger", v.asks(stranger), "survey", "pulled", "outbox", "edges")
	v.asksFor("of a cold one without a memory", v.asks(forgetful), "survey", "pulled", "outbox", "edges")
	same(t, "the feed", v.home(ann), 1)
}

func TestWhoHasNoInboxIsNotSurveyed(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	v.post(star, 1)
	v.asksFor("without an inbox", v.asks(stranger), "stamp", "edges")
}

// A survey has the newest of what is the viewer's own, and there may be more.
func TestWhatIsTheViewersOwnBelowASurveyIsListed(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	v.inbox(ann)
	ids := make([]feed.ContentID, 120)
	for i := range ids {
		ids[i] = feed.ContentID(i + 1)
	}
	v.post(ann, ids...)
	v.work()
	tl := *v.Timeline
	tl.Memory = nil
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

// What belongs to contents can be read while it is found out who may see them.
func TestAPageSaysWhatItJudgesWhenThatTakesARead(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star, moon)
	v.inbox(ann)
	v.post(star, 1)
	v.post(moon, 2)
	v.work()
	v.relate(feed.RelationMute, ann, moon)
	v.reconcile(ann)
	judged := func(change ...func(*feed.Timeline)) (ahead [][]feed.ContentID) {
		tl := *v.Timeline
		for _, c := range change {
			c(&tl)
		}
		n := 10
		page, err := tl.Page(t.Context(), ann, feed.HomeRef(), feed.PageQuery{First: &n, Ahead: func(_ context.Context, posts []*feed.Post) {
			var ids []feed.ContentID
			for _, p := range posts {
				ids = append(ids, p.ID)
			}
			ahead = append(ahead, ids)
		}})
		v.must(err)
		same(t, "the page", idsOf(page), 1)
		return ahead
	}
	both := [][]feed.ContentID{{2, 1}}
	if diff := cmp.Diff(both, judged(stranger)); diff != "" {
		t.Errorf("of a stranger (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(both, judged(forgetful)); diff != "" {
		t.Errorf("without a memory (-want +got):\n%s", diff)
	}
	v.home(ann)
	if got := judged(); got != nil {
		t.Errorf("%v are told of though nothing has to be read of their authors", got)
	}
}

// His own profile is read twice only where the first answer may be an old one.
func TestTheProfileOfWhoeverLooksIsReadOnceWhereNothingIsCached(t *testing.T) {
	v := newTown(t)
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
	v := newTown(t)
	v.inbox(ann)
	known := feedtest.NewMemory()
	knowing := func(t *feed.Timeline) { t.Memory = known }
	v.asksFor("at first", v.asks(knowing), "survey")
	v.asksFor("the second time", v.asks(knowing), "stamp")
}
