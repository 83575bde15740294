package buses

import (
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/bus"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestKafka_BulkLoads loads the history of a source from a bus, with a kill on the way,
// and then follows it.
func TestKafka_BulkLoads(t *testing.T) {
	t.Parallel()
	from := startKafka(t)
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	s := harness.NewSource(seed, 600, feed.NumberIDs)
	database, env := sourceEnv(t)
	web := harness.StartServer(t, env...)
	oracle := harness.NewOracle(t, database)
	count := func(query string) int64 { return harness.RowsOf[int64](oracle, query)[0] }
	from.create(t)
	from.send(t, bytesOf(s.Lines)...)
	generation := oracle.Generation()
	reader := startIngest(t, from.url(), append(env, "TIDELINE_INGEST_BULK=true")...)
	eventually.True(t, "the position moves", func() bool { return count("SELECT COUNT(*) FROM source_positions") == 1 })
	reader.Kill()
	reader = startIngest(t, from.url(), append(env, "TIDELINE_INGEST_BULK=true", "TIDELINE_LOG_LEVEL=info")...)
	end := lastPosition(t, from)
	reader.WaitLine("bulk load complete")
	if at := harness.RowsOf[string](oracle, "SELECT position FROM source_positions")[0]; at != end || count("SELECT bulk_since FROM feed_state") != 0 {
		t.Errorf("the load ends at %s, and the source at %s", at, end)
	}
	if n := count("SELECT (SELECT COUNT(*) FROM events) + (SELECT COUNT(*) FROM plan_slices)"); n != 0 || oracle.Generation() <= generation {
		t.Errorf("the load has begun %d fan-outs, and the generation is %d after %d", n, oracle.Generation(), generation)
	}
	s.CheckFeeds(t, web, oracle)
	from.send(t, bytesOf(s.Publish())...)
	end = lastPosition(t, from)
	eventually.True(t, "the next post is applied", func() bool {
		return harness.RowsOf[string](oracle, "SELECT position FROM source_positions")[0] == end && oracle.Open() == 0
	})
	if count("SELECT (SELECT COUNT(*) FROM events) + (SELECT COUNT(*) FROM plan_slices)") == 0 {
		t.Error("a post after the load begins no fan-out")
	}
	s.CheckFeeds(t, web, oracle)
	opened, source, err := bus.Open(from.url())
	harness.Check(t, err)
	harness.Check(t, opened.Close())
	showsLag(t, web, source)
}

// showsLag fails unless a server that reads no bus tells that the source is at its end.
func showsLag(t *testing.T, web *harness.Server, source string) {
	t.Helper()
	eventually.True(t, "the lag is small", func() bool {
		status, body := web.Get(t, "/readyz?lag=10s&source="+url.QueryEscape(source), "")
		return status == http.StatusOK && strings.Contains(body, `"lagMessages":0,"deadLetters":0`)
	})
	body := strings.NewReader(`{"query":"{ __typename }"}`)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.Base+"/graphql", body)
	harness.Check(t, err)
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Authorization": "Bearer " + serviceToken, "Tideline-Act-For": "1", "Tideline-As-Of": "1",
	} {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	harness.Check(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	harness.Check(t, err)
	if got := string(text); !strings.Contains(got, `"source":"`+source+`"`) || !strings.Contains(got, `"lagMessages":0`) || strings.Contains(got, `"lagMs":null`) {
		t.Errorf("the response is %s", got)
	}
}
