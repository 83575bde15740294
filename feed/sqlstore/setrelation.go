package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// SetRelation makes r.User mute, hide from or block r.Target, since r.CreatedAt,
// or ends it when on is false. In the same transaction it raises the version of
// everyone whose feed that changes: of the user for a mute, of the target for a
// hide, of both for a block. What is so already changes nothing. It is
// [feed.CodeNotFound] to begin one with a user who is not stored, and
// [feed.CodeInvalid] when r.Kind is none of the three.
func (s *Store) SetRelation(ctx context.Context, r feed.RelationRecord, on bool) error {
	raise, err := raisedBy(r)
	if err != nil {
		return err
	}
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		if err := s.lockUsers(ctx, tx, r.User, r.Target); err != nil {
			return err
		}
		changed, err := writeRelation(ctx, tx, r, on)
		if err != nil || !changed {
			return err
		}
		for _, user := range raise {
			_, err := tx.ExecContext(ctx, `UPDATE users SET version = version + 1 WHERE id = $1`, user)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if !on && feed.CodeOf(err) == feed.CodeNotFound {
		return nil
	}
	return err
}

// raisedBy returns those whose feed a relation changes, each once.
func raisedBy(r feed.RelationRecord) ([]feed.UserID, error) {
	switch {
	case r.Kind == feed.RelationMute, r.Kind == feed.RelationBlock && r.User == r.Target:
		return []feed.UserID{r.User}, nil
	case r.Kind == feed.RelationHide:
		return []feed.UserID{r.Target}, nil
	case r.Kind == feed.RelationBlock:
		return []feed.UserID{r.User, r.Target}, nil
	}
	return nil, feed.Errorf(feed.CodeInvalid, "%.40q is not a relation", r.Kind)
}

// lockUsers locks the rows of two users against other changes of their relations,
// the lower id first: of two who block each other at once, neither holds the row
// the other waits for.
func (s *Store) lockUsers(ctx context.Context, tx *sql.Tx, a, b feed.UserID) error {
	if _, err := s.lockVersion(ctx, tx, min(a, b)); err != nil {
		return err
	}
	_, err := s.lockVersion(ctx, tx, max(a, b))
	return err
}

// writeRelation returns whether it changed anything.
func writeRelation(ctx context.Context, tx *sql.Tx, r feed.RelationRecord, on bool) (bool, error) {
	var n int64
	var err error
	if on {
		n, err = exec(ctx, tx, `
INSERT INTO relations (user_id, kind, target_id, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, kind, target_id) DO NOTHING`, r.User, r.Kind, r.Target, r.CreatedAt)
	} else {
		n, err = exec(ctx, tx, `
DELETE FROM relations WHERE user_id = $1 AND kind = $2 AND target_id = $3`, r.User, r.Kind, r.Target)
	}
	return n > 0, err
}
