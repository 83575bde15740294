package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

const (
	secret = "a secret of at least thirty-two bytes"
	token  = "a token of at least thirty-two bytes"
)

// startServer returns the URL of a server with an empty database.
func startServer(t *testing.T) string {
	t.Helper()
	server := testenv.Program(t, []string{testenv.Binary(t), "serve"}, []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_ADDR=127.0.0.1:0",
		"TIDELINE_JWT_SECRET=" + secret, "TIDELINE_SERVICE_TOKEN=" + token, "TIDELINE_SOURCE_OWNS=user,post,follow",
		"TIDELINE_DEMO=false", "TIDELINE_RATE_LIMIT=0", "TIDELINE_SERVICE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=0", "TIDELINE_DATA_DIR=" + t.TempDir(),
	})
	return server.WaitLine(`^ready after .*: open (http://[^/]+)/graphiql$`)[1]
}

func TestRun_MeasuresPostsOfServer(t *testing.T) {
	t.Setenv("TIDELINE_SERVICE_TOKEN", token)
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-url", startServer(t), "-rate", "100", "-followers", "2", "-for", "2s", "-settle", "0"}, &out); err != nil {
		t.Fatal(err)
	}
	var rate, posts int
	if _, err := fmt.Sscanf(out.String(), "%d records/s; %d posts seen by the last follower: p50 ", &rate, &posts); err != nil || posts == 0 || rate == 0 || rate > 110 {
		t.Errorf("the output is %q: %v", out.String(), err)
	}
}

func TestRun_ReportsRefusals(t *testing.T) {
	t.Setenv("TIDELINE_SERVICE_TOKEN", "another "+token)
	var out bytes.Buffer
	err := run(t.Context(), []string{"-url", startServer(t), "-for", "1s", "-settle", "0"}, &out)
	if err == nil || !strings.Contains(err.Error(), "/ingest returned 401") || out.Len() != 0 {
		t.Errorf("the error is %v, the output %q", err, out.String())
	}
}
