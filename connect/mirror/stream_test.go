package mirror

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/semaphore"

	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// streamTest reads the changes of a database of another system.
type streamTest struct {
	*testing.T
	url  string
	conn *pgx.Conn
	// out has the parts of the stream that was started last, done its error.
	out  chan part
	done chan error
	*stream
}

func newStreamTest(t *testing.T, statements ...string) *streamTest {
	t.Helper()
	return newStreamTestOf(t, testenv.LogicalPostgres(t), statements...)
}

// newStreamTestOf reads the changes of an empty database.
func newStreamTestOf(t *testing.T, url string, statements ...string) *streamTest {
	t.Helper()
	s := &streamTest{T: t, url: url}
	conn, err := Connect(t.Context(), s.url)
	check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	s.conn = conn
	s.exec(statements...)
	s.exec("CREATE PUBLICATION pub FOR ALL TABLES WITH (publish_via_partition_root = true)", "SELECT pg_create_logical_replication_slot("+quoteText(s.slot())+", 'pgoutput')")
	return s
}

// slot is a name that no other test has.
func (s *streamTest) slot() string { return s.conn.Config().Database }

func (s *streamTest) exec(statements ...string) {
	s.Helper()
	for _, statement := range statements {
		if _, err := s.conn.Exec(s.Context(), statement, pgx.QueryExecModeSimpleProtocol); err != nil {
			s.Fatalf("%s: %v", statement, err)
		}
	}
}

// start reads the slot after a position until stop is called.
func (s *streamTest) start(after position, change func(*changeDecoder, *Catalog)) (stop func()) {
	s.Helper()
	catalog, err := Inspect(s.Context(), s.conn)
	check(s.T, err)
	conn, err := connectReplication(s.Context(), s.url)
	check(s.T, err)
	d := &changeDecoder{
		tables: map[[2]string]*Table{}, from: map[*Table]pglogrepl.LSN{}, after: after, relations: map[uint32]*relation{},
		uses: func(*Table) []string { return nil },
	}
	for _, table := range catalog.Tables {
		d.tables[[2]string{table.Schema, table.Name}] = table
	}
	if change != nil {
		change(d, catalog)
	}
	ctx, cancel := context.WithCancel(s.Context())
	s.out, s.done = make(chan part, partsMax), make(chan error, 1)
	s.stream = &stream{conn: conn, decoder: d, clock: time.Now, out: s.out, memory: semaphore.NewWeighted(waitingBytes)}
	d.emit = func(p part) error { return s.emit(ctx, p) }
	eventually.Succeeds(s.T, "starting the stream", func() error { return startStream(ctx, conn, s.slot(), "pub", after) })
	go func() {
		defer close(s.done)
		s.done <- s.run(ctx)
	}()
	return func() {
		cancel()
		for range s.done { // also if the test has received the error
		}
		_ = conn.Close(context.WithoutCancel(ctx))
	}
}

// next returns the next part with changes.
func (s *streamTest) next() part {
	s.Helper()
	for {
		select {
		case p := <-s.out:
			s.memory.Release(p.weight())
			if len(p.changes) > 0 {
				return p
			}
		case err := <-s.done:
			s.Fatalf("the stream has ended: %v", err)
		case <-time.After(eventually.Limit):
			s.Fatal("no part arrives")
		}
	}
}

// text shows changes: old values, an arrow, new values.
func (p part) text() string {
	var lines []string
	for _, c := range p.changes {
		line := c.Table.Name + " " + cellsText(c.Old) + " > " + cellsText(c.New)
		if c.OldIsKey {
			line += " (key)"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func cellsText(cells []Cell) string {
	var texts []string
	for _, c := range cells {
		switch {
		case c.Null:
			texts = append(texts, "null")
		case c.Unchanged:
			texts = append(texts, "unchanged")
		default:
			texts = append(texts, fmt.Sprintf("%.20s", c.Text))
		}
	}
	return strings.Join(texts, ",")
}

func (s *streamTest) expect(p part, lines ...string) {
	s.Helper()
	if got := p.text(); got != strings.Join(lines, "\n") {
		s.Errorf("got\n%s\nwant\n%s", got, strings.Join(lines, "\n"))
	}
}

// lsn returns the place of the source.
func (s *streamTest) lsn() pglogrepl.LSN {
	s.Helper()
	return pglogrepl.LSN(s.number("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"))
}

func (s *streamTest) number(query string) (n int64) {
	s.Helper()
	check(s.T, s.conn.QueryRow(s.Context(), query).Scan(&n))
	return n
}

const noteTable = `CREATE TABLE "No te" (id int PRIMARY KEY, body text, at timestamptz, tags text[], twice int GENERATED ALWAYS AS (id * 2) STORED)`

func TestStream_DecodesRows(t *testing.T) {
	s := newStreamTest(t, noteTable, `CREATE TABLE whole (a int, b text)`, `ALTER TABLE whole REPLICA IDENTITY FULL`)
	before := s.lsn()
	s.exec(
		`INSERT INTO "No te" VALUES (1, 'a''b', '2026-01-02 03:04:05.6+01', '{x,"y z"}'), (2, NULL, NULL, '{}')`,
		`ALTER TABLE "No te" ALTER body SET STORAGE EXTERNAL`,
		`UPDATE "No te" SET body = repeat('x', 10000) WHERE id = 1`,
		`UPDATE "No te" SET at = NULL WHERE id = 1`,
		`UPDATE "No te" SET id = 3 WHERE id = 2`,
		`BEGIN; DELETE FROM "No te" WHERE id = 3; INSERT INTO whole VALUES (1, 'x'); UPDATE whole SET b = NULL; DELETE FROM whole; COMMIT`,
	)
	defer s.start(position{}, nil)()
	first := s.next()
	s.expect(first, `No te  > 1,a'b,2026-01-02 02:04:05.,{x,"y z"}`, `No te  > 2,null,null,{}`)
	if first.to.lsn <= uint64(before) || first.to.lsn > uint64(s.lsn()) || first.to.count != 0 || time.Since(first.at).Abs() > time.Hour {
		t.Errorf("the part ends at %v, committed %v", first.to, first.at)
	}
	s.expect(s.next(), `No te  > 1,xxxxxxxxxxxxxxxxxxxx,2026-01-02 02:04:05.,{x,"y z"}`)
	s.expect(s.next(), `No te  > 1,unchanged,null,{x,"y z"}`)
	s.expect(s.next(), `No te 2,null,null,null > 3,null,null,{} (key)`)
	s.expect(s.next(), `No te 3,null,null,null >  (key)`, `whole  > 1,x`, `whole 1,x > 1,null`, `whole 1,null > `)
}

func TestStream_ContinuesAfterPosition(t *testing.T) {
	s := newStreamTest(t, `CREATE TABLE n (id int PRIMARY KEY)`)
	s.exec(`INSERT INTO n VALUES (0)`, `INSERT INTO n SELECT generate_series(1, 25000)`, `INSERT INTO n VALUES (-1)`, `INSERT INTO n VALUES (-2)`)
	stop := s.start(position{}, nil)
	var parts []part
	for range 6 {
		parts = append(parts, s.next())
	}
	stop()
	for i, want := range []struct{ changes, count int }{{1, 0}, {10000, 10000}, {10000, 20000}, {5000, 0}, {1, 0}, {1, 0}} {
		if p := parts[i]; len(p.changes) != want.changes || p.to.count != uint64(want.count) || i > 0 && !less(parts[i-1].to, p.to) {
			t.Errorf("part %d has %d changes and ends at %v", i, len(p.changes), p.to)
		}
	}
	for i := range parts[:5] {
		stop := s.start(parts[i].to, nil)
		for _, want := range parts[i+1:] {
			got := s.next()
			if got.text() != want.text() || got.to != want.to {
				t.Fatalf("after %v comes %v with %d changes, want %v with %d", parts[i].to, got.to, len(got.changes), want.to, len(want.changes))
			}
		}
		stop()
	}
}

func less(a, b position) bool { return a.lsn < b.lsn || a.lsn == b.lsn && a.count < b.count }

// A slot is confirmed up to what is committed, and an idle one moves.
func TestStream_ConfirmsSlot(t *testing.T) {
	s := newStreamTest(t, `CREATE TABLE n (id int PRIMARY KEY)`)
	confirmed := func() pglogrepl.LSN {
		return pglogrepl.LSN(s.number("SELECT (confirmed_flush_lsn - '0/0')::bigint FROM pg_replication_slots WHERE slot_name = " + quoteText(s.slot())))
	}
	start := confirmed()
	defer s.start(position{uint64(start), 0}, nil)()
	s.exec(`INSERT INTO n VALUES (1)`)
	p := s.next()
	eventually.True(t, "the end is known", s.caughtUp.Load)
	if at := confirmed(); at > start {
		t.Errorf("the slot is at %v before anything was confirmed", at)
	}
	s.confirmed.Store(p.to.lsn)
	eventually.True(t, "the slot moves", func() bool { return confirmed() == p.to.place() })
	s.exec(`CREATE TABLE other (id int)`, `ALTER PUBLICATION pub SET (publish = '')`, `INSERT INTO other SELECT generate_series(1, 1000)`)
	after := s.lsn()
	eventually.True(t, "the position moves past other changes", func() bool {
		select {
		case p = <-s.out:
			s.confirmed.Store(p.to.lsn)
		default:
		}
		return p.to.place() >= after
	})
	eventually.True(t, "the slot moves past other changes", func() bool { return confirmed() >= after })
}

// The goroutine keeps the connection while its parts wait.
func TestStream_AnswersWhileItWaits(t *testing.T) {
	s := newStreamTest(t, `CREATE TABLE n (id int PRIMARY KEY)`)
	s.url += "&wal_sender_timeout=1s"
	defer s.start(position{}, nil)()
	eventually.True(t, "the memory is free", func() bool {
		select {
		case p := <-s.out: // a move of an idle source
			s.memory.Release(p.weight())
		default:
		}
		return s.memory.TryAcquire(waitingBytes)
	})
	s.exec(`INSERT INTO n VALUES (1)`, `INSERT INTO n VALUES (2)`)
	started := time.Now()
	eventually.True(t, "two time-outs pass", func() bool { return time.Since(started) > 2*time.Second })
	s.memory.Release(waitingBytes)
	s.expect(s.next(), "n  > 1")
	s.expect(s.next(), "n  > 2")
}

func TestStream_StopsAtFaults(t *testing.T) {
	const truncated = "the table public.n was truncated"
	for name, c := range map[string]struct{ statement, reason string }{
		"truncate": {`TRUNCATE n`, truncated},
		"drop":     {`ALTER TABLE n DROP body`, `the column body of the table public.n was dropped or renamed`},
		"rename":   {`ALTER TABLE n RENAME body TO text`, `the column body of the table public.n was dropped or renamed`},
		"retype":   {`ALTER TABLE n ALTER body TYPE varchar`, `the column body of the table public.n has another type than before`},
		"identity": {`ALTER TABLE n REPLICA IDENTITY NOTHING`, `the replica identity of the table public.n was changed`},
		"add":      {`ALTER TABLE n ADD further int`, truncated},
		"unused":   {`ALTER TABLE n DROP unused`, truncated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStreamTest(t, `CREATE TABLE n (id int PRIMARY KEY, body text, unused int)`)
			ofMapper := func(d *changeDecoder, c *Catalog) {
				m, err := NewMapper([]byte(`{inputs: {public.n: [{type: user, fields: {id: =row.id, name: =row.body, handle: x, createdAt: "2026-01-01T00:00:00Z"}}]}}`), c)
				check(t, err)
				d.uses = m.Uses
			}
			stop := s.start(position{}, ofMapper)
			s.exec(`INSERT INTO n VALUES (1, 'a')`)
			s.expect(s.next(), "n  > 1,a,null")
			s.exec(c.statement, `BEGIN; INSERT INTO n (id) VALUES (2); TRUNCATE n; COMMIT`)
			err := <-s.done
			var lost *ingest.LostError
			if !errors.As(err, &lost) || lost.Reason != c.reason || !strings.Contains(lost.Advice, "resnapshot") {
				t.Errorf("the stream ends with %v", err)
			}
			stop()
			select {
			case p := <-s.out:
				if len(p.changes) > 0 {
					t.Errorf("a part of the transaction was handed over: %s", p.text())
				}
			default:
			}
			// A snapshot that has been taken since has all of it.
			from := s.lsn()
			s.exec(`INSERT INTO n (id) VALUES (3)`)
			defer s.start(position{}, func(d *changeDecoder, c *Catalog) { d.from[c.Named("public.n")] = from })()
			if p := s.next(); len(p.changes) != 1 || string(p.changes[0].New[0].Text) != "3" {
				t.Errorf("after the snapshot comes %s", p.text())
			}
		})
	}
}
