package sqlstore

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/batch"
)

// PostCounters implements [feed.Counters].
func (s *Store) PostCounters(ctx context.Context, list []feed.PostID) ([]feed.PostCounters, error) {
	return s.lookups.postCounters.All(ctx, list)
}

func (s *Store) askPostCounters(list batch.Keys[feed.PostID]) reading[feed.PostCounters] {
	return eachOnce(list, s.selectPostCounters(), []any{ids(s.d, list.List)}, columnsOfPostCounters)
}

// columnsOfPostCounters returns into what the columns of selectPostCounters are scanned.
func columnsOfPostCounters(id *feed.PostID, c *feed.PostCounters) []any {
	return []any{id, &c.Likes, &c.Comments, &c.Reposts, &c.Favorites}
}

// selectPostCounters reads the counters of the contents that its argument lists.
func (s *Store) selectPostCounters() string {
	return `
SELECT content_id, likes, comments, reposts, favorites FROM content_counters
WHERE ` + s.d.in("content_id", 1)
}

// UserCounters implements [feed.Counters].
func (s *Store) UserCounters(ctx context.Context, list []feed.UserID) ([]feed.UserCounters, error) {
	return s.lookups.userCounters.All(ctx, list)
}

func (s *Store) askUserCounters(list batch.Keys[feed.UserID]) reading[feed.UserCounters] {
	return eachOnce(list, `
SELECT user_id, followers, following, posts FROM user_counters
WHERE `+s.d.in("user_id", 1), []any{ids(s.d, list.List)}, func(id *feed.UserID, c *feed.UserCounters) []any {
		return []any{id, &c.Followers, &c.Following, &c.Posts}
	})
}

// eachOnce reads one value per key, of which the statement yields at most one row each; a key
// that has none gets the zero value. into says, once, into what parts of a key and of a value
// columns go; what it does not name of them is in all that are found as it leaves it.
func eachOnce[K comparable, V any](keys batch.Keys[K], text string, args []any, into func(k *K, v *V) []any) reading[V] {
	found := make([]V, len(keys.List))
	row := placing(keys, scanInto(into), func(place int, v V) { found[place] = v })
	return reading[V]{statement{text: text, args: args, row: row}, func() []V { return found }}
}

// keyed scans a row into a key and its value.
type keyed[K comparable, V any] func(scanner) (K, V, error)

// scanInto returns what scans rows into what into says.
func scanInto[K comparable, V any](into func(k *K, v *V) []any) keyed[K, V] {
	var k K
	var v V
	columns := into(&k, &v)
	return func(row scanner) (K, V, error) {
		err := row.Scan(columns...)
		return k, v, err
	}
}

// placing returns what scans rows, and has each value put where its key stands.
func placing[K comparable, V any](keys batch.Keys[K], scan keyed[K, V], put func(place int, v V)) func(scanner) error {
	return func(row scanner) error {
		k, v, err := scan(row)
		if err != nil {
			return err
		}
		if place, asked := keys.Index(k); asked {
			put(place, v)
		}
		return nil
	}
}

// Reactions implements [feed.Counters].
func (s *Store) Reactions(ctx context.Context, viewer feed.UserID, list []feed.PostID) ([]feed.ViewerReactions, error) {
	return s.lookups.reactions.All(ctx, toContents(viewer, list))
}

// toContents returns a key for what viewer did with each content.
func toContents(viewer feed.UserID, list []feed.PostID) []toContent {
	return mapped(list, func(id feed.PostID) toContent { return toContent{viewer, id} })
}

// askReactions follows the primary key to its end for each row asked for, so that a content
// with a million likes costs no more than one without. Each kind has a query of its own: for a
// list of kinds PostgreSQL thinks that it may as well read all who have reacted.
func (s *Store) askReactions(keys batch.Keys[toContent]) reading[feed.ViewerReactions] {
	from, args := s.d.table([]column{
		intColumn("content", keys.List, func(k toContent) feed.PostID { return k.content }),
		intColumn("viewer", keys.List, func(k toContent) feed.UserID { return k.viewer }),
	})
	did := make([]feed.ViewerReactions, len(keys.List))
	ofKind := `
SELECT did.content_id, did.user_id, did.kind FROM ` + from + ` JOIN reactions AS did
ON did.content_id = r.content AND did.kind = '%s' AND did.user_id = r.viewer`
	text := fmt.Sprintf(ofKind, feed.ReactionLike) + ` UNION ALL ` + fmt.Sprintf(ofKind, feed.ReactionFavorite)
	row := func(row scanner) error {
		var k toContent
		var kind feed.Reaction
		err := row.Scan(&k.content, &k.viewer, &kind)
		if place, asked := keys.Index(k); asked {
			v := &did[place]
			v.Liked = v.Liked || kind == feed.ReactionLike
			v.Favorited = v.Favorited || kind == feed.ReactionFavorite
		}
		return err
	}
	return reading[feed.ViewerReactions]{
		statement{text: text, args: args, row: row}, func() []feed.ViewerReactions { return did },
	}
}

func scanReaction(row scanner) (r feed.ReactionRecord, err error) {
	err = row.Scan(&r.Post, &r.Reaction)
	return r, err
}
