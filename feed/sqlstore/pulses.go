package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// StoredPulses implements [feed.PulseLog].
func (s *Store) StoredPulses(ctx context.Context) ([]feed.StoredPulse, error) {
	return query(ctx, s, `SELECT server, number, run, promised FROM pulses`, nil, into(func(p *feed.StoredPulse) []any { return []any{&p.Server, &p.Number, &p.Run, &p.Promised} }))
}

// Promise implements [feed.PulseLog].
func (s *Store) Promise(ctx context.Context, server string, number int64) error {
	_, err := s.change(ctx, `
INSERT INTO pulses (server, number, run, promised) VALUES ($1, 0, '', $2)
ON CONFLICT (server) DO UPDATE SET promised = excluded.promised WHERE pulses.promised < excluded.promised`, server, number)
	return err
}

// Acknowledge implements [feed.PulseLog].
func (s *Store) Acknowledge(ctx context.Context, p feed.Pulse) error {
	_, err := s.change(ctx, `
INSERT INTO pulses (server, number, run, promised) VALUES ($1, $2, $3, $2)
ON CONFLICT (server) DO UPDATE SET number = excluded.number, run = excluded.run,
  promised = CASE WHEN pulses.promised > excluded.number THEN pulses.promised ELSE excluded.number END`, p.Server, p.Number, p.Run)
	return err
}

// RaiseGeneration implements [feed.PulseLog].
func (s *Store) RaiseGeneration(ctx context.Context) error {
	return s.inTx(ctx, func(tx *sql.Tx) error { return s.raiseGeneration(ctx, tx) })
}

// raiseGeneration makes every inbox absent and resets the change log. The new generation is the
// time, or one more than the old if that is larger. Only counting would repeat numbers after
// restoring a backup, which newer inboxes may have.
func (s *Store) raiseGeneration(ctx context.Context, tx *sql.Tx) error {
	now, args := s.now()
	return s.execLogging(ctx, tx, []feed.Change{{Kind: feed.ChangeReset}}, `
UPDATE feed_state SET generation = CASE WHEN generation < `+now+` THEN `+now+` ELSE generation + 1 END WHERE id = 1`, args...)
}
