package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// Option changes how a store that [Open] returns works.
type Option func(*Store)

// WithClock puts another clock in the place of the database's own, which leases,
// leaders, the age of plans and the time of progress are on. It is for tests: of several processes, each
// with a clock of its own, one would push by another time than the other reads by.
func WithClock(clock feed.Clock) Option {
	return func(s *Store) { s.clock = clock }
}

// now returns the present in milliseconds since the epoch, as an expression in SQL,
// and the arguments of a statement that uses it: those given, which are the parameters
// from $1 on, and what the expression itself takes.
func (s *Store) now(args ...any) (expr string, all []any) {
	if s.clock == nil {
		return s.d.now, args
	}
	return fmt.Sprintf("CAST($%d AS BIGINT)", len(args)+1), append(args, feed.Millis(s.clock()))
}

// readClock returns the present by itself.
func (s *Store) readClock(ctx context.Context, tx *sql.Tx) (int64, error) {
	now, args := s.now()
	return one[int64](tx.QueryRowContext(ctx, "SELECT "+now, args...))
}
