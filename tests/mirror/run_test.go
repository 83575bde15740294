package mirror

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// world is another system with a mirror of it.
type world struct {
	*testing.T
	*system
	web    *harness.Server
	oracle *harness.Oracle
	// env is for all processes, mirrorEnv for those of the mirror.
	env, mirrorEnv []string
	mapFile        string
	// database is the URL of ours.
	database string
	// name is that of the mirror; slot is that of its slot. Slots of all databases of a server have
	// different names.
	name, slot string
}

func newWorld(t *testing.T, source string, of shape) *world {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	database := harness.Postgres(t)
	w := &world{T: t, system: newSystem(t, source, of, seed), database: database, mapFile: filepath.Join(t.TempDir(), "map.yaml")}
	w.name = w.texts(`SELECT current_database()::text`)[0]
	w.slot = "tideline_" + w.name
	w.env = append([]string{
		"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_JWT_SECRET=" + harness.Secret,
		"TIDELINE_SOURCE_OWNS=" + of.types, "TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=info", "TIDELINE_PUSH_THRESHOLD=10", "TIDELINE_SUBTASK_SIZE=5",
	}, of.settings...)
	w.setSource(source)
	w.prepare()
	w.web = harness.StartServer(t, w.env...)
	w.oracle = harness.NewOracle(t, database)
	return w
}

// setSource sets the URL of the system for processes that start later.
func (w *world) setSource(url string) {
	w.mirrorEnv = append([]string{"TIDELINE_MIRROR_SOURCE=" + url, "TIDELINE_MIRROR_MAP=" + w.mapFile, "TIDELINE_MIRROR_NAME=" + w.name}, w.env...)
}

// prepare writes the mapping file, and runs the statements that the check prints.
func (w *world) prepare() {
	w.Helper()
	if w.mapping == "" {
		w.mapping = w.command("init")
	}
	w.writeMap(w.mapping)
	check := func() (int, string) { return harness.Command(w.T, w.mirrorEnv, "mirror", "check") }
	code, out := check()
	if code != 0 {
		_, statements, _ := strings.Cut(out, "Run in the source:\n\n")
		statements, _, _ = strings.Cut(statements, "\n\n")
		for statement := range strings.SplitSeq(statements, "\n") {
			if !strings.Contains(statement, "SYSTEM") { // all databases of the server share it
				w.exec(statement)
			}
		}
		code, out = check()
	}
	if code != 0 || strings.Contains(out, "bad records") {
		w.Fatalf("after its statements, the check ends with %d: %s\n%s", code, out, w.mapping)
	}
}

func (w *world) writeMap(text string) {
	w.Helper()
	harness.Check(w.T, os.WriteFile(w.mapFile, []byte(text), 0o600))
}

// start starts a process of the mirror.
func (w *world) start(env ...string) *testenv.Process {
	w.Helper()
	p := testenv.Program(w.T, []string{testenv.Binary(w.T), "mirror"}, append(w.mirrorEnv, env...))
	p.WaitReady()
	return p
}

// command runs a command of the mirror, which must succeed, and returns its output.
func (w *world) command(args ...string) string {
	w.Helper()
	p := testenv.Program(w.T, append([]string{testenv.Binary(w.T), "mirror"}, args...), w.mirrorEnv)
	if code := p.Wait(); code != 0 {
		w.Fatalf("tideline mirror %s ends with %d: %s", args, code, p.Output())
	}
	return p.Output()
}

// position returns the place up to which changes are applied; 0 before the first snapshot is.
func (w *world) position() int64 {
	w.Helper()
	for _, text := range harness.RowsOf[string](w.oracle, "SELECT position FROM source_positions") {
		lsn, _, _ := strings.Cut(text, "-")
		n, err := strconv.ParseInt(lsn, 10, 64)
		harness.Check(w.T, err)
		return n
	}
	return 0
}

// requests counts the snapshots that were asked for and not read yet.
func (w *world) requests() int64 {
	w.Helper()
	return harness.RowsOf[int64](w.oracle, `SELECT COUNT(*) FROM mirror_requests`)[0]
}

// settle waits until all changes are applied and fanned out. It returns the place of the last one.
func (w *world) settle() string {
	w.Helper()
	text, end := w.lsn()
	eventually.True(w.T, "all changes are applied", func() bool { return w.position() >= end })
	eventually.True(w.T, "all fan-outs are done", func() bool { return w.oracle.Open() == 0 })
	return text
}

// check compares all feeds, and fails if there are dead letters. Without the position, a page may be
// a tenth of a second old, since the mirror is another process.
func (w *world) check() {
	w.Helper()
	w.checkFeeds(w.web, w.name+"/0:"+w.settle())
	for _, reason := range harness.RowsOf[string](w.oracle, "SELECT reason || ' ' || convert_from(decode(line, 'base64'), 'UTF8') FROM dead_letters LIMIT 5") {
		w.Errorf("there is a dead letter: %s", reason)
	}
}

// checkObjects compares the rows of a query of the system with those of one of our database.
func (w *world) checkObjects(there, here string) {
	w.Helper()
	w.settle()
	want, got := w.texts(there), harness.RowsOf[string](w.oracle, here)
	missing, extra := harness.Without(want, got), harness.Without(got, want)
	if len(missing)+len(extra) > 0 || len(want) == 0 {
		w.Errorf("of %d objects, these are missing:\n%s\nand these are there besides:\n%s", len(want), strings.Join(missing, "\n"), strings.Join(extra, "\n"))
	}
}

// stops waits until a process has stopped because it must not go on, and returns its last line.
func (w *world) stops(p *testenv.Process) string {
	w.Helper()
	if code := p.Wait(); code != 1 {
		w.Errorf("the mirror ends with exit code %d", code)
	}
	lines := strings.Split(strings.TrimSpace(p.Output()), "\n")
	return lines[len(lines)-1]
}

// store runs a statement in our database.
func (w *world) store(statement string) {
	w.Helper()
	_, err := w.oracle.Conn.Exec(w.Context(), statement)
	harness.Check(w.T, err)
}
