package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// PostCounters implements [feed.Counters].
func (s *Store) PostCounters(ctx context.Context, list []feed.ContentID) ([]feed.PostCounters, error) {
	return s.gathered.postCounters.read(ctx, list)
}

func (s *Store) readPostCounters(ctx context.Context, list []feed.ContentID) ([]feed.PostCounters, error) {
	return counted(ctx, s, `
SELECT content_id, likes, comments, reposts, favorites FROM content_counters
WHERE `+s.d.in("content_id", 1), list, func(rows *sql.Rows, id *feed.ContentID, c *feed.PostCounters) error {
		return rows.Scan(id, &c.Likes, &c.Comments, &c.Reposts, &c.Favorites)
	})
}

// UserCounters implements [feed.Counters].
func (s *Store) UserCounters(ctx context.Context, list []feed.UserID) ([]feed.UserCounters, error) {
	return s.gathered.userCounters.read(ctx, list)
}

func (s *Store) readUserCounters(ctx context.Context, list []feed.UserID) ([]feed.UserCounters, error) {
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
	byID := make(map[ID]C, len(list))
	_, err := query(ctx, s, stmt, []any{ids(s.d, list)}, func(rows *sql.Rows) (ID, error) {
		var id ID
		var c C
		err := scan(rows, &id, &c)
		byID[id] = c
		return id, err
	})
	return inPlace(list, byID), err
}

// Reactions implements [feed.Counters].
func (s *Store) Reactions(ctx context.Context, viewer feed.UserID, list []feed.ContentID) ([]feed.ViewerReactions, error) {
	keys := make([]toContent, len(list))
	for i, id := range list {
		keys[i] = toContent{viewer, id}
	}
	return s.gathered.reactions.read(ctx, keys)
}

// readReactions follows the primary key to its end for each row asked for, so that a
// content with a million likes costs no more than one without.
func (s *Store) readReactions(ctx context.Context, keys []toContent) ([]feed.ViewerReactions, error) {
	from, args := s.d.table([]column{
		intColumn("content", keys, func(k toContent) feed.ContentID { return k.content }),
		intColumn("viewer", keys, func(k toContent) feed.UserID { return k.viewer }),
	})
	did := make(map[toContent]feed.ViewerReactions, len(keys))
	_, err := query(ctx, s, `
SELECT did.content_id, did.user_id, did.kind FROM `+from+` JOIN reactions AS did
ON did.content_id = r.content AND did.kind IN ('like', 'favorite') AND did.user_id = r.viewer`, args,
		func(rows *sql.Rows) (k toContent, err error) {
			var kind feed.Reaction
			err = rows.Scan(&k.content, &k.viewer, &kind)
			v := did[k]
			v.Liked = v.Liked || kind == feed.ReactionLike
			v.Favorited = v.Favorited || kind == feed.ReactionFavorite
			did[k] = v
			return k, err
		})
	return inPlace(keys, did), err
}

// inPlace returns what was found in the order of the keys, and zero for what was not.
func inPlace[K comparable, V any](keys []K, found map[K]V) []V {
	out := make([]V, len(keys))
	for i, k := range keys {
		out[i] = found[k]
	}
	return out
}

func scanReaction(rows *sql.Rows) (feed.ReactionRecord, error) {
	var r feed.ReactionRecord
	err := rows.Scan(&r.Post, &r.Reaction)
	return r, err
}
