package memstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// pair is a follow edge's place: who follows whom.
type pair struct{ follower, followee feed.UserID }

// follow is a follow edge: since when, and the follower's version it came with.
type follow struct{ at, version int64 }

// relation is a mute, hide or block that stands.
type relation struct {
	kind         feed.RelationKind
	user, target feed.UserID
}

// change is one transaction's view of the versions: it raises each viewer's at
// most once, however many of his relations change.
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

// Stamp implements [feed.Relations].
func (s *Store) Stamp(ctx context.Context, viewer feed.UserID) (feed.Stamp, error) {
	if err := s.begin(ctx); err != nil {
		return feed.Stamp{}, err
	}
	defer s.mu.Unlock()
	return feed.Stamp{Version: s.versions[viewer], Generation: s.generation}, nil
}

// Edges implements [feed.Relations].
func (s *Store) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	edges := make([]feed.Edge, len(others))
	for i, other := range others {
		edges[i] = s.edge(viewer, other)
	}
	return edges, nil
}

func (s *Store) edge(viewer, other feed.UserID) feed.Edge {
	if viewer == 0 || viewer == other {
		return feed.Edge{}
	}
	return feed.Edge{
		Follows:   s.isFollowing(viewer, other),
		Mutes:     s.relations[relation{feed.RelationMute, viewer, other}],
		HidesFrom: s.relations[relation{feed.RelationHide, viewer, other}],
		Blocks:    s.relations[relation{feed.RelationBlock, viewer, other}],
		HiddenBy:  s.relations[relation{feed.RelationHide, other, viewer}],
		BlockedBy: s.relations[relation{feed.RelationBlock, other, viewer}],
	}
}

func (s *Store) isFollowing(follower, followee feed.UserID) bool {
	_, ok := s.follows[pair{follower, followee}]
	return ok
}

// Pulled implements [feed.Relations].
func (s *Store) Pulled(ctx context.Context, viewer feed.UserID, since int64) ([]feed.UserID, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var pulled []feed.UserID
	for p, f := range s.follows {
		if p.follower == viewer && (f.version > since || s.isPulled(p.followee)) {
			pulled = append(pulled, p.followee)
		}
	}
	return pulled, nil
}

// Followers implements [feed.Relations].
func (s *Store) Followers(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var keys []feed.Key
	for p, f := range s.follows {
		if p.followee == user {
			keys = append(keys, feed.Key{TS: f.at, ID: int64(p.follower)})
		}
	}
	return page(keys, r), nil
}

// Following implements [feed.Relations].
func (s *Store) Following(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var keys []feed.Key
	for p, f := range s.follows {
		if p.follower == user {
			keys = append(keys, feed.Key{TS: f.at, ID: int64(p.followee)})
		}
	}
	return page(keys, r), nil
}

// SetRelation makes r.User mute, hide from or block r.Target, or, when on is false,
// ends it. In one transaction it raises the version of everyone whose feed changes:
// of the user for a mute, of the target for a hide, of both for a block. What is so
// already changes nothing.
func (s *Store) SetRelation(ctx context.Context, r feed.RelationRecord, on bool) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	s.setRelation(s.newChange(), relation{r.Kind, r.User, r.Target}, on)
	return nil
}

// setRelation returns whether anything changed.
func (s *Store) setRelation(c change, r relation, on bool) bool {
	if s.relations[r] == on {
		return false
	}
	if on {
		s.relations[r] = true
	} else {
		delete(s.relations, r)
	}
	if r.kind != feed.RelationHide {
		c.version(r.user)
	}
	if r.kind != feed.RelationMute {
		c.version(r.target)
	}
	return true
}
