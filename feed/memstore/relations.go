package memstore

import (
	"cmp"
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// pair identifies a follow edge by its two users.
type pair struct{ follower, followee feed.UserID }

// follow is a follow edge: its time, the follower's version at its last change, and the version at
// the follow itself, which a lowered flag does not change.
type follow struct{ at, version, followed int64 }

// relation is an existing mute, hide or block.
type relation struct {
	kind         feed.RelationKind
	user, target feed.UserID
}

// change raises the version of each viewer at most once in a transaction, however many of their
// relations change.
type change struct {
	store  *Store
	raised map[feed.UserID]bool
}

func (s *Store) newChange() change {
	return change{store: s, raised: map[feed.UserID]bool{}}
}

// version returns the version that this transaction gives to the viewer.
func (c change) version(viewer feed.UserID) int64 {
	if !c.raised[viewer] {
		c.raised[viewer] = true
		c.store.versions[viewer]++
	}
	return c.store.versions[viewer]
}

// ViewerVersion implements [feed.Relations].
func (s *Store) ViewerVersion(ctx context.Context, viewer feed.UserID) (feed.ViewerVersion, error) {
	if err := s.begin(ctx); err != nil {
		return feed.ViewerVersion{}, err
	}
	defer s.mu.Unlock()
	return feed.ViewerVersion{
		Version: s.versions[viewer], Own: s.changes[viewer], Flags: s.flags, Generation: s.generation, Loading: s.load.Since > 0, Now: s.now(),
	}, nil
}

// Edges implements [feed.Relations].
func (s *Store) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	return readEach(ctx, s, others, func(other feed.UserID) feed.Edge { return s.edge(viewer, other) })
}

func (s *Store) edge(viewer, other feed.UserID) feed.Edge {
	if viewer == 0 || viewer == other {
		return feed.Edge{}
	}
	return feed.Edge{
		Follows:   s.isFollowing(viewer, other),
		Mutes:     s.hasRelation(relation{feed.RelationMute, viewer, other}),
		HidesFrom: s.hasRelation(relation{feed.RelationHide, viewer, other}),
		Blocks:    s.hasRelation(relation{feed.RelationBlock, viewer, other}),
		HiddenBy:  s.hasRelation(relation{feed.RelationHide, other, viewer}),
		BlockedBy: s.hasRelation(relation{feed.RelationBlock, other, viewer}),
	}
}

func (s *Store) isFollowing(follower, followee feed.UserID) bool {
	_, ok := s.follows[pair{follower, followee}]
	return ok
}

// Pulled implements [feed.Relations].
func (s *Store) Pulled(ctx context.Context, viewer feed.UserID, inbox feed.Completeness) (pulled []feed.UserID, err error) {
	ended := s.change(ctx, func() {
		if s.generation != inbox.Generation {
			err = feed.ErrGenerationRaised
			return
		}
		for p, f := range s.follows {
			flag := s.flagOf(p.followee)
			uncovered := f.version > inbox.Version || flag == feed.FlagUnpushed || inbox.Cold && flag == feed.FlagSelective
			if p.follower == viewer && uncovered && !s.isHidden(viewer, p.followee) {
				pulled = append(pulled, p.followee)
			}
		}
	})
	return pulled, cmp.Or(ended, err)
}

// Survey implements [feed.Surveyor].
func (s *Store) Survey(ctx context.Context, viewer feed.UserID, since int64, cold bool, own int) (feed.Survey, error) {
	return feed.SurveyInTurn{Relations: s, Outboxes: s}.Survey(ctx, viewer, since, cold, own)
}

// Followers implements [feed.Relations].
func (s *Store) Followers(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.listEdges(ctx, r, func(p pair) (feed.UserID, bool) { return p.follower, p.followee == user })
}

// Following implements [feed.Relations].
func (s *Store) Following(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.listEdges(ctx, r, func(p pair) (feed.UserID, bool) { return p.followee, p.follower == user })
}

// listEdges returns a page of users by the time of their follow edge. other returns the user of an
// edge, and whether the edge is in the list.
func (s *Store) listEdges(ctx context.Context, r feed.Range, other func(pair) (feed.UserID, bool)) ([]feed.Key, error) {
	return inTx(ctx, s, func() []feed.Key {
		var keys []feed.Key
		for p, f := range s.follows {
			if user, ok := other(p); ok && !s.absent[user] {
				keys = append(keys, feed.Key{TS: f.at, ID: int64(user)})
			}
		}
		return page(keys, r)
	})
}
