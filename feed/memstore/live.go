package memstore

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Live gives access to the live sessions of a [Store]. It implements [live.Sessions],
// [live.History] and [live.Changes]. Use [NewLive].
type Live struct{ store *Store }

var (
	_ live.Sessions = (*Live)(nil)
	_ live.History  = (*Live)(nil)
	_ live.Changes  = (*Live)(nil)
)

// NewLive returns the live sessions in a store.
func NewLive(s *Store) *Live { return &Live{s} }

// session returns the session as of a number. It returns nil if the session did not exist yet or
// the account of its host is deleted.
func (s *Store) session(id live.ID, asOf int64) *live.Session {
	steps := s.sessions[id]
	for i := len(steps) - 1; i >= 0; i-- {
		if step := steps[i]; step.Number <= asOf && s.users[step.Host] != nil {
			return &step
		}
	}
	return nil
}

// shownSession returns the session as it is now unless its host is absent, or nil.
func (s *Store) shownSession(id live.ID) *live.Session {
	session := s.session(id, math.MaxInt64)
	if session == nil || s.absent[session.Host] {
		return nil
	}
	return session
}

// sessionsWhere returns the sessions as of a number, in no order.
func (s *Store) sessionsWhere(asOf int64, want func(*live.Session) bool) []*live.Session {
	var out []*live.Session
	for id := range s.sessions {
		if session := s.session(id, asOf); session != nil && want(session) {
			out = append(out, session)
		}
	}
	return out
}

// addTransition stores the session after a transition, with the next number.
func (s *Store) addTransition(session live.Session) *live.Session {
	s.number++
	session.Number = s.number
	s.sessions[session.ID] = append(s.sessions[session.ID], session)
	s.lastNumbers[session.Host] = s.number
	return &session
}

// Sessions implements [live.Sessions].
func (l *Live) Sessions(ctx context.Context, ids []live.ID) ([]*live.Session, error) {
	return readEach(ctx, l.store, ids, l.store.shownSession)
}

// OfHost implements [live.Sessions].
func (l *Live) OfHost(ctx context.Context, host feed.UserID, below live.ID, limit int) ([]live.PublicID, error) {
	return inTx(ctx, l.store, func() []live.PublicID {
		var found []live.PublicID
		for id, steps := range l.store.sessions {
			if s := steps[len(steps)-1]; s.Host == host && id < below {
				found = append(found, s.PublicID())
			}
		}
		slices.SortFunc(found, func(a, b live.PublicID) int { return cmp.Compare(b.Number, a.Number) })
		return found[:min(limit, len(found))]
	})
}

// Schedule implements [live.Sessions].
func (l *Live) Schedule(ctx context.Context, session live.Session, openMax int) (*live.Session, error) {
	if err := l.store.begin(ctx); err != nil {
		return nil, err
	}
	defer l.store.mu.Unlock()
	switch {
	case !l.store.isPresent(session.Host):
		return nil, errNoUser()
	case l.store.sessions[session.ID] != nil:
		return nil, live.ErrIDTaken
	}
	if err := l.store.mayOpen(session.Host, openMax); err != nil {
		return nil, err
	}
	if !l.store.nameOwn(feed.LiveIDs, &session.External, int64(session.ID)) {
		return nil, live.ErrIDTaken
	}
	session.State = live.Upcoming
	l.store.log(session.Changed(true))
	return l.store.addTransition(session), nil
}

// mayOpen returns an error if the host has openMax open sessions already.
func (s *Store) mayOpen(host feed.UserID, openMax int) error {
	return live.MayOpen(len(s.open(host, math.MaxInt64)), openMax)
}

// open returns the host's upcoming and live sessions as of a number.
func (s *Store) open(host feed.UserID, asOf int64) []*live.Session {
	return s.sessionsWhere(asOf, func(session *live.Session) bool {
		return session.Host == host && session.State.Open()
	})
}

// Change implements [live.Sessions].
func (l *Live) Change(ctx context.Context, id live.ID, dueAt int64, next func(live.Session) (live.Session, error)) (*live.Session, error) {
	if err := l.store.begin(ctx); err != nil {
		return nil, err
	}
	defer l.store.mu.Unlock()
	before := l.store.shownSession(id)
	if before == nil {
		return nil, feed.Errorf(feed.CodeNotFound, "there is no such session")
	}
	after, err := next(*before)
	if err != nil || after == *before {
		return before, err
	}
	stored := l.store.addTransition(after)
	l.store.log(stored.Changed(false))
	if after.EndedSince(before) {
		l.store.events[feed.ReplayRef(int64(id))] = &event{schedule: schedule{due: dueAt}}
	}
	return stored, nil
}

// Now implements [live.History].
func (l *Live) Now(ctx context.Context) (live.Moment, error) {
	return inTx(ctx, l.store, l.store.moment)
}

func (s *Store) moment() live.Moment {
	return live.Moment{Generation: s.generation, Number: s.number, At: s.now()}
}

// FeedVersion implements [live.Changes]. No followed user is ever leaving, because the deletion of
// an account ends its follows at once.
func (l *Live) FeedVersion(ctx context.Context, viewer feed.UserID) (live.FeedVersion, error) {
	return inTx(ctx, l.store, func() live.FeedVersion {
		return live.FeedVersion{Moment: l.store.moment(), Version: l.store.versions[viewer], Absences: l.store.absences, Leaving: l.store.isDeleted(viewer)}
	})
}

// Since implements [live.Changes].
func (l *Live) Since(ctx context.Context, number int64, limit int) ([]live.HostTransition, error) {
	return inTx(ctx, l.store, func() []live.HostTransition {
		var found []live.HostTransition
		for _, steps := range l.store.sessions {
			for _, step := range steps {
				if step.Number > number {
					found = append(found, live.HostTransition{Host: step.Host, Number: step.Number})
				}
			}
		}
		for _, t := range l.store.retitled {
			if t.Number > number {
				found = append(found, t)
			}
		}
		slices.SortFunc(found, func(a, b live.HostTransition) int { return cmp.Compare(a.Number, b.Number) })
		return found[:min(limit, len(found))]
	})
}

// isHost reports whether the user is the viewer or was followed by a version of the viewer.
func (s *Store) isHost(viewer, user feed.UserID, version int64) bool {
	f, follows := s.follows[pair{viewer, user}]
	return s.isPresent(user) && (user == viewer || follows && f.followed <= version)
}

// Hosts implements [live.History].
func (l *Live) Hosts(ctx context.Context, viewer feed.UserID, version, asOf int64) (live.Moment, []live.HostTransition, error) {
	if err := l.store.begin(ctx); err != nil {
		return live.Moment{}, nil, err
	}
	defer l.store.mu.Unlock()
	var found []live.HostTransition
	for host := range l.store.users {
		last := l.store.lastNumbers[host]
		if l.store.isHost(viewer, host, version) && (last > asOf || len(l.store.open(host, math.MaxInt64)) > 0) {
			found = append(found, live.HostTransition{Host: host, Number: last})
		}
	}
	return l.store.moment(), found, nil
}

// Followed implements [live.History].
func (l *Live) Followed(ctx context.Context, viewer feed.UserID, version int64, hosts []feed.UserID) ([]feed.UserID, error) {
	return inTx(ctx, l.store, func() []feed.UserID {
		var followed []feed.UserID
		for _, host := range hosts {
			if l.store.isHost(viewer, host, version) {
				followed = append(followed, host)
			}
		}
		return followed
	})
}

// Open implements [live.History].
func (l *Live) Open(ctx context.Context, hosts []feed.UserID, asOf int64, after live.Position, limit int) ([]live.Entry, error) {
	return inTx(ctx, l.store, func() []live.Entry {
		var out []live.Entry
		for _, host := range hosts {
			for _, session := range l.store.open(host, asOf) {
				entry := live.Entry{Position: session.Position(), Host: host}
				now := l.store.session(session.ID, math.MaxInt64)
				if now.State != live.Cancelled && !l.store.absent[host] && after.Compare(entry.Position) < 0 {
					out = append(out, entry)
				}
			}
		}
		slices.SortFunc(out, func(a, b live.Entry) int { return a.Compare(b.Position) })
		out = slices.Compact(out) // a host may be named twice
		return out[:min(len(out), limit)]
	})
}

// Sets implements [live.History].
func (l *Live) Sets(ctx context.Context, hosts []feed.UserID) ([]live.Set, error) {
	return inTx(ctx, l.store, func() []live.Set {
		sets := make([]live.Set, len(hosts))
		for i, host := range hosts {
			if !l.store.isPresent(host) {
				continue
			}
			sets[i].Number = l.store.lastNumbers[host]
			for _, session := range l.store.open(host, math.MaxInt64) {
				sets[i].Open = append(sets[i].Open, session.Position())
			}
			slices.SortFunc(sets[i].Open, live.Position.Compare)
		}
		return sets
	})
}

// liveRecords returns the sessions by id.
func (s *Store) liveRecords() []feed.Record {
	sessions := s.sessionsWhere(math.MaxInt64, func(*live.Session) bool { return true })
	slices.SortFunc(sessions, func(a, b *live.Session) int { return cmp.Compare(a.ID, b.ID) })
	out := make([]feed.Record, len(sessions))
	for i, session := range sessions {
		r := live.Record(*session)
		out[i] = feed.Record{Live: &r}
	}
	return out
}

// Replays returns the replays of a [Store] as lists of posts. It implements [feed.Posts],
// [feed.Outboxes], [feed.Reference], [feed.Coverage] and [feed.PendingAuthors]. Use [NewReplays].
type Replays struct{ store *Store }

var (
	_ feed.Posts          = (*Replays)(nil)
	_ feed.Outboxes       = (*Replays)(nil)
	_ feed.Reference      = (*Replays)(nil)
	_ feed.Coverage       = (*Replays)(nil)
	_ feed.PendingAuthors = (*Replays)(nil)
)

// NewReplays returns the replays in a store.
func NewReplays(s *Store) *Replays { return &Replays{s} }

// where returns the keys in r of the replays by hosts for which want returns true.
func (v *Replays) where(ctx context.Context, r feed.Range, want func(host feed.UserID) bool) ([]feed.Key, error) {
	return inTx(ctx, v.store, func() []feed.Key {
		var keys []feed.Key
		for _, session := range v.store.replays(want) {
			keys = append(keys, feed.Key{TS: session.EndedAt, ID: int64(session.ID)})
		}
		return page(keys, r)
	})
}

func (s *Store) replays(want func(host feed.UserID) bool) []*live.Session {
	return s.sessionsWhere(math.MaxInt64, func(session *live.Session) bool {
		return session.State == live.Replay && want(session.Host)
	})
}

// Posts implements [feed.Posts]. It is for fan-outs, to which absent hosts count as there.
func (v *Replays) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	return readEach(ctx, v.store, ids, func(id feed.PostID) *feed.Post {
		return live.ReplayPost(id, v.store.session(live.ID(id), math.MaxInt64))
	})
}

// Outbox implements [feed.Outboxes].
func (v *Replays) Outbox(ctx context.Context, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	return v.where(ctx, r, func(host feed.UserID) bool { return slices.Contains(authors, host) && !v.store.absent[host] })
}

// Feed implements [feed.Reference].
func (v *Replays) Feed(ctx context.Context, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	return v.where(ctx, r, func(host feed.UserID) bool { return v.store.isSource(viewer, host) })
}

// Covered implements [feed.Coverage].
func (v *Replays) Covered(ctx context.Context, viewer feed.UserID, filter feed.FolloweeFilter, r feed.Range) ([]feed.Key, error) {
	return v.where(ctx, r, func(host feed.UserID) bool { return v.store.isCovered(viewer, host, filter) })
}

// Unfollowed implements [feed.Coverage].
func (v *Replays) Unfollowed(ctx context.Context, viewer feed.UserID, since int64) ([]feed.UserID, error) {
	return v.store.Unfollowed(ctx, viewer, since)
}

// PendingAuthors implements [feed.PendingAuthors].
func (v *Replays) PendingAuthors(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	return inTx(ctx, v.store, func() []feed.UserID {
		var hosts []feed.UserID
		for _, session := range v.store.replays(func(host feed.UserID) bool { return v.store.isFollowing(viewer, host) }) {
			if v.store.isPending(feed.ReplayRef(int64(session.ID))) && !slices.Contains(hosts, session.Host) {
				hosts = append(hosts, session.Host)
			}
		}
		return hosts
	})
}
