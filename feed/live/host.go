package live

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/people"
)

// Hosting changes sessions for their hosts. A change is accepted once SQL has it. If the queue is
// down, readers detect the lagging set, and the sweeper finds the event of a replay.
type Hosting struct {
	Sessions  Sessions
	Relations feed.Relations
	// Users reads hosts, not through a cache: they may have become private or been suspended.
	Users Users
	Queue Queue
	// Recorder, if set, counts scheduling and starting a session as activity.
	Recorder *people.ActivityRecorder
	NewID    func() (ID, error)
	Clock    feed.Clock
	Policy   Policy
	// EventPatience is that of [feed.Policy].
	EventPatience time.Duration
	Trace         feed.Trace
}

// idAttempts limits the ids that are tried. Two ids collide with a probability of one in millions.
const idAttempts = 3

// Schedule creates an upcoming session. A refusal names the invalid field.
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
		return s.Rescheduled(at)
	})
}

// Start makes an upcoming session live, also before its time.
func (h *Hosting) Start(ctx context.Context, viewer feed.UserID, id ID) (*Session, error) {
	s, err := h.change(ctx, viewer, id, func(s Session) (Session, error) { return s.Started(h.now()) })
	if err == nil {
		h.Recorder.Record(ctx, viewer)
	}
	return s, err
}

// End makes a live session a replay at replayURL, which may be empty. Repeating it changes nothing.
func (h *Hosting) End(ctx context.Context, viewer feed.UserID, id ID, replayURL string) (*Session, error) {
	if err := h.Policy.ReplayURL(replayURL); err != nil {
		return nil, err
	}
	return h.change(ctx, viewer, id, func(s Session) (Session, error) { return s.Ended(h.now(), replayURL) })
}

// Cancel cancels an upcoming session, which readers no longer see. Repeating it changes nothing.
func (h *Hosting) Cancel(ctx context.Context, viewer feed.UserID, id ID) (*Session, error) {
	return h.change(ctx, viewer, id, func(s Session) (Session, error) { return s.Cancelled(h.now()) })
}

// change returns [feed.CodeForbidden] for another host's session, [feed.CodeNotFound] for one that
// viewer may not see, and [feed.CodeConflict] for an impossible transition.
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

// checkHost may precede the transaction, because the host of a session never changes.
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
	host := found[0].Host
	visible, err := visibleHosts(ctx, h.Relations, h.Users, viewer, []feed.UserID{host})
	switch {
	case err != nil:
		return err
	case found[0].State == Cancelled || !visible[host]:
		return missing()
	}
	return feed.Errorf(feed.CodeForbidden, "only its host may change a session").At("liveSessionId")
}

func missing() error {
	return feed.Errorf(feed.CodeNotFound, "there is no such session").At("liveSessionId")
}

// announce enqueues a refresh of the host's set and, for a replay, its fan-out; both repeatable.
func (h *Hosting) announce(ctx context.Context, s *Session) {
	err := h.Queue.Refresh(ctx, []feed.UserID{s.Host})
	if err == nil && s.State == Replay {
		err = h.Queue.Dispatch(ctx, []feed.Dispatchable[feed.PostID]{{Ref: feed.ReplayRef(int64(s.ID))}})
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
