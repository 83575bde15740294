package sqlstore

import (
	"context"
	"database/sql"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// skeletonsMigration is the schema version that added skeletons, and with them Unicode folding of
// handles and words.
const skeletonsMigration = 20

// fillSkeletons stores the skeletons of existing users and folds their handles and words again,
// which SQL cannot do. It uses no column of a later migration.
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

// walkUsers calls do with all users that match condition, in pages by ascending id. It is for
// migrations: it reads only columns of version 1 and those of condition.
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

// refold stores the Unicode folding of a user's handle and words where it differs from lower case,
// the previous folding. If another user already has the new form, this user keeps the old one,
// which no lookup finds: the other handle has always been the plain one. The doctor lists both.
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
