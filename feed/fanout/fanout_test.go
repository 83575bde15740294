package fanout_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// plansByTask makes workers plan all fan-outs, as those of large audiences.
func plansByTask(v fixture.Service) { v.Publisher.Policy.Fanout = feed.FanoutPull }

// published is a service in which ann, bob and cem have inboxes and follow star, who
// has published content 1, whose plan is stored. Its slices are of size followers.
func published(t *testing.T, size int) fixture.Service {
	v := fixture.New(t, func(p *feed.Policy) { p.SliceSize, p.PlanBatch = size, size })
	plansByTask(v)
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		v.Follow(viewer, star)
		v.BuildInbox(viewer)
	}
	v.Post(star, 1)
	v.Queue.Lose()
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	return v
}

// slice is the first, and often the only, slice of content 1.
func slice(task int) feed.SliceRef { return feed.SliceRef{Post: 1, Task: task} }

// served returns the users who have post 1 in their inbox.
func served(v fixture.Service) []feed.UserID {
	v.Helper()
	var served []feed.UserID
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		if slices.Contains(v.Entries(viewer), 1) {
			served = append(served, viewer)
		}
	}
	return served
}

// pushes notes how many followers each finished slice has served.
func pushes(v fixture.Service) *[]int {
	var n []int
	v.Fanout.Trace.SlicePushed = func(_ feed.SliceRef, served int) { n = append(n, served) }
	return &n
}

// claims says whether the slice could be claimed now, and claims it for a moment.
func claims(v fixture.Service, ref feed.SliceRef) *feed.Slice {
	v.Helper()
	now := v.Clock.Millis()
	s, err := v.Backend.Plans.ClaimSlice(v.Context(), ref, now, now)
	v.Must(err)
	return s
}

// Another plan would cut other slices, because follows have changed, and skip followers.
func TestDispatch_FirstStoredPlanWins(t *testing.T) {
	v := published(t, 3)
	v.Follow(moon, star)
	v.Queue.Lose()
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	fixture.Same(t, "the enqueued slices", v.Queue.Tasks(), feedtest.Task{Push: slice(0)})
	v.WorkAll()

	// Two that plan at once: the first stores while the second has listed.
	v.Post(star, 2)
	v.Queue.Lose()
	happened := v.At(4, func() {
		_, err := v.Follower.Unfollow(t.Context(), bob, star)
		v.Must(err)
		v.Must(v.Fanout.Dispatch(t.Context(), 2))
	})
	v.Must(v.Fanout.Dispatch(t.Context(), 2))
	if !happened() {
		t.Fatal("the planning was over too soon")
	}
	v.WorkAll()
	for _, viewer := range []feed.UserID{ann, cem} {
		fixture.Same(t, "an inbox", v.Entries(viewer), 2, 1)
	}
}

// Listing the followers of an author who has millions is dear, and the sweeper
// dispatches a content again whenever one of its slices waits for long.
func TestDispatch_ListsNoFollowersOfStoredPlan(t *testing.T) {
	v := published(t, 2)
	v.Queue.Lose()
	calls := 0
	v.BeforeCall = func() { calls++ }
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	fixture.Same(t, "the enqueued slices", v.Queue.Tasks(), feedtest.Task{Push: slice(0)}, feedtest.Task{Push: slice(1)})
	if calls > 0 {
		t.Errorf("it made %d calls after asking for the plan", calls)
	}
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
	v := fixture.New(t)
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		v.Follow(viewer, star)
		v.BuildInbox(viewer)
	}
	v.Post(star, 1)
	v.Fanout.Queue = eagerQueue{v.Fanout.Queue, v.Fanout}
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	fixture.Same(t, "the served", served(v), ann, bob, cem)
}

// A batch may be larger than the rest of a slice. The next slice belongs to another task.
func TestPush_ServesOnlyItsSlice(t *testing.T) {
	v := published(t, 2)
	v.Fanout.Policy.PushBatch = 5
	v.Must(v.Fanout.Push(t.Context(), slice(0)))
	fixture.Same(t, "the served", served(v), ann, bob)
}

func TestPush_ReleasesSliceAfterFailure(t *testing.T) {
	v := published(t, 3)
	pushed := pushes(v)
	v.Flaky.FailAt = 2
	if err := v.Fanout.Push(t.Context(), slice(0)); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Fatalf("the push returned %v", err)
	}
	fixture.Same(t, "the served", served(v), ann)
	// It can be claimed at once, and goes on behind ann.
	v.Must(v.Fanout.Push(t.Context(), slice(0)))
	fixture.Same(t, "the served", served(v), ann, bob, cem)
	fixture.Same(t, "the followers served by runs that came to an end", *pushed, 2)
	if s := claims(v, slice(0)); s != nil {
		t.Errorf("the slice is not done: %+v", s)
	}
	v.Must(v.Fanout.Push(t.Context(), slice(0)))
	fixture.Same(t, "the runs that did anything", *pushed, 2)
}

func TestPush_TrustsOnlyAcknowledgedWrites(t *testing.T) {
	for _, lost := range []bool{false, true} {
		v := fixture.New(t, func(p *feed.Policy) { p.SliceSize, p.PushBatch = 3, 3 })
		for _, viewer := range []feed.UserID{ann, bob, cem} {
			v.Follow(viewer, star)
			v.BuildInbox(viewer)
		}
		v.Post(star, 1)
		v.Must(v.Fanout.Dispatch(t.Context(), 1))
		v.Flaky.FailAt, v.Flaky.Served, v.Flaky.ReplyLost = 1, 2, lost
		if err := v.Fanout.Push(t.Context(), slice(0)); feed.CodeOf(err) != feed.CodeUnavailable {
			t.Fatalf("the push returned %v", err)
		}
		if s := claims(v, slice(0)); s == nil || s.Progress != bob {
			t.Errorf("the progress is not bob's: %+v", s)
		}
		v.Clock.Advance(time.Millisecond)
		v.Must(v.Fanout.Push(t.Context(), slice(0)))
		fixture.Same(t, "the served", served(v), ann, bob, cem)
		fixture.Same(t, "cem's inbox", v.Entries(cem), 1)
	}
}

// A worker that stops for longer than its lease finds its slice given to another,
// and leaves it alone.
func TestPush_FencedAfterItsLease(t *testing.T) {
	v := published(t, 3)
	pushed := pushes(v)
	// Calls 0 to 2: claim, followers, inboxes.
	happened := v.At(2, func() {
		if s := claims(v, slice(0)); s != nil {
			t.Errorf("the slice was given away during its lease: %+v", s)
		}
		v.Clock.Advance(v.Policy.SliceLease)
		v.Must(v.Fanout.Push(t.Context(), slice(0)))
	})
	v.Must(v.Fanout.Push(t.Context(), slice(0)))
	if !happened() {
		t.Fatal("the push was over too soon")
	}
	fixture.Same(t, "the followers served by runs that came to an end", *pushed, 3)
	fixture.Same(t, "the served", served(v), ann, bob, cem)
}

// diesAt has a worker push the first slice and die at step n. It says whether there was one.
func diesAt(v fixture.Service, n int) bool {
	v.Helper()
	happened := v.At(n, func() { panic("the worker dies") })
	func() {
		defer func() { _ = recover() }()
		v.Must(v.Fanout.Push(v.Context(), slice(0)))
	}()
	return happened()
}

// What is stored as progress has been pushed, at whichever of its steps a worker dies.
func TestPush_ResumesAfterKill(t *testing.T) {
	for n, died := 0, true; died; n++ {
		v := published(t, 3)
		died = diesAt(v, n)
		v.Clock.Advance(v.Policy.SliceLease)
		v.Must(v.Fanout.Push(t.Context(), slice(0)))
		fixture.Same(t, "the served", served(v), ann, bob, cem)
	}
}

// Even a worker whose context has ended says how far it came.
func TestPush_ReleasesSliceWhenCanceled(t *testing.T) {
	v := published(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	// Call 5 is the second batch's push.
	happened := v.At(5, cancel)
	if err := v.Fanout.Push(ctx, slice(0)); err == nil {
		t.Error("the push took no notice")
	}
	if !happened() {
		t.Fatal("the push was over too soon")
	}
	if s := claims(v, slice(0)); s == nil || s.Progress != ann {
		t.Errorf("the slice was not given back behind ann: %+v", s)
	}
}

func TestPush_SkipsOnlyThoseWhoUnfollowed(t *testing.T) {
	v := published(t, 3)
	_, err := v.Follower.Unfollow(t.Context(), bob, star)
	v.Must(err)
	_, err = v.Follower.Unfollow(t.Context(), cem, star)
	v.Must(err)
	v.Must(v.Fanout.Push(t.Context(), slice(0)))
	fixture.Same(t, "the served", served(v), ann)
	if s := claims(v, slice(0)); s != nil {
		t.Errorf("the slice is not done: %+v", s)
	}
}

func TestPush_SkipsDeletedAndUnpushed(t *testing.T) {
	for name, happen := range map[string]func(v fixture.Service){
		"deleted": func(v fixture.Service) { v.Delete(star, 2) },
		"by an unpushed author": func(v fixture.Service) {
			v.Must(v.Audience.RaiseFlag(v.Context(), star, feed.FlagUnpushed, feed.FlagBacklog))
		},
	} {
		v := fixture.New(t)
		plansByTask(v)
		v.Follow(ann, star)
		v.Post(star, 2)
		happen(v)
		v.Queue.Lose()
		v.Must(v.Fanout.Dispatch(t.Context(), 2))
		if n := v.Queue.Len(); n > 0 {
			t.Errorf("%s: the enqueued slices are %v", name, v.Queue.Tasks())
		}
		if plan, err := v.Backend.Plans.PlanOf(t.Context(), 2); err != nil || !plan.Stored {
			t.Errorf("%s: the plan is stored: %t, %v", name, plan.Stored, err)
		}
	}
}

// At the threshold the author is pushed to all followers; one more follower makes them selective
// for good.
func TestDispatch_FlagsAuthorBeforeListingFollowers(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.Fanout, p.PushThreshold = feed.FanoutHybrid, 2 })
	marked := func() bool {
		users, err := v.Backend.Users.Users(t.Context(), []feed.UserID{star})
		v.Must(err)
		return users[0].Flag == feed.FlagSelective
	}
	v.Follow(ann, star)
	v.Follow(bob, star)
	v.Post(star, 1)
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	if marked() {
		t.Error("an author with as many followers as the threshold is marked")
	}
	v.Follow(cem, star)
	v.Post(star, 2)
	// Calls 0 to 3: content, number of followers, mark, followers.
	happened := v.At(3, func() {
		if !marked() {
			t.Error("followers are listed before the mark")
		}
	})
	v.Must(v.Fanout.Dispatch(t.Context(), 2))
	if !happened() || !marked() {
		t.Error("an author with more followers than the threshold is not marked")
	}
}

func TestFanout_UnknownPostIsError(t *testing.T) {
	v := fixture.New(t)
	v.Refused(v.Fanout.Dispatch(t.Context(), 99), feed.CodeNotFound)
	v.Must(v.Fanout.Push(t.Context(), feed.SliceRef{Post: 99}))
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
	waits := []time.Duration{
		2 * time.Second, 4 * time.Second, 8 * time.Second, 15 * time.Second, 15 * time.Second,
	}
	for name, c := range map[string]struct {
		first   time.Duration
		prepare func(v fixture.Service)
		want    feedtest.Task
	}{
		"an event": {2 * time.Second, func(fixture.Service) {}, feedtest.Task{Dispatch: 1}},
		"a slice": {2 * time.Second, func(v fixture.Service) {
			v.Must(v.Fanout.Dispatch(v.Context(), 1))
		}, feedtest.Task{Push: slice(0)}},
	} {
		v := fixture.New(t)
		plansByTask(v)
		v.Follow(ann, star)
		v.Post(star, 1)
		c.prepare(v)
		for _, wait := range append([]time.Duration{c.first}, waits...) {
			what := name + " before wait " + wait.String()
			fixture.Same(t, what+" is over", sweepsAfter(v, wait-time.Millisecond))
			fixture.Same(t, what+" is over", sweepsAfter(v, time.Millisecond), c.want)
		}
	}
}

// slowAudience takes a second for every walk along followers.
type slowAudience struct {
	feed.Audience
	clock *feedtest.Clock
	asked func()
}

func (a slowAudience) FollowerBounds(ctx context.Context, author, after feed.UserID, size, most int) ([]feed.UserID, error) {
	a.clock.Advance(time.Second)
	a.asked()
	return a.Audience.FollowerBounds(ctx, author, after, size, most)
}

// A hundred million followers are walked for longer than an event waits for its plan.
func TestSweep_SkipsEventBeingPlanned(t *testing.T) {
	v := fixture.New(t)
	for _, follower := range []feed.UserID{ann, bob, cem} {
		v.Follow(follower, star)
	}
	v.Post(star, 1)
	v.Queue.Lose()
	v.Fanout.Policy.SliceSize, v.Fanout.Policy.PlanBatch = 1, 1
	lists := 0
	v.Fanout.Audience = slowAudience{v.Fanout.Audience, v.Clock, func() {
		lists++
		v.Must(v.Fanout.Sweep(t.Context()))
		fixture.Same(t, "what a sweep finds", v.Queue.Tasks())
	}}
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	if patience := int(v.Policy.EventPatience / time.Second); lists <= patience {
		t.Errorf("the followers were walked in %d seconds, which is within an event's patience", lists)
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
	if _, err := v.Backend.Plans.ClaimSlice(t.Context(), slice(0), feed.Millis(now), feed.Millis(now.Add(v.Policy.SliceLease))); err != nil {
		t.Fatal(err)
	}
	fixture.Same(t, "during the lease", sweepsAfter(v, v.Policy.SliceLease-time.Millisecond))
	fixture.Same(t, "after it", sweepsAfter(v, time.Millisecond), feedtest.Task{Push: slice(0)})
	v.WorkAll()
	fixture.Same(t, "the served", served(v), ann, bob, cem)
	fixture.Same(t, "when it is done", sweepsAfter(v, time.Hour))
}

// After a rollback many slices are due at once, and a batch a second would be too slow.
func TestSweep_ContinuesWhileBatchesAreFull(t *testing.T) {
	v := fixture.New(t)
	v.Follow(ann, star)
	posts := []feed.PostID{1, 2, 3, 4, 5, 6, 7}
	if len(posts) <= 2*v.Policy.SweepBatch {
		t.Fatal("the posts are too few to fill two batches")
	}
	v.Post(star, posts...)
	if found := sweepsAfter(v, v.Policy.EventPatience); len(found) != len(posts) {
		t.Errorf("a sweep found %v", found)
	}
}

// What a sweep takes and cannot queue is not lost: it is due again.
func TestSweep_LosesNothingWithoutQueue(t *testing.T) {
	v := fixture.New(t)
	v.Follow(ann, star)
	v.BuildInbox(ann)
	v.Post(star, 1, 2, 3, 4)
	v.Queue.Err = feed.Unavailable("the queue", nil)
	v.Clock.Advance(time.Hour)
	for range 5 {
		if err := v.Fanout.Sweep(t.Context()); feed.CodeOf(err) != feed.CodeUnavailable {
			break
		}
	}
	v.Queue.Err = nil
	v.Queue.Lose()
	v.Must(v.Rest(t.Context()))
	fixture.Same(t, "ann's inbox", v.Entries(ann), 4, 3, 2, 1)
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
	v.Must(v.Fanout.Sweep(t.Context()))
	if q.asked > 0 {
		t.Error("the queue was asked although nothing is due")
	}
	v.Clock.Advance(v.Policy.QueuePatience)
	v.Must(v.Fanout.Sweep(t.Context()))
	if q.asked != 1 {
		t.Errorf("the queue was asked %d times for due work, want once", q.asked)
	}
}
