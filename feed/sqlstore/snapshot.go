package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

var _ feed.StoredSnapshots = (*Store)(nil)

// Snapshot implements [feed.StoredSnapshots].
func (s *Store) Snapshot(ctx context.Context, do func(feed.StoredSnapshot) error) error {
	return s.atOneMoment(ctx, func(tx *sql.Tx) error { return do(&snapshot{s, tx}) })
}

// atOneMoment calls a function with a transaction that reads, as of its first statement, and that may
// wait as long as it needs.
func (s *Store) atOneMoment(ctx context.Context, do func(*sql.Tx) error) error {
	return s.conns.run(ctx, func() error {
		// Both databases give this transaction one snapshot: PostgreSQL by the level, SQLite always.
		tx, err := s.ro.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
		if err != nil {
			return classify(ctx, err)
		}
		defer func() { _ = tx.Rollback() }()
		if s.d.isPostgres() {
			// The receiver of the rows may be slow.
			if err := exec(ctx, tx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
				return classify(ctx, err)
			}
		}
		return do(tx)
	})
}

// snapshot is a transaction that reads as of one moment.
type snapshot struct {
	*Store
	tx *sql.Tx
}

// Now implements [feed.StoredSnapshot].
func (s *snapshot) Now(ctx context.Context) (int64, error) {
	now, err := s.readClock(ctx, s.tx)
	return now, classify(ctx, err)
}

// Positions implements [feed.StoredSnapshot].
func (s *snapshot) Positions(ctx context.Context, source string) ([]feed.SourcePosition, error) {
	list, err := collect(ctx, s.tx, selectPositions+` WHERE source = $1`, []any{source}, into(positionColumns))
	return list, classify(ctx, err)
}

// FindIDs implements [feed.StoredSnapshot].
func (s *snapshot) FindIDs(ctx context.Context, kind feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	return s.findIDs(kind, ids, s.readIDs(ctx))
}

// ExternalIDs implements [feed.StoredSnapshot].
func (s *snapshot) ExternalIDs(ctx context.Context, kind feed.IDKind, numbers []int64) ([]feed.ExternalID, error) {
	return s.externalIDs(kind, numbers, s.readIDs(ctx))
}

func (s *snapshot) readIDs(ctx context.Context) readIDs {
	return func(text string, arg any) ([]feed.NumberedID, error) {
		list, err := collect(ctx, s.tx, text, []any{arg}, scanExternalID())
		return list, classify(ctx, err)
	}
}

// Objects implements [feed.StoredSnapshot].
func (s *snapshot) Objects(ctx context.Context, types feed.RecordTypes, each func(feed.Record) error) error {
	emit := func(r feed.Record) error {
		if !types.Has(r.Type()) {
			return nil
		}
		return each(r)
	}
	for _, table := range []struct {
		of   feed.RecordTypes
		dump func(context.Context, *sql.Tx, emitter) error
	}{
		{feed.RecordTypes{feed.RecordUser}, dumpPresent},
		{feed.RecordTypes{feed.RecordPost}, dumpShown},
		{feed.RecordTypes{feed.RecordFollow}, followEdges.dumpWhere("active = 1")},
		{feed.RecordTypes{feed.RecordFollow}, requestEdges.dumpWhere("TRUE")},
		{feed.RecordTypes{feed.RecordLike, feed.RecordFavorite}, reactionEdges.dumpWhere("TRUE")},
		{feed.RecordTypes{feed.RecordMute, feed.RecordHide, feed.RecordBlock}, relationEdges.dumpWhere("TRUE")},
		{feed.RecordTypes{feed.RecordLive}, dumpSessions("TRUE")},
		{feed.RecordTypes{feed.RecordList}, dumpLists("deleted_at = 0")},
		{feed.RecordTypes{feed.RecordListMember}, memberEdges.dumpWhere("TRUE")},
		{feed.RecordTypes{feed.RecordCounters}, countersOfUsers().dumpWhere("TRUE")},
		{feed.RecordTypes{feed.RecordCounters}, countersOfPosts().dumpWhere("TRUE")},
	} {
		if !slices.ContainsFunc(table.of, types.Has) {
			continue
		}
		if err := table.dump(ctx, s.tx, emit); err != nil {
			return err
		}
	}
	return nil
}

// dumpPresent emits the users who have a record and are not absent.
func dumpPresent(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return dumpUsersWhere(ctx, tx, "deleted_at = 0 AND absent = 0 AND awaited_at = 0", emit)
}

// dumpShown emits the posts that are not deleted, whatever their authors are.
func dumpShown(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return walk[*feed.Post]{
		stmt:  "SELECT " + postColumns.names("c.") + " FROM contents AS c WHERE c.id > $1 AND c.deleted_at = 0 ORDER BY c.id LIMIT $2",
		start: []any{0},
		key:   func(p *feed.Post) []any { return []any{p.ID} },
		scan:  postColumns.scan(),
	}.records(ctx, tx, func(p *feed.Post) feed.Record { return feed.Record{Post: p} }, emit)
}

// keptMax is the maximum number of letters of a [feed.Kept].
const keptMax = 1000

// Kept implements [feed.StoredSnapshot].
func (s *snapshot) Kept(ctx context.Context, k feed.KeptQuery) (feed.Kept, error) {
	var kept feed.Kept
	var err error
	kept.Letters, err = collect(ctx, s.tx, selectLetters+` WHERE id > $1 AND source = $2 AND overtaken = 0 ORDER BY id LIMIT $3`,
		[]any{k.After, k.Source, keptMax}, scanLetter)
	if err == nil && len(k.Users) > 0 {
		kept.Deleted, err = collect(ctx, s.tx, `SELECT id FROM users WHERE deleted_at > 0 AND `+s.d.in("id", 1), []any{ids(s.d, k.Users)}, one[feed.UserID])
	}
	return kept, classify(ctx, err)
}

// dumpSessions emits sessions that meet a condition, without those whose host was purged, of which
// only the ids are left.
func dumpSessions(condition string) func(context.Context, *sql.Tx, emitter) error {
	return func(ctx context.Context, tx *sql.Tx, emit emitter) error {
		return walk[*live.Session]{
			stmt: `
SELECT ` + sessionColumns.names("s.") + ` FROM live_sessions AS s
WHERE s.id > $1 AND s.number > 0 AND ` + condition + `
ORDER BY s.id LIMIT $2`,
			start: []any{0},
			key:   func(s *live.Session) []any { return []any{s.ID} },
			scan:  sessionColumns.scan(),
		}.records(ctx, tx, func(s *live.Session) feed.Record {
			r := live.Record(*s)
			return feed.Record{Live: &r}
		}, emit)
	}
}
