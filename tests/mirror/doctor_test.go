package mirror

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// doctor starts a comparison with the source.
func (w *world) doctor(args ...string) *testenv.Process {
	w.Helper()
	return testenv.Program(w.T, append([]string{testenv.Binary(w.T), "doctor", "--source"}, args...), w.mirrorEnv)
}

// compared returns the lines of a comparison after the counts. It must end with a code. Lines of the
// log are left out: tests share a server, so the comparison may wait for a transaction of another test.
func (w *world) compared(code int, d *testenv.Process) []string {
	w.Helper()
	if got := d.Wait(); got != code {
		w.Errorf("the comparison ends with %d, want %d", got, code)
	}
	var lines []string
	for line := range strings.Lines(d.Output()) {
		isCount := strings.Contains(line, " in the source ")
		isReport := !isCount && !strings.HasPrefix(line, "found") && !strings.HasPrefix(line, "compared ") && !strings.HasPrefix(line, "time=")
		if isReport {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// during calls write until a comparison ends.
func (w *world) during(d *testenv.Process, write func()) *testenv.Process {
	w.Helper()
	ticks := time.NewTicker(3 * time.Millisecond)
	defer ticks.Stop()
	for {
		select {
		case <-d.Done():
			return d
		case <-ticks.C:
			write()
		}
	}
}

// equalWhileWriting checks that a comparison finds nothing while the source changes.
func (w *world) equalWhileWriting() {
	w.Helper()
	w.equal(w.during(w.doctor(), func() { w.change(2) }))
}

// equal checks that a comparison finds nothing.
func (w *world) equal(d *testenv.Process) {
	w.Helper()
	// The other system has texts that are too long.
	if lines := w.compared(0, d); len(lines) == 0 || !strings.HasPrefix(lines[len(lines)-1], "0 objects differ, ") {
		w.Errorf("equal sides differ:\n%s", strings.Join(lines, "\n"))
	}
}

// damaged are objects that only the test of damages changes.
var damaged = []string{
	`INSERT INTO members SELECT i, 'member', '2026-01-01' FROM generate_series(700001, 700004) AS i`,
	`INSERT INTO notes SELECT i, 700001, 'note', '2026-02-01Z' FROM generate_series(700001, 700004) AS i`,
	`INSERT INTO links (a, b, kind) VALUES (700001, 700002, 'follow')`,
	`INSERT INTO hearts VALUES (700001, 700001)`,
}

// damages change what is stored. The keys begin the lines about them. connect/compare tests all other
// differences.
var damages = map[string]string{
	"user 700001: name:":            `UPDATE users SET name = 'other' WHERE id = 700001`,
	"user 700002: object:":          `UPDATE users SET absent = 1 WHERE id = 700002`,
	"post 700001: text:":            `UPDATE contents SET text = 'other' WHERE id = 700001`,
	"post 700002: object:":          `UPDATE contents SET deleted_at = 7 WHERE id = 700002`,
	fixed:                           `UPDATE contents SET published_at = 7 WHERE id = 700003`,
	"follow 700001 700002: object:": `UPDATE follows SET active = 0 WHERE follower_id = 700001`,
	"like 700001 700001: object:":   `DELETE FROM reactions WHERE content_id = 700001`,
	"mute 700003 700004: object:":   `INSERT INTO relations (user_id, kind, target_id, created_at) VALUES (700003, 'mute', 700004, 7)`,
}

// fixed is a damage that no record can repair.
const fixed = "post 700003: publishedAt:"

// beginnings are the lines up to the name of the field, sorted.
func beginnings(lines []string) []string {
	var out []string
	for _, line := range lines {
		if parts := strings.SplitAfter(withoutSeverity(line), ":"); len(parts) > 2 && strings.Contains(line, "theirs") {
			out = append(out, parts[0]+parts[1])
		}
	}
	slices.Sort(out)
	return out
}

func withoutSeverity(line string) string {
	_, rest, _ := strings.Cut(line, "  ")
	return strings.TrimSpace(rest)
}

// While both sides write, equal objects are equal. What is damaged is found, and the snapshot of the
// tables that it names repairs it.
func TestDoctor_ComparesWhileBothSidesWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testenv.LogicalPostgres(t), legacy())
	p := w.start()
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	for range 4 {
		w.equalWhileWriting()
	}

	t.Log("damages")
	for _, statement := range damaged {
		w.exec(statement)
	}
	w.settle()
	for _, statement := range damages {
		w.store(statement)
	}
	id := 800_000
	lines := w.compared(1, w.during(w.doctor(), func() { // these writes repair no damage
		id++
		w.exec(`INSERT INTO notes VALUES ($1, $2, 'new', '2026-02-01Z')`, id, w.anyone())
		w.exec(`UPDATE notes SET body = 'newer' WHERE id = $1`, id)
	}))
	if diff := cmp.Diff(slices.Sorted(maps.Keys(damages)), beginnings(lines)); diff != "" {
		t.Errorf("the differences (-want +got):\n%s\n%s", diff, strings.Join(lines, "\n"))
	}
	advice := regexp.MustCompile(`run: tideline mirror resnapshot --name \S+ public\.\w+$|this never changes; give the object another id in the source$`)
	for _, line := range lines {
		if strings.Contains(line, "theirs") && !advice.MatchString(line) {
			t.Errorf("the line has no advice: %s", line)
		}
	}

	t.Log("a snapshot repairs what can be repaired")
	w.command("resnapshot")
	eventually.True(t, "the request is served", func() bool { return w.requests() == 0 })
	w.settle()
	w.store(`UPDATE users SET deleted_at = 7, handle = '', name = '' WHERE id = 700004`)
	lines = w.compared(1, w.doctor())
	explained := strings.Join(lines, "\n")
	for _, part := range []string{fixed, "an account was deleted here"} { // no record changes the first
		if !strings.Contains(explained, part) {
			t.Errorf("the output lacks %q:\n%s", part, explained)
		}
	}

	t.Log("without a mirror that runs")
	p.Interrupt()
	p.Wait()
	if again := w.compared(1, w.doctor()); !slices.Equal(again, lines) {
		t.Errorf("without a mirror that runs (-before +now):\n%s", cmp.Diff(lines, again))
	}
	w.exec(`UPDATE notes SET body = 'changed' WHERE id = 700004`)
	refused := w.doctor()
	if line := w.stops(refused); !strings.Contains(line, "no tideline mirror run follows the source, and changes wait") {
		t.Errorf("with changes that wait: %s", line)
	}
	w.nothingHeld()
}

// nothingHeld checks that a comparison leaves nothing behind.
func (w *world) nothingHeld() {
	w.Helper()
	eventually.True(w.T, "only the slot of the mirror is there", func() bool {
		return slices.Equal(w.texts(`SELECT slot_name::text FROM pg_replication_slots WHERE database = current_database()`), []string{w.slot})
	})
	if n := harness.RowsOf[int64](w.oracle, `SELECT COUNT(*) FROM mirror_holds`)[0]; n != 0 {
		w.Errorf("a hold is left")
	}
}

// A transaction that stays open keeps a comparison waiting, and not the mirror.
func TestDoctor_WaitsWithoutHoldingTheMirror(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testenv.LogicalPostgres(t), legacy())
	w.start()
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	open := w.other()
	open.exec(`BEGIN; INSERT INTO notes VALUES (900001, 1, 'late', '2026-01-01Z')`)
	d := w.doctor("--json")
	d.WaitLine(`waiting for a transaction of the source`)
	w.change(20)
	w.settle()
	open.exec(`COMMIT`)
	if code := d.Wait(); code != 0 || !strings.Contains(d.Output(), `"different": 0`) {
		t.Errorf("the comparison ends with %d: %s", code, d.Output())
	}
	w.store(`INSERT INTO mirror_holds (source, id, place, ends_at) VALUES ('` + w.name + `', 7, 1, 9000000000000000)`)
	if line := w.stops(w.doctor()); !strings.Contains(line, "another comparison holds the mirror") {
		t.Errorf("a second comparison ends with %s", line)
	}
	w.store(`DELETE FROM mirror_holds`)
	open.exec(`BEGIN; INSERT INTO notes VALUES (900002, 1, 'later', '2026-01-01Z')`)
	d = w.doctor()
	eventually.True(t, "the comparison holds the mirror", func() bool {
		return len(harness.RowsOf[int64](w.oracle, `SELECT id FROM mirror_holds`)) == 1
	})
	d.Interrupt()
	if line := w.stops(d); !strings.Contains(line, "doctor: interrupted") {
		t.Errorf("an interrupted comparison ends with %s", line)
	}
	open.exec(`ROLLBACK`)
	w.nothingHeld()
	w.change(5)
	w.settle()
	if code, out := harness.Command(t, w.env, "doctor", "--source", fmt.Sprint(t.TempDir(), "/none")); code == 0 || !strings.Contains(out, "no such file") {
		t.Errorf("without the file of a dump: %d %s", code, out)
	}
}
