package sqlstore

import (
	"context"
	"database/sql"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/apply"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// SourceCounters returns the counters that records have set, zero without a record.
func (s *Store) SourceCounters() feed.Counters { return sourceCounters{s} }

type sourceCounters struct{ *Store }

// PostCounters implements [feed.Counters].
func (s sourceCounters) PostCounters(ctx context.Context, list []feed.PostID) ([]feed.PostCounters, error) {
	return s.lookups.sourcePostCounters.All(ctx, list)
}

// UserCounters implements [feed.Counters].
func (s sourceCounters) UserCounters(ctx context.Context, list []feed.UserID) ([]feed.UserCounters, error) {
	return s.lookups.sourceUserCounters.All(ctx, list)
}

func (s *Store) askSourcePostCounters(list batch.Keys[feed.PostID]) reading[feed.PostCounters] {
	return s.askPostCountersIn("source_content_counters", list)
}

func (s *Store) askSourceUserCounters(list batch.Keys[feed.UserID]) reading[feed.UserCounters] {
	return s.askUserCountersIn("source_user_counters", list)
}

// countersTable is one of the two tables with counters of a source.
type countersTable struct {
	name   string
	fields fields[feed.CountersRecord]
	// exported is the condition on the rows of an export.
	exported string
}

func countersOfUsers() countersTable {
	return countersTable{"source_user_counters", userCounterColumns, "user_id NOT IN " + leavers}
}

func countersOfPosts() countersTable {
	return countersTable{"source_content_counters", postCounterColumns, "TRUE"}
}

// key returns the column of the primary key, and the id of a row.
func (t countersTable) key() string { return t.fields[0].name }

func (t countersTable) idOf(c *feed.CountersRecord) int64 { return int64(c.User) + int64(c.Post) }

func (t countersTable) load(ctx context.Context, d dialect, tx *sql.Tx, list []int64, found map[feed.Object]*feed.CountersRecord) error {
	rows, err := loadByID(ctx, d, tx, list, "SELECT "+t.fields.names("")+" FROM "+t.name+" WHERE "+d.in(t.key(), 1), t.fields.scan(), t.idOf)
	for _, c := range rows {
		found[(&feed.Record{Counters: c}).Object()] = c
	}
	return err
}

// write replaces the rows of changed counters, and deletes those of removed ones.
func (t countersTable) write(ctx context.Context, d dialect, tx *sql.Tx, changed []*feed.CountersRecord, removed []int64) error {
	sets := mapped(t.fields[1:], func(f field[feed.CountersRecord]) string { return f.name + " = excluded." + f.name })
	_, err := d.insertRows(ctx, tx, t.name, "("+t.key()+") DO UPDATE SET "+strings.Join(sets, ", "), t.fields.take(changed)...)
	if err != nil || len(removed) == 0 {
		return err
	}
	return exec(ctx, tx, "DELETE FROM "+t.name+" WHERE "+d.in(t.key(), 1), ids(d, removed))
}

func (t countersTable) dump(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return t.dumpWhere(t.exported)(ctx, tx, emit)
}

// dumpWhere returns a function that emits the rows that meet a condition, by id.
func (t countersTable) dumpWhere(condition string) func(context.Context, *sql.Tx, emitter) error {
	pages := walk[*feed.CountersRecord]{
		stmt:  "SELECT " + t.fields.names("") + " FROM " + t.name + " WHERE " + t.key() + " > $1 AND " + condition + " ORDER BY " + t.key() + " LIMIT $2",
		start: []any{0},
		key:   func(c *feed.CountersRecord) []any { return []any{t.idOf(c)} },
		scan:  t.fields.scan(),
	}
	return func(ctx context.Context, tx *sql.Tx, emit emitter) error {
		return pages.records(ctx, tx, func(c *feed.CountersRecord) feed.Record { return feed.Record{Counters: c} }, emit)
	}
}

// loadCounters returns the stored counters of a source for the users and posts in a batch.
func (s *Store) loadCounters(ctx context.Context, tx *sql.Tx, n apply.Names) (map[feed.Object]*feed.CountersRecord, error) {
	found := map[feed.Object]*feed.CountersRecord{}
	users := mapped(sortedKeys(n.CountedUsers), func(id feed.UserID) int64 { return int64(id) })
	posts := mapped(sortedKeys(n.CountedPosts), func(id feed.PostID) int64 { return int64(id) })
	return found, inOrder(
		func() error { return countersOfUsers().load(ctx, s.d, tx, users, found) },
		func() error { return countersOfPosts().load(ctx, s.d, tx, posts, found) },
	)
}

// writeCounters stores the counters of a source, those of users first, each by ascending id.
func (w *writer) writeCounters(ctx context.Context) error {
	type rows struct {
		changed []*feed.CountersRecord
		removed []int64
	}
	var users, posts rows
	for _, o := range apply.SortedObjects(w.changes.Counters) {
		to := &users
		if o.B != 0 {
			to = &posts
		}
		if c := w.changes.Counters[o]; c != nil {
			to.changed = append(to.changed, c)
		} else {
			to.removed = append(to.removed, o.A+o.B)
		}
	}
	return inOrder(
		func() error { return countersOfUsers().write(ctx, w.s.d, w.tx, users.changed, users.removed) },
		func() error { return countersOfPosts().write(ctx, w.s.d, w.tx, posts.changed, posts.removed) },
	)
}

// purgeCounters removes the counters of the account that a source has sent.
func (s *Store) purgeCounters(ctx context.Context, tx *sql.Tx, gone leaver, _ int, _ tally) (int, error) {
	removed, err := execRows(ctx, tx, `DELETE FROM source_user_counters WHERE user_id = $1`, gone.user)
	return int(removed), err
}
