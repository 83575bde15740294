package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// Noted implements [feed.PulseLog].
func (s *Store) Noted(ctx context.Context) ([]feed.Pulse, error) {
	return query(ctx, s, `SELECT server, number, run FROM pulses`, nil, func(rows *sql.Rows) (feed.Pulse, error) {
		var p feed.Pulse
		err := rows.Scan(&p.Server, &p.Number, &p.Run)
		return p, err
	})
}

// Note implements [feed.PulseLog].
func (s *Store) Note(ctx context.Context, p feed.Pulse) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
INSERT INTO pulses (server, number, run) VALUES ($1, $2, $3)
ON CONFLICT (server) DO UPDATE SET number = excluded.number, run = excluded.run`, p.Server, p.Number, p.Run)
		return err
	})
}

// RaiseGeneration implements [feed.PulseLog].
func (s *Store) RaiseGeneration(ctx context.Context) error {
	return s.inTx(ctx, func(tx *sql.Tx) error { return raiseGeneration(ctx, tx) })
}

// raiseGeneration makes every inbox absent.
func raiseGeneration(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `UPDATE feed_state SET generation = generation + 1 WHERE id = 1`)
	return err
}
