package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// Owners are the types that a source should own. Nil stands for what is stored.
type Owners struct {
	Want feed.RecordTypes
	// Was permits the change from other types than none. Nil permits none.
	Was feed.RecordTypes
}

// ErrOwners says that a source owns other types than wanted.
type ErrOwners struct{ Stored, Wanted feed.RecordTypes }

func (e *ErrOwners) Error() string {
	return "the database has " + e.Stored.String() + " as the types that a source owns, not " + e.Wanted.String()
}

// UseOwners returns the types that a source owns, and whether they have changed now. It stores
// o.Want if no type was owned, or exactly the types of o.Was. Otherwise it returns [*ErrOwners] if
// o.Want differs from what is stored.
func (s *Store) UseOwners(ctx context.Context, o Owners) (owned feed.RecordTypes, changed bool, err error) {
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		changed = false
		text, err := one[string](tx.QueryRowContext(ctx, "SELECT source_owns FROM feed_state WHERE id = 1"+s.d.forUpdate))
		if err != nil {
			return err
		}
		if owned, err = feed.ParseOwnedTypes(text); err != nil {
			return err
		}
		switch {
		case o.Want == nil || o.Want.Same(owned):
			return nil
		case len(owned) > 0 && (o.Was == nil || !o.Was.Same(owned)):
			return &ErrOwners{Stored: owned, Wanted: o.Want}
		}
		owned, changed = o.Want, true
		return exec(ctx, tx, "UPDATE feed_state SET source_owns = $1 WHERE id = 1", owned.String())
	})
	return owned, changed, err
}

// CounterOwner is where counters should come from. Without Want, it is what is stored.
type CounterOwner struct {
	Want feed.CounterMode
	// Was permits the change from [feed.CountersSource].
	Was feed.CounterMode
}

// ErrCounters says that counters come from elsewhere than wanted.
type ErrCounters struct{ Stored, Wanted feed.CounterMode }

func (e *ErrCounters) Error() string {
	return "the database has " + string(e.Stored) + " as the origin of counters, not " + string(e.Wanted)
}

// UseCounters returns where counters come from, and whether that has changed now. It stores o.Want
// if Tideline counted before, or if o.Was is what is stored. Otherwise it returns [*ErrCounters] if
// o.Want differs from what is stored. The change to own counters forgets those of the source.
func (s *Store) UseCounters(ctx context.Context, o CounterOwner) (mode feed.CounterMode, changed bool, err error) {
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		stored, err := one[feed.CounterMode](tx.QueryRowContext(ctx, "SELECT counters FROM feed_state WHERE id = 1"+s.d.forUpdate))
		mode, changed = stored, o.Want != "" && o.Want != stored
		switch {
		case err != nil || !changed:
			return err
		case stored == feed.CountersSource && o.Was != stored:
			return &ErrCounters{Stored: stored, Wanted: o.Want}
		}
		mode = o.Want
		return s.storeCounterMode(ctx, tx, mode)
	})
	return mode, changed, err
}

func (s *Store) storeCounterMode(ctx context.Context, tx *sql.Tx, mode feed.CounterMode) error {
	if mode != feed.CountersSource {
		for _, table := range []string{"source_user_counters", "source_content_counters", "object_versions WHERE type = 'counters'"} {
			if err := exec(ctx, tx, "DELETE FROM "+table); err != nil {
				return err
			}
		}
	}
	return exec(ctx, tx, `UPDATE feed_state SET counters = $1 WHERE id = 1`, mode)
}
