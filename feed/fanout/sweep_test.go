package fanout_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

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
		for _, seconds := range []time.Duration{2, 2, 4, 8, 15, 15} {
			wait := seconds * time.Second
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
	fixture.Got(v.Backend.Plans.ClaimSlice(t.Context(), slice(0), feed.Millis(now), feed.Millis(now.Add(v.Policy.SliceLease)))).Must(t)
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
