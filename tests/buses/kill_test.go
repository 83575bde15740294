package buses

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/ingest"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestNATS_KillsLoseNothing kills the process that reads a bus while the source sends its records. The
// source sends all of them again after each kill, and twice more at the end. Then the stream is created
// again. The promises of [conform] make every bus equal in this.
func TestNATS_KillsLoseNothing(t *testing.T) {
	t.Parallel()
	bus := startNATS(t)
	kills := 3
	if harness.Full() {
		kills = 100
	}
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	s := harness.NewSource(seed, 400, feed.TextIDs)
	lines := bytesOf(s.Lines)
	database, env := sourceEnv(t)
	env = append(env, s.Env()...)
	web := harness.StartServer(t, env...)
	oracle := harness.NewOracle(t, database)
	position := func() string {
		rows := harness.RowsOf[string](oracle, "SELECT position FROM source_positions")
		if len(rows) == 0 {
			return ""
		}
		return rows[0]
	}
	bus.create(t)
	reader := startIngest(t, bus.url(), env...)
	for range kills {
		before := position()
		bus.send(t, lines...)
		eventually.True(t, "the position moves", func() bool { return position() != before })
		reader.Kill()
		reader = startIngest(t, bus.url(), env...)
	}
	bus.send(t, lines...)
	bus.send(t, lines...)
	end := lastPosition(t, bus)
	eventually.True(t, "everything is applied", func() bool { return position() == end })
	eventually.True(t, "all fan-outs are done", func() bool { return oracle.Open() == 0 })
	s.CheckFeeds(t, web, oracle)
	if n := harness.RowsOf[int64](oracle, "SELECT COUNT(*) FROM dead_letters")[0]; n != 0 {
		t.Errorf("there are %d dead letters", n)
	}
	harness.DoctorSays(t, env, nil, 0)
	bus.remove(t)
	bus.create(t)
	bus.send(t, lines...)
	bus.send(t, lines...)
	stopsAt(t, reader, end)
	stopsAt(t, testenv.Program(t, []string{testenv.Binary(t), "ingest"}, append([]string{"TIDELINE_INGEST_FROM=" + bus.url()}, env...)), end)
	if at := position(); at != end {
		t.Errorf("the position moved from %s to %s, of another stream", end, at)
	}
}

// stopsAt fails unless a reader ends by itself, with one line that says that it cannot continue.
func stopsAt(t *testing.T, reader *testenv.Process, position string) {
	t.Helper()
	code, out := reader.Wait(), reader.Output()
	want := "cannot continue after position " + position + ": "
	if code == 0 || strings.Count(out, "cannot continue") != 1 || !strings.Contains(out, want) || !strings.Contains(out, "nothing was skipped") {
		t.Errorf("a reader of another stream ends with exit code %d, and the output\n%s", code, out)
	}
}

// sourceEnv returns a new database, and settings for processes of a source.
func sourceEnv(t *testing.T) (database string, env []string) {
	t.Helper()
	database = harness.Postgres(t)
	return database, []string{
		"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SERVICE_TOKEN=" + serviceToken, "TIDELINE_SOURCE_OWNS=user,follow,post",
		"TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=error", "TIDELINE_PUSH_THRESHOLD=10", "TIDELINE_SUBTASK_SIZE=5",
	}
}

const serviceToken = "a token of thirty-two characters"

func bytesOf(lines []string) [][]byte {
	list := make([][]byte, len(lines))
	for i, line := range lines {
		list[i] = []byte(line)
	}
	return list
}

// startIngest starts a process that reads a bus.
func startIngest(t *testing.T, url string, env ...string) *testenv.Process {
	t.Helper()
	p := testenv.Program(t, []string{testenv.Binary(t), "ingest"}, append([]string{"TIDELINE_INGEST_FROM=" + url}, env...))
	p.WaitReady()
	return p
}

// lastPosition returns the position of the newest message.
func lastPosition(t *testing.T, s server) string {
	t.Helper()
	b := &busTest{T: t, server: s, bus: openBus(t, s)}
	p := b.opened(ingest.Place{})
	defer p.Close()
	var last string
	eventually.True(t, "the reader is at the end", func() bool {
		got, err := p.Poll(t.Context())
		harness.Check(t, err)
		if n := len(got.Messages); n > 0 {
			last = got.Messages[n-1].Position
		}
		return got.CaughtUp
	})
	return last
}
