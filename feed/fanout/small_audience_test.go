package fanout_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// The plan of a small audience is older than the list of its followers.
func TestPush_ReachesFollowerSincePublish(t *testing.T) {
	for call := range 4 {
		v := small(t)
		v.Unfollow(cem, star)
		v.WorkAll()
		v.Post(star, 1)
		// Calls 0 to 3: claim, followers, inboxes, progress. cem is after the others.
		happened := v.At(call, func() { v.Follow(cem, star) })
		push(v, 1)
		if !happened() {
			t.Fatal("the push was over too soon")
		}
		fixture.Same(t, "the served", served(v), ann, bob, cem)
	}
}

// Between the publish and the push the author may become popular.
func TestPush_ServesAudienceThatHasGrown(t *testing.T) {
	for name, grow := range map[string]func(v fixture.Service){
		"more followers than a slice": func(fixture.Service) {},
		"a selective author":          func(v fixture.Service) { v.Flag(star, feed.FlagSelective) },
		"an unpushed author":          func(v fixture.Service) { v.Flag(star, feed.FlagUnpushed) },
	} {
		v := small(t)
		v.Post(star, 1)
		starHas(v, 1000, 20)
		for n := range feed.UserID(20) {
			v.BuildInbox(1000 + n)
		}
		grow(v)
		v.EndLeases()
		push(v, 1)
		fixture.Same(t, name+": the served", served(v), ann, bob, cem)
		for n := range feed.UserID(20) {
			fixture.Same(t, name+": the feed of a new follower", v.Home(1000+n), 1)
		}
		fixture.Same(t, name+": a feed", v.Home(ann), 1)
	}
}

// dyingAnnouncer dies at the first announcement.
type dyingAnnouncer struct{ announced []feed.PostID }

func (a *dyingAnnouncer) Announce(_ context.Context, said feed.Announcement) error {
	a.announced = append(a.announced, said.Post)
	if len(a.announced) == 1 {
		panic("the worker dies")
	}
	return nil
}

// Between the end of the last slice and the announcement a worker may die.
func TestSmallAudience_AnnouncedOnceDespiteKill(t *testing.T) {
	v := small(t)
	air := &dyingAnnouncer{}
	v.Fanout.Announcer, v.Fanout.Announced = air, v.Backend.Announced
	v.Post(star, 1)
	func() {
		defer func() { _ = recover() }()
		v.WorkAll()
	}()
	push(v, 1)
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	v.Must(v.Rest(t.Context()))
	everyoneHas(v, 1)
	fixture.Same(t, "the announcements", air.announced, 1)
}

// A publish, and a follow with its reconciliation, in every order.
func TestSmallAudience_FollowDuringPublish(t *testing.T) {
	orders := feedtest.EverySchedule(func(choose func(n int) int) bool {
		v := fixture.New(t)
		v.BuildInbox(ann)
		v.Interleave([]feedtest.Actor{
			func() {
				v.Atomically(func() { v.Post(star, 1) })
				v.Yield()
				push(v, 1)
			},
			func() {
				v.Atomically(func() { v.Follow(ann, star) })
				v.Yield()
				v.Reconcile(ann)
			},
		}, choose)
		v.Must(v.Rest(t.Context()))
		fixture.Same(t, "the inbox", v.Entries(ann), 1)
		return !t.Failed()
	})
	t.Logf("%d orders", orders)
}
