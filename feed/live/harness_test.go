package live_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

// The users of a stage. ann follows both hosts.
const (
	ann feed.UserID = 1
	bob feed.UserID = 2
	cem feed.UserID = 3
	dee feed.UserID = 4
)

// stage is the live domain in memory, with users.
type stage struct {
	fixture.Service
	later []func(context.Context)
}

func newStage(t *testing.T) *stage {
	t.Helper()
	clock, p := feedtest.NewClock(), feedtest.SmallPolicy(feed.FanoutHybrid)
	store := memstore.New(clock.Now)
	l := memstore.NewLive(store)
	s := &stage{Service: fixture.Service{T: t, Service: feedtest.NewService(feedtest.Backend{
		Stores: feedtest.StoresOf(store), Inboxes: memstore.NewInboxes(p.InboxCap), Clock: clock,
		Live: &feedtest.LiveStores{
			Sessions: l, History: l, Changes: l, Replays: memstore.NewReplays(store), Inboxes: memstore.NewInboxes(p.InboxCap),
			Sets: memstore.NewSets(), Snapshots: memstore.NewSnapshots(clock.Now),
		},
	}, p)}}
	for _, id := range []feed.UserID{ann, bob, cem, dee} {
		s.MakeUser(&feed.User{ID: id, Handle: "u" + id.String(), Name: "name"})
	}
	s.Follow(ann, bob, cem)
	return s
}

// holdBack keeps what reads leave to be done behind them until s.later is called.
func (s *stage) holdBack() {
	s.Live.Feed.Async = func(do func(context.Context)) { s.later = append(s.later, do) }
}

func (s *stage) in(d time.Duration) int64 { return feed.Millis(s.Clock.Now().Add(d)) }

// schedule schedules sessions of a host, each an hour after the one before it.
func (s *stage) schedule(host feed.UserID, ids ...live.ID) {
	s.Helper()
	for i, id := range ids {
		s.Live.LiveIDs = []live.ID{id}
		fixture.Got(s.Live.Hosting.Schedule(s.Context(), host, "title", s.in(time.Duration(i+1)*time.Hour))).Must(s)
	}
}

func (s *stage) start(host feed.UserID, ids ...live.ID) {
	s.Helper()
	for _, id := range ids {
		s.Clock.Advance(time.Second)
		fixture.Got(s.Live.Hosting.Start(s.Context(), host, id)).Must(s)
	}
}

func (s *stage) end(host feed.UserID, ids ...live.ID) {
	s.Helper()
	for _, id := range ids {
		s.Clock.Advance(time.Second)
		fixture.Got(s.Live.Hosting.End(s.Context(), host, id, "")).Must(s)
	}
}

// page reads a page of ann's feed.
func (s *stage) page(first int, after string) *live.Page {
	s.Helper()
	page := fixture.Got(s.Live.Feed.Page(s.Context(), ann, live.Query{First: &first, After: after, LookBack: true})).Must(s)
	return page
}

// shows fails unless the page shows the sessions, in this order.
func (s *stage) shows(page *live.Page, want ...live.ID) {
	s.Helper()
	var got []live.ID
	for _, e := range page.Entries {
		got = append(got, e.Session.ID)
	}
	fixture.Same(s, "the page", got, want...)
}

// end of a page: the cursor of its last entry.
func last(page *live.Page) string { return page.Entries[len(page.Entries)-1].Cursor }
