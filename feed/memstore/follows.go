package memstore

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Follow implements [feed.Follows].
func (s *Store) Follow(ctx context.Context, follower, followee feed.UserID, at int64, limit int) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if !s.isPresent(follower) || !s.isPresent(followee) {
		return errNoUser()
	}
	if s.isFollowing(follower, followee) {
		return nil
	}
	if s.countFollowing(follower) >= int64(limit) {
		return feed.Errorf(feed.CodeFollowLimit, "a user may follow at most %d users", limit)
	}
	s.addFollow(s.newChange(), pair{follower, followee}, at)
	s.log(feed.FollowChange(follower, followee))
	return nil
}

// addFollow stores a new edge.
func (s *Store) addFollow(c change, p pair, at int64) {
	version := c.version(p.follower)
	s.follows[p] = follow{at: at, version: version, followed: version}
	delete(s.ended, p)
}

// Unfollow implements [feed.Follows].
func (s *Store) Unfollow(ctx context.Context, follower, followee feed.UserID) error {
	return s.change(ctx, func() {
		if s.isFollowing(follower, followee) {
			s.endFollow(s.newChange(), pair{follower, followee})
			s.log(feed.FollowChange(follower, followee))
		}
	})
}

// endFollow removes an existing edge.
func (s *Store) endFollow(c change, p pair) {
	delete(s.follows, p)
	s.ended[p] = c.version(p.follower)
}

// FollowerIDs implements [feed.Audience].
func (s *Store) FollowerIDs(ctx context.Context, author feed.UserID, r feed.FollowerRange) ([]feed.UserID, error) {
	return inTx(ctx, s, func() []feed.UserID {
		var ids []feed.UserID
		for p := range s.follows {
			if p.followee == author && r.After < p.follower && p.follower <= r.UpTo && (!r.Active || s.isActive(p.follower, r.Grace)) {
				ids = append(ids, p.follower)
			}
		}
		slices.Sort(ids)
		return ids[:min(len(ids), r.Limit)]
	})
}

// FollowerBounds implements [feed.Audience].
func (s *Store) FollowerBounds(ctx context.Context, author, after feed.UserID, size, most int) ([]feed.UserID, error) {
	ids, err := s.FollowerIDs(ctx, author, feed.FollowerRange{After: after, UpTo: math.MaxInt64, Limit: math.MaxInt})
	var bounds []feed.UserID
	for run := range slices.Chunk(ids, size) {
		if len(bounds) < most {
			bounds = append(bounds, run[len(run)-1])
		}
	}
	return bounds, err
}

// Reach implements [feed.Audience].
func (s *Store) Reach(ctx context.Context, author feed.UserID) (int64, feed.CoverageFlag, error) {
	if err := s.begin(ctx); err != nil {
		return 0, feed.FlagNone, err
	}
	defer s.mu.Unlock()
	return s.countFollowers(author), s.flagOf(author), nil
}

// isActive reports whether the user's lease, extended by grace, has not ended.
func (s *Store) isActive(user feed.UserID, grace time.Duration) bool {
	return s.activeUntil[user]+grace.Milliseconds() > s.now()
}

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

// Relate implements [feed.Relater].
func (s *Store) Relate(ctx context.Context, r feed.RelationRecord) error {
	if !r.Kind.Valid() {
		return feed.Errorf(feed.CodeInvalid, "%.40q is not a relation", r.Kind)
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if !s.isPresent(r.User) || !s.isPresent(r.Target) {
		return errNoUser()
	}
	if s.setRelation(s.newChange(), r, true) {
		s.log(r.Logged(true)...)
	}
	return nil
}

// Unrelate implements [feed.Relater].
func (s *Store) Unrelate(ctx context.Context, kind feed.RelationKind, user, target feed.UserID) error {
	return s.change(ctx, func() {
		r := feed.RelationRecord{Kind: kind, User: user, Target: target}
		if s.setRelation(s.newChange(), r, false) {
			s.log(r.Logged(false)...)
		}
	})
}

// Related implements [feed.Relater].
func (s *Store) Related(ctx context.Context, kind feed.RelationKind, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return inTx(ctx, s, func() []feed.Key {
		var keys []feed.Key
		for rel, at := range s.relations {
			if rel.kind == kind && rel.user == user && !s.absent[rel.target] {
				keys = append(keys, feed.Key{TS: at, ID: int64(rel.target)})
			}
		}
		return page(keys, r)
	})
}

// setRelation begins or ends a relation and raises the versions of the users whose feeds change.
// It reports whether it changed anything.
func (s *Store) setRelation(c change, r feed.RelationRecord, on bool) bool {
	key := relation{r.Kind, r.User, r.Target}
	if s.hasRelation(key) == on {
		return false
	}
	if on {
		s.relations[key] = r.CreatedAt
	} else {
		delete(s.relations, key)
		s.undoneRelations[key] = true
	}
	for _, user := range r.Changes() {
		c.version(user)
	}
	return true
}

func (s *Store) hasRelation(r relation) bool {
	_, ok := s.relations[r]
	return ok
}
