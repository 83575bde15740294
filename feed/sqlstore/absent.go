package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// absentEdge identifies a reaction or relation that was undone.
type absentEdge struct {
	user feed.UserID
	// kind is a [feed.Reaction], a [feed.RelationKind] or that of members of lists. target is a post, a user or a
	// list accordingly.
	kind   string
	target int64
}

// noteAbsent records that edges were undone, so that no import restores them.
func (s *Store) noteAbsent(ctx context.Context, tx *sql.Tx, list []absentEdge) error {
	_, err := s.d.insertRows(ctx, tx, "absent_edges", "DO NOTHING",
		intColumn("user_id", list, func(e absentEdge) feed.UserID { return e.user }),
		textColumn("kind", list, func(e absentEdge) string { return e.kind }),
		intColumn("target_id", list, func(e absentEdge) int64 { return e.target }))
	return err
}

// Undone implements [feed.UndoneEdges].
func (s *Store) Undone(ctx context.Context, r feed.Record) (bool, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		switch {
		case r.Follow != nil:
			return followEdges.wasUndone(ctx, s.d, tx, r.Follow)
		case r.Reaction != nil:
			return reactionEdges.wasUndone(ctx, s.d, tx, r.Reaction)
		case r.Relation != nil:
			return relationEdges.wasUndone(ctx, s.d, tx, r.Relation)
		case r.ListMember != nil:
			return memberEdges.wasUndone(ctx, s.d, tx, r.ListMember)
		}
		return false, nil
	})
}

// purgeAbsent removes what the account has undone, and undone relations to it.
func (s *Store) purgeAbsent(ctx context.Context, tx *sql.Tx, gone leaver, limit int, _ tally) (int, error) {
	removed, err := execRows(ctx, tx, `
DELETE FROM absent_edges WHERE (user_id, kind, target_id) IN (
  SELECT user_id, kind, target_id FROM absent_edges
  WHERE user_id = $1 OR target_id = $1 AND kind IN ('mute', 'hide', 'block') LIMIT $2)`, gone.user, limit)
	return int(removed), err
}
