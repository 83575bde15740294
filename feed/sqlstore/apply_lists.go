package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

// listsLock is the key of PostgreSQL's advisory lock of all batches with lists. A list that is not stored has no
// row to lock: two batches with it and its first members would not see each other.
const listsLock = batchLock + 1

// loadLists loads the lists that a batch names, and their members that it names, with their numbers.
func (s *Store) loadLists(ctx context.Context, tx *sql.Tx, n apply.Names, k *apply.Objects) error {
	if len(n.Lists) == 0 {
		return nil
	}
	lists := sortedKeys(n.Lists)
	return inOrder(
		func() error {
			if !s.d.isPostgres() {
				return nil // has one writer at a time
			}
			return exec(ctx, tx, `SELECT pg_advisory_xact_lock($1)`, int64(listsLock))
		},
		func() error { // as mutations do, which count lists too
			_, err := s.lockWhere(ctx, tx, "TRUE", sortedKeys(n.Owners))
			return err
		},
		func() (err error) {
			var deletedAt int64
			scan := listColumns.scan(&deletedAt)
			k.Lists, err = loadByID(ctx, s.d, tx, lists, `SELECT `+listColumns.names("")+`, deleted_at FROM author_lists WHERE `+s.d.in("id", 1)+` ORDER BY id`+s.d.forUpdate,
				func(row scanner) (apply.List, error) {
					l, err := scan(row)
					return apply.List{AuthorList: l, DeletedAt: deletedAt}, err
				}, func(l apply.List) feed.ListID { return l.ID })
			return err
		},
		func() (err error) { k.ListMembers, err = memberEdges.load(ctx, s.d, tx, n.Members); return },
		func() (err error) { k.Listed, err = s.countListed(ctx, tx, sortedKeys(n.Owners)); return },
		func() (err error) {
			k.Sizes, err = collectMap[feed.ListID](ctx, tx, `SELECT list_id, COUNT(*) FROM list_members WHERE `+s.d.in("list_id", 1)+` GROUP BY list_id`,
				[]any{ids(s.d, lists)}, itself[int64])
			return err
		},
	)
}

// countListed returns the numbers of lists of users who have some.
func (s *Store) countListed(ctx context.Context, tx *sql.Tx, owners []feed.UserID) (map[feed.UserID]int, error) {
	return collectMap[feed.UserID](ctx, tx, `SELECT owner_id, COUNT(*) FROM author_lists WHERE deleted_at = 0 AND `+s.d.in("owner_id", 1)+` GROUP BY owner_id`,
		[]any{ids(s.d, owners)}, itself[int])
}

// relisted returns the owners of lists whose exclusive members have changed, each once.
func (w *writer) relisted() []feed.UserID {
	owners := map[feed.UserID]bool{}
	for _, c := range w.changes.Lists {
		if c.Relisted {
			owners[c.After.Owner] = true
		}
	}
	return sortedKeys(owners)
}

// writeLists stores lists and members, which may be those of lists that are not stored.
func (w *writer) writeLists(ctx context.Context) error {
	var added, changed, relisted []apply.ListChange
	for _, c := range w.changes.Lists {
		if c.Before.AuthorList == nil {
			added = append(added, c)
		} else {
			changed = append(changed, c)
		}
		if c.Relisted {
			relisted = append(relisted, c)
		}
	}
	columns := func(list []apply.ListChange) []column {
		return append(listColumns.take(mapped(list, func(c apply.ListChange) *feed.AuthorList { return c.After.AuthorList })),
			intColumn("deleted_at", list, func(c apply.ListChange) int64 { return c.After.DeletedAt }))
	}
	return inOrder(
		func() error { return w.insert(ctx, "author_lists", columns(added)) },
		func() error { return w.updateAll(ctx, "author_lists", "author_lists.id = r.id", columns(changed)) },
		func() error { return writeEdges(ctx, w, memberEdges, w.changes.Members) },
		func() error {
			if len(relisted) == 0 {
				return nil
			}
			from, args := w.s.d.table([]column{
				intColumn("list_id", relisted, func(c apply.ListChange) feed.ListID { return c.After.ID }),
				intColumn("exclusive_to", relisted, func(c apply.ListChange) feed.UserID { return c.After.ExclusiveTo() }),
			})
			return exec(ctx, w.tx, `
UPDATE list_members SET exclusive_to = r.exclusive_to FROM `+from+` WHERE list_members.list_id = r.list_id AND list_members.exclusive_to <> r.exclusive_to`, args...)
		},
	)
}

// dumpLists returns a function that emits the lists that meet a condition, by id.
func dumpLists(condition string) func(context.Context, *sql.Tx, emitter) error {
	return func(ctx context.Context, tx *sql.Tx, emit emitter) error {
		return walk[*feed.AuthorList]{
			stmt:  "SELECT " + listColumns.names("") + " FROM author_lists WHERE id > $1 AND " + condition + " ORDER BY id LIMIT $2",
			start: []any{0},
			key:   func(l *feed.AuthorList) []any { return []any{l.ID} },
			scan:  listColumns.scan(),
		}.records(ctx, tx, func(l *feed.AuthorList) feed.Record {
			l.Members = 0 // those have records
			return feed.Record{List: l}
		}, emit)
	}
}
