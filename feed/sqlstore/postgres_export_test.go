package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrSilent is what connections are refused for while the server is away.
var ErrSilent = errSilent

// Away says whether connections to an address are refused because it did not answer.
func (s *Store) Away(address string) bool {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	h := s.watch.hosts[address]
	return h != nil && h.away
}

// Change runs one transaction, as every change of the store is run.
func (s *Store) Change(ctx context.Context, change func(tx *sql.Tx) error) error {
	return s.inTx(ctx, change)
}

// Setting returns what a setting is on a connection.
func (s *Store) Setting(ctx context.Context, name string) (value string, err error) {
	err = s.row(ctx, "SELECT current_setting($1)", []any{name}, &value)
	return value, err
}

// Patient returns what a setting is on a connection that migrates.
func (s *Store) Patient(ctx context.Context, name string) (value string, err error) {
	db := s.unlimitedDB()
	defer func() { _ = db.Close() }()
	err = db.QueryRowContext(ctx, "SELECT current_setting($1)", name).Scan(&value)
	return value, err
}

// Waits returns how long the tries of a transaction that never gets through wait, each
// with the given spread, and how many there are.
func Waits(ctx context.Context, spread float64) (tries int, waited time.Duration, err error) {
	s := &Store{spread: func() float64 { return spread }}
	began := time.Now()
	err = s.retrying(ctx, func() error {
		tries++
		return &pgconn.PgError{Code: "40001"}
	})
	return tries, time.Since(began), err
}

// ErrTakesNoWrites is why no connection is made to a server that takes no writes.
var ErrTakesNoWrites = errTakesNoWrites
