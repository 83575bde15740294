package mirror

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// faults make the mirror stop with one line. Each begins while no process runs, and some changes
// follow it.
var faults = []struct {
	name string
	do   func(*world)
	// reason is in the line. tables are those to read again; all, if there are none.
	reason string
	tables []string
	// running has the fault begin under a process that runs, and ends.
	running bool
}{
	{"truncate", func(w *world) { w.exec(`TRUNCATE hearts`) }, "the table public.hearts was truncated", []string{"public.hearts"}, false},
	{"retype", func(w *world) { w.exec(`ALTER TABLE notes ALTER body TYPE varchar`) }, "the column body of the table public.notes is another one", []string{"public.notes"}, false},
	{"rewrite", func(w *world) { w.exec(rewrite) }, "the column state of the table public.notes was rewritten", []string{"public.notes"}, false},
	{"rewrite under a mirror", func(w *world) { w.exec(rewrite) }, "the column state of the table public.notes was rewritten", []string{"public.notes"}, true},
	{"mapping", func(w *world) {
		w.writeMap(strings.Replace(legacyMap, `createdAt: "2026-01-01T00:00:00Z"`, `createdAt: "2026-01-02T00:00:00Z"`, 1))
	}, "the mapping of the table public.hearts is another one", []string{"public.hearts"}, false},
	{"publication", func(w *world) { w.exec(`ALTER PUBLICATION ` + w.slot + ` DROP TABLE links`) }, "the table public.links was taken out of the publication", []string{"public.links"}, false},
	{"publication under a mirror", func(w *world) {
		w.exec(`ALTER PUBLICATION ` + w.slot + ` DROP TABLE links; ALTER PUBLICATION ` + w.slot + ` ADD TABLE links`)
	}, "the table public.links was taken out of the publication", []string{"public.links"}, true},
	{"lost slot", func(w *world) { w.exec(`SELECT pg_drop_replication_slot($1)`, w.slot) }, "is missing", nil, false},
	{restored, func(w *world) {
		backup, at := testenv.BackUp(w.T, w.database), w.position()
		p := w.start()
		w.change(20)
		w.settle()
		eventually.True(w.T, "the slot is ahead of the backup", func() bool {
			return len(w.texts(`SELECT slot_name::text FROM pg_replication_slots WHERE slot_name = '`+w.slot+`' AND confirmed_flush_lsn - '0/0' > `+strconv.FormatInt(at, 10))) == 1
		})
		p.Kill()
		w.awaitFreeSlot()
		backup.RestoreOver(w.T, w.database)
		w.oracle = harness.NewOracle(w.T, w.database)
	}, "ahead of the stored position: our database was restored", nil, false},
	{"identity", func(w *world) {
		w.store(`UPDATE source_positions SET identity = '1/1'`)
	}, "the source was restored or has failed over", []string{"public.links"}, false},
}

// rewrite shows the notes that were hidden, and hides the others.
const rewrite = `ALTER TABLE notes ALTER state TYPE smallint USING 1 - state`

// restored is the fault that our database is restored from a backup, while the slot has moved on.
const restored = "restored"

// After a fault nothing is skipped, and a snapshot makes the feeds right while they are served.
func TestMirror_FaultsStopUntilResnapshot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testenv.LogicalPostgres(t), legacy())
	p := w.start()
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	w.check()
	generation := w.oracle.Generation()
	for _, f := range faults {
		t.Log(f.name)
		w.settle()
		if !f.running {
			p.Kill()
			w.awaitFreeSlot()
			p = nil
		}
		f.do(w)
		w.change(10)
		before := w.position()
		if p == nil {
			p = w.start()
		}
		line := w.stops(p)
		if !strings.Contains(line, f.reason) || !strings.Contains(line, "run tideline mirror resnapshot") {
			t.Errorf("%s: the mirror ends with: %s", f.name, line)
		}
		if f.name != "truncate" && !f.running && w.position() != before {
			t.Errorf("%s: the position has moved", f.name)
		}
		w.command(append([]string{"resnapshot"}, f.tables...)...)
		p = w.start()
		p.WaitLine("the snapshot is complete")
		w.check()
		if f.name == restored { // the servers have dropped all inboxes
			generation = w.oracle.Generation()
		}
	}
	if n := harness.RowsOf[int64](w.oracle, `SELECT bulk_since FROM feed_state`)[0]; n != 0 || w.oracle.Generation() != generation {
		t.Errorf("the snapshots have dropped all inboxes")
	}
}

// awaitFreeSlot waits until no process reads the slot.
func (w *world) awaitFreeSlot() {
	w.Helper()
	eventually.True(w.T, "the slot is free", func() bool {
		return len(w.texts(`SELECT slot_name::text FROM pg_replication_slots WHERE active AND database = current_database()`)) == 0
	})
}

// memoryMax bounds the memory of a mirror, whatever the size of a transaction.
const memoryMax = 400 << 20

func TestMirror_LongTransactionsAndLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testenv.LogicalPostgres(t), legacy())
	p := w.start()
	for range 2 {
		w.change(20)
		p.Kill() // while it reads the snapshot
		p = w.start()
	}
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	w.check()

	t.Log("a process that takes over")
	standby := w.start()
	w.change(50)
	p.Kill()
	w.change(50)
	w.check()
	p = standby

	t.Log("a transaction with parts")
	rows := 50_000
	if harness.Full() {
		rows = 1_000_000
	}
	w.exec(`INSERT INTO hearts SELECT 1, n FROM generate_series(100001, 100000 + $1) n`, rows)
	eventually.True(t, "a part is applied", func() bool {
		return harness.RowsOf[bool](w.oracle, `SELECT position NOT LIKE '%-0' FROM source_positions`)[0]
	})
	p.Kill()
	p = w.start()
	w.settle()
	if n := harness.RowsOf[int64](w.oracle, `SELECT COUNT(*) FROM reactions WHERE content_id > 100000`)[0]; n != int64(rows) {
		t.Errorf("%d of %d rows are there", n, rows)
	}
	if most := harness.PeakMemory(t, p); most > memoryMax && !testenv.Raced() {
		t.Errorf("the mirror has used %d MB for a transaction of %d rows", most>>20, rows)
	}

	t.Log("a transaction that stays open")
	open := w.other()
	open.exec(`BEGIN; INSERT INTO notes VALUES (999999, 1, 'late', '2026-04-01 00:00+00')`)
	w.change(30)
	w.settle()
	open.exec(`COMMIT`)
	w.check()

	t.Log("a snapshot while the mirror runs")
	for _, damage := range []string{
		`UPDATE follows SET active = 0 WHERE (follower_id, followee_id) IN (SELECT follower_id, followee_id FROM follows WHERE active = 1 LIMIT 3)`,
		`INSERT INTO reactions (content_id, kind, user_id, created_at) VALUES (1, 'like', 29, 5) ON CONFLICT DO NOTHING`,
	} {
		w.store(damage)
	}
	w.command("resnapshot")
	eventually.True(t, "the request is served", func() bool { return w.requests() == 0 })
	w.check()
	hearts := w.texts(`SELECT COUNT(*)::text FROM hearts`)[0]
	if n := harness.RowsOf[string](w.oracle, `SELECT COUNT(*)::text FROM reactions`)[0]; n != hearts {
		t.Errorf("there are %s likes, want %s", n, hearts)
	}

	t.Log("a slot that grows too large")
	p.Kill()
	p = w.start("TIDELINE_MIRROR_SLOT_MAX_BYTES=4000000")
	open.exec(`BEGIN; INSERT INTO unrelated VALUES (1)`)
	w.exec(`INSERT INTO unrelated SELECT generate_series(1, 200000)`)
	if line := w.stops(p); !strings.Contains(line, "the slot "+w.slot+" is missing") || !strings.Contains(p.Output(), "dropped the slot of the mirror") {
		t.Errorf("the mirror ends with: %s", line)
	}
	open.exec(`ROLLBACK`)

	t.Log("the end of the mirror")
	w.command("resnapshot")
	p = w.start()
	p.WaitLine("the snapshot is complete")
	w.settle()
	eventually.True(t, "the slot is in use", func() bool {
		return len(w.texts(`SELECT slot_name::text FROM pg_replication_slots WHERE active AND database = current_database()`)) == 1
	})
	refused := testenv.Program(t, []string{testenv.Binary(t), "mirror", "drop"}, w.mirrorEnv)
	if refused.Wait() != 1 || !strings.Contains(refused.Output(), "stop tideline mirror run first") {
		t.Errorf("drop while the mirror runs: %s", refused.Output())
	}
	p.Interrupt()
	if code := p.Wait(); code != 0 {
		t.Errorf("the mirror ends with exit code %d", code)
	}
	w.command("drop")
	left := append(w.texts(`SELECT slot_name::text FROM pg_replication_slots WHERE database = current_database()`), w.texts(`SELECT pubname::text FROM pg_publication`)...)
	if n := harness.RowsOf[int64](w.oracle, `SELECT COUNT(*) FROM mirrors`)[0]; n != 0 || len(left) > 0 {
		t.Errorf("after the drop there are %d mirrors and %v", n, left)
	}
}

// The server of the other system is killed and comes back. Later a standby replaces it, which has no
// slots and lacks the last commits. The URL names both.
func TestMirror_OutlivesServersOfTheSource(t *testing.T) {
	t.Parallel()
	primary := testenv.StartPostgres(t, "wal_level=logical")
	w := newWorld(t, primary.URL(), rails())
	standby := testenv.StartPostgresReplica(t, primary)
	w.setSource(bothHosts(t, primary.URL(), standby.URL()) + "&target_session_attrs=read-write")
	p := w.start()
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	w.check()

	t.Log("a kill")
	w.change(20)
	primary.Kill()
	eventually.True(t, "the mirror has noticed it", func() bool { return strings.Contains(p.Output(), "cannot read the source; retrying") })
	primary.Restart()
	w.connect()
	w.change(50)
	w.check()

	t.Log("a failover that loses commits")
	standby.CatchUp(primary)
	standby.Kill()
	w.change(50)
	w.check()
	generation := w.oracle.Generation()
	primary.Kill()
	standby.Restart()
	standby.Promote()
	w.url = standby.URL()
	w.connect()
	line := w.stops(p)
	if !strings.Contains(line, "the source was restored or has failed over") || !strings.Contains(line, "run tideline mirror resnapshot") {
		t.Errorf("the mirror ends with: %s", line)
	}
	w.change(50)
	if line := w.stops(w.start()); !strings.Contains(line, "has failed over") {
		t.Errorf("the next mirror ends with: %s", line)
	}
	w.command("resnapshot")
	p = w.start()
	p.WaitLine("the snapshot is complete")
	w.check()
	w.change(20)
	w.check()
	if n := harness.RowsOf[int64](w.oracle, `SELECT bulk_since FROM feed_state`)[0]; n != 0 || w.oracle.Generation() != generation {
		t.Errorf("the snapshot has dropped all inboxes")
	}
}

// bothHosts returns a URL with the hosts of two.
func bothHosts(t *testing.T, a, b string) string {
	t.Helper()
	first, err := url.Parse(a)
	harness.Check(t, err)
	second, err := url.Parse(b)
	harness.Check(t, err)
	return strings.Replace(a, first.Host, first.Host+","+second.Host, 1)
}
