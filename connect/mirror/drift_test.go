package mirror

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// changedTables are mapped by changedFile, but for spare, loose and empty.
const changedTables = `
	CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TYPE weather AS ENUM ('dry', 'wet'); CREATE TYPE pair AS (a int, b int);
	CREATE TABLE n (id int PRIMARY KEY, body text, other text, kind mood, days weather[], place pair, size int, code varchar(10), unused int);
	INSERT INTO n VALUES (1, 'a', 'b', 'sad', '{wet}', '(1,2)', 3, 'c', 4); ALTER TABLE n REPLICA IDENTITY FULL;
	CREATE TABLE spare (LIKE n INCLUDING ALL); ALTER TABLE spare REPLICA IDENTITY FULL;
	CREATE TABLE whole (id int PRIMARY KEY, size int);
	CREATE TABLE t (id int, part int, body text, PRIMARY KEY (id, part)) PARTITION BY LIST (part);
	CREATE TABLE t1 PARTITION OF t FOR VALUES IN (1); INSERT INTO t VALUES (1, 1, 'x');
	CREATE TABLE loose (LIKE t INCLUDING ALL); INSERT INTO loose VALUES (1, 2, 'x'); CREATE TABLE empty (LIKE t INCLUDING ALL)`

const changedFile = `
inputs:
  public.n: [{type: user, when: row.kind == "ok", fields: {id: =row.id, handle: =row.code, name: '=row.body + row.other + row.days[0] + row.place + string(row.size)', createdAt: "2026-01-01T00:00:00Z"}}]
  public.whole: [{type: post, fields: {id: '="w" + string(row.id)', author: 1, kind: POST, text: =string(size(row)), publishedAt: "2026-01-01T00:00:00Z"}}]
  public.t: [{type: post, fields: {id: '="t" + string(row.id)', author: =row.part, kind: POST, text: =row.body, publishedAt: "2026-01-01T00:00:00Z"}}]
`

// ofTables and ofAll create the publication.
const (
	ofTables = `CREATE PUBLICATION pub FOR TABLE n, whole, t WITH (publish_via_partition_root = true)`
	ofAll    = `CREATE PUBLICATION pub FOR ALL TABLES WITH (publish_via_partition_root = true)`
)

// tableChange is a change of the tables under a mirror.
type tableChange struct {
	do string
	// reason is in the error of the mirror, restart in that of the next one, if it is another.
	reason, restart string
	undo            string
	// only is the publication that permits the change; empty for both.
	only string
}

const (
	notReady = "the source is not ready"
	noFit    = "the mapping file does not fit the tables"
	swap     = `ALTER TABLE n RENAME body TO x; ALTER TABLE n RENAME other TO body; ALTER TABLE n RENAME x TO other`
)

// endingChanges are those after which the changes that follow are not enough, or mean something else.
func endingChanges() []tableChange {
	return []tableChange{
		{do: `ALTER TABLE n ALTER size TYPE int USING size * 2`, reason: "the column size of the table public.n was rewritten"},
		{do: `ALTER TABLE n ALTER size TYPE bigint`, reason: "the column size of the table public.n is another one", undo: `ALTER TABLE n ALTER size TYPE int`},
		{do: swap, reason: "the column body of the table public.n is another one", undo: swap},
		{do: `ALTER TABLE n DROP other; ALTER TABLE n ADD other text`, reason: "the column other of the table public.n is another one"},
		{do: `ALTER TABLE n RENAME body TO x`, reason: "the column body of the table public.n was dropped or renamed", restart: noFit, undo: `ALTER TABLE n RENAME x TO body`},
		{do: `ALTER TABLE whole ADD extra int DEFAULT 4`, reason: "the column extra of the table public.whole is new", undo: `ALTER TABLE whole DROP extra`},
		{do: `ALTER TABLE n ADD secret boolean`, reason: "columns of public.n that may decide who sees a user are not mentioned: secret", restart: noFit, undo: `ALTER TABLE n DROP secret`},
		{do: `ALTER TYPE mood RENAME VALUE 'sad' TO 'low'`, reason: "a label of the enum mood", undo: `ALTER TYPE mood RENAME VALUE 'low' TO 'sad'`},
		{do: `ALTER TYPE weather RENAME VALUE 'wet' TO 'x'; ALTER TYPE weather RENAME VALUE 'x' TO 'wet'`, reason: "a label of the enum weather"},
		{do: `ALTER TYPE pair ADD ATTRIBUTE c int`, reason: "the type pair", undo: `ALTER TYPE pair DROP ATTRIBUTE c`},
		{do: `ALTER TABLE n REPLICA IDENTITY DEFAULT`, reason: "the replica identity of the table public.n was changed", restart: notReady, undo: `ALTER TABLE n REPLICA IDENTITY FULL`},
		{do: `ALTER TABLE t1 REPLICA IDENTITY NOTHING`, reason: "the replica identity of the table public.t1 was changed", restart: notReady, undo: `ALTER TABLE t1 REPLICA IDENTITY DEFAULT`},
		{do: `ALTER TABLE n RENAME TO old; ALTER TABLE spare RENAME TO n`, reason: "the table public.n was dropped and made again", undo: `ALTER TABLE n RENAME TO spare; ALTER TABLE old RENAME TO n`},
		{do: `CREATE SCHEMA away; ALTER TABLE n SET SCHEMA away`, reason: "the table public.n was dropped or renamed", restart: noFit, undo: `ALTER TABLE away.n SET SCHEMA public; DROP SCHEMA away`},
		{do: `ALTER TABLE n SET UNLOGGED`, reason: "has become unlogged", restart: noFit, undo: `ALTER TABLE n SET LOGGED`, only: ofAll},
		{do: `ALTER PUBLICATION pub SET (publish = 'insert')`, reason: "the publication pub was altered", restart: notReady, undo: `ALTER PUBLICATION pub SET (publish = 'insert, update, delete, truncate')`},
		{do: `ALTER PUBLICATION pub SET (publish = 'insert'); ALTER PUBLICATION pub SET (publish = 'insert, update, delete, truncate')`, reason: "the publication pub was altered"},
		{do: `ALTER PUBLICATION pub RENAME TO other`, reason: "the publication pub was dropped or renamed", restart: "the publication pub is missing", undo: `ALTER PUBLICATION other RENAME TO pub`},
		{do: `ALTER PUBLICATION pub DROP TABLE n`, reason: "the table public.n was taken out of the publication", undo: `ALTER PUBLICATION pub ADD TABLE n`, only: ofTables},
		{do: `ALTER PUBLICATION pub DROP TABLE t; ALTER PUBLICATION pub ADD TABLE t`, reason: "the table public.t was taken out of the publication", only: ofTables},
		{do: `ALTER PUBLICATION pub SET TABLE n WHERE (id > 5), whole, t`, reason: "the table public.n was taken out of the publication", restart: notReady, undo: `ALTER PUBLICATION pub SET TABLE n, whole, t`, only: ofTables},
		{do: `ALTER TABLE t ATTACH PARTITION loose FOR VALUES IN (2)`, reason: "the partition public.loose of the table public.t had rows", undo: `ALTER TABLE t DETACH PARTITION loose`},
		{
			do:     `CREATE TABLE t3 (LIKE loose INCLUDING ALL); INSERT INTO t3 VALUES (1, 3, 'x'); ALTER TABLE t ATTACH PARTITION t3 FOR VALUES IN (3)`,
			reason: "the partition public.t3 of the table public.t had rows", undo: `ALTER TABLE t DETACH PARTITION t3; DROP TABLE t3`,
		},
		{do: `ALTER TABLE t DETACH PARTITION t1`, reason: "the partition public.t1 of the table public.t was detached or dropped", undo: `ALTER TABLE t ATTACH PARTITION t1 FOR VALUES IN (1)`},
		{do: `ALTER TABLE t DETACH PARTITION t1; DELETE FROM t1; ALTER TABLE t ATTACH PARTITION t1 FOR VALUES IN (1)`, reason: "the partition public.t1 of the table public.t was truncated, rewritten or attached again"},
		{do: `TRUNCATE t1`, reason: "the partition public.t1 of the table public.t was truncated"},
		{do: `ALTER TABLE t ALTER body TYPE text USING body || 'x'`, reason: "the partition public.t1 of the table public.t was truncated, rewritten"},
		{do: `CREATE TABLE t5 PARTITION OF t FOR VALUES IN (5); ALTER TABLE t5 REPLICA IDENTITY NOTHING`, reason: "the partition public.t5 has another replica identity", restart: notReady, undo: `DROP TABLE t5`},
		{do: `CREATE UNLOGGED TABLE t6 PARTITION OF t FOR VALUES IN (6)`, reason: "the partition public.t6 of the table public.t is unlogged", restart: noFit, undo: `DROP TABLE t6`},
		{do: `CREATE TABLE parent (LIKE whole) PARTITION BY RANGE (id); ALTER TABLE parent ATTACH PARTITION whole DEFAULT`, reason: "the table public.whole was dropped and made again", restart: noFit, undo: `ALTER TABLE parent DETACH PARTITION whole; DROP TABLE parent`},
	}
}

// harmlessChanges come one after the other under one mirror.
func harmlessChanges() []tableChange {
	return []tableChange{
		{do: `ALTER TABLE n ALTER size SET NOT NULL, ALTER body SET DEFAULT 'x', ALTER kind SET STATISTICS 7`},
		{do: `VACUUM FULL n`},
		{do: `ALTER TABLE n ALTER size DROP NOT NULL`},
		{do: `CLUSTER n USING n_pkey`},
		{do: `ALTER TABLE n ALTER code TYPE varchar(20)`},
		{do: `ALTER TABLE n ALTER unused TYPE bigint USING unused + 1`},
		{do: `ALTER TABLE n ADD extra text DEFAULT md5(random()::text)`},
		{do: `ALTER TABLE n DROP unused, ADD seen_count int, ADD modified_at timestamptz`},
		{do: `ALTER TYPE mood ADD VALUE 'fine' BEFORE 'ok'`},
		{do: `ALTER TYPE mood RENAME TO feeling`},
		{do: `CREATE INDEX ON n (size); ANALYZE n; CREATE TABLE another (id int)`},
		{do: `ALTER TABLE whole REPLICA IDENTITY FULL`},
		{do: `ALTER PUBLICATION pub ADD TABLE spare`, only: ofTables},
		{do: `CREATE TABLE t4 PARTITION OF t FOR VALUES IN (4)`},
		{do: `INSERT INTO t VALUES (4, 4, 'x')`},
		{do: `ALTER TABLE t4 RENAME TO renamed`},
		{do: `CREATE TABLE t7 PARTITION OF t FOR VALUES IN (7); INSERT INTO t VALUES (7, 7, 'x')`},
		{do: `ALTER TABLE t ATTACH PARTITION empty FOR VALUES IN (8)`},
		{do: `INSERT INTO t VALUES (8, 8, 'x')`},
	}
}

// driftTest is a mirror whose snapshot is complete. It implements what the reader needs of a store.
type driftTest struct {
	*streamTest
	feed.Mirrors
	source *Source
	after  ingest.Place
	state  feed.Mirror
	// passed is the time that has passed for the reader, whose stream runs in a goroutine.
	passed atomic.Int64
}

func newDriftTest(t *testing.T, publication string) *driftTest {
	d := &driftTest{streamTest: newStreamTest(t, changedTables, `CREATE TABLE fence (n int)`)}
	began := time.Now()
	d.exec(`DROP PUBLICATION pub`, publication)
	d.source = &Source{
		URL: d.url, Name: "m", Names: Names{d.slot(), "pub"}, File: []byte(changedFile), Owned: feed.RecordTypes{"user", "post"}, TextIDs: true,
		Store: d, Clock: func() time.Time { return began.Add(time.Duration(d.passed.Load())) }, Log: slog.New(slog.DiscardHandler),
	}
	return d
}

func (d *driftTest) Mirror(context.Context, string) (feed.Mirror, error) { return d.state, nil }

// read stores the tables as they are, as a snapshot does.
func (d *driftTest) read() {
	d.Helper()
	o := &opened{Source: d.source}
	defer o.close(d.Context())
	check(d.T, o.inspect(d.Context()))
	d.after = ingest.Place{Identity: o.identity, Position: position{uint64(o.server.slot.confirmed), 0}.String()}
	d.state = feed.Mirror{Slot: d.slot(), Complete: true}
	for _, t := range o.mapper.Tables() {
		d.state.Tables = append(d.state.Tables, o.stored(t))
	}
}

// open begins to follow the changes.
func (d *driftTest) open() (r *reader, err error) {
	d.Helper()
	eventually.True(d.T, "the slot is free", func() bool {
		var p ingest.Partition
		p, err = d.source.Open(d.Context(), Partition, d.after)
		r, _ = p.(*reader)
		return pgCode(err) != codeInUse
	})
	return r, err
}

// look lets five seconds pass, less a poll, and stores what changes.
func (d *driftTest) look(r *reader) error {
	d.passed.Add(int64(5*time.Second - pollFor))
	var poll ingest.Poll
	err := r.look(d.Context(), &poll)
	for _, changed := range poll.Tables {
		for i := range d.state.Tables {
			if d.state.Tables[i].Name == changed.Name {
				d.state.Tables[i] = changed
			}
		}
	}
	return err
}

// expectEnd checks the reason for which a mirror has ended; none for an empty one.
func (d *driftTest) expectEnd(what, reason string, err error) {
	d.Helper()
	var lost *ingest.LostError
	switch {
	case reason == "" && err != nil:
		d.Errorf("%s: the mirror ends with %v", what, err)
	case reason != "" && (!errors.As(err, &lost) || !strings.Contains(lost.Reason, reason) || lost.Advice == ""):
		d.Errorf("%s: the mirror ends with %v, want %q", what, err, reason)
	}
}

func TestMirror_NoticesChangedTables(t *testing.T) {
	for name, publication := range map[string]string{"of tables": ofTables, "of all tables": ofAll} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDriftTest(t, publication)
			for i, c := range endingChanges() {
				with := []string{ofTables, ofAll}[i%2]
				if c.only != "" {
					with = c.only
				}
				if with != publication && (c.only != "" || !allChanges) {
					continue
				}
				d.read()
				r, err := d.open()
				check(t, err)
				d.expectEnd("before "+c.do, "", d.look(r))
				d.exec(c.do)
				d.expectEnd(c.do, c.reason, d.look(r))
				r.Close()
				if c.restart == "" {
					c.restart = c.reason
				}
				_, err = d.open()
				d.expectEnd("after a restart, "+c.do, c.restart, err)
				if c.undo != "" {
					d.exec(c.undo)
				}
			}
		})
	}
}

func TestMirror_GoesOnAfterHarmlessChanges(t *testing.T) {
	for name, publication := range map[string]string{"of tables": ofTables, "of all tables": ofAll} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDriftTest(t, publication)
			d.read()
			r, err := d.open()
			check(t, err)
			for i, c := range harmlessChanges() {
				if c.only != "" && c.only != publication {
					continue
				}
				d.exec(c.do)
				if i%2 == 1 { // of two changes, one comes while no mirror runs
					r.Close()
					r, err = d.open()
					d.expectEnd("after a restart, "+c.do, "", err)
				}
				d.expectEnd(c.do, "", d.look(r))
			}
			d.exec(`DROP TABLE renamed`) // a partition that came while the mirror ran
			d.expectEnd("drop", "the partition public.renamed of the table public.t was detached or dropped", d.look(r))
			r.Close()
			_, err = d.open()
			d.expectEnd("after a restart, drop", "the partition public.renamed of the table public.t was detached or dropped", err)
		})
	}
}

// The partition is made, filled and dropped between two looks at the tables, or while no mirror runs.
func TestMirror_NoticesPartitionsThatComeAndGo(t *testing.T) {
	const gone = `CREATE TABLE t9 PARTITION OF t FOR VALUES IN (9); INSERT INTO t VALUES (9, 9, 'x'); DROP TABLE t9`
	d := newDriftTest(t, ofTables)
	d.read()
	for _, statement := range strings.Split(gone, "; ") {
		d.exec(statement)
	}
	r, err := d.open()
	check(t, err)
	defer r.Close()
	eventually.True(t, "the mirror notices it", func() bool { err = d.look(r); return err != nil })
	d.expectEnd(gone, "a partition of the table public.t that had changes was detached or dropped", err)
}

// Tables that change between the look at the catalog and the snapshot are read again, since the mapping
// was compared with the former ones.
func TestSnapshot_RefusesTablesThatChange(t *testing.T) {
	d := newDriftTest(t, ofTables)
	o := &opened{Source: d.source}
	defer o.close(t.Context())
	check(t, o.inspect(t.Context()))
	s := &snapshot{opened: o, dueSnapshot: o.snapshotOf(o.mapper.Tables(), false), batches: make(chan *rowsBatch, batchesMax)}
	o.state.Slot = d.slot()
	_, exported, err := createSlot(t.Context(), o.replication, d.slot()+"_1", true)
	check(t, err)
	check(t, o.use(t.Context(), exported))
	check(t, s.lookAtTables(t.Context()))
	d.exec(`ALTER TABLE n ALTER size TYPE int USING size * 2`) // n is empty for the snapshot
	if err := s.unchanged(t.Context()); err == nil || !strings.Contains(err.Error(), "the column size of the table public.n was rewritten with other values while it was read") {
		t.Errorf("a table that was rewritten: %v", err)
	}
	d.exec(swap)
	if err := o.lookAtTables(t.Context()); err == nil || !strings.Contains(err.Error(), "the table public.n was changed") {
		t.Errorf("a table that is another one than the mapping's: %v", err)
	}
}
