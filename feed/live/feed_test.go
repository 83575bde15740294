package live_test

import (
	"context"
	"fmt"
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

// A first page needs only the sets. The snapshot for the next pages is made after it has been
// sent.
func TestPage_FirstDoesNotWaitForSnapshot(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2, 3)
	s.schedule(cem, 4)
	s.WorkAll()
	s.holdBack()
	s.Live.Feed.History = noOpen{s.Live.History, t}
	first := s.page(2, "")
	s.shows(first, 4, 1)
	if len(s.later) != 1 {
		t.Fatalf("%d functions run after the page", len(s.later))
	}
	s.later[0](t.Context())
	s.shows(s.page(5, last(first)), 2, 3)
}

// noOpen is a history that must not be asked for open sessions.
type noOpen struct {
	live.History
	t *testing.T
}

func (h noOpen) Open(context.Context, []feed.UserID, int64, live.Position, int) ([]live.Entry, error) {
	h.t.Error("the history is read")
	return nil, nil
}

// A page that ends with the last open session needs no snapshot, nor does a page that nothing
// follows.
func TestSnapshot_OnlyIfNeeded(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2, 3)
	s.start(bob, 1)
	s.end(bob, 1)
	s.holdBack()
	s.shows(s.page(2, ""), 2, 3)
	s.shows(s.page(10, ""), 2, 3, 1)
	fixture.Is(t, "the snapshots stored", len(s.later), 0)
}

func TestSet_LaggingIsReplaced(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.WorkAll()
	s.start(bob, 2)
	s.Queue.Lose()
	s.shows(s.page(10, ""), 2, 1)
	if tasks := s.Queue.Tasks(); len(tasks) == 0 || tasks[0] != (feedtest.Task{Refresh: bob}) {
		t.Errorf("the queued tasks are %v", tasks)
	}
}

// Between the reads of the hosts and of their sets, a session may start and its set be written.
func TestSet_NewerThanMomentIsNotUsed(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.WorkAll()
	s.Live.Feed.Sets = between{s.Live.Sets, func() {
		s.start(bob, 2)
		s.WorkAll()
	}}
	s.shows(s.page(10, ""), 1, 2)
	s.Live.Feed.Sets = s.Live.Sets
	s.shows(s.page(10, ""), 2, 1)
}

// between runs a function before sets are read.
type between struct {
	live.Sets
	do func()
}

func (b between) Read(ctx context.Context, generation int64, hosts []feed.UserID, limit int) ([]live.Set, error) {
	b.do()
	return b.Sets.Read(ctx, generation, hosts, limit)
}

func TestPage_RejectsBadRequests(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1)
	fixture.Got(s.Live.Feed.Page(t.Context(), 0, live.Query{})).Refused(s.Service, feed.CodeUnauthenticated)
	for _, first := range []int{-1, s.Live.Feed.Policy.PageMax + 1} {
		fixture.Got(s.Live.Feed.Page(t.Context(), ann, live.Query{First: &first})).Refused(s.Service, feed.CodeBadInput)
	}
	fixture.Got(s.Live.Feed.Page(t.Context(), ann, live.Query{After: "nonsense"})).Refused(s.Service, feed.CodeBadCursor)
	cursor := last(s.page(1, ""))
	fixture.Got(s.Live.Feed.OfHost(t.Context(), ann, bob, live.Query{After: cursor})).Refused(s.Service, feed.CodeBadCursor)
	zero := 0
	page := fixture.Got(s.Live.Feed.Page(t.Context(), ann, live.Query{First: &zero})).Must(s)
	if len(page.Entries) != 0 || !page.HasNext {
		t.Errorf("the page of none is %+v", page)
	}
}

func TestVisible_HidesCancelledAndInvisible(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.schedule(dee, 3)
	fixture.Got(s.Live.Hosting.Cancel(t.Context(), bob, 2)).Must(s)
	s.Relate(feed.RelationBlock, ann, dee)
	got := fixture.Got(s.Live.Feed.Visible(t.Context(), ann, []live.ID{3, 2, 1, 4})).Must(s)
	for i, want := range []bool{false, false, true, false} {
		fixture.Is(t, fmt.Sprintf("whether session %d is visible", i), got[i] != nil, want)
	}
}

// No page lacks replays with pending pushes: their hosts are pulled.
func TestPage_ShowsUnpushedReplay(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.start(bob, 1, 2)
	s.end(bob, 1)
	s.page(10, "") // asks for a replay inbox
	s.WorkAll()
	s.end(bob, 2)
	s.Queue.Lose()
	s.shows(s.page(10, ""), 2, 1)
	s.Clock.Advance(time.Hour)
	s.Must(s.Fanout.Sweep(t.Context()))
	s.WorkAll()
	s.shows(s.page(10, ""), 2, 1)
	inbox := fixture.Got(s.Live.Inboxes.Read(t.Context(), ann, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 10})).Must(s)
	fixture.Is(t, "the entries of the replay inbox", len(inbox.Keys), 2)
}

// A database restored from a backup issues numbers that sets have already.
func TestSet_OfOldGenerationIsNotUsed(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.WorkAll()
	now := fixture.Got(s.Live.History.Now(t.Context())).Must(s)
	wrong := live.Set{Number: now.Number + 1, Open: []live.Position{{State: live.Live, At: 1, ID: 99}}}
	s.Must(s.Live.Sets.Write(t.Context(), now.Generation, bob, wrong))
	s.Must(s.PulseLog.RaiseGeneration(t.Context()))
	s.start(bob, 2)
	s.shows(s.page(10, ""), 2, 1)
}
