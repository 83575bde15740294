package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// Option configures a store for [Open].
type Option func(*Store)

// WithClock replaces the clock of the database, which leases, leaders, and the times of plans and
// progress use. It is for tests: several processes would disagree about leases.
func WithClock(clock feed.Clock) Option {
	return func(s *Store) { s.clock = clock }
}

// Afresh returns a store with empty caches on the connections of s, and with another clock; nil for
// that of the database. It closes with s. It is for tests, which empty the database before.
func (s *Store) Afresh(clock feed.Clock) *Store {
	again := &Store{
		d: s.d, db: s.db, ro: s.ro, pages: s.pages, clock: clock, spread: s.spread, epochs: s.epochs, newID: s.newID, settleMax: s.settleMax, file: s.file,
		postgres: s.postgres, config: s.config, conns: s.conns, watch: s.watch,
	}
	return again.withLookups().withGroupCommits()
}

// now returns the present in milliseconds since the epoch as an SQL expression, and the arguments
// of a statement that uses it: args, for the parameters from $1 on, and those of the expression.
func (s *Store) now(args ...any) (expr string, all []any) {
	if s.clock == nil {
		return s.d.now, args
	}
	return fmt.Sprintf("CAST($%d AS BIGINT)", len(args)+1), append(args, feed.Millis(s.clock()))
}

func (s *Store) readClock(ctx context.Context, tx *sql.Tx) (int64, error) {
	now, args := s.now()
	return one[int64](tx.QueryRowContext(ctx, "SELECT "+now, args...))
}
