package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// knowledge is what an import knows of the users, contents and rows its batch
// names: what is stored, and, as judge goes on, what the batch itself brings.
type knowledge struct {
	users map[feed.UserID]bool
	// gone are those whose accounts are deleted.
	gone map[feed.UserID]bool
	// handles are the owners of the folded handles that the batch would take.
	handles   map[string]feed.UserID
	posts     map[feed.ContentID]postFacts
	follows   map[followKey]bool
	reactions map[reactionKey]bool
	relations map[relationKey]bool
	// sessions are the hosts of live sessions.
	sessions map[int64]feed.UserID
	// open is how many sessions of a host are upcoming or live.
	open map[feed.UserID]int
}

// postFacts is what later records must know of a content.
type postFacts struct {
	author      feed.UserID
	repostDepth int
}

// What tells records of one type apart.
type (
	followKey   struct{ follower, followee feed.UserID }
	reactionKey struct {
		reaction feed.Reaction
		user     feed.UserID
		post     feed.ContentID
	}
	relationKey struct {
		kind         feed.RelationKind
		user, target feed.UserID
	}
)

func keyOfFollow(r *feed.FollowRecord) followKey { return followKey{r.Follower, r.Followee} }

func keyOfReaction(r *feed.ReactionRecord) reactionKey {
	return reactionKey{r.Reaction, r.User, r.Post}
}

func keyOfRelation(r *feed.RelationRecord) relationKey {
	return relationKey{r.Kind, r.User, r.Target}
}

// load reads what is stored of what the batch names.
func (s *Store) load(ctx context.Context, tx *sql.Tx, batch []feed.Record) (*knowledge, error) {
	n := namesOf(batch)
	k := &knowledge{}
	for _, read := range []func() error{
		func() (err error) { k.users, k.gone, err = s.loadUsers(ctx, tx, n); return },
		func() (err error) { k.handles, err = s.loadHandles(ctx, tx, n); return },
		func() (err error) { k.posts, err = s.loadPosts(ctx, tx, n); return },
		func() (err error) { k.follows, err = s.loadFollows(ctx, tx, n.follows); return },
		func() (err error) { k.reactions, err = s.loadReactions(ctx, tx, n.reactions); return },
		func() (err error) { k.relations, err = s.loadRelations(ctx, tx, n.relations); return },
		func() (err error) { k.sessions, err = s.loadSessions(ctx, tx, n); return },
		func() (err error) { k.open, err = s.loadOpen(ctx, tx, n); return },
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// names are what a batch names, less what no database can be asked about.
type names struct {
	users     map[feed.UserID]bool
	handles   map[string]bool
	posts     map[feed.ContentID]bool
	follows   []*feed.FollowRecord
	reactions []*feed.ReactionRecord
	relations []*feed.RelationRecord
	sessions  map[int64]bool
	hosts     map[feed.UserID]bool
}

func namesOf(batch []feed.Record) names {
	n := names{
		users: map[feed.UserID]bool{}, handles: map[string]bool{}, posts: map[feed.ContentID]bool{},
		sessions: map[int64]bool{}, hosts: map[feed.UserID]bool{},
	}
	for _, r := range batch {
		switch {
		case r.User != nil:
			n.users[r.User.ID] = true
			n.handles[feed.FoldHandle(r.User.Handle)] = true
		case r.Follow != nil:
			n.users[r.Follow.Follower], n.users[r.Follow.Followee] = true, true
			n.follows = append(n.follows, r.Follow)
		case r.Post != nil:
			n.users[r.Post.Author] = true
			n.posts[r.Post.ID], n.posts[r.Post.ReplyTo], n.posts[r.Post.RepostOf] = true, true, true
		case r.Reaction != nil && isReaction(r.Reaction.Reaction):
			n.users[r.Reaction.User], n.posts[r.Reaction.Post] = true, true
			n.reactions = append(n.reactions, r.Reaction)
		case r.Relation != nil && isRelation(r.Relation.Kind):
			n.users[r.Relation.User], n.users[r.Relation.Target] = true, true
			n.relations = append(n.relations, r.Relation)
		case r.Live != nil:
			n.users[r.Live.Host], n.hosts[r.Live.Host], n.sessions[r.Live.ID] = true, true, true
		}
	}
	return n
}

// loadUsers returns those who are stored, whom it keeps from being deleted before the
// records that name them are committed, and those who are gone.
func (s *Store) loadUsers(ctx context.Context, tx *sql.Tx, n names) (found, gone map[feed.UserID]bool, err error) {
	found, gone = map[feed.UserID]bool{}, map[feed.UserID]bool{}
	if len(n.users) == 0 {
		return found, gone, nil
	}
	_, err = collect(ctx, tx, `
SELECT u.id, u.deleted_at FROM users AS u WHERE `+s.d.in("u.id", 1)+` ORDER BY u.id`+s.d.holding(),
		[]any{ids(s.d, sortedKeys(n.users))}, func(rows *sql.Rows) (id feed.UserID, err error) {
			var deletedAt int64
			err = rows.Scan(&id, &deletedAt)
			if deletedAt == 0 {
				found[id] = true
			} else {
				gone[id] = true
			}
			return id, err
		})
	return found, gone, err
}

func (s *Store) loadHandles(ctx context.Context, tx *sql.Tx, n names) (map[string]feed.UserID, error) {
	owners := map[string]feed.UserID{}
	if len(n.handles) == 0 {
		return owners, nil
	}
	from, args := s.d.table([]column{
		textColumn("handle_fold", sortedKeys(n.handles), func(handle string) string { return handle }),
	})
	_, err := collect(ctx, tx, `SELECT handle_fold, id FROM users WHERE handle_fold IN (SELECT r.handle_fold FROM `+from+`)`, args,
		func(rows *sql.Rows) (id feed.UserID, err error) {
			var handle string
			err = rows.Scan(&handle, &id)
			owners[handle] = id
			return id, err
		})
	return owners, err
}

func (s *Store) loadPosts(ctx context.Context, tx *sql.Tx, n names) (map[feed.ContentID]postFacts, error) {
	found := map[feed.ContentID]postFacts{}
	if len(n.posts) == 0 {
		return found, nil
	}
	_, err := collect(ctx, tx, `SELECT id, author_id, repost_depth FROM contents WHERE `+s.d.in("id", 1),
		[]any{ids(s.d, sortedKeys(n.posts))},
		func(rows *sql.Rows) (id feed.ContentID, err error) {
			var p postFacts
			err = rows.Scan(&id, &p.author, &p.repostDepth)
			found[id] = p
			return id, err
		})
	return found, err
}

func (s *Store) loadFollows(ctx context.Context, tx *sql.Tx, list []*feed.FollowRecord) (map[followKey]bool, error) {
	return loadRows(ctx, s.d, tx, "follows", "AND t.active = 1", list, keyOfFollow,
		intColumn("follower_id", list, func(r *feed.FollowRecord) feed.UserID { return r.Follower }),
		intColumn("followee_id", list, func(r *feed.FollowRecord) feed.UserID { return r.Followee }))
}

func (s *Store) loadReactions(ctx context.Context, tx *sql.Tx, list []*feed.ReactionRecord) (map[reactionKey]bool, error) {
	return loadRows(ctx, s.d, tx, "reactions", "", list, keyOfReaction,
		intColumn("content_id", list, func(r *feed.ReactionRecord) feed.ContentID { return r.Post }),
		textColumn("kind", list, func(r *feed.ReactionRecord) feed.Reaction { return r.Reaction }),
		intColumn("user_id", list, func(r *feed.ReactionRecord) feed.UserID { return r.User }))
}

func (s *Store) loadRelations(ctx context.Context, tx *sql.Tx, list []*feed.RelationRecord) (map[relationKey]bool, error) {
	return loadRows(ctx, s.d, tx, "relations", "", list, keyOfRelation,
		intColumn("user_id", list, func(r *feed.RelationRecord) feed.UserID { return r.User }),
		textColumn("kind", list, func(r *feed.RelationRecord) feed.RelationKind { return r.Kind }),
		intColumn("target_id", list, func(r *feed.RelationRecord) feed.UserID { return r.Target }))
}

// loadRows returns the keys of those records of which a table holds the row. The
// columns, in the order of the table's primary key, name the row; also is one more
// condition on it, t being the table.
func loadRows[R any, K comparable](
	ctx context.Context, d dialect, tx *sql.Tx, table, also string, list []R, keyOf func(R) K, columns ...column,
) (map[K]bool, error) {
	found := map[K]bool{}
	if len(list) == 0 {
		return found, nil
	}
	on := "TRUE"
	for _, c := range columns {
		on += fmt.Sprintf(" AND t.%[1]s = r.%[1]s", c.name)
	}
	position := -1
	from, args := d.table(append(columns, intColumn("position", list, func(R) int { position++; return position })))
	// CROSS JOIN makes SQLite look up each record rather than walk the table.
	_, err := collect(ctx, tx, fmt.Sprintf(`SELECT r.position FROM %s CROSS JOIN %s AS t WHERE %s %s`, from, table, on, also), args,
		func(rows *sql.Rows) (i int, err error) {
			err = rows.Scan(&i)
			found[keyOf(list[i])] = true
			return i, err
		})
	return found, err
}
