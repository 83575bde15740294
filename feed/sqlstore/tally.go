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

// tally gathers what a change adds to counters and stores it in one go at its end:
// first the contents' counters, by ascending id, then the users', by ascending id.
// Everything that changes counters locks their rows in this order, so that no two
// changes wait for each other.
type tally struct {
	contents map[feed.PostID]*feed.PostCounters
	users    map[feed.UserID]*userTally
}

// userTally is what is added to a user's counters, and to that of the changes of what is his
// own, which stamps carry and nobody is shown.
type userTally struct {
	feed.UserCounters
	changes int64
}

func newTally() tally {
	return tally{map[feed.PostID]*feed.PostCounters{}, map[feed.UserID]*userTally{}}
}

// content returns what is to be added to a content's counters. A content that nobody has
// reacted to, as most are, has no row of counters: what is not stored is found in the key
// alone, and a page asks for the counters of all that it shows.
func (t tally) content(id feed.PostID) *feed.PostCounters { return entry(t.contents, id) }

// user returns what is to be added to a user's counters; with that, they will be stored, even
// if only zeros are.
func (t tally) user(id feed.UserID) *userTally { return entry(t.users, id) }

func entry[K comparable, V any](m map[K]*V, key K) *V {
	v := m[key]
	if v == nil {
		v = new(V)
		m[key] = v
	}
	return v
}

// post counts n times that p stands: with its author and with what it answers or
// shows again.
func (t tally) post(p *feed.Post, n int64) {
	t.user(p.Author).Posts += n
	t.user(p.Author).changes++
	if p.ReplyTo != 0 {
		t.content(p.ReplyTo).Comments += n
	}
	if p.RepostOf != 0 {
		t.content(p.RepostOf).Reposts += n
	}
}

// reaction counts n reactions to a content.
func (t tally) reaction(r feed.Reaction, post feed.PostID, n int64) {
	switch r {
	case feed.ReactionLike:
		t.content(post).Likes += n
	case feed.ReactionFavorite:
		t.content(post).Favorites += n
	}
}

// follow counts n follow edges between two users.
func (t tally) follow(follower, followee feed.UserID, n int64) {
	t.user(follower).Following += n
	t.user(followee).Followers += n
}

// store adds everything to the stored counters, making those that are not there.
func (t tally) store(ctx context.Context, d dialect, tx *sql.Tx) error {
	posts, users := sortedKeys(t.contents), sortedKeys(t.users)
	err := addTo(ctx, d, tx, "content_counters",
		intColumn("content_id", posts, func(id feed.PostID) feed.PostID { return id }),
		intColumn("likes", posts, func(id feed.PostID) int64 { return t.contents[id].Likes }),
		intColumn("comments", posts, func(id feed.PostID) int64 { return t.contents[id].Comments }),
		intColumn("reposts", posts, func(id feed.PostID) int64 { return t.contents[id].Reposts }),
		intColumn("favorites", posts, func(id feed.PostID) int64 { return t.contents[id].Favorites }))
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

// addTo adds counters to those of the rows that key names.
func addTo(ctx context.Context, d dialect, tx *sql.Tx, table string, key column, counters ...column) error {
	sums := mapped(counters, func(c column) string {
		return fmt.Sprintf("%[1]s = %[2]s.%[1]s + excluded.%[1]s", c.name, table)
	})
	onConflict := "(" + key.name + ") DO UPDATE SET " + strings.Join(sums, ", ")
	_, err := d.insertRows(ctx, tx, table, onConflict, append([]column{key}, counters...)...)
	return err
}

// countChange counts one change of what is a user's own.
func (s *Store) countChange(ctx context.Context, tx *sql.Tx, user feed.UserID) error {
	t := newTally()
	t.user(user).changes++
	return t.store(ctx, s.d, tx)
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
