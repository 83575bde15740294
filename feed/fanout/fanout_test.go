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
	if !happened() {
		t.Fatal("the planning was over too soon")
	}
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
