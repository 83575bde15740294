package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/base64"
	"math"
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

// ReportSources implements [feed.SourceReporter].
func (s *Store) ReportSources(ctx context.Context) (feed.SourceReport, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (r feed.SourceReport, err error) {
		err = inOrder(
			func() error { r.Now, err = s.readClock(ctx, tx); return err },
			func() error {
				r.Positions, err = collect(ctx, tx, selectPositions, nil, into(positionColumns))
				slices.SortFunc(r.Positions, comparePositions)
				return err
			},
			func() error { r.DeadLetters, err = countLetters(ctx, tx); return err },
			func() error { r.Absent, err = countAbsent(ctx, tx); return err },
			func() error { r.Posts, err = countAwaitedPosts(ctx, tx); return err },
			func() error {
				return tx.QueryRowContext(ctx, `SELECT bulk_since, bulk_at FROM feed_state WHERE id = 1`).Scan(&r.Load.Since, &r.Load.LastAt)
			},
		)
		return r, err
	})
}

func countLetters(ctx context.Context, tx *sql.Tx) ([]feed.DeadLetterCount, error) {
	list, err := collect(ctx, tx, `SELECT source, COUNT(*), SUM(overtaken), MIN(created_at) FROM dead_letters GROUP BY source`, nil,
		into(func(c *feed.DeadLetterCount) []any { return []any{&c.Source, &c.Letters, &c.Overtaken, &c.OldestAt} }))
	slices.SortFunc(list, func(a, b feed.DeadLetterCount) int { return cmp.Compare(a.Source, b.Source) })
	return list, err
}

// settleLetters stores the bad records and lines of a batch, marks older letters of its other
// objects as overtaken, and drops those that it has applied.
func (s *Store) settleLetters(ctx context.Context, tx *sql.Tx, batch *feed.SourceBatch, result *feed.Applied, now int64) error {
	if len(batch.Retried) > 0 {
		return s.settleRetried(ctx, tx, batch, result, now)
	}
	bad := map[int]bool{}
	for _, b := range result.Bad {
		bad[b.Line] = true
	}
	if err := s.overtake(ctx, tx, batch.Records, bad, math.MaxInt64); err != nil {
		return err
	}
	letters := batch.Letters(result, now)
	_, err := s.d.insertRows(ctx, tx, "dead_letters", "DO NOTHING",
		textColumn("source", letters, func(l feed.DeadLetter) string { return l.Source }),
		textColumn("part", letters, func(l feed.DeadLetter) string { return l.Partition }),
		textColumn("position", letters, func(l feed.DeadLetter) string { return l.Position }),
		textColumn("object", letters, func(l feed.DeadLetter) string { return l.Object }),
		textColumn("line", letters, func(l feed.DeadLetter) string { return encodeLine(l.Text) }),
		textColumn("reason", letters, func(l feed.DeadLetter) string { return l.Reason }),
		intColumn("ordered", letters, func(l feed.DeadLetter) int { return flag(l.Ordered) }),
		intColumn("created_at", letters, func(l feed.DeadLetter) int64 { return l.CreatedAt }),
		intColumn("tried_at", letters, func(l feed.DeadLetter) int64 { return l.TriedAt }))
	return err
}

// encodeLine returns a line as text, because PostgreSQL stores no texts that are not UTF-8.
func encodeLine(line []byte) string { return base64.StdEncoding.EncodeToString(line) }

// overtake marks the letters with ids below before of objects of which a later record was applied.
// Nearly always there are none.
func (s *Store) overtake(ctx context.Context, tx *sql.Tx, records []feed.Record, bad map[int]bool, before int64) error {
	any, err := one[bool](tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM dead_letters WHERE overtaken = 0 AND object <> '')`))
	if err != nil || !any {
		return err
	}
	var objects []string
	for i := range records {
		if !bad[records[i].Line] {
			objects = append(objects, records[i].Object().String())
		}
	}
	return exec(ctx, tx, `
UPDATE dead_letters SET overtaken = 1 WHERE overtaken = 0 AND id < $2 AND object <> '' AND object IN (SELECT o.text FROM `+s.d.texts(1, "o")+`)`,
		textList(s.d, objects), before)
}

// lockRetried locks the letters that a batch tries again.
func (s *Store) lockRetried(ctx context.Context, tx *sql.Tx, retried []int64) error {
	if len(retried) == 0 {
		return nil
	}
	locked, err := collect(ctx, tx, `SELECT id FROM dead_letters WHERE overtaken = 0 AND `+s.d.in("id", 1)+s.d.forUpdate,
		[]any{ids(s.d, retried)}, one[int64])
	if err == nil && len(locked) < len(retried) {
		err = feed.ErrLetterOvertaken
	}
	return err
}

// settleRetried drops the letters of a batch if nothing of it is bad any more.
func (s *Store) settleRetried(ctx context.Context, tx *sql.Tx, batch *feed.SourceBatch, result *feed.Applied, now int64) error {
	reason, failed := batch.Failure(result)
	if !failed {
		if err := exec(ctx, tx, `DELETE FROM dead_letters WHERE `+s.d.in("id", 1), ids(s.d, batch.Retried)); err != nil {
			return err
		}
		return s.overtake(ctx, tx, batch.Records, nil, slices.Max(batch.Retried))
	}
	return exec(ctx, tx, `UPDATE dead_letters SET tries = tries + 1, tried_at = $2, reason = $3 WHERE `+s.d.in("id", 1),
		ids(s.d, batch.Retried), now, reason)
}

// DeadLetters implements [feed.DeadLetters].
func (s *Store) DeadLetters(ctx context.Context, source string, after int64, limit int) ([]feed.DeadLetter, error) {
	return query(ctx, s, selectLetters+` WHERE id > $2 AND ($1 = '' OR source = $1) ORDER BY id LIMIT $3`, []any{source, after, limit}, scanLetter)
}

const selectLetters = `SELECT id, source, part, position, object, line, reason, created_at, tried_at, tries, ordered, overtaken FROM dead_letters`

func scanLetter(row scanner) (l feed.DeadLetter, err error) {
	var line string
	if err := row.Scan(&l.ID, &l.Source, &l.Partition, &l.Position, &l.Object, &line, &l.Reason,
		&l.CreatedAt, &l.TriedAt, &l.Tries, &l.Ordered, &l.Overtaken); err != nil {
		return l, err
	}
	l.Text, err = base64.StdEncoding.DecodeString(line)
	return l, err
}

// DropDeadLetters implements [feed.DeadLetters].
func (s *Store) DropDeadLetters(ctx context.Context, list []int64) (int, error) {
	dropped, err := s.change(ctx, `DELETE FROM dead_letters WHERE `+s.d.in("id", 1), ids(s.d, list))
	return int(dropped), err
}

// dropLeases forgets the leases of deleted accounts.
func (s *Store) dropLeases(records []feed.Record) {
	for _, r := range records {
		if r.User != nil && max(r.User.DeletedAt, r.User.ErasedAt) != 0 {
			s.leases.drop(r.User.ID)
		}
	}
}
