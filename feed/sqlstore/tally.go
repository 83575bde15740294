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
// profile, for viewer versions, and logged are the rows of the change log for them.
type userTally struct {
	feed.UserCounters
	changes int64
	logged  []feed.Change
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

// log logs a change with the counters of its user.
func (t tally) log(c feed.Change) {
	u := t.user(c.User)
	u.logged = append(u.logged, c)
}

// logged returns the rows of the change log, in the order of [feed.HidesFirst] and of their users.
func (t tally) logged() (rows []feed.Change) {
	for _, id := range sortedKeys(t.users) {
		rows = append(rows, t.users[id].logged...)
	}
	return feed.HidesFirst(rows)
}

// store adds all changes to the stored counters, creates missing rows, and logs changes.
func (t tally) store(ctx context.Context, s *Store, tx *sql.Tx) error {
	return t.storeLogging(ctx, s, tx, t.logged())
}

// storeLogging is store with the rows to log. If there are none, the caller logs those of t.
func (t tally) storeLogging(ctx context.Context, s *Store, tx *sql.Tx, logged []feed.Change) error {
	posts, users := sortedKeys(t.posts), sortedKeys(t.users)
	err := s.addTo(ctx, tx, nil, "content_counters",
		intColumn("content_id", posts, func(id feed.PostID) feed.PostID { return id }),
		intColumn("likes", posts, func(id feed.PostID) int64 { return t.posts[id].Likes }),
		intColumn("comments", posts, func(id feed.PostID) int64 { return t.posts[id].Comments }),
		intColumn("reposts", posts, func(id feed.PostID) int64 { return t.posts[id].Reposts }),
		intColumn("favorites", posts, func(id feed.PostID) int64 { return t.posts[id].Favorites }))
	if err != nil {
		return err
	}
	return s.addTo(ctx, tx, logged, "user_counters",
		intColumn("user_id", users, func(id feed.UserID) feed.UserID { return id }),
		intColumn("followers", users, func(id feed.UserID) int64 { return t.users[id].Followers }),
		intColumn("following", users, func(id feed.UserID) int64 { return t.users[id].Following }),
		intColumn("posts", users, func(id feed.UserID) int64 { return t.users[id].Posts }),
		intColumn("changes", users, func(id feed.UserID) int64 { return t.users[id].changes }))
}

// addTo adds counters to the rows of key, and logs changes if there are any rows.
func (s *Store) addTo(ctx context.Context, tx *sql.Tx, logged []feed.Change, table string, key column, counters ...column) error {
	if key.rows() == 0 {
		return nil
	}
	sums := mapped(counters, func(c column) string {
		return fmt.Sprintf("%[1]s = %[2]s.%[1]s + excluded.%[1]s", c.name, table)
	})
	onConflict := "(" + key.name + ") DO UPDATE SET " + strings.Join(sums, ", ")
	stmt, args := s.d.insert(table, onConflict, append([]column{key}, counters...))
	return s.execLogging(ctx, tx, logged, stmt, args...)
}

// countChange counts and logs one change of a user's own posts or profile.
func (s *Store) countChange(ctx context.Context, tx *sql.Tx, c feed.Change) error {
	t := newTally()
	t.user(c.User).changes++
	t.log(c)
	return t.store(ctx, s, tx)
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
