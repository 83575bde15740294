package memstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

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
