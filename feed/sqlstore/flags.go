package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// RaiseFlag implements [feed.Audience].
func (s *Store) RaiseFlag(ctx context.Context, author feed.UserID, f feed.CoverageFlag, why feed.FlagReason) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		// Without the condition every publish of a popular author would write the rows again. The
		// row of feed_state is locked first, as in an import.
		const lower = `id = $1 AND mark < $2 AND deleted_at = 0`
		raised, err := execRows(ctx, tx, `UPDATE feed_state SET marks = marks + 1 WHERE EXISTS (SELECT 1 FROM users WHERE `+lower+`)`, author, f)
		if err != nil || raised == 0 {
			return err
		}
		now, args := s.now(author, f, why)
		return exec(ctx, tx, `
UPDATE users SET mark = $2, mark_reason = $3, marked_at = `+now+`, low_since = 0 WHERE `+lower, args...)
	})
}

const flaggedQuery = `
SELECT u.id, u.mark, u.mark_reason, u.marked_at, u.low_since, COALESCE(c.followers, 0)
FROM users AS u LEFT JOIN user_counters AS c ON c.user_id = u.id
WHERE u.mark > 0 AND u.id > $1 AND u.deleted_at = 0 ORDER BY u.id LIMIT $2`

// FlaggedAuthors implements [feed.Flags].
func (s *Store) FlaggedAuthors(ctx context.Context, after feed.UserID, limit int) ([]feed.FlaggedAuthor, error) {
	return query(ctx, s, flaggedQuery, []any{after, limit}, into(func(a *feed.FlaggedAuthor) []any {
		return []any{&a.Author, &a.Flag, &a.Reason, &a.Since, &a.LowSince, &a.Followers}
	}))
}

// NoteLow implements [feed.Flags].
func (s *Store) NoteLow(ctx context.Context, authors []feed.UserID, low bool) error {
	now, args := s.now(ids(s.d, authors), flag(low))
	_, err := s.change(ctx, `
UPDATE users SET low_since = CASE WHEN $2 = 1 THEN `+now+` ELSE 0 END
WHERE `+s.d.in("id", 1)+` AND mark > 0 AND (low_since > 0) <> ($2 = 1)`, args...)
	return err
}

// LowerFlag implements [feed.Flags]. Its lock on the author waits for follows that are being stored,
// and holds off others: a follow that is not listed here has a version from after the commit.
func (s *Store) LowerFlag(ctx context.Context, author feed.UserID, f feed.CoverageFlag) (bool, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		flagged, err := collect(ctx, tx, `
SELECT id FROM users WHERE id = $1 AND mark > $2 AND deleted_at = 0`+s.d.forDeletion, []any{author, f}, one[feed.UserID])
		if err != nil || len(flagged) == 0 {
			return false, err
		}
		followers, err := collect(ctx, tx, `
SELECT follower_id FROM follows WHERE followee_id = $1 AND active = 1 ORDER BY follower_id`, []any{author}, one[feed.UserID])
		if err != nil {
			return false, err
		}
		if _, err := s.raise(ctx, tx, followers); err != nil {
			return false, err
		}
		// The versions are read from the locked rows. An unfollow meanwhile has waited for them.
		err = exec(ctx, tx, `
UPDATE follows SET followed = CASE WHEN followed > 0 THEN followed ELSE version END,
  version = (SELECT u.version FROM users AS u WHERE u.id = follows.follower_id)
WHERE followee_id = $1 AND active = 1`, author)
		if err != nil {
			return false, err
		}
		return true, s.lower(ctx, tx, f, `id = $2`, author)
	})
}

// lower lowers the flags of the users that a condition selects, from its parameter $2 on.
func (s *Store) lower(ctx context.Context, tx *sql.Tx, f feed.CoverageFlag, condition string, args ...any) error {
	now, args := s.now(append([]any{f}, args...)...)
	return exec(ctx, tx, `
UPDATE users SET mark = $1, mark_reason = CASE WHEN $1 = 0 THEN 0 ELSE 1 END,
  marked_at = CASE WHEN $1 = 0 THEN 0 ELSE `+now+` END, low_since = 0
WHERE mark > $1 AND `+condition, args...)
}

// LowerFlags implements [feed.Flags].
func (s *Store) LowerFlags(ctx context.Context, threshold int64) (int, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (int, error) {
		if err := s.lockGeneration(ctx, tx); err != nil {
			return 0, err
		}
		const many = `COALESCE((SELECT c.followers FROM user_counters AS c WHERE c.user_id = users.id), 0) > `
		fall, err := one[int](tx.QueryRowContext(ctx, `
SELECT COUNT(*) FROM users WHERE mark > 0 AND deleted_at = 0 AND (mark > 1 OR NOT `+many+`$1)`, threshold))
		if err != nil || fall == 0 {
			return 0, err
		}
		for _, step := range []struct {
			to        feed.CoverageFlag
			condition string
		}{{feed.FlagSelective, many + `$2`}, {feed.FlagNone, `NOT ` + many + `$2`}} {
			if err := s.lower(ctx, tx, step.to, step.condition, threshold); err != nil {
				return 0, err
			}
		}
		return fall, s.raiseGeneration(ctx, tx)
	})
}

// CountFlags implements [feed.Flags].
func (s *Store) CountFlags(ctx context.Context) ([]feed.FlagCount, error) {
	return query(ctx, s, `
SELECT mark, mark_reason, COUNT(*), MIN(marked_at) FROM users WHERE mark > 0 AND deleted_at = 0
GROUP BY mark, mark_reason ORDER BY mark, mark_reason`, nil, into(func(c *feed.FlagCount) []any {
		return []any{&c.Flag, &c.Reason, &c.Authors, &c.Since}
	}))
}
