package memstore

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// now returns the time in milliseconds since the epoch.
func (s *Store) now() int64 { return feed.Millis(s.clock()) }

// Renew implements [feed.Activity].
func (s *Store) Renew(ctx context.Context, viewer feed.UserID, d time.Duration) (feed.Lease, error) {
	return inTx(ctx, s, func() feed.Lease {
		now := s.now()
		if s.users[viewer] == nil {
			return feed.Lease{Now: now}
		}
		s.activeUntil[viewer] = max(s.activeUntil[viewer], now+d.Milliseconds())
		s.lastSeen[viewer] = max(s.lastSeen[viewer], now)
		return feed.Lease{Until: s.activeUntil[viewer], Now: now}
	})
}

// Dormant implements [feed.Activity].
func (s *Store) Dormant(ctx context.Context, viewers []feed.UserID, d time.Duration) ([]feed.UserID, error) {
	return inTx(ctx, s, func() []feed.UserID {
		var dormant []feed.UserID
		for _, viewer := range viewers {
			if s.users[viewer] == nil || s.activeUntil[viewer] < s.now()-d.Milliseconds() {
				dormant = append(dormant, viewer)
			}
		}
		return dormant
	})
}

// Active implements [feed.Activity].
func (s *Store) Active(ctx context.Context, after feed.UserID, limit int) ([]feed.UserID, error) {
	return inTx(ctx, s, func() []feed.UserID {
		var active []feed.UserID
		for id := range s.users {
			if id > after && s.activeUntil[id] > s.now() {
				active = append(active, id)
			}
		}
		slices.Sort(active)
		return active[:min(len(active), limit)]
	})
}

// leader is a holder of a leadership and the end of its lease.
type leader struct {
	holder string
	until  int64
}

// Lead implements [feed.Leaders].
func (s *Store) Lead(ctx context.Context, name, holder string, d time.Duration) (bool, error) {
	return inTx(ctx, s, func() bool {
		if now := s.leaders[name]; now.holder != holder && now.until > s.now() {
			return false
		}
		s.leaders[name] = leader{holder: holder, until: s.now() + d.Milliseconds()}
		return true
	})
}

// SetAbsent implements [feed.Presence].
func (s *Store) SetAbsent(ctx context.Context, users []feed.UserID, absent bool) error {
	return s.change(ctx, func() {
		for _, id := range users {
			switch {
			case s.isDeleted(id):
				continue
			case s.users[id] == nil && absent:
				s.await(&feed.User{ID: id})
			}
			if s.users[id] != nil && s.absent[id] != absent {
				s.setAbsent(id, absent)
			}
		}
	})
}

// await stores a placeholder.
func (s *Store) await(u *feed.User) {
	s.users[u.ID] = new(*u)
	s.sources.awaited[u.ID] = s.now()
	if s.userMode != feed.UsersImplicit {
		s.absent[u.ID] = true
	}
}

// UseUsers implements [feed.Presence].
func (s *Store) UseUsers(ctx context.Context, c feed.UserModeChange) (mode feed.UserMode, changed bool, err error) {
	if err := s.begin(ctx); err != nil {
		return "", false, err
	}
	defer s.mu.Unlock()
	if changed, err = c.Applies(s.userMode); err != nil || !changed {
		return s.userMode, false, err
	}
	s.userMode = c.Want
	for id := range s.sources.awaited {
		delete(s.absent, id)
		if c.Want != feed.UsersImplicit {
			s.absent[id] = true
		}
	}
	s.absences++
	s.raiseGeneration()
	return c.Want, true, nil
}

// setAbsent changes whether a stored user is absent, and logs it.
func (s *Store) setAbsent(user feed.UserID, absent bool) {
	s.log(feed.AbsenceChange(user, absent))
	s.flipAbsent(user, absent)
}

// flipAbsent is setAbsent without the row of the account.
func (s *Store) flipAbsent(user feed.UserID, absent bool) {
	delete(s.absent, user)
	delete(s.sources.awaited, user)
	if absent {
		s.absent[user] = true
	}
	s.changes[user]++
	if s.lastNumbers[user] != 0 || s.isFollowed(user) {
		s.absences++
	}
	for id, p := range s.posts {
		if p.Author == user && p.DeletedAt == 0 {
			s.logReposts(id)
		}
	}
}

func (s *Store) isFollowed(user feed.UserID) bool {
	for edge := range s.follows {
		if edge.followee == user {
			return true
		}
	}
	return false
}

// isPresent reports whether the user is stored and not absent.
func (s *Store) isPresent(user feed.UserID) bool { return s.users[user] != nil && !s.absent[user] }

// shown returns the stored post unless it is deleted or its author is absent, or nil.
func (s *Store) shown(id feed.PostID) *feed.Post {
	p := s.undeleted(id)
	if p == nil || s.absent[p.Author] {
		return nil
	}
	return p
}

// markAbsent sets the DeletedAt of the copy of a post whose author is absent.
func (s *Store) markAbsent(p *feed.Post) *feed.Post {
	if p != nil && p.DeletedAt == 0 && s.absent[p.Author] {
		p.DeletedAt = feed.AuthorAbsent
	}
	return p
}

// Pulses implements [feed.Pulses] for [Inboxes], as the pulse of one server.
type Pulses struct{ inboxes *Inboxes }

var _ feed.Pulses = Pulses{}

// NewPulses returns the pulses of the inboxes.
func NewPulses(in *Inboxes) Pulses { return Pulses{in} }

// Read implements [feed.Pulses].
func (p Pulses) Read(ctx context.Context) ([]feed.Pulse, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.inboxes.mu.Lock()
	defer p.inboxes.mu.Unlock()
	return []feed.Pulse{{Server: "memory", Number: p.inboxes.number, Run: strconv.Itoa(p.inboxes.run)}}, nil
}

// Raise implements [feed.Pulses].
func (p Pulses) Raise(ctx context.Context, was feed.Pulse, next int64) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	p.inboxes.mu.Lock()
	defer p.inboxes.mu.Unlock()
	if p.inboxes.number != was.Number {
		return false, nil
	}
	p.inboxes.number = next
	return true, nil
}

// Copy is a copy of all data of [Inboxes], like the files of a saved server.
type Copy struct {
	viewers map[feed.UserID]*inbox
	number  int64
}

// Save returns a copy of the data.
func (s *Inboxes) Save() Copy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Copy{viewers: clonedInboxes(s.viewers), number: s.number}
}

// Load simulates a restart of the server with the data of a copy. The zero Copy is empty.
func (s *Inboxes) Load(c Copy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.viewers, s.number = clonedInboxes(c.viewers), c.number
	s.run++
}

func clonedInboxes(all map[feed.UserID]*inbox) map[feed.UserID]*inbox {
	clones := map[feed.UserID]*inbox{}
	for viewer, old := range all {
		in := *old
		in.entries = slices.Clone(in.entries)
		clones[viewer] = &in
	}
	return clones
}

// Server simulates a server of inboxes that can lose data. Use [NewServer].
type Server struct {
	Pulses
	saved Copy
}

// NewServer returns the server of the inboxes.
func NewServer(in *Inboxes) *Server { return &Server{Pulses: NewPulses(in)} }

// Save copies all data of the server.
func (s *Server) Save() { s.saved = s.inboxes.Save() }

// Restore restarts the server with the last copy, or without data.
func (s *Server) Restore() { s.inboxes.Load(s.saved) }

// Wipe restarts the server without data.
func (s *Server) Wipe() { s.inboxes.Load(Copy{}) }
