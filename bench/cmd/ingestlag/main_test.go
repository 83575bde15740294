package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

const (
	secret = "a secret of at least thirty-two bytes"
	token  = "a token of at least thirty-two bytes"
)

// startServer returns the URL of a server with an empty database.
func startServer(t testing.TB, database string) string {
	t.Helper()
	server := testenv.Program(t, []string{testenv.Binary(t), "serve"}, []string{
		"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_ADDR=127.0.0.1:0",
		"TIDELINE_JWT_SECRET=" + secret, "TIDELINE_SERVICE_TOKEN=" + token, "TIDELINE_SOURCE_OWNS=user,post,follow",
		"TIDELINE_DEMO=false", "TIDELINE_RATE_LIMIT=0", "TIDELINE_SERVICE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=0", "TIDELINE_DATA_DIR=" + t.TempDir(),
	})
	return server.WaitReady()
}

func TestRun_MeasuresPostsAtHalfOfCapacity(t *testing.T) {
	t.Setenv("TIDELINE_SERVICE_TOKEN", token)
	var out bytes.Buffer
	args := []string{"-url", startServer(t, testenv.Postgres(t)), "-followers", "2", "-capacity-for", "500ms", "-for", "2s", "-settle", "0", "-connections", "2"}
	if err := run(t.Context(), args, &out); err != nil {
		t.Fatal(err)
	}
	var capacity, again, got, offered, posts int
	_, err := fmt.Sscanf(out.String(), "capacity %d records/s; %d requests sent again\n%d of %d records/s, %d requests sent again; %d posts seen by the last follower: p50 ",
		&capacity, &again, &got, &offered, &again, &posts)
	if half := capacity / 2; err != nil || posts == 0 || got == 0 || offered < half-1 || offered > half+1 || got > offered+offered/5 {
		t.Errorf("the output is %q: %v", out.String(), err)
	}
}

func TestRun_ReportsRefusals(t *testing.T) {
	t.Setenv("TIDELINE_SERVICE_TOKEN", "another "+token)
	var out bytes.Buffer
	err := run(t.Context(), []string{"-url", startServer(t, testenv.Postgres(t)), "-for", "1s", "-settle", "0"}, &out)
	if err == nil || !strings.Contains(err.Error(), "/ingest returned 401") || out.Len() != 0 {
		t.Errorf("the error is %v, the output %q", err, out.String())
	}
}

// BenchmarkIngestLag measures a server with a durable database. scripts/bench.sh runs it with
// BENCH=ingestlag.
func BenchmarkIngestLag(b *testing.B) {
	b.Setenv("TIDELINE_SERVICE_TOKEN", token)
	b.Setenv("TMPDIR", os.TempDir()) // on a disk, and not in memory
	followers := cmp.Or(os.Getenv("BENCH_FOLLOWERS"), "100")
	database := testenv.StartPostgres(b, "shared_buffers=1GB", "max_wal_size=4GB", "fsync=on", "synchronous_commit=on", "full_page_writes=on")
	if err := run(b.Context(), []string{"-url", startServer(b, database.URL()), "-for", "2m", "-followers", followers}, os.Stderr); err != nil {
		b.Fatal(err)
	}
}
