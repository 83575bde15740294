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
			case s.isDeleted(id) || s.absent[id] == absent:
			case s.users[id] != nil:
				s.setAbsent(id, absent)
			case absent:
				s.users[id] = &feed.User{ID: id}
				s.absent[id] = true
				s.sources.awaited[id] = s.now()
			}
		}
	})
}

// setAbsent changes whether a stored user is absent, and logs it.
func (s *Store) setAbsent(user feed.UserID, absent bool) {
	s.log(feed.Change{Kind: feed.ChangeAccount, User: user})
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
