// Package mirror has the tests of tideline mirror on real servers.
package mirror

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// shape is a kind of system.
type shape struct {
	schema string
	// types are those of the records that its tables make.
	types string
	// mapping is the mapping file. If it is empty, that is the one that tideline mirror init proposes.
	mapping  string
	settings []string
	// begin makes the first rows, step runs one random statement.
	begin, step func(*system)
	// feeds selects all home feeds as the system would show them: the ids of viewers and of posts,
	// the newest first, and NULL for an empty feed.
	feeds string
}

// system is another system: its database, and random statements over it.
type system struct {
	shape
	t      *testing.T
	url    string
	conn   *pgx.Conn
	random *rand.Rand
	// users and posts count what was made.
	users, posts int
}

func newSystem(t *testing.T, url string, of shape, seed uint64) *system {
	t.Helper()
	s := &system{shape: of, t: t, url: url, random: rand.New(rand.NewPCG(seed, 7))}
	s.connect()
	s.exec(s.schema)
	s.begin(s)
	s.change(200)
	return s
}

// connect opens the connection, again after the server has ended.
func (s *system) connect() {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), s.url)
	harness.Check(s.t, err)
	s.t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(s.t.Context())) })
	s.conn = conn
}

// other returns another connection to the system.
func (s *system) other() *system {
	s.t.Helper()
	o := *s
	o.connect()
	return &o
}

func (s *system) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.conn.Exec(s.t.Context(), statement, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...); err != nil {
		s.t.Fatalf("%.2000s: %v", statement, err)
	}
}

// texts returns the rows of a query with one column.
func (s *system) texts(query string) []string {
	s.t.Helper()
	rows, err := s.conn.Query(s.t.Context(), query)
	harness.Check(s.t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	harness.Check(s.t, err)
	return list
}

// lsn returns the place of the database as a text and as a number.
func (s *system) lsn() (text string, n int64) {
	s.t.Helper()
	harness.Check(s.t, s.conn.QueryRow(s.t.Context(), `SELECT l::text, (l - '0/0')::bigint FROM pg_current_wal_insert_lsn() l`).Scan(&text, &n))
	return text, n
}

func (s *system) anyone() int  { return 1 + s.random.IntN(s.users) }
func (s *system) anyPost() int { return 1 + s.random.IntN(s.posts+1) }

// two returns two users.
func (s *system) two() (a, b int) {
	a = s.anyone()
	return a, (a+s.random.IntN(s.users-1))%s.users + 1
}

// change runs a number of random transactions.
func (s *system) change(n int) {
	s.t.Helper()
	for range n {
		switch s.random.IntN(8) {
		case 0:
			s.exec("BEGIN")
			for range 1 + s.random.IntN(5) {
				s.step(s)
			}
			s.exec([]string{"COMMIT", "COMMIT", "ROLLBACK"}[s.random.IntN(3)])
		default:
			s.step(s)
		}
	}
}

// expected returns all home feeds as the system would show them.
func (s *system) expected() map[string][]string {
	s.t.Helper()
	rows, err := s.conn.Query(s.t.Context(), s.feeds)
	harness.Check(s.t, err)
	var viewer string
	var post *string
	feeds := map[string][]string{}
	_, err = pgx.ForEachRow(rows, []any{&viewer, &post}, func() error {
		feeds[viewer] = slices.Clip(feeds[viewer])
		if post != nil {
			feeds[viewer] = append(feeds[viewer], *post)
		}
		return nil
	})
	harness.Check(s.t, err)
	return feeds
}

// checkFeeds compares the home feeds of all users, as of a position at least, with those of the
// system.
func (s *system) checkFeeds(web *harness.Server, position string) {
	s.t.Helper()
	total := 0
	feeds, token := s.expected(), s.service()
	for _, viewer := range slices.Sorted(maps.Keys(feeds)) {
		want := feeds[viewer]
		total += len(want)
		got := web.HomeAtLeast(s.t, token, viewer, position, 100, len(want)+1)
		if !slices.Equal(got, want) {
			missing, extra := harness.Without(want, got), harness.Without(got, want)
			s.t.Errorf("the home feed of user %s lacks [%s] and has [%s] besides, of %d posts",
				viewer, strings.Join(missing, " "), strings.Join(extra, " "), len(want))
		}
	}
	if total == 0 {
		s.t.Error("all feeds are empty")
	}
}

// service returns the token of a service.
func (s *system) service() string {
	s.t.Helper()
	token, err := gateway.NewTokens([]byte(harness.Secret), time.Now).Sign(gateway.Claims{Service: "system"}, time.Hour)
	harness.Check(s.t, err)
	return token
}

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

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
