package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// storedRows is what is stored of the objects in a batch, and what judge has added so far.
type storedRows struct {
	users map[feed.UserID]*feed.UserRecord
	// handles are the owners of the folded handles in the batch.
	handles   map[string]feed.UserID
	posts     map[feed.PostID]newPost
	follows   map[feed.FollowRecord]feed.StoredEdge
	reactions map[feed.ReactionRecord]feed.StoredEdge
	relations map[feed.RelationRecord]feed.StoredEdge
	sessions  map[int64]*live.Session
	// open is the number of sessions of each host that are upcoming or live.
	open map[feed.UserID]int
}

func (s *Store) load(ctx context.Context, tx *sql.Tx, batch []feed.Record) (*storedRows, error) {
	n := namesOf(batch)
	k := &storedRows{}
	err := inOrder(
		func() (err error) { k.users, err = s.loadUsers(ctx, tx, n); return },
		func() (err error) { k.handles, err = s.loadHandles(ctx, tx, n); return },
		func() (err error) { k.posts, err = s.loadPosts(ctx, tx, n); return },
		func() (err error) { k.follows, err = followEdges.load(ctx, s.d, tx, n.follows); return },
		func() (err error) { k.reactions, err = reactionEdges.load(ctx, s.d, tx, n.reactions); return },
		func() (err error) { k.relations, err = relationEdges.load(ctx, s.d, tx, n.relations); return },
		func() (err error) { k.sessions, err = s.loadSessions(ctx, tx, n); return },
		func() (err error) { k.open, err = s.loadOpen(ctx, tx, n); return },
	)
	return k, err
}

// names identify the objects in a batch, without invalid kinds, which no statement could contain.
type names struct {
	users     map[feed.UserID]bool
	handles   map[string]bool
	posts     map[feed.PostID]bool
	follows   []*feed.FollowRecord
	reactions []*feed.ReactionRecord
	relations []*feed.RelationRecord
	sessions  map[int64]bool
	hosts     map[feed.UserID]bool
}

func namesOf(batch []feed.Record) names {
	n := names{
		users: map[feed.UserID]bool{}, handles: map[string]bool{}, posts: map[feed.PostID]bool{},
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
		case r.Reaction != nil && r.Reaction.Reaction.Valid():
			n.users[r.Reaction.User], n.posts[r.Reaction.Post] = true, true
			n.reactions = append(n.reactions, r.Reaction)
		case r.Relation != nil && r.Relation.Kind.Valid():
			n.users[r.Relation.User], n.users[r.Relation.Target] = true, true
			n.relations = append(n.relations, r.Relation)
		case r.Live != nil:
			n.users[r.Live.Host], n.hosts[r.Live.Host], n.sessions[r.Live.ID] = true, true, true
		}
	}
	return n
}

// loadUsers returns the stored users, including deleted accounts, and protects them from deletion
// until the import is committed.
func (s *Store) loadUsers(ctx context.Context, tx *sql.Tx, n names) (map[feed.UserID]*feed.UserRecord, error) {
	return loadByID(ctx, s.d, tx, sortedKeys(n.users), "SELECT "+userRecordColumns.names("u.")+
		" FROM users AS u WHERE "+s.d.in("u.id", 1)+" ORDER BY u.id"+s.d.holding,
		userRecordColumns.scan(), func(u *feed.UserRecord) feed.UserID { return u.ID })
}

// loadByID returns the rows of a statement for a list of ids. For no ids it runs no statement.
func loadByID[K ~int64, T any](
	ctx context.Context, d dialect, tx *sql.Tx, list []K, stmt string, scan func(scanner) (T, error), idOf func(T) K,
) (map[K]T, error) {
	found := make(map[K]T, len(list))
	if len(list) == 0 {
		return found, nil
	}
	rows, err := collect(ctx, tx, stmt, []any{ids(d, list)}, scan)
	for _, row := range rows {
		found[idOf(row)] = row
	}
	return found, err
}

func (s *Store) loadHandles(ctx context.Context, tx *sql.Tx, n names) (map[string]feed.UserID, error) {
	if len(n.handles) == 0 {
		return map[string]feed.UserID{}, nil
	}
	from, args := s.d.table([]column{
		textColumn("handle_fold", sortedKeys(n.handles), func(handle string) string { return handle }),
	})
	return collectMap[string](ctx, tx, `
SELECT handle_fold, id FROM users WHERE handle_fold IN (SELECT r.handle_fold FROM `+from+`)`, args, itself[feed.UserID])
}

// loadPosts returns the stored posts with all columns, because the records are compared with them.
func (s *Store) loadPosts(ctx context.Context, tx *sql.Tx, n names) (map[feed.PostID]newPost, error) {
	found := map[feed.PostID]newPost{}
	if len(n.posts) == 0 {
		return found, nil
	}
	depths, err := collectMap[feed.PostID](ctx, tx,
		`SELECT id, repost_depth FROM contents WHERE `+s.d.in("id", 1), []any{ids(s.d, sortedKeys(n.posts))}, itself[int])
	if err != nil {
		return nil, err
	}
	posts, err := s.readPosts(ctx, tx, sortedKeys(depths))
	for id, p := range posts {
		found[id] = newPost{Post: p, repostDepth: depths[id]}
	}
	return found, err
}

func (s *Store) readPosts(ctx context.Context, tx *sql.Tx, list []feed.PostID) (map[feed.PostID]*feed.Post, error) {
	return loadByID(ctx, s.d, tx, list, s.selectPosts(), postColumns.scan(), func(p *feed.Post) feed.PostID { return p.ID })
}
