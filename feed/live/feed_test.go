package live_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
)

func asError(err error, target **feed.Error) bool { return errors.As(err, target) }

func TestPage_OrdersByState(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2, 3)
	s.schedule(cem, 4, 5, 6)
	s.start(bob, 1, 2)
	s.start(cem, 4, 5)
	s.end(cem, 4)
	s.end(bob, 1)
	page := s.page(10, "")
	s.shows(page, 5, 2, 6, 3, 1, 4)
	if page.HasNext || page.HasPrevious || page.At != s.Clock.Millis() {
		t.Errorf("the page is %+v", page)
	}
}

// What changes between two pages does not move, repeat or disappear. It shows its state now along
// with that of the scroll.
func TestScroll_ShowsOneMoment(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2, 3)
	s.start(bob, 1)
	first := s.page(1, "")
	s.shows(first, 1)
	s.start(bob, 3)
	s.end(bob, 1)
	s.schedule(cem, 9)
	second := s.page(2, last(first))
	s.shows(second, 2, 3)
	if e := second.Entries[1]; e.State != live.Upcoming || e.Session.State != live.Live || second.HasNext {
		t.Errorf("session 3 is %d and now %d; next: %t", e.State, e.Session.State, second.HasNext)
	}
	if second.At != first.At {
		t.Errorf("the pages are of %d and %d", first.At, second.At)
	}
	s.shows(s.page(10, ""), 3, 9, 2, 1)
}

func TestScroll_MomentIsPerScroll(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	phone := s.page(1, "")
	s.start(bob, 2)
	laptop := s.page(1, "")
	s.shows(phone, 1)
	s.shows(laptop, 2)
	s.shows(s.page(5, last(phone)), 2)
	s.shows(s.page(5, last(laptop)), 1)
}

func TestCursor_OutlivesSnapshot(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2, 3)
	first := s.page(1, "")
	s.start(bob, 3)
	s.schedule(cem, 4)
	s.Clock.Advance(2 * s.Live.Feed.Policy.SnapshotFor)
	s.shows(s.page(5, last(first)), 2, 3)
}

// A first page needs only the sets. The snapshot for the next pages is made after it has been
// sent.
func TestPage_FirstDoesNotWaitForSnapshot(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2, 3)
	s.schedule(cem, 4)
	s.work()
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
	if len(s.later) != 0 {
		t.Errorf("%d snapshots are stored", len(s.later))
	}
}

func TestSet_LaggingIsReplaced(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.work()
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
	s.work()
	s.Live.Feed.Sets = between{s.Live.Sets, func() {
		s.start(bob, 2)
		s.work()
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

func TestScroll_DropsUnfollowedHostsAtOnce(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.schedule(cem, 3, 4)
	s.schedule(dee, 5)
	s.start(dee, 5)
	s.end(dee, 5)
	first := s.page(1, "")
	s.shows(first, 3)
	_, err := s.Follower.Unfollow(t.Context(), ann, bob)
	s.must(err)
	_, err = s.Follower.Follow(t.Context(), ann, dee)
	s.must(err)
	s.shows(s.page(9, last(first)), 4)
	s.must(s.Relater.Relate(t.Context(), feed.RelationRecord{Kind: feed.RelationBlock, User: cem, Target: ann}))
	s.shows(s.page(9, last(first)))
	s.shows(s.page(9, ""), 5)
	// A host who was unfollowed and followed again also comes with the next scroll.
	_, err = s.Follower.Follow(t.Context(), ann, bob)
	s.must(err)
	s.shows(s.page(9, last(first)))
	s.shows(s.page(9, ""), 1, 2, 5)
}

func TestPage_RejectsBadRequests(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1)
	_, err := s.Live.Feed.Page(t.Context(), 0, live.Query{})
	s.refused(err, feed.CodeUnauthenticated, "")
	for _, first := range []int{-1, s.Live.Feed.Policy.PageMax + 1} {
		_, err := s.Live.Feed.Page(t.Context(), ann, live.Query{First: &first})
		s.refused(err, feed.CodeBadInput, "")
	}
	_, err = s.Live.Feed.Page(t.Context(), ann, live.Query{After: "nonsense"})
	s.refused(err, feed.CodeBadCursor, "")
	cursor := last(s.page(1, ""))
	_, err = s.Live.Feed.OfHost(t.Context(), ann, bob, live.Query{After: cursor})
	s.refused(err, feed.CodeBadCursor, "")
	zero := 0
	page, err := s.Live.Feed.Page(t.Context(), ann, live.Query{First: &zero})
	s.must(err)
	if len(page.Entries) != 0 || !page.HasNext {
		t.Errorf("the page of none is %+v", page)
	}
}

func TestOfHost_HidesInvisibleHosts(t *testing.T) {
	s := newStage(t)
	s.schedule(dee, 1, 2, 3)
	s.start(dee, 2, 3)
	s.end(dee, 3)
	read := func(viewer feed.UserID) *live.Page {
		t.Helper()
		page, err := s.Live.Feed.OfHost(t.Context(), viewer, dee, live.Query{})
		s.must(err)
		return page
	}
	for _, viewer := range []feed.UserID{0, ann, dee} {
		s.shows(read(viewer), 2, 1, 3)
	}
	s.must(s.Relater.Relate(t.Context(), feed.RelationRecord{Kind: feed.RelationHide, User: dee, Target: ann}))
	s.shows(read(ann))
	s.shows(read(bob), 2, 1, 3)
}

func TestVisible_HidesCancelledAndInvisible(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.schedule(dee, 3)
	_, err := s.Live.Hosting.Cancel(t.Context(), bob, 2)
	s.must(err)
	s.must(s.Relater.Relate(t.Context(), feed.RelationRecord{Kind: feed.RelationBlock, User: ann, Target: dee}))
	got, err := s.Live.Feed.Visible(t.Context(), ann, []live.ID{3, 2, 1, 4})
	s.must(err)
	for i, want := range []bool{false, false, true, false} {
		if (got[i] != nil) != want {
			t.Errorf("of the sessions %+v", got)
		}
	}
}

// No page lacks replays with pending pushes: their hosts are pulled.
func TestPage_ShowsUnpushedReplay(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.start(bob, 1, 2)
	s.end(bob, 1)
	s.page(10, "") // asks for a replay inbox
	s.work()
	s.end(bob, 2)
	s.Queue.Lose()
	s.shows(s.page(10, ""), 2, 1)
	s.Clock.Advance(time.Hour)
	s.must(s.Fanout.Sweep(t.Context()))
	s.work()
	s.shows(s.page(10, ""), 2, 1)
	inbox, err := s.Live.Inboxes.Read(t.Context(), ann, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 10})
	s.must(err)
	if len(inbox.Keys) != 2 {
		t.Errorf("the replay inbox holds %v", inbox.Keys)
	}
}

// A database restored from a backup issues numbers that sets have already.
func TestSet_OfOldGenerationIsNotUsed(t *testing.T) {
	s := newStage(t)
	s.schedule(bob, 1, 2)
	s.work()
	now, err := s.Live.History.Now(t.Context())
	s.must(err)
	wrong := live.Set{Number: now.Number + 1, Open: []live.Position{{State: live.Live, At: 1, ID: 99}}}
	s.must(s.Live.Sets.Write(t.Context(), now.Generation, bob, wrong))
	s.must(s.PulseLog.RaiseGeneration(t.Context()))
	s.start(bob, 2)
	s.shows(s.page(10, ""), 2, 1)
}
