package memstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

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
