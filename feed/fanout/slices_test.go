package fanout_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

func TestPlan_CutsFollowersByAscendingID(t *testing.T) {
	v := published(t, 2)
	fixture.Same(t, "the enqueued slices", v.Queue.Tasks(), feedtest.Task{Push: slice(0)}, feedtest.Task{Push: slice(1)})
	for task, want := range []feed.Slice{{First: ann, Last: bob, Progress: ann - 1}, {First: cem, Last: cem, Progress: cem - 1}} {
		got := claims(v, slice(task))
		if got == nil || got.First != want.First || got.Last != want.Last || got.Progress != want.Progress {
			t.Errorf("slice %d is %+v, want %+v", task, got, want)
		}
	}
}

// Of an author who is pushed to active followers only, a slice spans so many runs that about
// as many of them are active as a run has followers.
func TestPlan_LongerSlicesForFewActiveFollowers(t *testing.T) {
	for name, c := range map[string]struct{ active, want []feed.UserID }{
		"all of the first run": {[]feed.UserID{101, 102, 108}, []feed.UserID{102, 104, 106, 108, 109}},
		"half of it":           {[]feed.UserID{102, 103, 104}, []feed.UserID{104, 108, 109}},
		"none of it":           {[]feed.UserID{103}, []feed.UserID{104, 108, 109}},
	} {
		v := fixture.New(t, func(p *feed.Policy) {
			p.Fanout, p.SliceSize, p.PlanBatch, p.PushThreshold = feed.FanoutHybrid, 2, 4, 3
		})
		starHas(v, 101, 9)
		for _, follower := range c.active {
			fixture.Got(v.Backend.Activity.Renew(t.Context(), follower, v.Policy.ActiveFor)).Must(t)
		}
		plan(v, 1)
		fixture.Same(t, "the ends of slices with "+name+" active", ends(v), c.want...)
	}
}

// starHas gives star so many followers, with ids from first on.
func starHas(v fixture.Service, first feed.UserID, followers int) {
	v.Helper()
	for n := range feed.UserID(followers) {
		follower := first + n
		v.MakeUser(&feed.User{ID: follower, Handle: "user" + follower.String(), Name: "A follower"})
		v.Follow(follower, star)
	}
}

// Of an author with very many followers a slice spans several runs, but there are always so
// many slices that all workers of a fleet have something to do.
func TestPlan_LongerSlicesForManyFollowers(t *testing.T) {
	for _, mode := range []feed.FanoutMode{feed.FanoutPush, feed.FanoutHybrid} {
		for followers, want := range map[int]int{1: 1, 63: 63, 64: 64, 127: 127, 128: 64, 131: 66, 256: 64, 1000: 250} {
			v := fixture.New(t, func(p *feed.Policy) { p.Fanout, p.SliceSize, p.PlanBatch, p.PushThreshold = mode, 1, 100, 3 })
			plansByTask(v)
			starHas(v, 1000, followers)
			plan(v, 1)
			if ends := ends(v); len(ends) != want || ends[want-1] != feed.UserID(999+followers) {
				t.Errorf("%s: %d followers have slices up to %v, want %d up to the last", mode, followers, ends, want)
			}
		}
	}
}

// ends returns where the slices of post 1 end, each of which begins where the one before it
// does.
func ends(v fixture.Service) (out []feed.UserID) {
	v.Helper()
	for last := feed.UserID(0); ; {
		s := claims(v, slice(len(out)))
		if s == nil {
			return out
		}
		if s.First != last+1 {
			v.Errorf("slice %d begins with %d behind %d", len(out), s.First, last)
		}
		last = s.Last
		out = append(out, last)
	}
}

// However many there are and however few of them are active, no slice spans more than sixteen.
func TestPlan_LimitsSliceToSixteenRuns(t *testing.T) {
	const size, most, slices = 16, 16, 8
	v := fixture.New(t, func(p *feed.Policy) {
		p.Fanout, p.SliceSize, p.PlanBatch, p.PushThreshold = feed.FanoutHybrid, size, size*most, 3
	})
	starHas(v, 1000, size*most*slices)
	plan(v, 1)
	if plan, err := v.Backend.Plans.PlanOf(t.Context(), 1); err != nil || len(plan.Open) != slices {
		t.Errorf("there are %d slices, want %d (%v)", len(plan.Open), slices, err)
	}
}

// A slice of several runs is pushed to at once, but run by run when several posts are, so
// that progress is stored as often as many keys take time.
func TestPush_SplitsLongSliceForSeveralPosts(t *testing.T) {
	for posts, want := range map[feed.PostID]int{1: 1, 2: 2, 3: 2} {
		v := fixture.New(t, func(p *feed.Policy) { p.SliceSize, p.PlanBatch, p.PushBatch = 1, 200, 2 })
		starHas(v, 1000, 128)
		for id := range posts {
			plan(v, 1+id)
		}
		pushed, calls := pushes(v), pushCalls(v)
		v.Must(v.Fanout.Push(t.Context(), slice(1)))
		if *calls != want || len(*pushed) != int(posts) || (*pushed)[0] != 2 {
			t.Errorf("%d posts: the inboxes were pushed to %d times, want %d; served: %v", posts, *calls, want, *pushed)
		}
	}
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
		push(v, 1)
		v.Happened(happened)
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
