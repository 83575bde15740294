package bench_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// ingestToken authorizes the records of ingests.
const ingestToken = "bench-bench-bench-bench-bench-bench-bench"

// ingests compares POST /ingest into an empty database with COPY of the rows that result. The server
// starts and stops within the measurement, which adds a few hundredths of a second.
func (i *imports) ingests() *imports {
	i.b.Helper()
	j := *i
	j.records, j.rows, j.load = filepath.Join(i.b.TempDir(), "backlog.ndjson"), map[string][]byte{}, nil
	must(i.b, addVersions(i.records, j.records))
	redisURL := testenv.Redis(i.b)
	j.load = func(ctx context.Context) (*exec.Cmd, error) { return j.ingest(ctx, redisURL) }
	j.learn()
	return &j
}

// addVersions copies records, with a version each.
func addVersions(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	var out bytes.Buffer
	for lines := bufio.NewScanner(in); lines.Scan(); {
		out.WriteString(strings.TrimSuffix(lines.Text(), "}") + `,"version":1}` + "\n")
	}
	return os.WriteFile(to, out.Bytes(), 0o600)
}

// ingest starts a server, sends the records, and stops it.
func (i *imports) ingest(ctx context.Context, redisURL string) (*exec.Cmd, error) {
	address := "127.0.0.1:" + strconv.Itoa(testenv.FreePort(i.b))
	cmd := exec.CommandContext(ctx, i.program, "serve")
	cmd.Env = append(os.Environ(),
		"TIDELINE_DATABASE_URL="+i.other.databaseURL(importDatabase), "TIDELINE_DATA_DIR="+i.b.TempDir(), "TIDELINE_REDIS_URL="+redisURL,
		"TIDELINE_ADDR="+address, "TIDELINE_ROLE=api", "TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=error", "TIDELINE_JWT_SECRET="+ingestToken+"x",
		"TIDELINE_SERVICE_TOKEN="+ingestToken, "TIDELINE_SOURCE_OWNS=user,follow,post,like,favorite,mute,hide,block")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	err := sendBacklog(ctx, "http://"+address, i.records)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	return cmd, errors.Join(err, cmd.Wait())
}

// awaitHealth waits until a server answers.
func awaitHealth(ctx context.Context, url string) error {
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		answer, err := http.DefaultClient.Do(request)
		if err == nil {
			return answer.Body.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// sendBacklog waits for a server and sends it a file of records.
func sendBacklog(ctx context.Context, url, file string) error {
	if err := awaitHealth(ctx, url+"/healthz"); err != nil {
		return err
	}
	body, err := os.Open(file)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/ingest", body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+ingestToken)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	var sum struct{ Stored, BadCount int }
	if err := json.NewDecoder(answer.Body).Decode(&sum); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK || sum.Stored == 0 || sum.BadCount > 0 {
		return fmt.Errorf("the records were not all stored: status %d, %+v", answer.StatusCode, sum)
	}
	return nil
}
