package memstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

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
