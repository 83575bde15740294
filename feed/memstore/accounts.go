package memstore

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

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
