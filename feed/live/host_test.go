package live_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/publish"
)

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
		slice := fixture.Got(s.Backend.Plans.ClaimSlice(t.Context(), feed.SliceRef{Post: name}, 0, 0)).Must(s)
		if slice == nil || slice.Others != others {
			t.Errorf("the slice of %d is %+v, with others should be %v", name, slice, others)
		}
	}
}
