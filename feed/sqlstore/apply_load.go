package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

func (s *Store) load(ctx context.Context, tx *sql.Tx, n apply.Names) (*apply.Objects, error) {
	k := &apply.Objects{}
	err := inOrder(
		// The versions come first and stay locked, so the objects are loaded as these versions left them.
		func() (err error) {
			k.Versions, k.Ended, err = s.loadVersions(ctx, tx, apply.SortedObjects(n.Versioned), s.d.forUpdate)
			return
		},
		func() (err error) { k.Users, err = s.loadUsers(ctx, tx, n); return },
		func() (err error) {
			if len(k.Users) < len(n.Users) {
				k.Mode, k.PrivatePlaceholders, err = s.placeholders(ctx, tx)
			}
			return err
		},
		func() (err error) { k.Handles, err = s.loadHandles(ctx, tx, n); return },
		func() (err error) { k.Posts, err = s.loadPosts(ctx, tx, n); return },
		func() (err error) { k.Follows, err = followEdges.load(ctx, s.d, tx, n.Follows); return },
		func() (err error) { k.Requests, err = requestEdges.load(ctx, s.d, tx, n.Follows); return },
		func() (err error) { k.Reactions, err = reactionEdges.load(ctx, s.d, tx, n.Reactions); return },
		func() (err error) { k.Relations, err = relationEdges.load(ctx, s.d, tx, n.Relations); return },
		func() (err error) { k.Sessions, err = s.loadSessions(ctx, tx, n); return },
		func() error { return s.loadLists(ctx, tx, n, k) },
		func() (err error) { k.Counters, err = s.loadCounters(ctx, tx, n); return },
		func() (err error) { k.Open, err = s.loadOpen(ctx, tx, n); return },
	)
	return k, err
}

// loadUsers returns the stored users, including absent ones and deleted accounts, and protects them from deletion
// until the import is committed.
func (s *Store) loadUsers(ctx context.Context, tx *sql.Tx, n apply.Names) (map[feed.UserID]*feed.UserRecord, error) {
	return loadByID(ctx, s.d, tx, sortedKeys(n.Users), "SELECT "+storedUserColumns.names("u.")+
		" FROM users AS u WHERE "+s.d.in("u.id", 1)+" ORDER BY u.id"+s.d.holding,
		storedUserColumns.scan(), func(u *feed.UserRecord) feed.UserID { return u.ID })
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

func (s *Store) loadHandles(ctx context.Context, tx *sql.Tx, n apply.Names) (map[string]feed.UserID, error) {
	if len(n.Handles) == 0 {
		return map[string]feed.UserID{}, nil
	}
	from, args := s.d.table([]column{
		textColumn("handle_fold", sortedKeys(n.Handles), func(handle string) string { return handle }),
	})
	return collectMap[string](ctx, tx, `
SELECT handle_fold, id FROM users WHERE handle_fold IN (SELECT r.handle_fold FROM `+from+`)`, args, itself[feed.UserID])
}

// loadPosts returns the stored posts with all columns, because the records are compared with them.
func (s *Store) loadPosts(ctx context.Context, tx *sql.Tx, n apply.Names) (map[feed.PostID]apply.Post, error) {
	var depth int
	scan := postColumns.scan(&depth)
	return loadByID(ctx, s.d, tx, sortedKeys(n.Posts), s.loadedPosts(), func(row scanner) (apply.Post, error) {
		p, err := scan(row)
		return apply.Post{Post: p, RepostDepth: depth}, err
	}, func(p apply.Post) feed.PostID { return p.ID })
}

// loadedPosts is [Store.selectPosts] with the length of the chain of reposts.
func (s *Store) loadedPosts() string { return selectLoaded + "WHERE " + s.d.in("c.id", 1) }
