package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// tally collects changes of counters and stores them at the end of a transaction: first those of
// posts, then those of users, each by ascending id. All changes of counters lock rows in this
// order, so that they do not deadlock.
type tally struct {
	posts map[feed.PostID]*feed.PostCounters
	users map[feed.UserID]*userTally
}

// userTally is a change of a user's counters. changes counts changes of the user's own posts and
// profile, for viewer versions.
type userTally struct {
	feed.UserCounters
	changes int64
}

func newTally() tally {
	return tally{map[feed.PostID]*feed.PostCounters{}, map[feed.UserID]*userTally{}}
}

// postCounters returns the change of a post's counters. A post without reactions has no row: most
// posts have none, and a missing row is found in the index alone.
func (t tally) postCounters(id feed.PostID) *feed.PostCounters { return entry(t.posts, id) }

// user returns the change of a user's counters. A row is stored even if the change is zero.
func (t tally) user(id feed.UserID) *userTally { return entry(t.users, id) }

func entry[K comparable, V any](m map[K]*V, key K) *V {
	v := m[key]
	if v == nil {
		v = new(V)
		m[key] = v
	}
	return v
}

// post counts the post p n times, for its author and for the post that it replies to or reposts.
func (t tally) post(p *feed.Post, n int64) {
	t.user(p.Author).Posts += n
	t.user(p.Author).changes++
	if p.ReplyTo != 0 {
		t.postCounters(p.ReplyTo).Comments += n
	}
	if p.RepostOf != 0 {
		t.postCounters(p.RepostOf).Reposts += n
	}
}

func (t tally) reaction(r feed.Reaction, post feed.PostID, n int64) {
	switch r {
	case feed.ReactionLike:
		t.postCounters(post).Likes += n
	case feed.ReactionFavorite:
		t.postCounters(post).Favorites += n
	}
}

func (t tally) follow(follower, followee feed.UserID, n int64) {
	t.user(follower).Following += n
	t.user(followee).Followers += n
}

// store adds all changes to the stored counters and creates missing rows.
func (t tally) store(ctx context.Context, d dialect, tx *sql.Tx) error {
	posts, users := sortedKeys(t.posts), sortedKeys(t.users)
	err := addTo(ctx, d, tx, "content_counters",
		intColumn("content_id", posts, func(id feed.PostID) feed.PostID { return id }),
		intColumn("likes", posts, func(id feed.PostID) int64 { return t.posts[id].Likes }),
		intColumn("comments", posts, func(id feed.PostID) int64 { return t.posts[id].Comments }),
		intColumn("reposts", posts, func(id feed.PostID) int64 { return t.posts[id].Reposts }),
		intColumn("favorites", posts, func(id feed.PostID) int64 { return t.posts[id].Favorites }))
	if err != nil {
		return err
	}
	return addTo(ctx, d, tx, "user_counters",
		intColumn("user_id", users, func(id feed.UserID) feed.UserID { return id }),
		intColumn("followers", users, func(id feed.UserID) int64 { return t.users[id].Followers }),
		intColumn("following", users, func(id feed.UserID) int64 { return t.users[id].Following }),
		intColumn("posts", users, func(id feed.UserID) int64 { return t.users[id].Posts }),
		intColumn("changes", users, func(id feed.UserID) int64 { return t.users[id].changes }))
}

// addTo adds counters to the rows of key.
func addTo(ctx context.Context, d dialect, tx *sql.Tx, table string, key column, counters ...column) error {
	sums := mapped(counters, func(c column) string {
		return fmt.Sprintf("%[1]s = %[2]s.%[1]s + excluded.%[1]s", c.name, table)
	})
	onConflict := "(" + key.name + ") DO UPDATE SET " + strings.Join(sums, ", ")
	_, err := d.insertRows(ctx, tx, table, onConflict, append([]column{key}, counters...)...)
	return err
}

// countChange counts one change of a user's own posts or profile.
func (s *Store) countChange(ctx context.Context, tx *sql.Tx, user feed.UserID) error {
	t := newTally()
	t.user(user).changes++
	return t.store(ctx, s.d, tx)
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
