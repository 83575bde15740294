package fanout_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// A batch may be larger than the rest of a slice. The next slice belongs to another task.
func TestPush_ServesOnlyItsSlice(t *testing.T) {
	v := published(t, 2)
	v.Fanout.Policy.PushBatch = 5
	push(v, 1)
	fixture.Same(t, "the served", served(v), ann, bob)
}

func TestPush_ReleasesSliceAfterFailure(t *testing.T) {
	v := published(t, 3)
	pushed := pushes(v)
	v.Flaky.FailAt = 2
	v.Refused(v.Fanout.Push(t.Context(), slice(0)), feed.CodeUnavailable)
	fixture.Same(t, "the served", served(v), ann)
	// It can be claimed at once, and continues after ann.
	push(v, 1)
	fixture.Same(t, "the served", served(v), ann, bob, cem)
	fixture.Same(t, "the followers served by runs that came to an end", *pushed, 2)
	finished(v, 1)
	push(v, 1)
	fixture.Same(t, "the runs that did anything", *pushed, 2)
}

func TestPush_TrustsOnlyAcknowledgedWrites(t *testing.T) {
	for _, lost := range []bool{false, true} {
		v := burst(t, 1, func(p *feed.Policy) { p.PushBatch = 3 })
		v.Flaky.FailAt, v.Flaky.Served, v.Flaky.ReplyLost = 1, 2, lost
		v.Refused(v.Fanout.Push(t.Context(), slice(0)), feed.CodeUnavailable)
		released(v, bob, 1)
		v.Clock.Advance(time.Millisecond)
		push(v, 1)
		everyoneHas(v, 1)
	}
}

// A worker that stops for longer than its lease finds its slice given to another, and leaves it
// alone.
func TestPush_FencedAfterItsLease(t *testing.T) {
	v := published(t, 3)
	pushed := pushes(v)
	// Calls 0 to 2: claim, followers, inboxes.
	happened := v.At(2, func() {
		if s := claims(v, slice(0)); s != nil {
			t.Errorf("the slice was given away during its lease: %+v", s)
		}
		v.Clock.Advance(v.Policy.SliceLease)
		push(v, 1)
	})
	push(v, 1)
	v.Happened(happened)
	fixture.Same(t, "the followers served by runs that came to an end", *pushed, 3)
	fixture.Same(t, "the served", served(v), ann, bob, cem)
}

// What is stored as progress has been pushed, at whichever of its steps a worker dies.
func TestPush_ResumesAfterKill(t *testing.T) {
	smallPublished := func(t *testing.T) fixture.Service {
		v := small(t)
		v.Post(star, 1)
		return v
	}
	for name, c := range map[string]struct {
		open  func(t *testing.T) fixture.Service
		posts []feed.PostID
	}{
		"one slice":              {func(t *testing.T) fixture.Service { return burst(t, 1) }, []feed.PostID{1}},
		"slices pushed together": {func(t *testing.T) fixture.Service { return burst(t, 3) }, []feed.PostID{3, 2, 1}},
		"a small audience":       {smallPublished, []feed.PostID{1}},
		"a small audience, and its task comes twice": {func(t *testing.T) fixture.Service {
			v := smallPublished(t)
			v.Queue.Double()
			return v
		}, []feed.PostID{1}},
	} {
		t.Run(name, func(t *testing.T) {
			for n, died := 0, true; died; n++ {
				v := c.open(t)
				died = diesAt(v, n)
				v.Must(v.Rest(t.Context()))
				everyoneHas(v, c.posts...)
			}
		})
	}
}

// Even a worker whose context has ended stores its progress, whether the progress of some slices was
// stored or not.
func TestPush_ReleasesSliceWhenCanceled(t *testing.T) {
	for _, c := range []struct {
		posts []feed.PostID
		call  int
	}{
		{[]feed.PostID{1}, 5},                              // the push of the second batch
		{[]feed.PostID{1, 2}, 4}, {[]feed.PostID{1, 2}, 5}, // both store progress
	} {
		v := burst(t, feed.PostID(len(c.posts)))
		ctx, cancel := context.WithCancel(t.Context())
		happened := v.At(c.call, cancel)
		if err := v.Fanout.Push(ctx, slice(0)); err == nil || !happened() {
			t.Errorf("the push was not cancelled in call %d: %v", c.call, err)
		}
		released(v, ann, c.posts...)
	}
}

func TestPush_SkipsOnlyThoseWhoUnfollowed(t *testing.T) {
	v := published(t, 3)
	v.Unfollow(bob, star)
	v.Unfollow(cem, star)
	push(v, 1)
	fixture.Same(t, "the served", served(v), ann)
	finished(v, 1)
}

func TestPush_SkipsDeletedAndUnpushed(t *testing.T) {
	for name, happen := range map[string]func(v fixture.Service){
		"deleted":               func(v fixture.Service) { v.Delete(star, 2) },
		"by an unpushed author": func(v fixture.Service) { v.Flag(star, feed.FlagUnpushed) },
	} {
		v := fixture.New(t)
		plansByTask(v)
		v.Follow(ann, star)
		v.Post(star, 2)
		happen(v)
		v.Queue.Lose()
		v.Must(v.Fanout.Dispatch(t.Context(), 2))
		fixture.Same(t, name+": the enqueued slices", v.Queue.Tasks())
		if plan, err := v.Backend.Plans.PlanOf(t.Context(), 2); err != nil || !plan.Stored {
			t.Errorf("%s: the plan is stored: %t, %v", name, plan.Stored, err)
		}
	}
}

func TestFanout_UnknownPostIsError(t *testing.T) {
	v := fixture.New(t)
	v.Refused(v.Fanout.Dispatch(t.Context(), 99), feed.CodeNotFound)
	push(v, 99)
}

func TestPush_TakesWaitingPostsAlong(t *testing.T) {
	v := burst(t, 3, func(p *feed.Policy) { p.PushBatch = 3 })
	pushed, calls := pushes(v), pushCalls(v)
	push(v, 1)
	everyoneHas(v, 3, 2, 1)
	fixture.Same(t, "the followers served by each slice", *pushed, 3, 3, 3)
	fixture.Same(t, "the pushes to inboxes", []int{*calls}, 1)
	for id := range feed.PostID(3) {
		push(v, 1+id)
	}
	fixture.Same(t, "the followers served after running all slices", *pushed, 3, 3, 3)

	v = small(t)
	v.Post(star, 1, 2, 3)
	push(v, 1)
	everyoneHas(v, 3, 2, 1)
}

func TestPush_LimitsPostsPushedTogether(t *testing.T) {
	for together, want := range map[int][]feed.PostID{0: {2}, 1: {2}, 2: {2, 1}, 3: {3, 2, 1}} {
		v := burst(t, 4, func(p *feed.Policy) { p.PushTogether = together })
		push(v, 2)
		everyoneHas(v, want...)
	}
}

func TestPush_ReleasesAllSlicesAfterFailure(t *testing.T) {
	v := burst(t, 2)
	v.Flaky.FailAt = 2
	v.Refused(v.Fanout.Push(t.Context(), slice(0)), feed.CodeUnavailable)
	fixture.Same(t, "ann's inbox", v.Entries(ann), 2, 1)
	fixture.Same(t, "bob's inbox", v.Entries(bob))
	released(v, ann, 1, 2)
	v.Clock.Advance(time.Millisecond)
	// A released slice does not wait, but another attempt must take it.
	push(v, 2)
	fixture.Same(t, "bob's inbox", v.Entries(bob), 2)
	push(v, 1)
	everyoneHas(v, 2, 1)
}

// Each of the slices has a lease and an attempt of its own.
func TestPush_ContinuesWithoutFencedSlice(t *testing.T) {
	for _, lost := range []feed.PostID{1, 2} {
		v := burst(t, 2)
		pushed := pushes(v)
		// Calls 0 to 3: both claims, followers, inboxes.
		happened := v.At(3, func() {
			v.Clock.Advance(v.Policy.SliceLease)
			released(v, ann-1, lost)
		})
		push(v, 1)
		v.Happened(happened)
		fixture.Same(t, "the followers served by finished slices", *pushed, 3)
		released(v, ann-1, lost)
		finished(v, 3-lost)
		v.Must(v.Rest(t.Context()))
		everyoneHas(v, 2, 1)
	}
}

func TestPush_ContinuesWithoutUnknownPost(t *testing.T) {
	v := burst(t, 1)
	alike := feed.Slice{SliceRef: feed.SliceRef{Post: 99}, First: 1, Last: cem}
	fixture.Got(v.Backend.Plans.StorePlan(t.Context(), feed.Plan{Post: 99, Author: star, Slices: []feed.Slice{alike}}, 0)).Must(t)
	push(v, 1)
	everyoneHas(v, 1)
	if s := claims(v, alike.SliceRef); s == nil || s.Attempt != 2 {
		t.Errorf("the other slice was not claimed and released: %+v", s)
	}
}

func TestPushCounted_CountsLateFollowers(t *testing.T) {
	v := small(t)
	v.Post(star, 1)
	// The followers are served four, eight and twelve seconds after the publish.
	v.Fanout.Inboxes = watchedInboxes{v.Fanout.Inboxes, func() { v.Clock.Advance(4 * time.Second) }}
	done := fixture.Got(v.Fanout.PushCounted(t.Context(), slice(0))).Must(t)
	fixture.Same(t, "what it did", []fanout.Pushed{done}, fanout.Pushed{Served: 3, Listed: 3, Posts: 1, Late: 2})
}

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
	var batch []feed.Record
	for n := range feed.UserID(followers) {
		follower, at := first+n, v.Clock.Millis()
		batch = append(batch,
			feed.Record{User: &feed.UserRecord{User: feed.User{ID: follower, Handle: "user" + follower.String(), Name: "A follower", CreatedAt: at}}},
			feed.Record{Follow: &feed.FollowRecord{Follower: follower, Followee: star, CreatedAt: at}})
	}
	done := fixture.Got(v.Ingester.Ingest(v.Context(), feed.SourceBatch{
		Source: "shop", Batch: feed.Batch{Records: batch, Owned: feed.OwnedTypes(), Ordered: true},
	})).Must(v)
	if len(done.Bad) > 0 {
		v.Fatalf("bad records: %+v", done.Bad)
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

// A publish, and a follow with its reconciliation.
func TestInterleavings_FollowDuringPublish(t *testing.T) {
	feedtest.Schedules(t, func(choose feedtest.Choose) bool {
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
}
