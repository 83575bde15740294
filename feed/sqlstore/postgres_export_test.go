package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrSilent refuses connections while the server is away.
var ErrSilent = errSilent

// Away reports whether connections to an address are refused because it did not respond.
func (s *Store) Away(address string) bool {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	h := s.watch.hosts[address]
	return h != nil && h.away
}

// Change runs one transaction like every change of the store.
func (s *Store) Change(ctx context.Context, change func(tx *sql.Tx) error) error {
	return s.inTx(ctx, change)
}

// Setting returns a setting of a connection.
func (s *Store) Setting(ctx context.Context, name string) (value string, err error) {
	err = s.row(ctx, "SELECT current_setting($1)", []any{name}, &value)
	return value, err
}

// Unlimited returns a setting of a connection for migrations.
func (s *Store) Unlimited(ctx context.Context, name string) (value string, err error) {
	db := s.unlimitedDB()
	defer func() { _ = db.Close() }()
	err = db.QueryRowContext(ctx, "SELECT current_setting($1)", name).Scan(&value)
	return value, err
}

// Waits returns how long the attempts of a transaction that never succeeds wait, each with the
// given spread, and how many there are.
func Waits(ctx context.Context, spread float64) (tries int, waited time.Duration, err error) {
	s := &Store{spread: func() float64 { return spread }}
	began := time.Now()
	err = s.retrying(ctx, func() error {
		tries++
		return &pgconn.PgError{Code: "40001"}
	})
	return tries, time.Since(began), err
}

// ErrTakesNoWrites refuses connections to a server that takes no writes.
var ErrTakesNoWrites = errTakesNoWrites
