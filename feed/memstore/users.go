package memstore

import (
	"context"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Users implements [feed.Users].
func (s *Store) Users(ctx context.Context, ids []feed.UserID) ([]*feed.User, error) {
	return readEach(ctx, s, ids, s.presentUser)
}

// UserByHandle implements [feed.Users].
func (s *Store) UserByHandle(ctx context.Context, handle string) (*feed.User, error) {
	return inTx(ctx, s, func() *feed.User {
		var present []*feed.User
		for id := range s.users {
			if u := s.presentUser(id); u != nil {
				present = append(present, u)
			}
		}
		return feed.FirstWithHandle(slices.Values(present), handle)
	})
}

// EnsureUser implements [feed.Users].
func (s *Store) EnsureUser(ctx context.Context, u *feed.User) (*feed.User, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if s.isDeleted(u.ID) {
		return nil, feed.ErrAccountDeleted
	}
	stored := s.users[u.ID]
	switch {
	case stored == nil && !u.HasProfile():
		s.await(u)
	case stored == nil, s.sources.awaited[u.ID] != 0 && u.HasProfile():
		if s.ownerOf(u.Handle) != 0 || !s.claimHandle(u.ID, u.Handle) {
			return nil, feed.HandleTaken(u.Handle)
		}
		arrived := *u
		if stored != nil {
			arrived.Flag = stored.Flag
			if !s.absent[u.ID] {
				s.log(feed.AbsenceChange(u.ID, true))
			}
			s.setAbsent(u.ID, false)
		}
		s.users[u.ID] = &arrived
	}
	return s.user(u.ID), nil
}

// user returns a copy of a stored user, or nil.
func (s *Store) user(id feed.UserID) *feed.User {
	stored := s.users[id]
	if stored == nil {
		return nil
	}
	u := *stored
	return &u
}

// presentUser is user for users who are not absent.
func (s *Store) presentUser(id feed.UserID) *feed.User {
	if s.absent[id] {
		return nil
	}
	return s.user(id)
}

// ownerOf returns a user with the handle, present or absent, or 0.
func (s *Store) ownerOf(handle string) feed.UserID {
	found := feed.FirstWithHandle(maps.Values(s.users), handle)
	if found == nil {
		return 0
	}
	return found.ID
}

// flagOf returns the coverage flag of a user, who need not be stored.
func (s *Store) flagOf(id feed.UserID) feed.CoverageFlag {
	if u := s.users[id]; u != nil {
		return u.Flag
	}
	return feed.FlagNone
}
