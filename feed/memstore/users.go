package memstore

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/texts"
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

// skeletonOwner is a user and a skeleton of a handle that they have or had.
type skeletonOwner struct {
	skeleton string
	user     feed.UserID
}

// claimHandle replaces the skeletons of the user's handle by those of a new handle. It returns
// false and changes nothing if another user has or had one of them that the user's current handle
// lacks.
func (s *Store) claimHandle(user feed.UserID, handle string) bool {
	skeletons := texts.Skeletons(handle)
	for owner := range s.skeletons {
		if owner.user != user && slices.Contains(skeletons, owner.skeleton) && !s.hasSkeleton(user, owner.skeleton) {
			return false
		}
	}
	s.freeHandle(user, skeletons)
	s.storeSkeletons(user, skeletons)
	return true
}

// hasSkeleton reports whether the user's current handle has the skeleton.
func (s *Store) hasSkeleton(user feed.UserID, skeleton string) bool {
	freedAt, ok := s.skeletons[skeletonOwner{skeleton, user}]
	return ok && freedAt == 0
}

// storeHandle stores the skeletons of the user's handle, even if other users have them.
func (s *Store) storeHandle(user feed.UserID, handle string) {
	s.storeSkeletons(user, texts.Skeletons(handle))
}

func (s *Store) storeSkeletons(user feed.UserID, skeletons []string) {
	for _, skeleton := range skeletons {
		s.skeletons[skeletonOwner{skeleton, user}] = 0
	}
}

// freeHandle marks the skeletons of the user's handle as given up now, except those in used. They
// stay reserved.
func (s *Store) freeHandle(user feed.UserID, used []string) {
	for owner, freedAt := range s.skeletons {
		if owner.user == user && freedAt == 0 && !slices.Contains(used, owner.skeleton) {
			s.skeletons[owner] = feed.Millis(s.clock())
		}
	}
}

// dropHandles ends the reservation of the user's former handles.
func (s *Store) dropHandles(user feed.UserID) {
	maps.DeleteFunc(s.skeletons, func(owner skeletonOwner, freedAt int64) bool { return owner.user == user && freedAt > 0 })
}

// DropFreedHandles implements [feed.Cleaner].
func (s *Store) DropFreedHandles(ctx context.Context, before int64, limit int) (bool, error) {
	return inTx(ctx, s, func() bool {
		dropped := 0
		for owner, freedAt := range s.skeletons {
			if dropped < limit && freedAt > 0 && freedAt < before {
				delete(s.skeletons, owner)
				dropped++
			}
		}
		return dropped == limit
	})
}

// UpdateProfile implements [feed.Profiles].
func (s *Store) UpdateProfile(ctx context.Context, user feed.UserID, c feed.ProfileChange) (*feed.User, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	u := s.users[user]
	if !s.isPresent(user) {
		return nil, errNoUser()
	}
	if c.Handle != nil {
		if owner := s.ownerOf(*c.Handle); owner != 0 && owner != user || !s.claimHandle(user, *c.Handle) {
			return nil, feed.HandleTaken(*c.Handle).At("handle")
		}
	}
	c.Apply(u)
	s.changes[user]++
	s.log(feed.Change{Kind: feed.ChangeProfile, User: user})
	return s.user(user), nil
}

// SearchUsers implements [feed.Profiles].
func (s *Store) SearchUsers(ctx context.Context, words []string, r feed.Range) ([]feed.Key, error) {
	return inTx(ctx, s, func() []feed.Key {
		var keys []feed.Key
		for id, u := range s.users {
			own := feed.SearchWords(u.Handle, u.Name)
			if found := places(own, words[0]); len(found) > 0 && !s.absent[id] && haveAll(own, words) {
				keys = append(keys, feed.Key{TS: slices.Max(found), ID: int64(id)})
			}
		}
		return page(keys, r)
	})
}

// places returns the places, in search order, of the words that begin with prefix.
func places(own []string, prefix string) []int64 {
	var found []int64
	for _, w := range own {
		if strings.HasPrefix(w, prefix) {
			found = append(found, feed.WordPlace(w))
		}
	}
	return found
}

// haveAll reports whether each prefix begins one of the words.
func haveAll(own, prefixes []string) bool {
	return !slices.ContainsFunc(prefixes, func(p string) bool { return len(places(own, p)) == 0 })
}

// tombstone is what remains of a deleted account.
type tombstone struct{ createdAt, deletedAt int64 }

func (s *Store) isDeleted(user feed.UserID) bool {
	_, deleted := s.deleted[user]
	return deleted
}

// DeleteAccount implements [feed.Profiles]. It purges at once.
func (s *Store) DeleteAccount(ctx context.Context, user feed.UserID, at int64) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	switch {
	case s.isDeleted(user):
		return nil
	case s.users[user] == nil:
		return errNoUser()
	}
	s.deleteAccount(user, at)
	return nil
}

// deleteAccount deletes the account of a stored user.
func (s *Store) deleteAccount(user feed.UserID, at int64) {
	s.deleted[user] = tombstone{createdAt: s.users[user].CreatedAt, deletedAt: at}
	s.changes[user]++
	s.log(feed.DeletionChange(user, at, s.absent[user]))
	s.freeHandle(user, nil)
	delete(s.users, user)
	delete(s.absent, user)
	delete(s.sources.awaited, user)
	delete(s.lastSeen, user)
	delete(s.activeUntil, user)
	delete(s.sources.counters, feed.Object{Type: feed.RecordCounters, A: int64(user)})
	s.deletePosts(user, at)
	s.deleteRelations(user)
}

// deletePosts deletes the user's posts, reactions and idempotency keys.
func (s *Store) deletePosts(user feed.UserID, at int64) {
	var gone []feed.PostID
	for _, p := range s.posts {
		if p.Author == user && p.DeletedAt == 0 {
			p.DeletedAt = at
			gone = append(gone, p.ID)
		}
	}
	for _, id := range gone {
		s.logReposts(id)
	}
	for r := range s.reactions {
		if r.user == user {
			delete(s.reactions, r)
		}
	}
	maps.DeleteFunc(s.undoneReactions, func(r reaction, _ bool) bool { return r.user == user })
	for k := range s.idempotencyKeys {
		if k.author == user {
			delete(s.idempotencyKeys, k)
		}
	}
}

// deleteRelations ends all follows and relations of and with the user.
func (s *Store) deleteRelations(user feed.UserID) {
	c := s.newChange()
	for p := range s.follows {
		if p.followee == user {
			s.endFollow(c, p)
			s.log(feed.FollowChange(p.follower, user))
		}
		if p.follower == user {
			delete(s.follows, p)
		}
	}
	for r := range s.relations {
		if r.user == user || r.target == user {
			delete(s.relations, r)
			s.log(feed.RelationRecord{Kind: r.kind, User: r.user, Target: r.target}.Purged(user)...)
		}
	}
	maps.DeleteFunc(s.undoneRelations, func(r relation, _ bool) bool { return r.user == user || r.target == user })
}

// PurgeDeleted implements [feed.Profiles]. There is nothing to purge.
func (s *Store) PurgeDeleted(ctx context.Context, _ int) (bool, error) {
	return inTx(ctx, s, func() bool { return false })
}

func errNoUser() error { return feed.Errorf(feed.CodeNotFound, "there is no such user") }

// Undone implements [feed.UndoneEdges].
func (s *Store) Undone(ctx context.Context, r feed.Record) (bool, error) {
	return inTx(ctx, s, func() bool {
		switch {
		case r.Follow != nil:
			p := pair{r.Follow.Follower, r.Follow.Followee}
			_, exists := s.follows[p]
			_, ended := s.ended[p]
			return ended && !exists
		case r.Reaction != nil:
			key := reaction{r.Reaction.Reaction, r.Reaction.User, r.Reaction.Post}
			_, exists := s.reactions[key]
			return s.undoneReactions[key] && !exists
		case r.Relation != nil:
			key := relation{r.Relation.Kind, r.Relation.User, r.Relation.Target}
			_, exists := s.relations[key]
			return s.undoneRelations[key] && !exists
		}
		return false
	})
}
