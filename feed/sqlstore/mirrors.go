package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.Mirrors = (*Store)(nil)

// Mirror implements [feed.Mirrors].
func (s *Store) Mirror(ctx context.Context, source string) (feed.Mirror, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (m feed.Mirror, err error) {
		err = inOrder(
			func() error {
				err := tx.QueryRowContext(ctx, `SELECT slot, complete FROM mirrors WHERE source = $1`, source).Scan(&m.Slot, &m.Complete)
				if errors.Is(err, sql.ErrNoRows) {
					return nil
				}
				return err
			},
			func() error {
				m.Tables, err = collect(ctx, tx, `SELECT name, from_lsn, digest, columns, types FROM mirror_tables WHERE source = $1 ORDER BY name`, []any{source}, scanMirrorTable)
				return err
			},
			func() error {
				m.Requested, err = collect(ctx, tx, `SELECT name FROM mirror_requests WHERE source = $1 ORDER BY name`, []any{source}, one[string])
				return err
			},
			func() error { m.Hold, err = s.holdOf(ctx, tx, source); return err },
		)
		return m, err
	})
}

func scanMirrorTable(row scanner) (t feed.MirrorTable, err error) {
	var from int64
	var types string
	if err := row.Scan(&t.Name, &from, &t.Digest, &t.State, &types); err != nil {
		return t, err
	}
	t.From = uint64(from)
	t.Types = splitTypes(types)
	return t, nil
}

// RequestSnapshot implements [feed.Mirrors]. A snapshot that is being read does not drop the request.
func (s *Store) RequestSnapshot(ctx context.Context, source string, tables []string) error {
	if len(tables) == 0 {
		tables = []string{""}
	}
	_, err := s.change(ctx, `
INSERT INTO mirror_requests (source, name, snapshot) SELECT $2, n.text, 0 FROM `+s.d.texts(1, "n")+` WHERE TRUE
ON CONFLICT (source, name) DO UPDATE SET snapshot = 0`, textList(s.d, tables), source)
	return err
}

// BeginSnapshot implements [feed.Mirrors]. Without stored objects of the types, it keeps no list.
func (s *Store) BeginSnapshot(ctx context.Context, source, slot string, types feed.RecordTypes) (feed.SnapshotPart, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (part feed.SnapshotPart, err error) {
		now, err := s.readClock(ctx, tx)
		if err != nil {
			return part, err
		}
		// A clock that was set back does not repeat a number of the source.
		part.Number, err = one[int64](tx.QueryRowContext(ctx, `
INSERT INTO mirrors (source, slot, snapshot, counted)
SELECT $1, $2, $3, COALESCE((SELECT counted FROM dead_letter_counts WHERE source = $1), 0) WHERE TRUE
ON CONFLICT (source) DO UPDATE SET slot = $2, snapshot = `+s.d.greatest+`($3, mirrors.snapshot + 1), counted = excluded.counted RETURNING snapshot`, source, slot, now))
		if err != nil {
			return part, err
		}
		if part.Listed, err = storesAny(ctx, tx, types); err != nil {
			return part, err
		}
		return part, inOrder(
			func() error { return s.fencePositions(ctx, tx, source, part.Number) },
			func() error {
				return exec(ctx, tx, `UPDATE mirror_requests SET snapshot = $2 WHERE source = $1`, source, part.Number)
			},
			func() error {
				return exec(ctx, tx, `DELETE FROM mirror_seen WHERE snapshot NOT IN (SELECT snapshot FROM mirrors)`)
			},
			func() error {
				return exec(ctx, tx, `INSERT INTO mirror_seen (snapshot, type, a, b) VALUES ($1, '', 0, 0) ON CONFLICT DO NOTHING`, part.Number)
			},
		)
	})
}

// fencePositions gives the positions of a source a third number, that of a snapshot. So a process
// that has stalled cannot apply what it read before the snapshot began.
func (s *Store) fencePositions(ctx context.Context, tx *sql.Tx, source string, number int64) error {
	type place struct{ part, position string }
	list, err := collect(ctx, tx, `SELECT part, position FROM source_positions WHERE source = $1`+s.d.forUpdate, []any{source},
		into(func(p *place) []any { return []any{&p.part, &p.position} }))
	for _, p := range list {
		if numbers := strings.SplitN(p.position, "-", 3); err == nil && len(numbers) > 1 {
			err = exec(ctx, tx, `UPDATE source_positions SET position = $3 WHERE source = $1 AND part = $2`,
				source, p.part, fmt.Sprintf("%s-%s-%d", numbers[0], numbers[1], number))
		}
	}
	return err
}

// inSnapshot refuses a batch of a snapshot that is not the last one. It locks the row until the
// commit, so a snapshot does not begin while a batch of another one is written. Batches of one
// snapshot share the lock.
func (s *Store) inSnapshot(ctx context.Context, tx *sql.Tx, part feed.SnapshotPart) error {
	if part.Number == 0 {
		return nil
	}
	_, err := one[string](tx.QueryRowContext(ctx, `SELECT source FROM mirrors WHERE snapshot = $1`+s.d.forShare, part.Number))
	if errors.Is(err, sql.ErrNoRows) {
		return feed.ErrPositionMoved
	}
	return err
}

// listSeen keeps the objects of a batch, also of bad records: what the source has is not ended.
func (s *Store) listSeen(ctx context.Context, tx *sql.Tx, batch *feed.SourceBatch) error {
	if !batch.Snapshot.Listed || len(batch.Records) == 0 {
		return nil
	}
	seen := mapped(batch.Records, func(r feed.Record) feed.Object { return r.Object() })
	from, args := s.d.table([]column{
		intColumn("snapshot", seen, func(feed.Object) int64 { return batch.Snapshot.Number }),
		textColumn("type", seen, func(o feed.Object) feed.RecordType { return o.Type }),
		intColumn("a", seen, func(o feed.Object) int64 { return o.A }),
		intColumn("b", seen, func(o feed.Object) int64 { return o.B }),
	})
	return exec(ctx, tx, `INSERT INTO mirror_seen (snapshot, type, a, b) SELECT r.snapshot, r.type, r.a, r.b FROM `+from+` WHERE TRUE ON CONFLICT DO NOTHING`, args...)
}

// isListed returns [feed.ErrPositionMoved] if the list of a snapshot is lost.
func isListed(ctx context.Context, tx *sql.Tx, part feed.SnapshotPart) error {
	listed, err := one[bool](tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM mirror_seen WHERE snapshot = $1 AND type = '')`, part.Number))
	if err == nil && !listed {
		return feed.ErrPositionMoved
	}
	return err
}

// Unseen implements [feed.Mirrors].
func (s *Store) Unseen(ctx context.Context, part feed.SnapshotPart, t feed.RecordType, after feed.Object, limit int) ([]feed.Record, error) {
	stored, known := storedObjects(t)
	if !known || !part.Listed {
		return nil, nil
	}
	if after.Type == "" {
		after.A, after.B = math.MinInt64, math.MinInt64
	}
	return inTxOf(ctx, s, func(tx *sql.Tx) (list []feed.Record, err error) {
		err = inOrder(
			func() error { return s.inSnapshot(ctx, tx, part) },
			func() error { return isListed(ctx, tx, part) },
			func() error {
				now, err := s.readClock(ctx, tx)
				if err != nil {
					return err
				}
				list, err = collect(ctx, tx, stored.unseen(), []any{part.Number, t, after.A, after.B, limit}, func(row scanner) (feed.Record, error) {
					o := feed.Object{Type: t}
					var host feed.UserID
					err := row.Scan(&o.A, &o.B, &host)
					return ending(o, host, now), err
				})
				return err
			},
		)
		return list, err
	})
}

// EndSnapshot implements [feed.Mirrors].
func (s *Store) EndSnapshot(ctx context.Context, part feed.SnapshotPart, end feed.SnapshotEnd) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		source, err := one[string](tx.QueryRowContext(ctx, `UPDATE mirrors SET complete = 1 WHERE snapshot = $1 RETURNING source`, part.Number))
		if errors.Is(err, sql.ErrNoRows) {
			return feed.ErrPositionMoved
		}
		if err != nil {
			return err
		}
		now, err := s.readClock(ctx, tx)
		if err != nil {
			return err
		}
		return inOrder(
			func() error { return isListed(ctx, tx, part) },
			func() error { return exec(ctx, tx, `DELETE FROM mirror_tables WHERE source = $1`, source) },
			func() error { return s.insertMirrorTables(ctx, tx, source, end.Tables) },
			func() error {
				return exec(ctx, tx, `DELETE FROM mirror_requests WHERE source = $1 AND snapshot = $2`, source, part.Number)
			},
			func() error {
				return exec(ctx, tx, `DELETE FROM mirror_seen WHERE snapshot = $1 AND type <> ''`, part.Number)
			},
			func() error {
				if end.Position == "" {
					return nil
				}
				if err := s.forgetBefore(ctx, tx, part); err != nil {
					return err
				}
				return exec(ctx, tx, `
INSERT INTO source_positions (source, part, identity, position, moved_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (source, part) DO UPDATE SET identity = $3, position = $4, moved_at = $5, current_at = 0, waiting = -1`,
					source, end.Partition, end.Identity, end.Position, now)
			},
		)
	})
}

// forgetBefore forgets the bad lines that were only counted before a snapshot of all tables began: it
// has read their rows again.
func (s *Store) forgetBefore(ctx context.Context, tx *sql.Tx, part feed.SnapshotPart) error {
	return exec(ctx, tx, `
UPDATE dead_letter_counts SET counted = `+s.d.greatest+`(0, counted - (SELECT m.counted FROM mirrors AS m WHERE m.snapshot = $1))
WHERE source = (SELECT m.source FROM mirrors AS m WHERE m.snapshot = $1)`, part.Number)
}

func (s *Store) insertMirrorTables(ctx context.Context, tx *sql.Tx, source string, tables []feed.MirrorTable) error {
	if len(tables) == 0 {
		return nil
	}
	from, args := s.d.table([]column{
		textColumn("source", tables, func(feed.MirrorTable) string { return source }),
		textColumn("name", tables, func(t feed.MirrorTable) string { return t.Name }),
		intColumn("from_lsn", tables, func(t feed.MirrorTable) int64 { return int64(t.From) }),
		textColumn("digest", tables, func(t feed.MirrorTable) string { return t.Digest }),
		textColumn("columns", tables, func(t feed.MirrorTable) string { return t.State }),
		textColumn("types", tables, func(t feed.MirrorTable) string { return t.Types.String() }),
	})
	return exec(ctx, tx, `
INSERT INTO mirror_tables (source, name, from_lsn, digest, columns, types)
SELECT r.source, r.name, r.from_lsn, r.digest, r.columns, r.types FROM `+from, args...)
}

// keepTables stores what the catalog of the source says of tables.
func (s *Store) keepTables(ctx context.Context, tx *sql.Tx, batch *feed.SourceBatch) error {
	for _, t := range batch.Tables {
		if err := exec(ctx, tx, `UPDATE mirror_tables SET columns = $3 WHERE source = $1 AND name = $2`, batch.Source, t.Name, t.State); err != nil {
			return err
		}
	}
	return nil
}

// DropMirror implements [feed.Mirrors].
func (s *Store) DropMirror(ctx context.Context, source string) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		for _, table := range []string{"mirror_holds", "mirror_requests", "mirror_tables", "mirrors", "source_positions"} {
			if err := exec(ctx, tx, "DELETE FROM "+table+" WHERE source = $1", source); err != nil {
				return err
			}
		}
		return exec(ctx, tx, `DELETE FROM mirror_seen WHERE snapshot NOT IN (SELECT snapshot FROM mirrors)`)
	})
}
