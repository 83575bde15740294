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
	v := followed(t)
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
	v.Follow(ann, star)
	v.Follow(bob, star)
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
