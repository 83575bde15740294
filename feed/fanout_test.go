package feed_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
)

// published is a town in which ann, bob and cem have inboxes and follow star, who
// has published content 1, whose plan is stored. Its slices are of size followers.
func published(t *testing.T, size int) town {
	v := newTown(t, func(p *feed.Policy) { p.SubtaskSize, p.PlanBatch = size, size })
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		v.follow(viewer, star)
		v.inbox(viewer)
	}
	v.post(star, 1)
	v.Queue.Lose()
	v.must(v.Fanout.Dispatch(t.Context(), 1))
	return v
}

// slice is the first, and often the only, slice of content 1.
func slice(task int) feed.SliceRef { return feed.SliceRef{Content: 1, Task: task} }

// served returns who has content 1 in his inbox.
func (v town) served() []feed.UserID {
	v.Helper()
	var served []feed.UserID
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		if slices.Contains(v.entries(viewer), 1) {
			served = append(served, viewer)
		}
	}
	return served
}

// pushes notes how many followers each subtask that came to its end has served.
func (v town) pushes() *[]int {
	var n []int
	v.Fanout.Trace.SlicePushed = func(_ feed.SliceRef, served int) { n = append(n, served) }
	return &n
}

// claims says whether the slice could be claimed now, and claims it for a moment.
func (v town) claims(ref feed.SliceRef) *feed.Slice {
	v.Helper()
	now := v.Clock.Millis()
	s, err := v.Backend.Plans.ClaimSlice(v.Context(), ref, now, now)
	v.must(err)
	return s
}

// Whoever plans second takes the plan of the first: other slices, cut for those who
// follow by now, would skip people.
func TestTheFirstPlanStoredWins(t *testing.T) {
	v := published(t, 3)
	v.follow(moon, star)
	v.Queue.Lose()
	v.must(v.Fanout.Dispatch(t.Context(), 1))
	same(t, "the subtasks", v.Queue.Tasks(), feedtest.Task{Push: slice(0)})
	v.work()

	// Two that plan at once: the first stores while the second has listed.
	v.post(star, 2)
	v.Queue.Lose()
	happened := v.At(4, func() {
		_, err := v.Follower.Unfollow(t.Context(), bob, star)
		v.must(err)
		v.must(v.Fanout.Dispatch(t.Context(), 2))
	})
	v.must(v.Fanout.Dispatch(t.Context(), 2))
	if !happened() {
		t.Fatal("the planning was over too soon")
	}
	v.work()
	for _, viewer := range []feed.UserID{ann, cem} {
		same(t, "an inbox", v.entries(viewer), 2, 1)
	}
}

// Listing the followers of an author who has millions is dear, and the sweeper
// dispatches a content again whenever one of its slices waits for long.
func TestADispatchOfWhatIsPlannedListsNobody(t *testing.T) {
	v := published(t, 2)
	v.Queue.Lose()
	calls := 0
	v.Meanwhile = func() { calls++ }
	v.must(v.Fanout.Dispatch(t.Context(), 1))
	same(t, "the subtasks", v.Queue.Tasks(), feedtest.Task{Push: slice(0)}, feedtest.Task{Push: slice(1)})
	if calls > 0 {
		t.Errorf("it made %d calls beside asking for the plan", calls)
	}
}

// eagerQueue runs subtasks at once, before the call that enqueues them has returned.
type eagerQueue struct {
	feed.Queue
	fanout *feed.Fanout
}

func (q eagerQueue) Push(ctx context.Context, ds []feed.Dispatchable[feed.SliceRef]) error {
	for _, d := range ds {
		if err := q.fanout.Push(ctx, d.Ref); err != nil {
			return err
		}
	}
	return nil
}

// A worker that finds no plan for its subtask does nothing, and the sweeper has to bring
// it back.
func TestASubtaskFindsItsPlanHoweverSoonItRuns(t *testing.T) {
	v := newTown(t)
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		v.follow(viewer, star)
		v.inbox(viewer)
	}
	v.post(star, 1)
	v.Fanout.Queue = eagerQueue{v.Fanout.Queue, v.Fanout}
	v.must(v.Fanout.Dispatch(t.Context(), 1))
	same(t, "the served", v.served(), ann, bob, cem)
}

// A batch may be larger than what is left of a slice, and the next slice is another
// subtask's.
func TestASubtaskServesNobodyBehindItsSlice(t *testing.T) {
	v := published(t, 2)
	v.Fanout.Policy.PushBatch = 5
	v.must(v.Fanout.Push(t.Context(), slice(0)))
	same(t, "the served", v.served(), ann, bob)
}

func TestAPushThatFailsGivesItsSliceBackWithTheProgressMade(t *testing.T) {
	v := published(t, 3)
	pushed := v.pushes()
	v.Flaky.FailAt = 2
	if err := v.Fanout.Push(t.Context(), slice(0)); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Fatalf("the push returned %v", err)
	}
	same(t, "the served", v.served(), ann)
	// It can be claimed at once, and goes on behind ann.
	v.must(v.Fanout.Push(t.Context(), slice(0)))
	same(t, "the served", v.served(), ann, bob, cem)
	same(t, "the followers served by runs that came to an end", *pushed, 2)
	if s := v.claims(slice(0)); s != nil {
		t.Errorf("the slice is not done: %+v", s)
	}
	v.must(v.Fanout.Push(t.Context(), slice(0)))
	same(t, "the runs that did anything", *pushed, 2)
}

func TestAPushIsTakenForWhatWasAnswered(t *testing.T) {
	for _, lost := range []bool{false, true} {
		v := newTown(t, func(p *feed.Policy) { p.SubtaskSize, p.PushBatch = 3, 3 })
		for _, viewer := range []feed.UserID{ann, bob, cem} {
			v.follow(viewer, star)
			v.inbox(viewer)
		}
		v.post(star, 1)
		v.must(v.Fanout.Dispatch(t.Context(), 1))
		v.Flaky.FailAt, v.Flaky.Served, v.Flaky.ReplyLost = 1, 2, lost
		if err := v.Fanout.Push(t.Context(), slice(0)); feed.CodeOf(err) != feed.CodeUnavailable {
			t.Fatalf("the push returned %v", err)
		}
		if s := v.claims(slice(0)); s == nil || s.Progress != bob {
			t.Errorf("the progress is not bob's: %+v", s)
		}
		v.Clock.Advance(time.Millisecond)
		v.must(v.Fanout.Push(t.Context(), slice(0)))
		same(t, "the served", v.served(), ann, bob, cem)
		same(t, "cem's inbox", v.entries(cem), 1)
	}
}

// A worker that stops for longer than its lease finds its slice given to another,
// and leaves it alone.
func TestAPushThatOutlivesItsLeaseDoesNotTouchTheSliceAnyMore(t *testing.T) {
	v := published(t, 3)
	pushed := v.pushes()
	// Calls 0 to 3: claim, content, followers, inboxes.
	happened := v.At(3, func() {
		if s := v.claims(slice(0)); s != nil {
			t.Errorf("the slice was given away during its lease: %+v", s)
		}
		v.Clock.Advance(v.Policy.SliceLease)
		v.must(v.Fanout.Push(t.Context(), slice(0)))
	})
	v.must(v.Fanout.Push(t.Context(), slice(0)))
	if !happened() {
		t.Fatal("the push was over too soon")
	}
	same(t, "the followers served by runs that came to an end", *pushed, 3)
	same(t, "the served", v.served(), ann, bob, cem)
}

// diesAt has a worker push the first slice and die at step n. It says whether there was one.
func (v town) diesAt(n int) bool {
	v.Helper()
	happened := v.At(n, func() { panic("the worker dies") })
	func() {
		defer func() { _ = recover() }()
		v.must(v.Fanout.Push(v.Context(), slice(0)))
	}()
	return happened()
}

// What is stored as progress has been pushed, at whichever of its steps a worker dies.
func TestAWorkerThatDiesLeavesNobodyOut(t *testing.T) {
	for n, died := 0, true; died; n++ {
		v := published(t, 3)
		died = v.diesAt(n)
		v.Clock.Advance(v.Policy.SliceLease)
		v.must(v.Fanout.Push(t.Context(), slice(0)))
		same(t, "the served", v.served(), ann, bob, cem)
	}
}

// Even a worker whose context has ended says how far it came.
func TestAPushThatIsCancelledGivesItsSliceBack(t *testing.T) {
	v := published(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	// Call 6 is the second batch's push.
	happened := v.At(6, cancel)
	if err := v.Fanout.Push(ctx, slice(0)); err == nil {
		t.Error("the push took no notice")
	}
	if !happened() {
		t.Fatal("the push was over too soon")
	}
	if s := v.claims(slice(0)); s == nil || s.Progress != ann {
		t.Errorf("the slice was not given back behind ann: %+v", s)
	}
}

func TestWhoUnfollowsIsNotPushedToAndNobodyIsLeftOutForIt(t *testing.T) {
	v := published(t, 3)
	_, err := v.Follower.Unfollow(t.Context(), bob, star)
	v.must(err)
	_, err = v.Follower.Unfollow(t.Context(), cem, star)
	v.must(err)
	v.must(v.Fanout.Push(t.Context(), slice(0)))
	same(t, "the served", v.served(), ann)
	if s := v.claims(slice(0)); s != nil {
		t.Errorf("the slice is not done: %+v", s)
	}
}

func TestWhatIsDeletedOrByAnUnpushedAuthorIsNotPushed(t *testing.T) {
	for name, happen := range map[string]func(v town){
		"deleted":               func(v town) { v.delete(star, 2) },
		"by an unpushed author": func(v town) { v.must(v.Audience.Mark(v.Context(), star, feed.MarkUnpushed)) },
	} {
		v := newTown(t)
		v.follow(ann, star)
		v.post(star, 2)
		happen(v)
		v.Queue.Lose()
		v.must(v.Fanout.Dispatch(t.Context(), 2))
		if n := v.Queue.Len(); n > 0 {
			t.Errorf("%s: the subtasks are %v", name, v.Queue.Tasks())
		}
		if _, planned, err := v.Backend.Plans.PlanOf(t.Context(), 2); err != nil || !planned {
			t.Errorf("%s: the plan is stored: %t, %v", name, planned, err)
		}
	}
}

// With as many followers as the threshold an author is pushed to all of them; with one
// more he is selective, for good.
func TestAnAuthorAboveTheThresholdIsMarkedBeforeAnythingIsLeftOut(t *testing.T) {
	v := newTown(t, func(p *feed.Policy) { p.Fanout, p.PushThreshold = feed.FanoutHybrid, 2 })
	marked := func() bool {
		users, err := v.Backend.Users.Users(t.Context(), []feed.UserID{star})
		v.must(err)
		return users[0].Mark == feed.MarkSelective
	}
	v.follow(ann, star)
	v.follow(bob, star)
	v.post(star, 1)
	v.must(v.Fanout.Dispatch(t.Context(), 1))
	if marked() {
		t.Error("an author with as many followers as the threshold is marked")
	}
	v.follow(cem, star)
	v.post(star, 2)
	// Calls 0 to 3: content, number of followers, mark, followers.
	happened := v.At(3, func() {
		if !marked() {
			t.Error("followers are listed before the mark")
		}
	})
	v.must(v.Fanout.Dispatch(t.Context(), 2))
	if !happened() || !marked() {
		t.Error("an author with more followers than the threshold is not marked")
	}
}

func TestWhatCannotBeFoundIsAnError(t *testing.T) {
	v := newTown(t)
	v.refused(v.Fanout.Dispatch(t.Context(), 99), feed.CodeNotFound)
	v.must(v.Fanout.Push(t.Context(), feed.SliceRef{Content: 99}))
}

// sweepsAfter waits, sweeps, and returns what the sweep queued.
func (v town) sweepsAfter(d time.Duration) []feedtest.Task {
	v.Helper()
	v.Queue.Lose()
	v.Clock.Advance(d)
	v.must(v.Fanout.Sweep(v.Context()))
	return v.Queue.Tasks()
}

func TestTheSweeperWaitsLongerEachTimeUpToItsMaximum(t *testing.T) {
	waits := []time.Duration{
		2 * time.Second, 4 * time.Second, 8 * time.Second, 15 * time.Second, 15 * time.Second,
	}
	for name, c := range map[string]struct {
		first   time.Duration
		prepare func(v town)
		want    feedtest.Task
	}{
		"an event": {2 * time.Second, func(town) {}, feedtest.Task{Dispatch: 1}},
		"a slice": {2 * time.Second, func(v town) {
			v.must(v.Fanout.Dispatch(v.Context(), 1))
		}, feedtest.Task{Push: slice(0)}},
	} {
		v := newTown(t)
		v.follow(ann, star)
		v.post(star, 1)
		c.prepare(v)
		for _, wait := range append([]time.Duration{c.first}, waits...) {
			what := name + " before wait " + wait.String()
			same(t, what+" is over", v.sweepsAfter(wait-time.Millisecond))
			same(t, what+" is over", v.sweepsAfter(time.Millisecond), c.want)
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
func TestTheSweeperLeavesAloneAnEventThatIsBeingPlanned(t *testing.T) {
	v := newTown(t)
	for _, follower := range []feed.UserID{ann, bob, cem} {
		v.follow(follower, star)
	}
	v.post(star, 1)
	v.Queue.Lose()
	v.Fanout.Policy.SubtaskSize, v.Fanout.Policy.PlanBatch = 1, 1
	lists := 0
	v.Fanout.Audience = slowAudience{v.Fanout.Audience, v.Clock, func() {
		lists++
		v.must(v.Fanout.Sweep(t.Context()))
		same(t, "what a sweep finds", v.Queue.Tasks())
	}}
	v.must(v.Fanout.Dispatch(t.Context(), 1))
	if patience := int(v.Policy.EventPatience / time.Second); lists <= patience {
		t.Errorf("the followers were walked in %d seconds, which is within an event's patience", lists)
	}
}

// However long a queue is, what stands in it is left alone; what is older than what
// stands at its head has been taken, or lost.
func TestTheSweeperLeavesAloneWhatMayStillStandInItsQueue(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	v.post(star, 1, 2)
	v.must(v.Fanout.Dispatch(t.Context(), 2))
	v.Queue.Waited = feed.Waits{Dispatch: time.Hour, Push: time.Minute}
	same(t, "while tasks of its age wait", v.sweepsAfter(v.Policy.QueuePatience+time.Minute-time.Millisecond))
	same(t, "once they are younger", v.sweepsAfter(time.Millisecond), feedtest.Task{Push: feed.SliceRef{Content: 2}})
	v.Queue.Waited.Push = time.Hour
	same(t, "while events of its age wait", v.sweepsAfter(59*time.Minute-time.Second))
	same(t, "once they are younger, too", v.sweepsAfter(time.Second), feedtest.Task{Dispatch: 1})
}

func TestTheSweeperBringsBackASliceWhoseWorkerHasDied(t *testing.T) {
	v := published(t, 3)
	now := v.Clock.Now()
	if _, err := v.Backend.Plans.ClaimSlice(t.Context(), slice(0), feed.Millis(now), feed.Millis(now.Add(v.Policy.SliceLease))); err != nil {
		t.Fatal(err)
	}
	same(t, "during the lease", v.sweepsAfter(v.Policy.SliceLease-time.Millisecond))
	same(t, "after it", v.sweepsAfter(time.Millisecond), feedtest.Task{Push: slice(0)})
	v.work()
	same(t, "the served", v.served(), ann, bob, cem)
	same(t, "when it is done", v.sweepsAfter(time.Hour))
}

// After a rollback much is due at once, and nobody is to wait a second for each batch of it.
func TestASweepGoesOnWhileItsBatchesAreFull(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	posts := []feed.ContentID{1, 2, 3, 4, 5, 6, 7}
	if len(posts) <= 2*v.Policy.SweepBatch {
		t.Fatal("the posts are too few to fill two batches")
	}
	v.post(star, posts...)
	if found := v.sweepsAfter(v.Policy.EventPatience); len(found) != len(posts) {
		t.Errorf("a sweep found %v", found)
	}
}

// What a sweep takes and cannot queue is not lost: it is due again.
func TestASweepDuringAnOutageOfTheQueueLosesNothing(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	v.inbox(ann)
	v.post(star, 1, 2, 3, 4)
	v.Queue.Away = feed.Unavailable("the queue", nil)
	v.Clock.Advance(time.Hour)
	for range 5 {
		if err := v.Fanout.Sweep(t.Context()); feed.CodeOf(err) != feed.CodeUnavailable {
			break
		}
	}
	v.Queue.Away = nil
	v.Queue.Lose()
	v.must(v.Rest(t.Context()))
	same(t, "ann's inbox", v.entries(ann), 4, 3, 2, 1)
}
