package live

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/people"
)

// Hosting changes sessions on behalf of their hosts. A change is accepted as soon as SQL
// has it: when the queue is away, readers see from the numbers that a set lags, and the
// sweeper finds the event of a replay.
type Hosting struct {
	Sessions  Sessions
	Relations feed.Relations
	Queue     Queue
	// Recorder, where it is set, counts scheduling and starting a session as activity.
	Recorder *people.ActivityRecorder
	NewID    func() (ID, error)
	Clock    feed.Clock
	Policy   Policy
	// EventPatience is that of [feed.Policy].
	EventPatience time.Duration
	Trace         feed.Trace
}

// idAttempts is how many fresh ids are tried. Two meet with a chance of one in millions,
// so a third try means that the source of ids is broken.
const idAttempts = 3

// Schedule announces a session. What is wrong with title or time is a refusal that names
// the field.
func (h *Hosting) Schedule(ctx context.Context, host feed.UserID, title string, at int64) (*Session, error) {
	title = strings.TrimSpace(title)
	if err := h.Policy.Title(title); err != nil {
		return nil, err
	}
	if err := h.checkTime(at); err != nil {
		return nil, err
	}
	stored, err := h.store(ctx, Session{Host: host, Title: title, State: Upcoming, ScheduledAt: at})
	if err != nil {
		return nil, err
	}
	h.announce(ctx, stored)
	h.Recorder.Record(ctx, host)
	return stored, nil
}

// store stores a session under a fresh id.
func (h *Hosting) store(ctx context.Context, s Session) (*Session, error) {
	for range idAttempts - 1 {
		var err error
		if s.ID, err = h.NewID(); err != nil {
			return nil, err
		}
		stored, err := h.Sessions.Schedule(ctx, s, h.Policy.OpenMax)
		if !errors.Is(err, ErrIDTaken) {
			return stored, err
		}
	}
	return nil, ErrIDTaken
}

// Reschedule moves an upcoming session to another time.
func (h *Hosting) Reschedule(ctx context.Context, viewer feed.UserID, id ID, at int64) (*Session, error) {
	return h.change(ctx, viewer, id, func(s Session) (Session, error) {
		if err := h.checkTime(at); err != nil && s.State == Upcoming {
			return s, err
		}
		return s.rescheduled(at)
	})
}

// Start makes an upcoming session live, whether its time has come or not.
func (h *Hosting) Start(ctx context.Context, viewer feed.UserID, id ID) (*Session, error) {
	s, err := h.change(ctx, viewer, id, func(s Session) (Session, error) { return s.started(h.now()) })
	if err == nil {
		h.Recorder.Record(ctx, viewer)
	}
	return s, err
}

// End makes a live session a replay, which can be watched at replayURL; empty for nowhere.
// Ending it again changes nothing.
func (h *Hosting) End(ctx context.Context, viewer feed.UserID, id ID, replayURL string) (*Session, error) {
	if err := h.Policy.ReplayURL(replayURL); err != nil {
		return nil, err
	}
	return h.change(ctx, viewer, id, func(s Session) (Session, error) { return s.ended(h.now(), replayURL) })
}

// Cancel calls an upcoming session off. It is as deleted from then on. Cancelling it again
// changes nothing.
func (h *Hosting) Cancel(ctx context.Context, viewer feed.UserID, id ID) (*Session, error) {
	return h.change(ctx, viewer, id, func(s Session) (Session, error) { return s.cancelled(h.now()) })
}

// change makes a transition of viewer's session. Somebody else's is [feed.CodeForbidden],
// one that he may not see [feed.CodeNotFound], and an impossible one [feed.CodeConflict].
func (h *Hosting) change(ctx context.Context, viewer feed.UserID, id ID, next func(Session) (Session, error)) (*Session, error) {
	if err := h.checkHost(ctx, viewer, id); err != nil {
		return nil, err
	}
	due := h.now() + h.EventPatience.Milliseconds()
	s, err := h.Sessions.Change(ctx, id, due, next)
	if feed.CodeOf(err) == feed.CodeNotFound {
		return nil, missing()
	}
	if err != nil {
		return nil, err
	}
	h.announce(ctx, s)
	return s, nil
}

// checkHost refuses to change what is not viewer's. A host never changes, so that may be
// looked at before the transaction.
func (h *Hosting) checkHost(ctx context.Context, viewer feed.UserID, id ID) error {
	found, err := h.Sessions.Sessions(ctx, []ID{id})
	switch {
	case err != nil:
		return err
	case found[0] == nil:
		return missing()
	case found[0].Host == viewer:
		return nil
	}
	edges, err := h.Relations.Edges(ctx, viewer, []feed.UserID{found[0].Host})
	switch {
	case err != nil:
		return err
	case found[0].State == Cancelled || !edges[0].Visible():
		return missing()
	}
	return feed.Errorf(feed.CodeForbidden, "only its host may change a session").At("liveSessionId")
}

func missing() error {
	return feed.Errorf(feed.CodeNotFound, "there is no such session").At("liveSessionId")
}

// announce has the host's set written anew, and the replay of what has ended pushed. Asking
// for what was done before is harmless.
func (h *Hosting) announce(ctx context.Context, s *Session) {
	err := h.Queue.Refresh(ctx, []feed.UserID{s.Host})
	if err == nil && s.State == Replay {
		err = h.Queue.Dispatch(ctx, feed.Dispatchable[feed.PostID]{Ref: feed.ReplayRef(int64(s.ID))})
	}
	h.Trace.ReportEnqueue(err)
}

func (h *Hosting) now() int64 { return feed.Millis(h.Clock()) }

func (h *Hosting) checkTime(at int64) error {
	if at < feed.Millis(h.Clock().Add(-h.Policy.ScheduleBehind)) {
		return feed.Errorf(feed.CodeInvalid, "a session must be scheduled for a time within the next year").At("scheduledAt")
	}
	return h.Policy.Scheduled(at, h.now())
}
