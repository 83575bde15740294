package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.Moderation = (*Store)(nil)

// Impose implements [feed.Moderation].
func (s *Store) Impose(ctx context.Context, new feed.Sanction) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		author, was, err := s.lockSubject(ctx, tx, new.Subject)
		if err != nil {
			return err
		}
		have, err := s.sanctionsOn(ctx, tx, new.Subject)
		switch {
		case err != nil:
			return err
		case len(have) > 0 && have[0].Reason == new.Reason && have[0].Until == new.Until:
			return nil
		}
		return inOrder(
			func() error { return liftSanction(ctx, tx, new.Subject, new.At, new.By) },
			func() error { return s.storeSanctions(ctx, tx, []*feed.Sanction{&new}) },
			func() error { return s.hide(ctx, tx, new.Subject, author, was, was|feed.HiddenForModerator) },
		)
	})
}

// Lift implements [feed.Moderation].
func (s *Store) Lift(ctx context.Context, of feed.Subject, at int64, by string) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		author, was, err := s.lockSubject(ctx, tx, of)
		if err != nil || was&feed.HiddenForModerator == 0 {
			return err
		}
		return inOrder(
			func() error { return liftSanction(ctx, tx, of, at, by) },
			func() error { return s.hide(ctx, tx, of, author, was, was&^feed.HiddenForModerator) },
		)
	})
}

// LiftDue implements [feed.Moderation]. Each suspension has a transaction of its own.
func (s *Store) LiftDue(ctx context.Context, now int64, limit int) (more bool, err error) {
	due, err := query(ctx, s, `
SELECT user_id FROM sanctions WHERE lifted_at = 0 AND until > 0 AND until <= $1 ORDER BY until LIMIT $2`, []any{now, limit}, one[feed.UserID])
	for _, user := range due {
		if err == nil {
			err = s.Lift(ctx, feed.Subject{User: user}, now, "")
		}
	}
	return len(due) == limit, err
}

// InForce implements [feed.Moderation].
func (s *Store) InForce(ctx context.Context, of []feed.Subject) ([]feed.Sanction, error) {
	if len(of) == 0 {
		return nil, nil
	}
	stmt, args := s.inForceQuery(of)
	return query(ctx, s, stmt, args, scanSanctions())
}

func (s *Store) inForceQuery(of []feed.Subject) (stmt string, args []any) {
	from, args := s.d.table([]column{
		intColumn("content_id", of, func(s feed.Subject) feed.PostID { return s.Post }),
		intColumn("user_id", of, func(s feed.Subject) feed.UserID { return s.User }),
	})
	return "SELECT " + sanctionColumns.names("s.") + " FROM " + from + " JOIN sanctions AS s" +
		" ON s.content_id = r.content_id AND s.user_id = r.user_id AND s.lifted_at = 0", args
}

// sanctionsOn returns the sanction in force on a subject; none if there is none.
func (s *Store) sanctionsOn(ctx context.Context, tx *sql.Tx, of feed.Subject) ([]feed.Sanction, error) {
	stmt, args := s.inForceQuery([]feed.Subject{of})
	return collect(ctx, tx, stmt, args, scanSanctions())
}

func scanSanctions() func(scanner) (feed.Sanction, error) {
	scan := sanctionColumns.scan()
	return func(row scanner) (feed.Sanction, error) {
		found, err := scan(row)
		if err != nil {
			return feed.Sanction{}, err
		}
		return *found, nil
	}
}

// Sanctions implements [feed.Moderation].
func (s *Store) Sanctions(ctx context.Context, of feed.Subject, r feed.Range) ([]feed.Sanction, error) {
	subject := "$1 >= 0"
	if of != (feed.Subject{}) {
		subject = "s.content_id = $1 AND s.user_id = $7"
	}
	return query(ctx, s, "SELECT "+sanctionColumns.names("s.")+" FROM sanctions AS s WHERE "+subject+" AND $7 >= 0 AND "+
		within("s.imposed_at", "s.number")+"\n"+ordered("s.imposed_at", "s.number", r), append(rangeArgs(of.Post, r), of.User), scanSanctions())
}

// StoredUser implements [feed.Moderation].
func (s *Store) StoredUser(ctx context.Context, id feed.UserID) (*feed.User, error) {
	found, err := query(ctx, s, selectUsers+"WHERE id = $1", []any{id}, scanUsers())
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// subjectRow returns the row of a subject: its table and id, its column for sanctions, and that of its user.
func subjectRow(of feed.Subject) (table, column, user string, id int64) {
	if of.Post != 0 {
		return "contents", "taken_down", "author_id", int64(of.Post)
	}
	return "users", "suspended", "id", int64(of.User)
}

// lockSubject returns the user of a subject and why it is hidden.
func (s *Store) lockSubject(ctx context.Context, tx *sql.Tx, of feed.Subject) (user feed.UserID, was feed.HiddenFor, err error) {
	table, column, owner, id := subjectRow(of)
	err = tx.QueryRowContext(ctx, fmt.Sprintf("SELECT %s, %s FROM %s WHERE id = $1", owner, column, table)+s.d.forUpdate, id).Scan(&user, &was)
	if errors.Is(err, sql.ErrNoRows) {
		err = of.NotFound()
	}
	return user, was, err
}

// hide stores why a subject is hidden, and logs it if that hides or shows it.
func (s *Store) hide(ctx context.Context, tx *sql.Tx, of feed.Subject, user feed.UserID, was, is feed.HiddenFor) error {
	table, column, _, id := subjectRow(of)
	if err := exec(ctx, tx, fmt.Sprintf("UPDATE %s SET %s = $2 WHERE id = $1", table, column), id, is); err != nil || !is.Turns(was) {
		return err
	}
	var err error
	if of.Post != 0 {
		err = s.remember(ctx, tx, []feed.PostID{of.Post}, feed.Change{Kind: feed.ChangeDeleted})
	} else {
		err = s.afterHides(ctx, tx, []feed.UserID{of.User})
	}
	if err != nil {
		return err
	}
	return s.countChange(ctx, tx, of.Moderated(user, is != 0))
}

// withSanctions adds their sanctions to records of what moderators have hidden. It reads one at a time: few are
// hidden.
func (s *Store) withSanctions(ctx context.Context, tx *sql.Tx, emit emitter) emitter {
	return func(r feed.Record) error {
		var of feed.Subject
		switch {
		case r.Post != nil && r.Post.TakenDown&feed.HiddenForModerator != 0:
			of.Post = r.Post.ID
		case r.User != nil && r.User.Suspended&feed.HiddenForModerator != 0:
			of.User = r.User.ID
		default:
			return emit(r)
		}
		found, err := s.sanctionsOn(ctx, tx, of)
		if err != nil {
			return classify(ctx, err)
		}
		for _, sanction := range found {
			r.Moderated = feed.Moderated{Reason: sanction.Reason, At: sanction.At}
		}
		return emit(r)
	}
}

func liftSanction(ctx context.Context, tx *sql.Tx, of feed.Subject, at int64, by string) error {
	return exec(ctx, tx, `
UPDATE sanctions SET lifted_at = $3, lifted_by = $4 WHERE content_id = $1 AND user_id = $2 AND lifted_at = 0`, of.Post, of.User, at, by)
}

// storeSanctions stores sanctions without their numbers, which the database draws.
func (s *Store) storeSanctions(ctx context.Context, tx *sql.Tx, list []*feed.Sanction) error {
	if len(list) == 0 {
		return nil
	}
	_, err := s.d.insertRows(ctx, tx, "sanctions", "DO NOTHING", sanctionColumns[1:].take(list)...)
	return err
}
