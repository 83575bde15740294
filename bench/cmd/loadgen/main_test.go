package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

const secret = "a secret of at least thirty-two bytes"

// network are the flags of a small network.
func network(args ...string) []string {
	return append(args, "-seed", "3", "-users", "1000", "-follows", "5", "-posts", "8", "-live")
}

func environment(name string) string {
	return map[string]string{signedWith: secret}[name]
}

// Every mode of read finds the imported records in the feeds of a running server.
func TestLoadgen_FindsExpectedPagesOnServer(t *testing.T) {
	database, redis := testenv.Postgres(t), testenv.Redis(t)
	var records bytes.Buffer
	check(t, run(t.Context(), network("records"), environment, &records))
	file := filepath.Join(testenv.Dir(t), "network.ndjson")
	check(t, os.WriteFile(file, records.Bytes(), 0o600))
	env := []string{
		"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis, signedWith + "=" + secret,
		"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_ADDR=127.0.0.1:0",
	}
	if code := testenv.Program(t, []string{testenv.Binary(t), "import", file}, env).Wait(); code != 0 {
		t.Fatalf("the import ended with exit code %d", code)
	}
	server := testenv.Program(t, []string{testenv.Binary(t), "serve"}, env)
	addr := strings.TrimPrefix(server.WaitReady(), "http://")
	for _, args := range [][]string{
		{"-viewers", "few"},
		{"-viewers", "many", "-limit", "5", "-conns", "2"},
		{"-viewers", "crowd", "-limit", "50", "-zipf"},
		{"-viewers", "few", "-limit", "5", "-page", "3"},
		{"-viewers", "few", "-limit", "5", "-rate", "50"},
		{"-viewers", "few", "-limit", "5", "-what", "live"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			args := append(network("read", "-addr", addr, "-for", "200ms", "-json"), args...)
			var out bytes.Buffer
			check(t, run(t.Context(), args, environment, &out))
			var result drive.Result
			check(t, json.Unmarshal(out.Bytes(), &result))
			if result.Requests == 0 || result.Errors > 0 || result.BodyBytes < 1000 {
				t.Errorf("the result is %+v", result)
			}
		})
	}
	t.Run("bound", func(t *testing.T) { testBound(t, database, redis) })
}

// servedBody is the body of the served file.
const servedBody = `{"data":{}}`

// served runs a serving command until the test ends. It returns a function that sends a request.
func served(t *testing.T, args ...string) (ask func() (status int, body string)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "body")
	check(t, os.WriteFile(file, []byte(servedBody), 0o600))
	ctx, cancel := context.WithCancel(context.Background())
	from, to := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, append(args, "-body", file), environment, to)
		ended <- errors.Join(err, to.Close())
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	line := make([]byte, 100)
	n, err := from.Read(line)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	addr := regexp.MustCompile(`ready at (\S+)\n`).FindSubmatch(line[:n])
	return func() (int, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+string(addr[1])+"/graphql", strings.NewReader("{}"))
		check(t, err)
		response, err := http.DefaultClient.Do(request)
		check(t, err)
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		check(t, err)
		return response.StatusCode, string(body)
	}
}

// Prebuilt responds to every request with the file, and prints its address.
func TestPrebuilt(t *testing.T) {
	if status, body := served(t, "prebuilt")(); status != http.StatusOK || body != servedBody {
		t.Errorf("the response has status %d and body %s", status, body)
	}
}

// A wrong command line returns an error that names the mistake.
func TestLoadgen_RefusesWrongCommandLines(t *testing.T) {
	for line, want := range map[string]string{
		"":                                 "records, read, prebuilt or bound",
		"write":                            "records, read, prebuilt or bound",
		"records -users 10":                "at least 1000 users",
		"read -viewers none":               "must be crowd, few or many",
		"read -what dead":                  "must be home or live",
		"prebuilt -body /nowhere/at/all":   "no such file",
		"bound -body /nowhere/at/all":      "no such file",
		"bound -body main.go -first 9":     "-first must be from 1 to -last",
		"bound -body main.go -reads twice": "-reads must be all, lean or inbox",
		"bound -body main.go":              "database",
		"read -users 1000 -follows 50000":  "users follow from 1 to 2000",
	} {
		err := run(t.Context(), strings.Fields(line), environment, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("loadgen %s: %v", line, err)
		}
	}
	err := run(t.Context(), []string{"read"}, func(string) string { return "" }, io.Discard)
	if err == nil || !strings.Contains(err.Error(), signedWith) {
		t.Errorf("without a secret: %v", err)
	}
}
