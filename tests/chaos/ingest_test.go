package chaos

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestKills_LoseNothingOfASource kills the server while a source posts its records, and has the
// source send all of them twice more.
func TestKills_LoseNothingOfASource(t *testing.T) {
	kills := 3
	if harness.Full() {
		kills = 100
	}
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	s := harness.NewSource(seed, 3000)
	s.Shuffle()
	database, token := testenv.Postgres(t), strings.Repeat("opaque", 6)
	addr := fmt.Sprintf("127.0.0.1:%d", testenv.FreePort(t))
	env := []string{
		"TIDELINE_ADDR=" + addr, "TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SERVICE_TOKEN=" + token, "TIDELINE_SOURCE_OWNS=user,follow,post",
		"TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=error", "TIDELINE_PUSH_THRESHOLD=10", "TIDELINE_SUBTASK_SIZE=5",
	}
	server := harness.StartServer(t, env...)
	oracle := harness.NewOracle(t, database)
	versions := func() int64 { return harness.RowsOf[int64](oracle, "SELECT COUNT(*) FROM object_versions")[0] }
	all := strings.Join(s.Lines, "\n") + "\n"
	for range kills {
		before := versions()
		body, write := io.Pipe()
		sent := make(chan error, 1)
		go func() { _, _, err := postRecords(t.Context(), addr, token, body); sent <- err }()
		go func() { _, err := io.Copy(write, strings.NewReader(all)); _ = write.CloseWithError(err) }()
		eventually.True(t, "the server has applied something", func() bool { return versions() > before || before == int64(len(s.Objects())) })
		server.Process.Kill()
		_ = body.Close()
		if err := <-sent; err == nil {
			t.Log("the request was answered before the kill")
		}
		server = harness.StartServer(t, env...)
	}
	for range 2 {
		status, answer, err := postRecords(t.Context(), addr, token, strings.NewReader(all))
		harness.Check(t, err)
		if status != http.StatusOK || !strings.Contains(answer, `"badCount":0`) {
			t.Fatalf("status %d: %.300s", status, answer)
		}
	}
	eventually.True(t, "all fan-outs are done", func() bool { return oracle.Open() == 0 })
	s.CheckFeeds(t, server)
	if n := harness.RowsOf[int64](oracle, "SELECT COUNT(*) FROM dead_letters")[0]; n != 0 {
		t.Errorf("there are %d dead letters", n)
	}
	harness.DoctorSays(t, env, nil, 0)
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
