package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// PostCounters implements [feed.Counters].
func (s *Store) PostCounters(ctx context.Context, list []feed.ContentID) ([]feed.PostCounters, error) {
	return counted(ctx, s, `
SELECT content_id, likes, comments, reposts, favorites FROM content_counters
WHERE `+s.d.in("content_id", 1), list, func(rows *sql.Rows, id *feed.ContentID, c *feed.PostCounters) error {
		return rows.Scan(id, &c.Likes, &c.Comments, &c.Reposts, &c.Favorites)
	})
}

// UserCounters implements [feed.Counters].
func (s *Store) UserCounters(ctx context.Context, list []feed.UserID) ([]feed.UserCounters, error) {
	return counted(ctx, s, `
SELECT user_id, followers, following, posts FROM user_counters
WHERE `+s.d.in("user_id", 1), list, func(rows *sql.Rows, id *feed.UserID, c *feed.UserCounters) error {
		return rows.Scan(id, &c.Followers, &c.Following, &c.Posts)
	})
}

// counted runs a query for one row per id and returns the rows in the order of the
// ids, with a zero value for an id that has none.
func counted[ID ~int64, C any](
	ctx context.Context, s *Store, stmt string, list []ID, scan func(rows *sql.Rows, id *ID, c *C) error,
) ([]C, error) {
	if len(list) == 0 {
		return nil, nil
	}
	byID := make(map[ID]C, len(list))
	_, err := query(ctx, s, stmt, []any{ids(s.d, list)}, func(rows *sql.Rows) (ID, error) {
		var id ID
		var c C
		err := scan(rows, &id, &c)
		byID[id] = c
		return id, err
	})
	if err != nil {
		return nil, err
	}
	out := make([]C, len(list))
	for i, id := range list {
		out[i] = byID[id]
	}
	return out, nil
}

// Reactions implements [feed.Counters].
func (s *Store) Reactions(ctx context.Context, viewer feed.UserID, list []feed.ContentID) ([]feed.ViewerReactions, error) {
	if len(list) == 0 {
		return nil, nil
	}
	// The primary key is followed column by column, so that a content with a
	// million likes costs no more than one without.
	found, err := query(ctx, s, `
SELECT content_id, kind FROM reactions
WHERE `+s.d.in("content_id", 1)+` AND kind IN ('like', 'favorite') AND user_id = $2`,
		[]any{ids(s.d, list), viewer}, scanReaction)
	if err != nil {
		return nil, err
	}
	byID := make(map[feed.ContentID]feed.ViewerReactions, len(found))
	for _, r := range found {
		did := byID[r.Post]
		did.Liked = did.Liked || r.Reaction == feed.ReactionLike
		did.Favorited = did.Favorited || r.Reaction == feed.ReactionFavorite
		byID[r.Post] = did
	}
	out := make([]feed.ViewerReactions, len(list))
	for i, id := range list {
		out[i] = byID[id]
	}
	return out, nil
}

func scanReaction(rows *sql.Rows) (feed.ReactionRecord, error) {
	var r feed.ReactionRecord
	err := rows.Scan(&r.Post, &r.Reaction)
	return r, err
}
