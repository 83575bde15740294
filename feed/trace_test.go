package feed_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// readings notes how every page was made.
func readings(v fixture.Service) *[]feed.Reading {
	var all []feed.Reading
	v.Timeline.Trace.PageRead = func(_ feed.UserID, r feed.Reading) { all = append(all, r) }
	return &all
}

func TestTheTraceTellsWhatAReadFoundInTheInboxsPlace(t *testing.T) {
	v := fixture.NewSelective(t)
	v.Post(star, 1)
	v.WorkAll()
	got := readings(v)
	v.Home(ann)
	v.Lapse()
	v.Home(ann)
	v.Flaky.Down = true
	v.Home(ann)
	v.Flaky.Down = false
	v.Must(v.Backend.Inboxes.Remove(t.Context(), ann))
	v.Home(ann)
	_, err := v.Backend.Inboxes.BeginBuild(t.Context(), ann, feed.BuildMark{Token: "t", StartedAt: v.Clock.Millis()}, 0)
	v.Must(err)
	v.Home(ann)
	fixture.Same(t, "the readings", *got,
		feed.Reading{Source: feed.SourceInbox, Found: feed.FoundWarm},
		feed.Reading{Source: feed.SourceInbox, Found: feed.FoundCold, Pulled: 1},
		feed.Reading{Source: feed.SourceReference, Found: feed.FoundUnreachable},
		feed.Reading{Source: feed.SourceReference, Found: feed.FoundAbsent},
		feed.Reading{Source: feed.SourceReference, Found: feed.FoundBuilding})
}

func TestTheTraceTellsHowLongAPublishTookToTheLastInbox(t *testing.T) {
	v := fixture.New(t)
	v.Follow(ann, star)
	v.Fanout.Announcer, v.Fanout.Announced = memstore.NewAnnouncements(), v.Backend.Announced
	var lags []time.Duration
	v.Fanout.Trace.FannedOut = func(_ feed.ContentID, lag time.Duration) { lags = append(lags, lag.Round(time.Second)) }
	v.Post(star, 1)
	v.Clock.Advance(3 * time.Second)
	v.WorkAll()

	// Published under a time of last year: the id has when that was.
	lastYear := v.Clock.Now().AddDate(-1, 0, 0).UnixMilli()
	id, err := feed.NewContentIDs(v.Clock.Now, nil)()
	v.Must(err)
	v.Publish(star, id, publish.Draft{Text: "late", PublishedAt: &lastYear})
	v.Clock.Advance(2 * time.Second)
	v.WorkAll()
	fixture.Same(t, "the lags", lags, 3*time.Second, 2*time.Second)
}

func TestTheTraceTellsWhatASweepDispatchedAgain(t *testing.T) {
	v := fixture.New(t)
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
