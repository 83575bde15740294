package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// Stamp implements [feed.Relations].
func (s *Store) Stamp(ctx context.Context, viewer feed.UserID) (feed.Stamp, error) {
	var stamp feed.Stamp
	now, args := s.now(viewer)
	err := s.ro.QueryRowContext(ctx, `
SELECT COALESCE((SELECT version FROM users WHERE id = $1), 0), generation, `+now+`
FROM feed_state WHERE id = 1`, args...).Scan(&stamp.Version, &stamp.Generation, &stamp.Now)
	return stamp, classify(ctx, err)
}

// Edges implements [feed.Relations].
func (s *Store) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	if len(others) == 0 {
		return nil, nil
	}
	found, err := query(ctx, s, s.edgesQuery(), []any{viewer, ids(s.d, others)}, scanEdge)
	if err != nil {
		return nil, err
	}
	byID := make(map[feed.UserID]feed.Edge, len(found))
	for _, part := range found {
		edge := byID[part.other]
		part.mark(&edge)
		byID[part.other] = edge
	}
	out := make([]feed.Edge, len(others))
	for i, other := range others {
		out[i] = byID[other]
	}
	return out, nil
}

// edgesQuery yields a row (other user, word of edgeMarks) for every field of an
// edge that is true.
func (s *Store) edgesQuery() string {
	return `
SELECT followee_id, 'follow' FROM follows
WHERE follower_id = $1 AND followee_id <> $1 AND active = 1 AND ` + s.d.in("followee_id", 2) + `
UNION ALL
SELECT target_id, kind FROM relations
WHERE user_id = $1 AND target_id <> $1 AND kind IN ('mute', 'hide', 'block') AND ` + s.d.in("target_id", 2) + `
UNION ALL
SELECT user_id, kind || ' by' FROM relations
WHERE target_id = $1 AND user_id <> $1 AND kind IN ('hide', 'block') AND ` + s.d.in("user_id", 2)
}

// edgePart is one true field of the edge to another user.
type edgePart struct {
	other feed.UserID
	what  string
}

func scanEdge(rows *sql.Rows) (edgePart, error) {
	var part edgePart
	err := rows.Scan(&part.other, &part.what)
	return part, err
}

func (part edgePart) mark(e *feed.Edge) {
	switch part.what {
	case "follow":
		e.Follows = true
	case "mute":
		e.Mutes = true
	case "hide":
		e.HidesFrom = true
	case "block":
		e.Blocks = true
	case "hide by":
		e.HiddenBy = true
	case "block by":
		e.BlockedBy = true
	}
}

// Pulled implements [feed.Relations].
func (s *Store) Pulled(ctx context.Context, viewer feed.UserID, since int64, cold bool) ([]feed.UserID, error) {
	uncovered := feed.MarkUnpushed
	if cold {
		uncovered = feed.MarkSelective
	}
	return query(ctx, s, `
SELECT f.followee_id FROM follows AS f JOIN users AS u ON u.id = f.followee_id
WHERE f.follower_id = $1 AND f.active = 1 AND u.deleted_at = 0 AND (f.version > $2 OR u.mark >= $3)`,
		[]any{viewer, since, uncovered}, scanUserID)
}

// Followers implements [feed.Relations].
func (s *Store) Followers(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.keys(ctx, `
SELECT created_at, follower_id FROM follows
WHERE followee_id = $1 AND active = 1 AND follower_id NOT IN `+leavers+` AND `+within("created_at", "follower_id")+" "+
		ordered("created_at", "follower_id", r), rangeArgs(user, r))
}

// Following implements [feed.Relations].
func (s *Store) Following(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.keys(ctx, `
SELECT created_at, followee_id FROM follows
WHERE follower_id = $1 AND active = 1 AND followee_id NOT IN `+leavers+` AND `+within("created_at", "followee_id")+" "+
		ordered("created_at", "followee_id", r), rangeArgs(user, r))
}
