package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

var (
	_ feed.AuthorLists      = (*Store)(nil)
	_ feed.AuthorListReader = (*Store)(nil)
)

func errNoAuthorList() error {
	return feed.Errorf(feed.CodeNotFound, "there is no such list").At("listId")
}

// CreateList implements [feed.AuthorLists]. The lock of the owner's row makes the limit exact.
func (s *Store) CreateList(ctx context.Context, l *feed.AuthorList) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		stored, err := s.lockPresent(ctx, tx, []feed.UserID{l.Owner})
		if err != nil {
			return err
		}
		if len(stored) == 0 {
			return errNoUser()
		}
		listed, err := s.countListed(ctx, tx, []feed.UserID{l.Owner})
		if err = cmp.Or(err, feed.MayList(listed[l.Owner])); err != nil {
			return err
		}
		l.External = s.ownID(int64(l.ID), "")
		if err := s.assignOwn(ctx, tx, feed.ListIDs, l.External, int64(l.ID)); err != nil {
			return err
		}
		n, err := s.d.insertRows(ctx, tx, "author_lists", "DO NOTHING", listColumns.take([]*feed.AuthorList{l})...)
		if err == nil && n == 0 {
			err = feed.ErrIDTaken
		}
		return err
	})
}

// UpdateList implements [feed.AuthorLists].
func (s *Store) UpdateList(ctx context.Context, owner feed.UserID, id feed.ListID, c feed.ListChange) (*feed.AuthorList, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (*feed.AuthorList, error) {
		l, err := s.lockList(ctx, tx, owner, id)
		if err != nil {
			return nil, err
		}
		if c.Name != nil {
			l.Name = *c.Name
		}
		if c.Public != nil {
			l.Public = *c.Public
		}
		turned := c.Exclusive != nil && *c.Exclusive != l.Exclusive
		l.Exclusive = l.Exclusive != turned
		return l, inOrder(
			func() error {
				return exec(ctx, tx, `UPDATE author_lists SET name = $2, is_public = $3, exclusive = $4 WHERE id = $1`, id, l.Name, flag(l.Public), flag(l.Exclusive))
			},
			func() error {
				if !turned || l.Members == 0 {
					return nil
				}
				if err := exec(ctx, tx, `UPDATE list_members SET exclusive_to = $2 WHERE list_id = $1`, id, l.ExclusiveTo()); err != nil {
					return err
				}
				return s.listedChanged(ctx, tx, owner)
			})
	})
}

// listedChange is the row of the change log for other members of a user's exclusive lists.
func listedChange(owner feed.UserID) feed.Change {
	return feed.Change{Kind: feed.ChangeListed, User: owner}
}

// listedChanged has a user's home feed read again, because an exclusive list has other members.
func (s *Store) listedChanged(ctx context.Context, tx *sql.Tx, owner feed.UserID) error {
	_, err := s.raise(ctx, tx, []feed.UserID{owner}, listedChange(owner))
	return err
}

// lockList locks a list of an owner against other changes.
func (s *Store) lockList(ctx context.Context, tx *sql.Tx, owner feed.UserID, id feed.ListID) (*feed.AuthorList, error) {
	found, err := collect(ctx, tx, selectLists+`id = $1 AND owner_id = $2`+s.d.forUpdate, []any{id, owner}, listColumns.scan())
	if err == nil && len(found) == 0 {
		err = errNoAuthorList()
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// DeleteList implements [feed.AuthorLists].
func (s *Store) DeleteList(ctx context.Context, owner feed.UserID, id feed.ListID) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		l, err := s.lockList(ctx, tx, owner, id)
		switch {
		case feed.CodeOf(err) == feed.CodeNotFound:
			return nil
		case err != nil:
			return err
		}
		if err := deleteLists(ctx, tx, []feed.ListID{id}, s.d); err != nil || !l.Exclusive || l.Members == 0 {
			return err
		}
		return s.listedChanged(ctx, tx, owner)
	})
}

func deleteLists(ctx context.Context, tx *sql.Tx, lists []feed.ListID, d dialect) error {
	return inOrder(
		func() error { return exec(ctx, tx, `DELETE FROM author_lists WHERE `+d.in("id", 1), ids(d, lists)) },
		func() error { // after those that a batch adds while it holds the list
			return exec(ctx, tx, `DELETE FROM list_members WHERE `+d.in("list_id", 1), ids(d, lists))
		},
	)
}

// AddMembers implements [feed.AuthorLists]. It protects the users from deletion, because a purge would miss
// the new members.
func (s *Store) AddMembers(ctx context.Context, owner feed.UserID, id feed.ListID, users []feed.UserID, at int64) (*feed.AuthorList, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (*feed.AuthorList, error) {
		l, err := s.lockList(ctx, tx, owner, id)
		if err != nil {
			return nil, err
		}
		users := sortedKeys(setOf(users))
		stored, err := collect(ctx, tx, `SELECT u.id FROM users AS u WHERE `+s.d.in("u.id", 1)+` AND u.deleted_at = 0 AND u.absent = 0 ORDER BY u.id`+s.d.holding,
			[]any{ids(s.d, users)}, one[feed.UserID])
		if err != nil {
			return nil, err
		}
		if len(stored) < len(users) {
			return nil, feed.Errorf(feed.CodeNotFound, "one of the users does not exist").At("userIds")
		}
		n, err := s.d.insertRows(ctx, tx, "list_members", "DO NOTHING",
			intColumn("list_id", users, func(feed.UserID) feed.ListID { return id }),
			intColumn("user_id", users, func(user feed.UserID) feed.UserID { return user }),
			intColumn("exclusive_to", users, func(feed.UserID) feed.UserID { return l.ExclusiveTo() }),
			intColumn("added_at", users, func(feed.UserID) int64 { return at }))
		if err != nil {
			return nil, err
		}
		if full := feed.MayHold(l.Members + n); full != nil {
			return nil, full.At("userIds")
		}
		return l, s.countMembers(ctx, tx, l, n)
	})
}

// RemoveMembers implements [feed.AuthorLists].
func (s *Store) RemoveMembers(ctx context.Context, owner feed.UserID, id feed.ListID, users []feed.UserID) (*feed.AuthorList, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (*feed.AuthorList, error) {
		l, err := s.lockList(ctx, tx, owner, id)
		if err != nil {
			return nil, err
		}
		ended, err := collect(ctx, tx, `DELETE FROM list_members WHERE list_id = $1 AND `+s.d.in("user_id", 2)+` RETURNING user_id`,
			[]any{id, ids(s.d, users)}, func(row scanner) (absentEdge, error) {
				e := absentEdge{kind: string(feed.RecordListMember), target: int64(id)}
				return e, row.Scan(&e.user)
			})
		if err != nil {
			return nil, err
		}
		if err := s.noteAbsent(ctx, tx, ended); err != nil {
			return nil, err
		}
		return l, s.countMembers(ctx, tx, l, -int64(len(ended)))
	})
}

// countMembers counts members that have been added, or removed if there are less.
func (s *Store) countMembers(ctx context.Context, tx *sql.Tx, l *feed.AuthorList, added int64) error {
	l.Members += added
	err := exec(ctx, tx, `UPDATE author_lists SET members = $2 WHERE id = $1`, l.ID, l.Members)
	if err == nil && added != 0 && l.Exclusive {
		err = s.listedChanged(ctx, tx, l.Owner)
	}
	return err
}

// AuthorLists implements [feed.AuthorListReader].
func (s *Store) AuthorLists(ctx context.Context, list []feed.ListID) ([]*feed.AuthorList, error) {
	found, err := query(ctx, s, selectLists+s.d.in("id", 1), []any{ids(s.d, list)}, listColumns.scan())
	if err != nil {
		return nil, err
	}
	byID := map[feed.ListID]*feed.AuthorList{}
	for _, l := range found {
		byID[l.ID] = l
	}
	return mapped(list, func(id feed.ListID) *feed.AuthorList { return byID[id] }), nil
}

// AuthorListsOf implements [feed.AuthorListReader].
func (s *Store) AuthorListsOf(ctx context.Context, owner feed.UserID) ([]*feed.AuthorList, error) {
	return query(ctx, s, selectLists+`owner_id = $1 ORDER BY created_at DESC, id DESC`, []any{owner}, listColumns.scan())
}

// AuthorListsWith implements [feed.AuthorListReader].
func (s *Store) AuthorListsWith(ctx context.Context, owner, member feed.UserID) ([]*feed.AuthorList, error) {
	return query(ctx, s, selectLists+`owner_id = $1 AND id IN (SELECT list_id FROM list_members WHERE user_id = $2) ORDER BY created_at DESC, id DESC`,
		[]any{owner, member}, listColumns.scan())
}

// ListMembers implements [feed.AuthorListReader].
func (s *Store) ListMembers(ctx context.Context, list feed.ListID, r feed.Range) ([]feed.Key, error) {
	return s.keys(ctx, fmt.Sprintf(`
SELECT added_at, user_id FROM list_members
WHERE list_id = $1 AND %s AND %s %s`, s.d.present("user_id"), within("added_at", "user_id"), ordered("added_at", "user_id", r)), rangeArgs(list, r))
}

// purgeListed removes an account from lists, each of which loses one member.
func (s *Store) purgeListed(ctx context.Context, tx *sql.Tx, gone leaver, limit int, _ tally) (int, error) {
	lists, err := collect(ctx, tx, `
DELETE FROM list_members WHERE user_id = $1 AND list_id IN (SELECT list_id FROM list_members WHERE user_id = $1 ORDER BY list_id LIMIT $2)
RETURNING list_id`, []any{gone.user, limit}, one[feed.ListID])
	if err != nil || len(lists) == 0 {
		return 0, err
	}
	return len(lists), exec(ctx, tx, `UPDATE author_lists SET members = members - 1 WHERE `+s.d.in("id", 1), ids(s.d, lists))
}

// purgeLists removes the lists of an account, one at a time: a list may have thousands of members.
func (s *Store) purgeLists(ctx context.Context, tx *sql.Tx, gone leaver, limit int, _ tally) (int, error) {
	lists, err := collect(ctx, tx, `SELECT id FROM author_lists WHERE owner_id = $1 LIMIT 1`, []any{gone.user}, one[feed.ListID])
	if err != nil || len(lists) == 0 {
		return 0, err
	}
	removed, err := execRows(ctx, tx, `
DELETE FROM list_members WHERE list_id = $1 AND user_id IN (SELECT user_id FROM list_members WHERE list_id = $1 ORDER BY user_id LIMIT $2)`, lists[0], limit)
	if err != nil || int(removed) == limit {
		return int(removed), err
	}
	return limit, deleteLists(ctx, tx, lists, s.d) // there may be another list
}
