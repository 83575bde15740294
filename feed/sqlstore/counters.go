package sqlstore

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// PostCounters implements [feed.Counters].
func (s *Store) PostCounters(ctx context.Context, list []feed.PostID) ([]feed.PostCounters, error) {
	return s.lookups.postCounters.All(ctx, list)
}

func (s *Store) askPostCounters(list batch.Keys[feed.PostID]) reading[feed.PostCounters] {
	return s.askPostCountersIn("content_counters", list)
}

func (s *Store) askPostCountersIn(table string, list batch.Keys[feed.PostID]) reading[feed.PostCounters] {
	return eachOnce(list, `
SELECT content_id, likes, comments, reposts, favorites FROM `+table+`
WHERE `+s.d.in("content_id", 1), []any{ids(s.d, list.List)}, func(id *feed.PostID, c *feed.PostCounters) []any {
		return []any{id, &c.Likes, &c.Comments, &c.Reposts, &c.Favorites}
	})
}

// UserCounters implements [feed.Counters].
func (s *Store) UserCounters(ctx context.Context, list []feed.UserID) ([]feed.UserCounters, error) {
	return s.lookups.userCounters.All(ctx, list)
}

func (s *Store) askUserCounters(list batch.Keys[feed.UserID]) reading[feed.UserCounters] {
	return s.askUserCountersIn("user_counters", list)
}

func (s *Store) askUserCountersIn(table string, list batch.Keys[feed.UserID]) reading[feed.UserCounters] {
	return eachOnce(list, `
SELECT user_id, followers, following, posts FROM `+table+`
WHERE `+s.d.in("user_id", 1), []any{ids(s.d, list.List)}, func(id *feed.UserID, c *feed.UserCounters) []any {
		return []any{id, &c.Followers, &c.Following, &c.Posts}
	})
}

// eachOnce reads one value per key, from at most one row each; a key without a row gets the zero
// value. into is called once and returns the targets of all scans in a key and a value. It may also
// set fields that every value keeps.
func eachOnce[K comparable, V any](keys batch.Keys[K], text string, args []any, into func(k *K, v *V) []any) reading[V] {
	var k K
	var v V
	columns := into(&k, &v)
	return readInto(len(keys.List), text, args, func(found []V, row scanner) error {
		err := row.Scan(columns...)
		if place, asked := keys.Index(k); err == nil && asked {
			found[place] = v
		}
		return err
	})
}

func readInto[V any](n int, text string, args []any, row func(found []V, from scanner) error) reading[V] {
	found := make([]V, n)
	return reading[V]{
		statement{text: text, args: args, row: func(from scanner) error { return row(found, from) }},
		func() []V { return found },
	}
}

// Reactions implements [feed.Counters].
func (s *Store) Reactions(ctx context.Context, viewer feed.UserID, list []feed.PostID) ([]feed.ViewerReactions, error) {
	return s.lookups.reactions.All(ctx, mapped(list, func(id feed.PostID) toPost { return toPost{viewer, id} }))
}

// askReactions looks up each reaction by its whole primary key, so that a post with a million likes
// costs no more than one without. Each kind is a query of its own, because for a list of kinds
// PostgreSQL may read all reactions of a post.
func (s *Store) askReactions(keys batch.Keys[toPost]) reading[feed.ViewerReactions] {
	from, args := s.d.table([]column{
		intColumn("content", keys.List, func(k toPost) feed.PostID { return k.post }),
		intColumn("viewer", keys.List, func(k toPost) feed.UserID { return k.viewer }),
	})
	ofKind := `
SELECT did.content_id, did.user_id, did.kind FROM ` + from + ` JOIN reactions AS did
ON did.content_id = r.content AND did.kind = '%s' AND did.user_id = r.viewer`
	text := fmt.Sprintf(ofKind, feed.ReactionLike) + ` UNION ALL ` + fmt.Sprintf(ofKind, feed.ReactionFavorite)
	return readInto(len(keys.List), text, args, func(did []feed.ViewerReactions, row scanner) error {
		var k toPost
		var kind feed.Reaction
		err := row.Scan(&k.post, &k.viewer, &kind)
		if place, asked := keys.Index(k); asked {
			v := &did[place]
			v.Liked = v.Liked || kind == feed.ReactionLike
			v.Favorited = v.Favorited || kind == feed.ReactionFavorite
		}
		return err
	})
}
