package sqlstore

import (
	"context"
	"database/sql"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// skeletonsMigration is the version of the schema that brought skeletons of handles, and
// with them handles and words that are folded as Unicode says.
const skeletonsMigration = 20

// fillSkeletons stores the skeletons of all users who are stored, and folds their handles
// and words again, which SQL alone cannot. It uses no column that a later migration adds.
func (s *Store) fillSkeletons(ctx context.Context, tx *sql.Tx) error {
	return walkUsers(ctx, tx, "deleted_at = 0", func(users []*feed.User) error {
		if err := s.shareHandles(ctx, tx, users); err != nil {
			return err
		}
		for _, u := range users {
			if err := s.refold(ctx, tx, u); err != nil {
				return err
			}
		}
		return nil
	})
}

// fillPage is how many users a migration reads at once.
const fillPage = 1000

// walkUsers calls do with all users that condition selects, in pages by ascending id. It is
// for migrations: it reads no column but those of version 1 and of condition.
func walkUsers(ctx context.Context, tx *sql.Tx, condition string, do func(users []*feed.User) error) error {
	for last := feed.UserID(0); ; {
		users, err := collect(ctx, tx, `
SELECT id, handle, name FROM users WHERE id > $1 AND `+condition+` ORDER BY id LIMIT $2`,
			[]any{last, fillPage}, func(rows scanner) (*feed.User, error) {
				var u feed.User
				return &u, rows.Scan(&u.ID, &u.Handle, &u.Name)
			})
		if err != nil || len(users) == 0 {
			return err
		}
		if err := do(users); err != nil {
			return err
		}
		last = users[len(users)-1].ID
	}
}

// refold stores a user's handle and words as they are folded now, if that differs from
// lower case, by which they were folded before. If another user has the handle's new form
// already, this one keeps the form of before, by which no lookup finds it: the other one's
// handle has always been the plain one. The doctor lists both.
func (s *Store) refold(ctx context.Context, tx *sql.Tx, u *feed.User) error {
	if fold := feed.FoldHandle(u.Handle); fold != strings.ToLower(u.Handle) {
		err := exec(ctx, tx, `
UPDATE users SET handle_fold = $2 WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM users WHERE handle_fold = $2)`, u.ID, fold)
		if err != nil {
			return err
		}
	}
	if shown := u.Handle + " " + u.Name; texts.Fold(shown) == strings.ToLower(shown) {
		return nil
	}
	return s.rewriteWords(ctx, tx, u)
}
