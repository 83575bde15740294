package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tasks"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// intake is a source, and what checks that none of its records is lost.
type intake struct {
	*harness.Source
	t      *testing.T
	oracle *harness.Oracle
	// env is for all programs, addr the address of servers.
	env         []string
	addr, token string
	kills       int
}

func newIntake(t *testing.T, posts int, ids feed.IDMode) *intake {
	t.Helper()
	in := &intake{t: t, kills: 3, token: strings.Repeat("opaque", 6), addr: fmt.Sprintf("127.0.0.1:%d", testenv.FreePort(t))}
	if harness.Full() {
		in.kills = 100
	}
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	in.Source = harness.NewSource(seed, posts, ids)
	database := testenv.Postgres(t)
	in.oracle = harness.NewOracle(t, database)
	in.env = append([]string{
		"TIDELINE_ADDR=" + in.addr, "TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SERVICE_TOKEN=" + in.token, "TIDELINE_SOURCE_OWNS=user,follow,post",
		"TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=error", "TIDELINE_PUSH_THRESHOLD=10", "TIDELINE_SUBTASK_SIZE=5",
	}, in.Env()...)
	return in
}

// versions counts the objects that have arrived.
func (in *intake) versions() int64 {
	return harness.RowsOf[int64](in.oracle, "SELECT COUNT(*) FROM object_versions")[0]
}

// check compares all feeds with those of the source.
func (in *intake) check(server *harness.Server) {
	in.t.Helper()
	eventually.True(in.t, "all fan-outs are done", func() bool { return in.oracle.Open() == 0 })
	in.CheckFeeds(in.t, server, in.oracle)
	for _, letter := range harness.RowsOf[string](in.oracle, "SELECT reason || ': ' || convert_from(decode(line, 'base64'), 'UTF8') FROM dead_letters") {
		in.t.Errorf("there is a dead letter: %s", letter)
	}
	harness.DoctorSays(in.t, in.env, nil, 0)
}

// TestKills_LoseNothingOfASource kills the server while a source posts its records, and has the
// source send all of them twice more. Its ids are texts.
func TestKills_LoseNothingOfASource(t *testing.T) {
	in := newIntake(t, 1500, feed.TextIDs)
	in.Shuffle()
	server := harness.StartServer(t, in.env...)
	all := strings.Join(in.Lines, "\n") + "\n"
	for range in.kills {
		before := in.versions()
		body, write := io.Pipe()
		sent := make(chan error, 1)
		go func() { _, _, err := postRecords(t.Context(), in.addr, in.token, body); sent <- err }()
		go func() { _, err := io.Copy(write, strings.NewReader(all)); _ = write.CloseWithError(err) }()
		eventually.True(t, "the server has applied something", func() bool { return in.versions() > before || before == int64(len(in.Objects())) })
		server.Process.Kill()
		_ = body.Close()
		if err := <-sent; err == nil {
			t.Log("the request was answered before the kill")
		}
		server = harness.StartServer(t, in.env...)
	}
	for range 2 {
		status, answer, err := postRecords(t.Context(), in.addr, in.token, strings.NewReader(all))
		harness.Check(t, err)
		if status != http.StatusOK || !strings.Contains(answer, `"badCount":0`) {
			t.Fatalf("status %d: %.300s", status, answer)
		}
	}
	in.check(server)
}

// TestKills_LoseNothingOfTasks kills the server while it takes a source's records from tasks. Each
// record is in one task before the kills, and in two after them.
func TestKills_LoseNothingOfTasks(t *testing.T) {
	t.Parallel()
	in := newIntake(t, 1000, feed.NumberIDs)
	in.Shuffle()
	options, err := asynq.ParseRedisURI(strings.TrimPrefix(in.env[2], "TIDELINE_REDIS_URL="))
	harness.Check(t, err)
	client, inspector := asynq.NewClient(options), asynq.NewInspector(options)
	t.Cleanup(func() { harness.Check(t, errors.Join(client.Close(), inspector.Close())) })
	send := func(lines []string) {
		for part := range slices.Chunk(lines, 20) {
			records := make([]json.RawMessage, len(part))
			for i, line := range part {
				records[i] = json.RawMessage(line)
			}
			task, err := tasks.NewIngest(records...)
			harness.Check(t, err)
			_, err = client.Enqueue(task)
			harness.Check(t, err)
		}
	}
	queue := func() *asynq.QueueInfo {
		info, err := inspector.GetQueueInfo(tasks.QueueIngest)
		harness.Check(t, err)
		return info
	}
	// Tasks that killed servers had taken run again after a minute. They change nothing then.
	killed := map[string]bool{}
	running := func() (ids []string) {
		active, err := inspector.ListActiveTasks(tasks.QueueIngest, asynq.PageSize(1000))
		harness.Check(t, err)
		for _, task := range active {
			if !killed[task.ID] {
				ids = append(ids, task.ID)
			}
		}
		return ids
	}
	share := len(in.Lines)/in.kills + 1
	server := harness.StartServer(t, in.env...)
	for lines := range slices.Chunk(in.Lines, share) {
		before := in.versions()
		send(lines)
		eventually.True(t, "the server has applied something", func() bool { return in.versions() > before || queue().Pending == 0 })
		server.Process.Kill()
		for _, id := range running() {
			killed[id] = true
		}
		server = harness.StartServer(t, in.env...)
	}
	t.Logf("the killed servers had taken %d tasks", len(killed))
	send(in.Lines)
	send(in.Lines)
	eventually.True(t, "all tasks are done", func() bool {
		q := queue()
		return q.Pending+q.Retry == 0 && len(running()) == 0 && queue().Retry == 0
	})
	if n := queue().Archived; n > 0 {
		t.Errorf("%d tasks are archived", n)
	}
	in.check(server)
}

// TestKills_LoseNothingOfAnImport kills imports of a file during their transactions.
func TestKills_LoseNothingOfAnImport(t *testing.T) {
	t.Parallel()
	in := newIntake(t, 1000, feed.NumberIDs)
	file := filepath.Join(t.TempDir(), "records.ndjson")
	harness.WriteLines(t, file, in.Lines...)
	harness.StartServer(t, in.env...).Process.Kill() // it has created the tables
	transactions := func() int64 {
		return harness.RowsOf[int64](in.oracle, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")[0]
	}
	killed := 0
	for range in.kills {
		after := transactions() + 1 + rand.Int64N(6)
		p := testenv.Program(t, []string{testenv.Binary(t), "import", file}, in.env)
		eventually.True(t, "the import writes", func() bool {
			select {
			case <-p.Done():
				return true
			default:
				return transactions() >= after
			}
		})
		select {
		case <-p.Done():
		default:
			killed++
		}
		p.Kill()
	}
	t.Logf("%d of %d imports were killed", killed, in.kills)
	for range 2 {
		harness.ImportFile(t, in.env, file, " 0 bad")
	}
	in.check(harness.StartServer(t, in.env...))
}

// followsOfStrangers writes follows of users who never arrive, each of two others.
func followsOfStrangers(to io.Writer, follows int) (err error) {
	for n := 0; n < follows && err == nil; n++ {
		_, err = fmt.Fprintf(to, `{"type":"follow","follower":"auth0|%d","followee":"auth0|%d","createdAt":"2026-01-01T00:00:00Z","version":1}`+"\n", 2*n, 2*n+1)
	}
	return err
}

// TestIngest_PlaceholdersFitInMemory sends follows of users who never arrive in one request, a
// million in a full run. A toy keeps the request, the numbers of ids or the placeholders.
func TestIngest_PlaceholdersFitInMemory(t *testing.T) {
	t.Parallel()
	follows := 10_000
	if harness.Full() {
		follows = 500_000
	}
	in := newIntake(t, 0, feed.TextIDs)
	server := harness.StartServer(t, in.env...)
	body, write := io.Pipe()
	go func() { write.CloseWithError(followsOfStrangers(write, follows)) }()
	status, answer, err := postRecords(t.Context(), in.addr, in.token, body)
	harness.Check(t, err)
	if want := fmt.Sprintf(`"stored":%d,"updated":0,"unchanged":0,"outdated":0,"badCount":0`, follows); status != http.StatusOK || !strings.Contains(answer, want) {
		t.Fatalf("status %d: %.300s", status, answer)
	}
	if n := harness.RowsOf[int64](in.oracle, "SELECT COUNT(*) FROM users WHERE absent <> 0")[0]; n != int64(2*follows) {
		t.Errorf("%d users are awaited, want %d", n, 2*follows)
	}
	const limit = 256 << 20
	most := harness.PeakMemory(t, server.Process)
	if t.Logf("the process had at most %d MB", most>>20); most > limit {
		t.Errorf("the process had %d MB", most>>20)
	}
}

func postRecords(ctx context.Context, addr, token string, body io.Reader) (status int, answer string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+"/ingest", body)
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var text bytes.Buffer
	_, err = text.ReadFrom(resp.Body)
	return resp.StatusCode, text.String(), err
}
