package timeline_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// readings records how every page was made.
func readings(v fixture.Service) *[]feed.Reading {
	var all []feed.Reading
	v.Timeline.Trace.PageRead = func(_ feed.UserID, r feed.Reading) { all = append(all, r) }
	return &all
}

func TestTrace_ReportsInboxFound(t *testing.T) {
	v := fixture.NewSelective(t)
	v.Deliver(star, 1)
	got := readings(v)
	v.Home(ann)
	v.EndLeases()
	v.Home(ann)
	v.Flaky.Down = true
	v.Home(ann)
	v.Flaky.Down = false
	v.LoseInbox(ann)
	v.Home(ann)
	_, err := v.Backend.Inboxes.BeginBuild(t.Context(), ann, feed.BuildHeader{Token: "t", StartedAt: v.Clock.Millis()}, 0)
	v.Must(err)
	v.Home(ann)
	fixture.Same(t, "the readings", *got,
		feed.Reading{Source: feed.SourceInbox, Found: feed.FoundWarm},
		feed.Reading{Source: feed.SourceInbox, Found: feed.FoundCold, Pulled: 1},
		feed.Reading{Source: feed.SourceReference, Found: feed.FoundUnreachable},
		feed.Reading{Source: feed.SourceReference, Found: feed.FoundAbsent},
		feed.Reading{Source: feed.SourceReference, Found: feed.FoundBuilding})
}
