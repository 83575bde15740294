package live_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// The users of a stage. ann follows both hosts.
const (
	ann feed.UserID = 1
	bob feed.UserID = 2
	cem feed.UserID = 3
	dee feed.UserID = 4
)

// stage is the live domain, with users.
type stage struct {
	fixture.Service
	later []func(context.Context)
}

func newStage(t *testing.T) *stage {
	t.Helper()
	p := feedtest.SmallPolicy(feed.FanoutHybrid)
	b := fixture.LiveBackend(sqlitetest.Of(t), p)
	b.Server = nil
	s := &stage{Service: fixture.Service{T: t, Service: feedtest.NewService(b, p)}}
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

func TestSchedule_NamesInvalidField(t *testing.T) {
	s := newStage(t)
	soon := s.in(time.Hour)
	for name, c := range map[string]struct {
		title string
		at    int64
		code  feed.Code
		field string
	}{
		"blank title":           {"  \n", soon, feed.CodeInvalid, "title"},
		"invisible title":       {"\u200b\u3164", soon, feed.CodeInvalid, "title"},
		"title that turns":      {"live \u202enow", soon, feed.CodeInvalid, "title"},
		"title of two lines":    {"live\u2028now", soon, feed.CodeInvalid, "title"},
		"broken title":          {"a\x00b", soon, feed.CodeInvalid, "title"},
		"long title":            {strings.Repeat("ä", 201), soon, feed.CodeTooLong, "title"},
		"time that is over":     {"title", s.in(-6 * time.Minute), feed.CodeInvalid, "scheduledAt"},
		"time in another year":  {"title", s.in(367 * 24 * time.Hour), feed.CodeInvalid, "scheduledAt"},
		"time before the epoch": {"title", -1, feed.CodeInvalid, "scheduledAt"},
	} {
		t.Log(name)
		fixture.Got(s.Live.Hosting.Schedule(t.Context(), bob, c.title, c.at)).Refused(s.Service, c.code, c.field)
	}
	s.Live.LiveIDs = []live.ID{1}
	got := fixture.Got(s.Live.Hosting.Schedule(t.Context(), bob, " "+strings.Repeat("ä", 200)+" ", soon)).Must(s)
	if got.Title != strings.Repeat("ä", 200) || got.State != live.Upcoming || got.ScheduledAt != soon {
		t.Errorf("stored is %+v", got)
	}
}

func TestSchedule_RetriesTakenID(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 7)
	s.Live.LiveIDs = []live.ID{7, 8}
	got := fixture.Got(s.Live.Hosting.Schedule(t.Context(), cem, "title", s.in(time.Hour))).Must(s)
	fixture.Is(t, "the session's id", got.ID, 8)
	s.Live.LiveIDs = []live.ID{7, 7, 7}
	fixture.Got(s.Live.Hosting.Schedule(t.Context(), cem, "title", s.in(time.Hour))).Refused(s.Service, feed.CodeConflict)
}

// changes are all that a host may do to a session that is there.
func (s *stage) changes() map[string]func(viewer feed.UserID, id live.ID) (*live.Session, error) {
	h := s.Live.Hosting
	return map[string]func(viewer feed.UserID, id live.ID) (*live.Session, error){
		"reschedule": func(v feed.UserID, id live.ID) (*live.Session, error) {
			return h.Reschedule(s.Context(), v, id, s.in(time.Hour))
		},
		"start":  func(v feed.UserID, id live.ID) (*live.Session, error) { return h.Start(s.Context(), v, id) },
		"end":    func(v feed.UserID, id live.ID) (*live.Session, error) { return h.End(s.Context(), v, id, "") },
		"cancel": func(v feed.UserID, id live.ID) (*live.Session, error) { return h.Cancel(s.Context(), v, id) },
	}
}

func TestChange_OnlyByHost(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.cancel(bob, 2)
	s.Relate(feed.RelationBlock, bob, dee)
	for name, change := range s.changes() {
		t.Log(name)
		fixture.Got(change(ann, 1)).Refused(s.Service, feed.CodeForbidden, "liveSessionId")
		// For a user who may not see it, the session does not exist: who is blocked, what is
		// cancelled, what is not there.
		fixture.Got(change(dee, 1)).Refused(s.Service, feed.CodeNotFound, "liveSessionId")
		fixture.Got(change(ann, 2)).Refused(s.Service, feed.CodeNotFound, "liveSessionId")
		fixture.Got(change(bob, 99)).Refused(s.Service, feed.CodeNotFound, "liveSessionId")
	}
	s.shows(s.page(9, ""), 1)
}

// A time that is over is wrong by itself only for what could be moved.
func TestReschedule_ConflictPrecedesInvalidTime(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.start(bob, 1)
	fixture.Got(s.Live.Hosting.Reschedule(t.Context(), bob, 1, 5)).Refused(s.Service, feed.CodeConflict, "liveSessionId")
	fixture.Got(s.Live.Hosting.Reschedule(t.Context(), bob, 2, 5)).Refused(s.Service, feed.CodeInvalid, "scheduledAt")
}

func TestEnd_ChecksReplayURL(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1)
	s.start(bob, 1)
	for _, url := range []string{"http://tideline.example/", "/relative", "https://user@tideline.example/", "javascript:alert(1)", "https://"} {
		fixture.Got(s.Live.Hosting.End(t.Context(), bob, 1, url)).Refused(s.Service, feed.CodeInvalid, "replayUrl")
	}
	fixture.Got(s.Live.Hosting.End(t.Context(), bob, 1, "https://tideline.example/"+strings.Repeat("a", 2048))).Refused(s.Service, feed.CodeTooLong, "replayUrl")
}

// A change is accepted while the queue is away: readers see from the numbers that a set
// lags, and the sweeper finds the replay.
func TestChange_AcceptedWithoutQueue(t *testing.T) {
	s := newStage(t)
	var traced []error
	s.Live.Hosting.Trace.EnqueueFailed = func(err error) { traced = append(traced, err) }
	s.Queue.Err = feed.Unavailable("the queue", nil)
	s.schedule(bob, 1, 2)
	s.start(bob, 1)
	s.end(bob, 1)
	s.shows(s.page(9, ""), 2, 1)
	fixture.Is(t, "the failures traced", len(traced), 4)
	s.Queue.Err = nil
	s.Clock.Advance(time.Hour)
	s.Must(s.Fanout.Sweep(t.Context()))
	if tasks := s.Queue.Tasks(); !slices.Contains(tasks, feedtest.Task{Dispatch: feed.ReplayRef(1)}) {
		t.Errorf("the sweep queued %v", tasks)
	}
}

// Otherwise the event of a replay would wait for ever for what never comes back.
func TestReplay_FanoutEndsWithAccount(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.start(bob, 1, 2)
	s.end(bob, 1)
	s.Must(s.Fanout.Dispatch(t.Context(), feed.ReplayRef(1)))
	s.end(bob, 2)
	s.Must(s.Profiles.DeleteAccount(t.Context(), bob, s.Clock.Millis()))
	s.Queue.Lose()
	s.Must(s.Rest(t.Context()))
	pending := fixture.Got(s.Progress.IsPending(t.Context(), []feed.PostID{feed.ReplayRef(1), feed.ReplayRef(2)})).Must(s)
	if pending[0] || pending[1] {
		t.Errorf("which fan-outs are pending: %v", pending)
	}
}

// Replays and posts go to different inboxes, of the same followers.
func TestReplay_IsPushedWithoutPosts(t *testing.T) {
	s := newStage(t)
	s.Publisher.Policy.Fanout = feed.FanoutPull // so that no publish plans its fan-out
	s.schedule(bob, 1)
	s.start(bob, 1)
	s.end(bob, 1)
	for _, id := range []feed.PostID{7, 8} {
		s.IDs = append(s.IDs, id)
		fixture.Got(s.Publisher.Publish(t.Context(), bob, publish.Draft{Text: "while it goes on"})).Must(s)
	}
	for _, name := range []feed.PostID{feed.ReplayRef(1), 7, 8} {
		s.Must(s.Fanout.Dispatch(t.Context(), name))
	}
	for name, others := range map[feed.PostID]bool{feed.ReplayRef(1): false, 7: true} {
		slice := fixture.Got(s.Backend.Slices.ClaimSlice(t.Context(), feed.SliceRef{Post: name}, 0, 0)).Must(s)
		if slice == nil || slice.Others != others {
			t.Errorf("the slice of %d is %+v, with others should be %v", name, slice, others)
		}
	}
}
