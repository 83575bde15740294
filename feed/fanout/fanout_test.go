package fanout_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// Two dispatches plan at once: one stores its plan when the other has listed followers. Another plan
// would cut other slices, because follows have changed, and skip followers.
func TestDispatch_FirstStoredPlanWins(t *testing.T) {
	v := published(t, 3)
	v.WorkAll()
	v.Post(star, 2)
	v.Queue.Lose()
	happened := v.At(4, func() {
		v.Unfollow(bob, star)
		v.Must(v.Fanout.Dispatch(t.Context(), 2))
	})
	v.Must(v.Fanout.Dispatch(t.Context(), 2))
	v.Happened(happened)
	v.WorkAll()
	for _, viewer := range []feed.UserID{ann, cem} {
		fixture.Same(t, "an inbox", v.Entries(viewer), 2, 1)
	}
}

// Listing the followers of an author who has millions takes long, and the sweeper dispatches a post
// again whenever one of its slices waits for long.
func TestDispatch_ListsNoFollowersOfStoredPlan(t *testing.T) {
	v := published(t, 2)
	v.Queue.Lose()
	calls := 0
	v.BeforeCall = func() { calls++ }
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	fixture.Same(t, "the enqueued slices", v.Queue.Tasks(), feedtest.Task{Push: slice(0)}, feedtest.Task{Push: slice(1)})
	fixture.Is(t, "calls after asking for the plan", calls, 0)
}

// eagerQueue runs push tasks before the call that enqueues them returns.
type eagerQueue struct {
	feed.Queue
	fanout *fanout.Fanout
}

func (q eagerQueue) Push(ctx context.Context, ds []feed.Dispatchable[feed.SliceRef]) error {
	for _, d := range ds {
		if err := q.fanout.Push(ctx, d.Ref); err != nil {
			return err
		}
	}
	return nil
}

// A worker that finds no plan for its slice does nothing, and then the sweeper must dispatch the
// slice again.
func TestDispatch_StoresPlanBeforeEnqueueing(t *testing.T) {
	v := followed(t)
	plansByTask(v)
	v.Post(star, 1)
	v.Fanout.Queue = eagerQueue{v.Fanout.Queue, v.Fanout}
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	fixture.Same(t, "the served", served(v), ann, bob, cem)
}

// At the threshold the author is pushed to all followers; one more follower makes them selective
// for good.
func TestDispatch_FlagsAuthorBeforeListingFollowers(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.Fanout, p.PushThreshold = feed.FanoutHybrid, 2 })
	flagged := func() bool {
		return fixture.Got(v.Backend.Users.Users(t.Context(), []feed.UserID{star})).Must(t)[0].Flag == feed.FlagSelective
	}
	v.AddFollowers(star, ann, bob)
	plan(v, 1)
	if flagged() {
		t.Error("an author with as many followers as the threshold is flagged")
	}
	v.Follow(cem, star)
	v.Post(star, 2)
	// Calls 0 to 3: post, number of followers, flag, followers.
	happened := v.At(3, func() {
		if !flagged() {
			t.Error("followers are listed before the flag is stored")
		}
	})
	v.Must(v.Fanout.Dispatch(t.Context(), 2))
	if !happened() || !flagged() {
		t.Error("an author with more followers than the threshold is not flagged")
	}
}

// While too many slices wait, an author with more than one slice of followers is pulled instead, for
// good. Others are pushed as usual.
func TestDispatch_ShedsPopularAuthorsDuringBacklog(t *testing.T) {
	v := followed(t, func(p *feed.Policy) { p.SliceSize, p.BacklogMax = 2, 1 })
	plansByTask(v)
	var shed []feed.PostID
	v.Fanout.Trace.Shed = func(id feed.PostID) { shed = append(shed, id) }
	v.Follow(ann, moon)
	v.Reconcile(ann)
	plan(v, 1) // two slices, which is above the bound
	plan(v, 2)
	v.Post(moon, 3)
	v.Must(v.Fanout.Dispatch(t.Context(), 3))
	fixture.Same(t, "the shed", shed, 2)
	v.Must(v.Rest(t.Context()))
	fixture.Same(t, "the inbox", v.Entries(ann), 3, 1)
	fixture.Same(t, "the feed", v.Home(ann), 3, 2, 1)
	v.Post(star, 4)
	v.Must(v.Rest(t.Context()))
	fixture.Same(t, "the inbox when the backlog is gone", v.Entries(ann), 3, 1)
	fixture.Same(t, "the shed", shed, 2)
}

func TestTrace_ReportsDelayToLastInbox(t *testing.T) {
	v := newAnnouncing(t)
	v.Follow(ann, star)
	var lags []time.Duration
	v.Fanout.Trace.FannedOut = func(_ feed.PostID, lag time.Duration) { lags = append(lags, lag.Round(time.Second)) }
	v.Post(star, 1)
	v.Clock.Advance(3 * time.Second)
	v.WorkAll()

	// Published under a time of last year: the id has when that was.
	lastYear := v.Clock.Now().AddDate(-1, 0, 0).UnixMilli()
	id := fixture.Got(feed.NewPostIDs(v.Clock.Now, nil)()).Must(t)
	v.Publish(star, id, publish.Draft{Text: "late", PublishedAt: &lastYear})
	v.Clock.Advance(2 * time.Second)
	v.WorkAll()
	fixture.Same(t, "the lags", lags, 3*time.Second, 2*time.Second)
}

func monitor(v fixture.Service, waits feed.Waits) *fanout.Monitor {
	return &fanout.Monitor{
		Fanouts: v.Fanouts, Audience: v.Audience, Posts: v.Posts, Clock: v.Clock.Now,
		Waits: func(context.Context) (feed.Waits, error) { return waits, nil },
	}
}

func TestMonitor_FollowsOneFanout(t *testing.T) {
	v := followed(t, func(p *feed.Policy) { p.SliceSize, p.PlanBatch = 1, 1 })
	v.Post(star, 7)
	m := monitor(v, feed.Waits{Dispatch: time.Second, Push: 2 * time.Second})
	read := func(want string) *fanout.Progress {
		t.Helper()
		p := fixture.Got(m.Progress(t.Context(), 7)).Must(t)
		if p.State != want || p.Followers != 3 || p.Author != star {
			t.Errorf("the progress is %+v, want the state %q", p, want)
		}
		return p
	}
	read("waits for its plan: the oldest dispatch has waited for 1s")
	v.Must(v.Fanout.Dispatch(t.Context(), 7))
	p := read("waits for workers: the oldest push task has waited for 2s")
	if p.Slices != 3 || p.Done != 0 || len(p.Open) != 3 || p.Percent() != 0 {
		t.Errorf("the progress is %+v, want 3 open slices", p)
	}
	fixture.Is(t, "why the slice waits", p.Why(p.Open[0]), "in its queue; a sweep dispatches it in 2s if it is lost")
	v.Clock.Advance(time.Second)
	done := fixture.Got(v.Fanout.PushCounted(t.Context(), feed.SliceRef{Post: 7, Task: p.Open[0].Task})).Must(t)
	fixture.Is(t, "what the push did", done, fanout.Pushed{Served: 1, Listed: 1, Posts: 1})
	v.Clock.Advance(time.Second)
	p = read("waits for workers: the oldest push task has waited for 2s")
	if p.Done != 1 || p.Rate != 0.5 || p.Left != 4*time.Second || p.Took != 2*time.Second || p.Percent() != 33 {
		t.Errorf("the progress is %+v, want half a slice a second and four seconds left", p)
	}
	v.WorkAll()
	p = read("done")
	if !p.Ended() || p.Left != 0 || p.Reached != p.Last {
		t.Errorf("the progress is %+v, want an ended one", p)
	}
	list := fixture.Got(m.Slowest(t.Context())).Must(t)
	if len(list) != 1 || list[0].Post != 7 || list[0].Done != 3 {
		t.Errorf("the slowest fan-outs are %+v", list)
	}
	fixture.Got(m.Progress(t.Context(), 99)).Refused(v, feed.CodeNotFound)
}

// sweepsAfter waits, sweeps, and returns what the sweep queued.
func sweepsAfter(v fixture.Service, d time.Duration) []feedtest.Task {
	v.Helper()
	v.Queue.Lose()
	v.Clock.Advance(d)
	v.Must(v.Fanout.Sweep(v.Context()))
	return v.Queue.Tasks()
}

func TestSweep_BacksOffUpToMaximum(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(v fixture.Service)
		want    feedtest.Task
		swept   [2]int // events and slices
	}{
		"an event": {func(v fixture.Service) {
			plansByTask(v)
			v.Post(star, 1)
		}, feedtest.Task{Dispatch: 1}, [2]int{6, 0}},
		"a slice": {func(v fixture.Service) {
			plansByTask(v)
			plan(v, 1)
		}, feedtest.Task{Push: slice(0)}, [2]int{0, 6}},
		"the slice of a small audience": {func(v fixture.Service) { v.Post(star, 1) }, feedtest.Task{Push: slice(0)}, [2]int{0, 6}},
	} {
		v := fixture.NewFollowing(t)
		c.prepare(v)
		swept := [2]int{}
		v.Fanout.Trace.Swept = func(events, slices int) { swept[0], swept[1] = swept[0]+events, swept[1]+slices }
		for _, seconds := range []int{2, 2, 4, 8, 15, 15} {
			wait := time.Duration(seconds) * time.Second
			what := name + " before wait " + wait.String()
			fixture.Same(t, what+" is over", sweepsAfter(v, wait-time.Millisecond))
			fixture.Same(t, what+" is over", sweepsAfter(v, time.Millisecond), c.want)
		}
		fixture.Same(t, name+": the events and slices reported", swept[:], c.swept[:]...)
	}
}

// A hundred million followers are walked for longer than an event waits for its plan.
func TestSweep_SkipsEventBeingPlanned(t *testing.T) {
	v := followed(t)
	v.Post(star, 1)
	v.Queue.Lose()
	v.Fanout.Policy.SliceSize, v.Fanout.Policy.PlanBatch = 1, 1
	walks := 0
	v.Fanout.Audience = walkedAudience{v.Fanout.Audience, func() {
		walks++
		v.Clock.Advance(time.Second)
		v.Must(v.Fanout.Sweep(t.Context()))
		fixture.Same(t, "what a sweep finds", v.Queue.Tasks())
	}}
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	if patience := int(v.Policy.EventPatience / time.Second); walks <= patience {
		t.Errorf("the followers were walked in %d seconds, which is within an event's patience", walks)
	}
}

// A sweep leaves queued tasks alone, however long the queue is. A task older than the head was
// taken or lost.
func TestSweep_SkipsTasksStillQueued(t *testing.T) {
	v := fixture.New(t)
	plansByTask(v)
	v.Follow(ann, star)
	v.Post(star, 1, 2)
	v.Must(v.Fanout.Dispatch(t.Context(), 2))
	v.Queue.Waited = feed.Waits{Dispatch: time.Hour, Push: time.Minute}
	fixture.Same(t, "while tasks of its age wait", sweepsAfter(v, v.Policy.QueuePatience+time.Minute-time.Millisecond))
	fixture.Same(t, "once they are younger", sweepsAfter(v, time.Millisecond), feedtest.Task{Push: feed.SliceRef{Post: 2}})
	v.Queue.Waited.Push = time.Hour
	fixture.Same(t, "while events of its age wait", sweepsAfter(v, 59*time.Minute-time.Second))
	fixture.Same(t, "once they are younger, too", sweepsAfter(v, time.Second), feedtest.Task{Dispatch: 1})
}

func TestSweep_DispatchesSliceOfDeadWorker(t *testing.T) {
	v := published(t, 3)
	now := v.Clock.Now()
	fixture.Got(v.Backend.Slices.ClaimSlice(t.Context(), slice(0), feed.Millis(now), feed.Millis(now.Add(v.Policy.SliceLease)))).Must(t)
	fixture.Same(t, "during the lease", sweepsAfter(v, v.Policy.SliceLease-time.Millisecond))
	fixture.Same(t, "after it", sweepsAfter(v, time.Millisecond), feedtest.Task{Push: slice(0)})
	v.WorkAll()
	fixture.Same(t, "the served", served(v), ann, bob, cem)
	fixture.Same(t, "when it is done", sweepsAfter(v, time.Hour))
}

// After a rollback many slices are due at once, and a batch a second would be too slow.
func TestSweep_ContinuesWhileBatchesAreFull(t *testing.T) {
	v := fixture.NewFollowing(t)
	posts := []feed.PostID{1, 2, 3, 4, 5, 6, 7}
	if len(posts) <= 2*v.Policy.SweepBatch {
		t.Fatal("the posts are too few to fill two batches")
	}
	v.Post(star, posts...)
	fixture.Is(t, "the tasks that a sweep enqueues", len(sweepsAfter(v, v.Policy.EventPatience)), len(posts))
}

// waitsCounted counts the questions to the queue.
type waitsCounted struct {
	feed.Queue
	asked int
}

func (q *waitsCounted) Waits(ctx context.Context) (feed.Waits, error) {
	q.asked++
	return q.Queue.Waits(ctx)
}

func TestSweep_SkipsQueueWhenNothingIsDue(t *testing.T) {
	v := fixture.New(t)
	q := &waitsCounted{Queue: v.Fanout.Queue}
	v.Fanout.Queue = q
	v.Post(star, 1)
	for want := range 2 {
		v.Must(v.Fanout.Sweep(t.Context()))
		fixture.Same(t, "how often the queue was asked", []int{q.asked}, want)
		v.Clock.Advance(v.Policy.QueuePatience)
	}
}

// The queue lost the plan of a large fan-out.
func TestSweep_RepeatsLostPlansOfLargeFanouts(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.LargeAbove = 0 })
	online(v)
	plan(v, 1)
	v.Queue.Waited = feed.Waits{Dispatch: time.Second}
	fixture.Same(t, "what is enqueued while the plan may wait", sweepsAfter(v, v.Policy.EventPatience))
	sweepsAfter(v, time.Second)
	v.WorkAll()
	everyoneHas(v, 1)
}

// A long wait of large fan-outs must not delay the repetition of lost slices of others.
func TestSweep_LargeWaitsDelayNoLostSlices(t *testing.T) {
	v := published(t, 2) // its slices are lost
	v.Queue.Waited = feed.Waits{PushLarge: time.Hour}
	fixture.Is(t, "the slices that the sweep enqueues", len(sweepsAfter(v, v.Policy.QueuePatience)), 2)
}

// announcing is a service that records the posts that it announces.
type announcing struct {
	fixture.Service
	announced *[]feed.PostID
}

func newAnnouncing(t *testing.T) announcing {
	v := announcing{fixture.New(t), &[]feed.PostID{}}
	v.Fanout.Announcer, v.Fanout.Announced = v, v.Backend.Announced
	return v
}

func (v announcing) Announce(_ context.Context, a feed.Announcement) error {
	*v.announced = append(*v.announced, a.Post)
	return nil
}

// announces fails the test unless exactly these posts were announced.
func (v announcing) announces(want ...feed.PostID) {
	v.Helper()
	fixture.Same(v, "announced", *v.announced, want...)
}

func TestAnnounce_OnlyOncePerPost(t *testing.T) {
	f := newAnnouncing(t)
	f.Follow(ann, star)
	f.Post(star, 11)
	f.Queue.Double()
	f.WorkAll()
	if n := fixture.Got(f.Progress.Rerun(f.Context(), 0, feed.Millis(f.Clock.Now()))).Must(t); n == 0 {
		t.Fatal("no slice runs again")
	}
	f.Clock.Advance(time.Hour)
	f.Must(f.Fanout.Sweep(f.Context()))
	f.WorkAll()
	f.announces(11)
}

func TestAnnounce_SkipsDeletedPosts(t *testing.T) {
	f := newAnnouncing(t)
	var announced []feed.PostID
	f.Fanout.Trace.Announced = func(post feed.PostID, err error) {
		f.Must(err)
		announced = append(announced, post)
	}
	f.Post(star, 11, 12)
	f.Delete(star, 11)
	f.WorkAll()
	fixture.Same(t, "traced", announced, 12)
	f.announces(12)
}

// A post may have thousands of slices, and each call costs.
func TestAnnounce_ByLastSliceOnly(t *testing.T) {
	f := newAnnouncing(t)
	f.Fanout.Policy.SliceSize, f.Publisher.Policy.SliceSize = 1, 1
	calls := 0
	f.Fanout.Announced = countedLog{f.Fanout.Announced, &calls}
	f.Follow(ann, star)
	f.Follow(bob, star)
	f.Deliver(star, 11)
	f.announces(11)
	// The end of the last slice marks the post itself.
	fixture.Is(t, "calls of MarkAnnounced", calls, 0)
}

func TestAnnounce_EachOfPostsPushedTogether(t *testing.T) {
	f := newAnnouncing(t)
	f.Follow(ann, star)
	for post := range feed.PostID(3) {
		plan(f.Service, 1+post)
	}
	f.Queue.Lose()
	push(f.Service, 1)
	f.announces(1, 2, 3)
	for post := range feed.PostID(3) {
		push(f.Service, 1+post)
	}
	f.announces(1, 2, 3)
}

// A worker may die after it has stored a plan without slices. Its task is repeated.
func TestAnnounce_RetriedAfterFailure(t *testing.T) {
	f := newAnnouncing(t)
	f.Follow(ann, star)
	f.Must(f.Audience.RaiseFlag(f.Context(), star, feed.FlagUnpushed, feed.FlagBacklog))
	announcer := f.Fanout.Announcer
	f.Fanout.Announcer = nil
	f.Deliver(star, 11)
	f.Fanout.Announcer = announcer
	for range 2 {
		f.Must(f.Fanout.Dispatch(f.Context(), 11))
	}
	f.announces(11)
}

// countedLog counts its calls.
type countedLog struct {
	feed.AnnouncementLog
	calls *int
}

func (l countedLog) MarkAnnounced(ctx context.Context, post feed.PostID) (bool, error) {
	*l.calls++
	return l.AnnouncementLog.MarkAnnounced(ctx, post)
}
