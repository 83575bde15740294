package fanout_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// small is a service in which ann, bob and cem have inboxes and follow star, whose audience is
// small.
func small(t *testing.T) fixture.Service {
	v := fixture.New(t, func(p *feed.Policy) { p.SliceSize, p.PushBatch = 3, 1 })
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		v.Follow(viewer, star)
		v.BuildInbox(viewer)
	}
	v.Queue.Lose()
	return v
}

// The plan of a small audience is older than the list of its followers.
func TestPush_ReachesFollowerSincePublish(t *testing.T) {
	for call := range 4 {
		v := small(t)
		v.Unfollow(cem, star)
		v.WorkAll()
		v.Post(star, 1)
		// Calls 0 to 3: claim, followers, inboxes, progress. cem is after the others.
		happened := v.At(call, func() { v.Follow(cem, star) })
		v.Must(v.Fanout.Push(t.Context(), slice(0)))
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
		"a selective author": func(v fixture.Service) {
			v.Must(v.Audience.RaiseFlag(v.Context(), star, feed.FlagSelective, feed.FlagThreshold))
		},
		"an unpushed author": func(v fixture.Service) {
			v.Must(v.Audience.RaiseFlag(v.Context(), star, feed.FlagUnpushed, feed.FlagBacklog))
		},
	} {
		v := small(t)
		v.Post(star, 1)
		starHas(v, 1000, 20)
		for n := range feed.UserID(20) {
			v.BuildInbox(1000 + n)
		}
		grow(v)
		v.EndLeases()
		v.Must(v.Fanout.Push(t.Context(), slice(0)))
		fixture.Same(t, name+": the served", served(v), ann, bob, cem)
		for n := range feed.UserID(20) {
			fixture.Same(t, name+": the feed of a new follower", v.Home(1000+n), 1)
		}
		fixture.Same(t, name+": a feed", v.Home(ann), 1)
	}
}

// killed publishes a post and loses its task, as a publisher does that dies after its commit.
func killed(v fixture.Service, id feed.PostID) {
	v.Helper()
	v.Post(star, id)
	v.Queue.Lose()
}

func TestSweep_DispatchesPostOfKilledPublisher(t *testing.T) {
	v := small(t)
	killed(v, 1)
	fixture.Same(t, "before the patience is over", sweepsAfter(v, v.Policy.QueuePatience-1e6))
	fixture.Same(t, "after it", sweepsAfter(v, 1e6), feedtest.Task{Push: slice(0)})
	v.WorkAll()
	fixture.Same(t, "the served", served(v), ann, bob, cem)
	fixture.Same(t, "when it is done", sweepsAfter(v, v.Policy.QueuePatienceMax))
}

// Whichever call of the worker is its last, and whether the task comes once or twice.
func TestSmallAudience_SurvivesKilledWorkers(t *testing.T) {
	for _, copies := range []int{1, 2} {
		for n, died := 0, true; died; n++ {
			v := small(t)
			v.Post(star, 1)
			if copies == 2 {
				v.Queue.Double()
			}
			died = diesAt(v, n)
			v.Must(v.Rest(t.Context()))
			everyoneHas(v, 1)
		}
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
	v.Must(v.Fanout.Push(t.Context(), slice(0)))
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	v.Must(v.Rest(t.Context()))
	everyoneHas(v, 1)
	fixture.Same(t, "the announcements", air.announced, 1)
}

func TestPush_TakesWaitingPostsOfSmallAudienceAlong(t *testing.T) {
	v := small(t)
	v.Post(star, 1, 2, 3)
	v.Queue.Lose()
	v.Must(v.Fanout.Push(t.Context(), slice(0)))
	everyoneHas(v, 3, 2, 1)
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
				v.Must(v.Fanout.Push(t.Context(), slice(0)))
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
