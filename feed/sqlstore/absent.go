package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// absentEdge names a reaction or relation that was taken back.
type absentEdge struct {
	user feed.UserID
	// kind is a [feed.Reaction] or a [feed.RelationKind]. target is a post or a user
	// accordingly.
	kind   string
	target int64
}

// noteAbsent remembers reactions and relations that were taken back, so that no import
// brings them back.
func (s *Store) noteAbsent(ctx context.Context, tx *sql.Tx, list []absentEdge) error {
	if len(list) == 0 {
		return nil
	}
	_, err := s.d.insertRows(ctx, tx, "absent_edges", "DO NOTHING",
		intColumn("user_id", list, func(e absentEdge) feed.UserID { return e.user }),
		textColumn("kind", list, func(e absentEdge) string { return e.kind }),
		intColumn("target_id", list, func(e absentEdge) int64 { return e.target }))
	return err
}

// Undone implements [feed.UndoneEdges].
func (s *Store) Undone(ctx context.Context, r feed.Record) (undone bool, err error) {
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		switch {
		case r.Follow != nil:
			found, err := followEdges.load(ctx, s.d, tx, []*feed.FollowRecord{r.Follow})
			undone = found[followEdges.keyOf(r.Follow)].Undone
			return err
		case r.Reaction != nil:
			found, err := reactionEdges.load(ctx, s.d, tx, []*feed.ReactionRecord{r.Reaction})
			undone = found[reactionEdges.keyOf(r.Reaction)].Undone
			return err
		case r.Relation != nil:
			found, err := relationEdges.load(ctx, s.d, tx, []*feed.RelationRecord{r.Relation})
			undone = found[relationEdges.keyOf(r.Relation)].Undone
			return err
		}
		return nil
	})
	return undone, err
}

// purgeAbsent removes what the leaver has taken back, and relations to the leaver that
// others have.
func (s *Store) purgeAbsent(ctx context.Context, tx *sql.Tx, gone leaver, limit int, _ tally) (int, error) {
	removed, err := exec(ctx, tx, `
DELETE FROM absent_edges WHERE (user_id, kind, target_id) IN (
  SELECT user_id, kind, target_id FROM absent_edges
  WHERE user_id = $1 OR target_id = $1 AND kind IN ('mute', 'hide', 'block') LIMIT $2)`, gone.user, limit)
	return int(removed), err
}
