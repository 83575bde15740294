package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

var (
	_ feed.Ingester       = (*Store)(nil)
	_ feed.DeadLetters    = (*Store)(nil)
	_ feed.SourceReporter = (*Store)(nil)
)

// Ingest implements [feed.Ingester].
func (s *Store) Ingest(ctx context.Context, batch feed.SourceBatch) (feed.Ingested, error) {
	var result feed.Ingested
	err := s.applying(ctx, func(tx *sql.Tx, conn *sql.Conn) (err error) {
		result, err = s.ingestIn(ctx, tx, conn, &batch)
		return err
	})
	if err != nil {
		return feed.Ingested{}, err
	}
	s.dropLeases(batch.Records)
	return result, nil
}

func (s *Store) ingestIn(ctx context.Context, tx *sql.Tx, conn *sql.Conn, batch *feed.SourceBatch) (feed.Ingested, error) {
	if err := s.importing(ctx, tx); err != nil {
		return feed.Ingested{}, err
	}
	now, err := s.readClock(ctx, tx)
	if err != nil {
		return feed.Ingested{}, err
	}
	// The row of the position is locked first, so batches of a partition wait for each other here.
	if err := s.movePosition(ctx, tx, batch, now); err != nil {
		return feed.Ingested{}, err
	}
	if err := s.inSnapshot(ctx, tx, batch.Snapshot); err != nil {
		return feed.Ingested{}, err
	}
	if err := s.keepTables(ctx, tx, batch); err != nil {
		return feed.Ingested{}, err
	}
	if err := s.lockRetried(ctx, tx, batch.Retried); err != nil {
		return feed.Ingested{}, err
	}
	w, applied, err := s.fold(ctx, tx, conn, &batch.Batch, now)
	if err != nil {
		return feed.Ingested{}, err
	}
	if err := batch.CheckStrict(&applied); err != nil {
		return feed.Ingested{}, err
	}
	w.live = !batch.Bulk
	if batch.Bulk || batch.Snapshot.Number != 0 {
		w.changes.Renewed = nil
	}
	result := batch.Ingested(applied, w.changes.Counts)
	err = inOrder(
		func() error { return w.writeAll(ctx) },
		func() error {
			switch {
			case !batch.Bulk:
				return w.beginFanouts(ctx, batch.Dispatch, &result)
			case w.changes.Any():
				return s.markLoad(ctx, tx)
			}
			return nil
		},
		func() error { return s.settleLetters(ctx, tx, batch, &result.Applied, now) },
		func() error { return s.listSeen(ctx, tx, batch) },
		func() error { return w.logNumbered(ctx) },
	)
	result.Posts, result.Users = w.touched()
	return result, err
}

// movePosition moves the position of the batch's partition by compare-and-set.
func (s *Store) movePosition(ctx context.Context, tx *sql.Tx, batch *feed.SourceBatch, now int64) error {
	m := batch.Move
	if m == (feed.PositionMove{}) {
		return nil
	}
	stmt := `
UPDATE source_positions SET position = $4, moved_at = CASE WHEN position = $4 THEN moved_at ELSE $5 END, current_at = $6, waiting = $7
WHERE source = $1 AND part = $2 AND position = $8 AND identity = $3`
	args := []any{batch.Source, m.Partition, m.Identity, m.To, now, m.Lag.CurrentAt(now), m.Lag.Messages, m.From}
	if m.From == "" {
		stmt = `
INSERT INTO source_positions (source, part, identity, position, moved_at, current_at, waiting)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`
		args = args[:7]
	}
	moved, err := execRows(ctx, tx, stmt, args...)
	if err == nil && moved == 0 {
		err = feed.ErrPositionMoved
	}
	return err
}

// Positions implements [feed.Ingester].
func (s *Store) Positions(ctx context.Context, source string) ([]feed.SourcePosition, error) {
	list, err := query(ctx, s, selectPositions+` WHERE source = $1`, []any{source}, into(positionColumns))
	slices.SortFunc(list, comparePositions)
	return list, err
}

const selectPositions = `SELECT source, part, identity, position, moved_at, current_at, waiting FROM source_positions`

func positionColumns(p *feed.SourcePosition) []any {
	return []any{&p.Source, &p.Partition, &p.Identity, &p.Position, &p.MovedAt, &p.CurrentAt, &p.Waiting}
}

// comparePositions orders by bytes, which PostgreSQL may not.
func comparePositions(a, b feed.SourcePosition) int {
	return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Partition, b.Partition))
}

// SourceStates implements [feed.SourceReporter].
func (s *Store) SourceStates(ctx context.Context) (feed.SourceStates, error) {
	var r feed.SourceStates
	err := s.atOneMoment(ctx, func(tx *sql.Tx) (err error) {
		r, err = s.sourceStates(ctx, tx)
		return classify(ctx, err)
	})
	return r, err
}

func (s *Store) sourceStates(ctx context.Context, tx *sql.Tx) (r feed.SourceStates, err error) {
	err = inOrder(
		func() error { r.Now, err = s.readClock(ctx, tx); return err },
		func() error {
			r.Positions, err = collect(ctx, tx, selectPositions, nil, into(positionColumns))
			slices.SortFunc(r.Positions, comparePositions)
			return err
		},
		func() error { r.DeadLetters, err = countedLetters(ctx, tx); return err },
	)
	return r, err
}

// ReportSources implements [feed.SourceReporter].
func (s *Store) ReportSources(ctx context.Context) (feed.SourceReport, error) {
	var r feed.SourceReport
	err := s.atOneMoment(ctx, func(tx *sql.Tx) (err error) {
		return classify(ctx, inOrder(
			func() error { r.SourceStates, err = s.sourceStates(ctx, tx); return err },
			func() error { r.Absent, err = countAbsent(ctx, tx); return err },
			func() error { r.Posts, err = countAwaitedPosts(ctx, tx); return err },
			func() error {
				return tx.QueryRowContext(ctx, `SELECT bulk_since, bulk_at FROM feed_state WHERE id = 1`).Scan(&r.Load.Since, &r.Load.LastAt)
			},
		))
	})
	return r, err
}

// dropLeases forgets the leases of deleted accounts.
func (s *Store) dropLeases(records []feed.Record) {
	for _, r := range records {
		if r.User != nil && max(r.User.DeletedAt, r.User.ErasedAt) != 0 {
			s.leases.drop(r.User.ID)
		}
	}
}
