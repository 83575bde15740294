package sqlstore

import (
	"context"
	"time"
)

// Observation is a condition that one process saw in its requests, stored for other processes.
type Observation struct {
	// Name identifies the condition; it is constant and in snake_case.
	Name string
	// Subject is what the condition concerns, such as the address of a proxy.
	Subject string
}

// Observe stores that the condition was seen now, on the clock of the store. It replaces the last
// observation of that name, so callers limit the number of names, not of subjects. Each call writes
// one row; callers limit how often they call.
func (s *Store) Observe(ctx context.Context, o Observation) error {
	now, args := s.now(o.Name, o.Subject)
	_, err := s.change(ctx, `
INSERT INTO observations (name, subject, seen_at) VALUES ($1, $2, `+now+`)
ON CONFLICT (name) DO UPDATE SET subject = excluded.subject, seen_at = excluded.seen_at`, args...)
	return err
}

// ObservedWithin returns the observations that are at most as old as window, by name.
func (s *Store) ObservedWithin(ctx context.Context, window time.Duration) ([]Observation, error) {
	now, args := s.now(window.Milliseconds())
	return query(ctx, s, `SELECT name, subject FROM observations WHERE seen_at >= `+now+` - $1 ORDER BY name`, args,
		into(func(o *Observation) []any { return []any{&o.Name, &o.Subject} }))
}

// DropObservation removes the observation if it was last stored at least unseenFor ago and still
// has this subject, and reports whether it did.
func (s *Store) DropObservation(ctx context.Context, o Observation, unseenFor time.Duration) (dropped bool, err error) {
	now, args := s.now(o.Name, o.Subject, unseenFor.Milliseconds())
	n, err := s.change(ctx, `
DELETE FROM observations WHERE name = $1 AND subject = $2 AND seen_at <= `+now+` - $3`, args...)
	return n > 0, err
}
