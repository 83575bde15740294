package sqlstore

import (
	"context"
	"database/sql"
	"math"

	"github.com/tideline-feeds/tideline/feed"
)

// Relate implements [feed.Relater].
func (s *Store) Relate(ctx context.Context, r feed.RelationRecord) error {
	return s.setRelation(ctx, r, r.Logged(true), s.lockPresent, func(tx *sql.Tx) (int64, error) {
		n, err := execRows(ctx, tx, `
INSERT INTO relations (user_id, kind, target_id, created_at, until) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id, kind, target_id) DO NOTHING`, r.User, r.Kind, r.Target, r.CreatedAt, r.Until)
		switch {
		case err != nil:
		case n == 0: // another end changes no feed
			err = exec(ctx, tx, `
UPDATE relations SET until = $4 WHERE user_id = $1 AND kind = $2 AND target_id = $3 AND until <> $4`, r.User, r.Kind, r.Target, r.Until)
		case r.Kind == feed.RelationBlock:
			err = endRequestsBetween(ctx, tx, r.User, r.Target)
		}
		return n, err
	})
}

// Unrelate implements [feed.Relater].
func (s *Store) Unrelate(ctx context.Context, kind feed.RelationKind, user, target feed.UserID) error {
	return s.endRelation(ctx, feed.RelationRecord{Kind: kind, User: user, Target: target}, 0, math.MaxInt64)
}

// EndMutes implements [feed.Relater]. Each mute has a transaction of its own. Those of deleted accounts are left to
// their purge.
func (s *Store) EndMutes(ctx context.Context, now int64, limit int) (more bool, err error) {
	due, err := query(ctx, s, `
SELECT user_id, kind, target_id FROM relations
WHERE until > 0 AND until <= $1 AND user_id NOT IN `+leavers+` AND target_id NOT IN `+leavers+`
ORDER BY until LIMIT $2`, []any{now, limit}, relationColumns.scan())
	for _, mute := range due {
		if err == nil {
			err = s.endRelation(ctx, *mute, 1, now)
		}
	}
	return len(due) == limit, err
}

// endRelation ends a relation whose end is from first to last.
func (s *Store) endRelation(ctx context.Context, r feed.RelationRecord, first, last int64) error {
	err := s.setRelation(ctx, r, r.Logged(false), s.lockVersions, func(tx *sql.Tx) (int64, error) {
		n, err := execRows(ctx, tx, `
DELETE FROM relations WHERE user_id = $1 AND kind = $2 AND target_id = $3 AND until BETWEEN $4 AND $5`, r.User, r.Kind, r.Target, first, last)
		if err != nil || n == 0 {
			return n, err
		}
		return n, s.noteAbsent(ctx, tx, []absentEdge{{r.User, string(r.Kind), int64(r.Target)}})
	})
	switch feed.CodeOf(err) {
	case feed.CodeNotFound, feed.CodeInvalid:
		// Users who are not stored have no relations, and other kinds do not exist.
		return nil
	}
	return err
}

// setRelation runs write, which changes a relation and returns the number of rows, raises the versions of
// the users whose feeds change, and logs changes. It refuses users that lock does not return.
func (s *Store) setRelation(
	ctx context.Context, r feed.RelationRecord, logged []feed.Change,
	lock func(context.Context, *sql.Tx, []feed.UserID) (map[feed.UserID]int64, error), write func(tx *sql.Tx) (int64, error),
) error {
	if !r.Kind.Valid() {
		return feed.Errorf(feed.CodeInvalid, "%.40q is not a relation", r.Kind)
	}
	return s.inTx(ctx, func(tx *sql.Tx) error {
		stored, err := lock(ctx, tx, []feed.UserID{r.User, r.Target})
		if err != nil {
			return err
		}
		for _, user := range []feed.UserID{r.User, r.Target} {
			if _, there := stored[user]; !there {
				return errNoUser()
			}
		}
		if changed, err := write(tx); err != nil || changed == 0 {
			return err
		}
		_, err = s.raise(ctx, tx, r.Changes(), logged...)
		return err
	})
}

// Related implements [feed.Relater].
func (s *Store) Related(ctx context.Context, kind feed.RelationKind, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.keys(ctx, s.relatedQuery(r), append(rangeArgs(user, r), kind))
}

func (s *Store) relatedQuery(r feed.Range) string {
	return s.usersQuery("relations", "user_id = $1 AND kind = $7", "target_id", r)
}
