package mirror

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/eventually"
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
		isReport := !strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "compared ") && !strings.HasPrefix(line, "time=")
		if isReport {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// writing writes until a comparison ends.
func (w *world) writing(d *testenv.Process) *testenv.Process {
	w.Helper()
	ticks := time.NewTicker(3 * time.Millisecond)
	defer ticks.Stop()
	for {
		select {
		case <-d.Done():
			return d
		case <-ticks.C:
			w.change(2)
		}
	}
}

// adding writes posts of its own until a comparison ends, so it repairs no damage.
func (w *world) adding(d *testenv.Process) *testenv.Process {
	w.Helper()
	ticks := time.NewTicker(3 * time.Millisecond)
	defer ticks.Stop()
	for id := 800_000; ; id++ {
		select {
		case <-d.Done():
			return d
		case <-ticks.C:
			w.exec(`INSERT INTO notes VALUES ($1, $2, 'new', '2026-02-01Z')`, id, w.anyone())
			w.exec(`UPDATE notes SET body = 'newer' WHERE id = $1`, id)
		}
	}
}

// equal checks that a comparison finds nothing.
func (w *world) equal(d *testenv.Process) {
	w.Helper()
	// The other system has texts that are too long.
	if lines := w.compared(0, d); len(lines) == 0 || !strings.HasPrefix(lines[len(lines)-1], "0 objects differ, ") {
		w.Errorf("equal sides differ:\n%s", strings.Join(lines, "\n"))
	}
}

// damage runs a statement in our database, which must change one row, and returns its columns.
func (w *world) damage(statement string) string {
	w.Helper()
	rows := harness.RowsOf[string](w.oracle, statement)
	if len(rows) != 1 {
		w.Fatalf("%s changes %d rows", statement, len(rows))
	}
	return rows[0]
}

// damages change what is stored, and return the beginning of the line for it. Each can run several
// times, and then changes other rows. %d is the number of times before.
var damages = []string{
	`UPDATE users SET name = name || '!' WHERE id = (SELECT id FROM users WHERE absent = 0 AND awaited_at = 0 ORDER BY id DESC OFFSET %d LIMIT 1) RETURNING 'user ' || id || ': name:'`,
	`UPDATE users SET absent = 1 WHERE id = (SELECT min(id) FROM users WHERE absent = 0 AND awaited_at = 0 AND name NOT LIKE '%!') RETURNING 'user ' || id || ': object:'`,
	`UPDATE contents SET text = 'other' WHERE id = (SELECT id FROM contents WHERE deleted_at = 0 ORDER BY id OFFSET %d LIMIT 1) RETURNING 'post ' || id || ': text:'`,
	fixed,
	`UPDATE contents SET deleted_at = 7 WHERE id = (SELECT max(id) FROM contents WHERE deleted_at = 0) RETURNING 'post ' || id || ': object:'`,
	`UPDATE contents SET deleted_at = 0 WHERE id = (SELECT min(id) FROM contents WHERE deleted_at NOT IN (0, 7)) RETURNING 'post ' || id || ': object:'`,
	`UPDATE follows SET active = 0 WHERE (follower_id, followee_id) = (SELECT follower_id, followee_id FROM follows WHERE active = 1 ORDER BY 1, 2 LIMIT 1) RETURNING 'follow ' || follower_id || ' ' || followee_id || ': object:'`,
	`UPDATE follows SET created_at = 7 WHERE (follower_id, followee_id) = (SELECT follower_id, followee_id FROM follows WHERE active = 1 AND created_at <> 7 ORDER BY 1 DESC, 2 LIMIT 1) RETURNING 'follow ' || follower_id || ' ' || followee_id || ': createdAt:'`,
	`DELETE FROM reactions WHERE (content_id, user_id) = (SELECT content_id, user_id FROM reactions ORDER BY 1, 2 LIMIT 1) RETURNING 'like ' || user_id || ' ' || content_id || ': object:'`,
	`INSERT INTO relations (user_id, kind, target_id, created_at) SELECT a.id, 'mute', b.id, 7 FROM users a, users b WHERE a.id <> b.id
	   AND NOT EXISTS (SELECT FROM relations WHERE user_id = a.id AND target_id = b.id) ORDER BY 1, 3 LIMIT 1 RETURNING 'mute ' || user_id || ' ' || target_id || ': object:'`,
}

// fixed is a damage that no record can repair.
const fixed = `UPDATE contents SET published_at = 7 WHERE id = (SELECT id FROM contents WHERE deleted_at = 0 AND published_at <> 7 ORDER BY id OFFSET 9 LIMIT 1) RETURNING 'post ' || id || ': publishedAt:'`

// beginnings are the lines up to the name of the field, sorted.
func beginnings(lines []string) []string {
	var out []string
	for _, line := range lines {
		if parts := strings.SplitAfter(strings.TrimPrefix(line, "explained: "), ":"); len(parts) > 2 && strings.Contains(line, "theirs") {
			out = append(out, parts[0]+parts[1])
		}
	}
	slices.Sort(out)
	return out
}

// While both sides write, equal objects are equal. What is damaged is found, and the snapshot of the
// tables that it names repairs it.
func TestDoctor_ComparesWhileBothSidesWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testenv.LogicalPostgres(t), legacy())
	p := w.start()
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	for range 4 {
		w.equal(w.writing(w.doctor()))
	}

	t.Log("damages")
	// There are enough objects of each kind, whatever the changes so far.
	w.exec(`INSERT INTO members SELECT i, 'member', '2026-01-01' FROM generate_series(700001, 700012) AS i`)
	w.exec(`INSERT INTO notes SELECT i, 700001, 'note', '2026-02-01Z', 1, CASE WHEN i % 3 = 0 THEN '2026-03-01'::timestamp END FROM generate_series(700001, 700030) AS i`)
	w.settle()
	var want []string
	for _, statement := range damages {
		for n := range 5 {
			want = append(want, w.damage(strings.ReplaceAll(statement, "%d", strconv.Itoa(n))))
		}
	}
	slices.Sort(want)
	lines := w.compared(1, w.adding(w.doctor()))
	if diff := cmp.Diff(want, beginnings(lines)); diff != "" {
		t.Errorf("the differences (-want +got):\n%s\n%s", diff, strings.Join(lines, "\n"))
	}
	for _, line := range lines {
		advice := regexp.MustCompile(`run: tideline mirror resnapshot --name \S+ public\.\w+$|this never changes; give the object another id in the source$`)
		if strings.Contains(line, "theirs") && !advice.MatchString(line) {
			t.Errorf("the line has no advice: %s", line)
		}
	}

	t.Log("a snapshot repairs what can be repaired")
	w.command("resnapshot")
	eventually.True(t, "the request is served", func() bool { return w.requests() == 0 })
	w.exec(`INSERT INTO notes VALUES (900001, 1, ' ', '2026-01-01Z'), (900002, 2, 'x', '2026-01-01Z')`)
	w.exec(`INSERT INTO members VALUES (900001, chr(8238) || 'x', '2026-01-01')`)
	w.settle()
	_, err := w.oracle.Conn.Exec(t.Context(), `UPDATE users SET deleted_at = 7, handle = '', name = '' WHERE id = (SELECT min(id) FROM users WHERE absent = 0 AND awaited_at = 0)`)
	harness.Check(t, err)
	lines = w.compared(0, w.doctor())
	explained := strings.Join(lines, "\n")
	for _, part := range []string{
		"explained: " + want[slices.IndexFunc(want, func(l string) bool { return strings.HasSuffix(l, "publishedAt:") })],
		"explained: post 900001: object: theirs", "explained: user 900001: object: theirs", "an account was deleted here", "its record is bad: ",
	} {
		if !strings.Contains(explained, part) {
			t.Errorf("the output lacks %q:\n%s", part, explained)
		}
	}

	t.Log("without a mirror that runs")
	p.Interrupt()
	p.Wait()
	if again := w.compared(0, w.doctor()); !slices.Equal(again, lines) {
		t.Errorf("without a mirror that runs (-before +now):\n%s", cmp.Diff(lines, again))
	}
	w.exec(`UPDATE notes SET body = 'changed' WHERE id = 900002`)
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
	holds := func(statement string) {
		_, err := w.oracle.Conn.Exec(t.Context(), statement)
		harness.Check(t, err)
	}
	holds(`INSERT INTO mirror_holds (source, id, place, ends_at) VALUES ('` + w.name + `', 7, 1, 9000000000000000)`)
	if line := w.stops(w.doctor()); !strings.Contains(line, "another comparison holds the mirror") {
		t.Errorf("a second comparison ends with %s", line)
	}
	holds(`DELETE FROM mirror_holds`)
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
