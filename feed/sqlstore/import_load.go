package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"maps"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// knowledge is what an import knows of the users, contents and rows its batch
// names: what is stored, and, as judge goes on, what the batch itself brings.
type knowledge struct {
	// users are those who are stored, with those whose accounts are deleted.
	users map[feed.UserID]*feed.UserRecord
	// handles are the owners of the folded handles that the batch would take.
	handles   map[string]feed.UserID
	posts     map[feed.ContentID]newPost
	follows   map[followKey]feed.StoredEdge
	reactions map[reactionKey]feed.StoredEdge
	relations map[relationKey]feed.StoredEdge
	sessions  map[int64]*live.Session
	// open is how many sessions of a host are upcoming or live.
	open map[feed.UserID]int
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
		func() (err error) { k.users, err = s.loadUsers(ctx, tx, n); return },
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
// records that name them are committed, and those whose accounts are deleted.
func (s *Store) loadUsers(ctx context.Context, tx *sql.Tx, n names) (map[feed.UserID]*feed.UserRecord, error) {
	found := map[feed.UserID]*feed.UserRecord{}
	if len(n.users) == 0 {
		return found, nil
	}
	_, err := collect(ctx, tx, `
SELECT u.id, u.handle, u.name, u.avatar_url, u.created_at, u.last_seen_at, u.deleted_at
FROM users AS u WHERE `+s.d.in("u.id", 1)+` ORDER BY u.id`+s.d.holding(),
		[]any{ids(s.d, sortedKeys(n.users))}, func(rows *sql.Rows) (feed.UserID, error) {
			var u feed.UserRecord
			err := rows.Scan(&u.ID, &u.Handle, &u.Name, &u.AvatarURL, &u.CreatedAt, &u.LastSeenAt, &u.DeletedAt)
			found[u.ID] = &u
			return u.ID, err
		})
	return found, err
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

// loadPosts returns those that are stored, whole: the batch is compared with them.
func (s *Store) loadPosts(ctx context.Context, tx *sql.Tx, n names) (map[feed.ContentID]newPost, error) {
	found := map[feed.ContentID]newPost{}
	if len(n.posts) == 0 {
		return found, nil
	}
	list := ids(s.d, sortedKeys(n.posts))
	depths := map[feed.ContentID]int{}
	_, err := collect(ctx, tx, `SELECT id, repost_depth FROM contents WHERE `+s.d.in("id", 1), []any{list},
		func(rows *sql.Rows) (id feed.ContentID, err error) {
			var depth int
			err = rows.Scan(&id, &depth)
			depths[id] = depth
			return id, err
		})
	if err != nil || len(depths) == 0 {
		return found, err
	}
	posts, err := collect(ctx, tx, s.selectPosts(), []any{list}, scanPost[*sql.Rows])
	for _, p := range posts {
		found[p.ID] = newPost{Post: p, repostDepth: depths[p.ID]}
	}
	return found, err
}

func (s *Store) loadFollows(ctx context.Context, tx *sql.Tx, list []*feed.FollowRecord) (map[followKey]feed.StoredEdge, error) {
	return loadEdges(ctx, s.d, tx, "follows", "t.created_at, t.active = 0", list, keyOfFollow,
		intColumn("follower_id", list, func(r *feed.FollowRecord) feed.UserID { return r.Follower }),
		intColumn("followee_id", list, func(r *feed.FollowRecord) feed.UserID { return r.Followee }))
}

func (s *Store) loadReactions(ctx context.Context, tx *sql.Tx, list []*feed.ReactionRecord) (map[reactionKey]feed.StoredEdge, error) {
	found, err := loadEdges(ctx, s.d, tx, "absent_edges", undoneEdge, list, keyOfReaction,
		intColumn("user_id", list, func(r *feed.ReactionRecord) feed.UserID { return r.User }),
		textColumn("kind", list, func(r *feed.ReactionRecord) feed.Reaction { return r.Reaction }),
		intColumn("target_id", list, func(r *feed.ReactionRecord) feed.ContentID { return r.Post }))
	if err != nil {
		return nil, err
	}
	there, err := loadEdges(ctx, s.d, tx, "reactions", presentEdge, list, keyOfReaction,
		intColumn("content_id", list, func(r *feed.ReactionRecord) feed.ContentID { return r.Post }),
		textColumn("kind", list, func(r *feed.ReactionRecord) feed.Reaction { return r.Reaction }),
		intColumn("user_id", list, func(r *feed.ReactionRecord) feed.UserID { return r.User }))
	maps.Copy(found, there)
	return found, err
}

func (s *Store) loadRelations(ctx context.Context, tx *sql.Tx, list []*feed.RelationRecord) (map[relationKey]feed.StoredEdge, error) {
	user := intColumn("user_id", list, func(r *feed.RelationRecord) feed.UserID { return r.User })
	target := intColumn("target_id", list, func(r *feed.RelationRecord) feed.UserID { return r.Target })
	kind := func(r *feed.RelationRecord) feed.RelationKind { return r.Kind }
	found, err := loadEdges(ctx, s.d, tx, "absent_edges", undoneEdge, list, keyOfRelation, user, textColumn("kind", list, kind), target)
	if err != nil {
		return nil, err
	}
	there, err := loadEdges(ctx, s.d, tx, "relations", presentEdge, list, keyOfRelation, user, textColumn("kind", list, kind), target)
	maps.Copy(found, there)
	return found, err
}

// What [loadEdges] reads of an edge that was taken back, and of one that is there.
const (
	undoneEdge  = "0, TRUE"
	presentEdge = "t.created_at, FALSE"
)

// loadEdges returns the edges of those records of which a table holds the row. The
// columns, in the order of the table's primary key, name the row; what is read of it, t
// being the table, is the time of the edge and whether it was taken back.
func loadEdges[R any, K comparable](
	ctx context.Context, d dialect, tx *sql.Tx, table, read string, list []R, keyOf func(R) K, columns ...column,
) (map[K]feed.StoredEdge, error) {
	found := map[K]feed.StoredEdge{}
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
	_, err := collect(ctx, tx, fmt.Sprintf(`SELECT r.position, %s FROM %s CROSS JOIN %s AS t WHERE %s`, read, from, table, on), args,
		func(rows *sql.Rows) (i int, err error) {
			var e feed.StoredEdge
			err = rows.Scan(&i, &e.CreatedAt, &e.Undone)
			found[keyOf(list[i])] = e
			return i, err
		})
	return found, err
}
