package fanout_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/publish"
)

func TestTrace_ReportsDelayToLastInbox(t *testing.T) {
	v := fixture.New(t)
	v.Follow(ann, star)
	v.Fanout.Announcer, v.Fanout.Announced = memstore.NewAnnouncements(), v.Backend.Announced
	var lags []time.Duration
	v.Fanout.Trace.FannedOut = func(_ feed.PostID, lag time.Duration) { lags = append(lags, lag.Round(time.Second)) }
	v.Post(star, 1)
	v.Clock.Advance(3 * time.Second)
	v.WorkAll()

	// Published under a time of last year: the id has when that was.
	lastYear := v.Clock.Now().AddDate(-1, 0, 0).UnixMilli()
	id, err := feed.NewPostIDs(v.Clock.Now, nil)()
	v.Must(err)
	v.Publish(star, id, publish.Draft{Text: "late", PublishedAt: &lastYear})
	v.Clock.Advance(2 * time.Second)
	v.WorkAll()
	fixture.Same(t, "the lags", lags, 3*time.Second, 2*time.Second)
}

func TestTrace_ReportsSwept(t *testing.T) {
	v := fixture.New(t)
	plansByTask(v)
	v.Follow(ann, star)
	swept := [2]int{}
	v.Fanout.Trace.Swept = func(events, slices int) { swept[0], swept[1] = swept[0]+events, swept[1]+slices }
	sweepLater := func() {
		v.Queue.Lose()
		v.Clock.Advance(time.Hour)
		v.Must(v.Fanout.Sweep(t.Context()))
	}
	v.Post(star, 1)
	sweepLater()
	if want := [2]int{1, 0}; swept != want {
		t.Errorf("after an event was lost %v were swept, want %v", swept, want)
	}
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	sweepLater()
	if want := [2]int{1, 1}; swept != want {
		t.Errorf("after a slice was lost %v were swept, want %v", swept, want)
	}
}

// While too many slices wait, an author with more than one slice of followers is pulled instead, for
// good. Others are pushed as usual.
func TestDispatch_ShedsPopularAuthorsDuringBacklog(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.SliceSize, p.BacklogMax = 2, 1 })
	var shed []feed.PostID
	v.Fanout.Trace.Shed = func(id feed.PostID) { shed = append(shed, id) }
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		v.Follow(viewer, star)
		v.BuildInbox(viewer)
	}
	v.Follow(ann, moon)
	v.Reconcile(ann)
	v.Queue.Lose()
	v.Post(star, 1)
	v.Must(v.Fanout.Dispatch(t.Context(), 1)) // two slices, which is above the bound
	v.Post(star, 2)
	v.Must(v.Fanout.Dispatch(t.Context(), 2))
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
