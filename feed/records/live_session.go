package records

import (
	"context"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// hold performs the transitions of a record that its session has not gone through, so that an
// interrupted play can continue. The record is known if there are none.
func (l *Live) hold(ctx context.Context, r *feed.LiveRecord) (feed.RecordResult, error) {
	hosting := l.hosting(r)
	s, isNew, err := l.schedule(ctx, hosting, r)
	if err != nil {
		return feed.RecordResult{}, err
	}
	before := s.Number
	if r.CancelledAt != 0 && s.State == live.Upcoming {
		s, err = hosting.Cancel(ctx, r.Host, s.ID)
	}
	if err == nil && r.StartedAt != 0 && s.State == live.Upcoming {
		s, err = hosting.Start(ctx, r.Host, s.ID)
	}
	if err == nil && r.EndedAt != 0 && s.State == live.Live {
		s, err = hosting.End(ctx, r.Host, s.ID, r.ReplayURL)
	}
	if err != nil {
		return feed.RecordResult{}, err
	}
	if isNew || s.Number != before {
		return feed.ResultNew(), nil
	}
	return isStored(differentSession(s, r)), nil
}

// differentSession compares a record with its stored session, except for times. The session can
// be ahead of the record. Differences are the title, a replay, and transitions that are no longer
// possible.
func differentSession(s *live.Session, r *feed.LiveRecord) feed.Difference {
	stored := *r
	stored.Title = s.Title
	if s.StartedAt == 0 {
		stored.StartedAt = 0
	}
	if s.CancelledAt == 0 {
		stored.CancelledAt = 0
	}
	switch {
	case s.EndedAt == 0:
		stored.EndedAt = 0
	case r.EndedAt != 0:
		stored.ReplayURL = s.ReplayURL
	}
	return feed.DifferentLive(&stored, r)
}

// hosting changes the session of a record.
func (l *Live) hosting(r *feed.LiveRecord) *live.Hosting {
	return &live.Hosting{
		Sessions: named{l.sessions, r.External}, Relations: l.stores, Users: l.stores, Queue: noQueue{},
		NewID: func() (live.ID, error) { return live.ID(r.ID), nil },
		Clock: l.clock, Policy: live.DefaultPolicy(),
	}
}

// sessionStore can be embedded, unlike an interface that has a method of its own name.
type sessionStore = live.Sessions

// named stores new sessions with an external id.
type named struct {
	sessionStore
	external feed.ExternalID
}

// Schedule implements [live.Sessions].
func (n named) Schedule(ctx context.Context, s live.Session, openMax int) (*live.Session, error) {
	s.External = n.external
	return n.sessionStore.Schedule(ctx, s, openMax)
}

// schedule announces a session for the time of the record, or for now if that has passed. If the
// id is taken by the same host, it returns that session.
func (l *Live) schedule(ctx context.Context, h *live.Hosting, r *feed.LiveRecord) (s *live.Session, isNew bool, err error) {
	s, err = h.Schedule(ctx, r.Host, r.Title, max(r.ScheduledAt, l.now()))
	if !errors.Is(err, live.ErrIDTaken) {
		return s, true, err
	}
	stored, err := l.sessions.Sessions(ctx, []live.ID{live.ID(r.ID)})
	if err != nil {
		return nil, false, err
	}
	if stored[0] == nil || stored[0].Host != r.Host {
		return nil, false, live.ErrIDTaken
	}
	return stored[0], false, nil
}
