package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// secret signs all tokens, and adminToken grants access to the metrics.
const (
	secret     = "the secret that signs the benchmarks' tokens"
	adminToken = "the token for reading the benchmarks' metrics"
)

// The push thresholds of servers: the default, and one for a network of ten thousand users. There
// only the star has five thousand followers, so the threshold is that of the most popular percent.
const (
	defaultThreshold = 5000
	smallThreshold   = 800
)

// site is a generated network in PostgreSQL with its servers.
type site struct {
	// The imported network.
	*network
	size world.Size
	// threshold is the push threshold of all servers.
	threshold int
	// importTook is the duration of the import.
	importTook time.Duration
	// program is the server binary. loadgen is the load generator's, for its prebuilt server.
	program, loadgen string
	// peers is the folder of the peers, installed by scripts/bench.sh.
	peers string
	// running are the started processes.
	running []*testenv.Process
}

// newSite imports a network into a new PostgreSQL server with the given settings. It flags authors
// above the push threshold as selective, as their first publish would: their posts go to active
// followers only.
func newSite(b *testing.B, size world.Size, threshold int, settings ...string) *site {
	b.Helper()
	s := &site{size: size, threshold: threshold, program: testenv.Binary(b), loadgen: filepath.Join(b.TempDir(), "loadgen")}
	must(b, size.Check())
	root, err := filepath.Abs("..")
	must(b, err)
	s.peers = filepath.Join(root, "bin", "peers")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", s.loadgen, "./cmd/loadgen")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	databaseURL := os.Getenv("BENCH_DATABASE_URL")
	if databaseURL == "" {
		databaseURL = testenv.StartPostgres(b, append([]string{"shared_buffers=1GB", "max_wal_size=1GB"}, settings...)...).URL()
	}
	s.network = openNetwork(b, databaseURL)
	if !s.loadedBefore() {
		s.load()
	}
	s.exec(`UPDATE users SET mark = 1 WHERE id IN (SELECT user_id FROM user_counters WHERE followers > $1)`, s.threshold)
	// An import leaves dead rows, and how many autovacuum has removed is random. Remove all.
	s.exec(`VACUUM FULL users, user_counters, content_counters`)
	s.analyze()
	return s
}

// loadedBefore returns whether the database at BENCH_DATABASE_URL already has the network.
// Importing a million users takes long, so a user or an interrupted run may have imported it
// before. The table bench_import has the duration in seconds, or 0 if the network was stored in
// another way.
func (s *site) loadedBefore() bool {
	s.b.Helper()
	if s.number(`SELECT count(*) FROM pg_tables WHERE tablename = 'bench_import'`) == 0 {
		return false
	}
	s.importTook = time.Duration(s.number(`SELECT seconds FROM bench_import`)) * time.Second
	return true
}

// load imports the network, which is generated as a stream.
func (s *site) load() {
	s.b.Helper()
	from, to := io.Pipe()
	go func() { to.CloseWithError(s.size.Write(to, time.Now().Add(-time.Hour))) }()
	cmd := exec.CommandContext(s.b.Context(), testenv.Binary(s.b), "import", "-")
	cmd.Env = append(os.Environ(), "TIDELINE_DATABASE_URL="+s.url, "TIDELINE_DATA_DIR="+s.b.TempDir())
	cmd.Stdin = from
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		s.b.Fatalf("import: %v\n%s", err, tail(out))
	}
	s.importTook = time.Since(began)
	s.exec(`CREATE TABLE bench_import AS SELECT $1::bigint AS seconds`, int64(s.importTook.Seconds()))
}

// tail returns the end of a program's output.
func tail(out []byte) []byte { return out[max(0, len(out)-2000):] }

// place is the storage that programs with the same inboxes share.
type place struct {
	redisURL string
	*network
}

// server is a running process that serves requests, with its Redis and its place.
type server struct {
	page.Server
	process *testenv.Process
	redis   *redis.Client
	place   place
}

// ownPlace returns an empty Redis and a copy of the network.
func (s *site) ownPlace() place {
	s.b.Helper()
	return place{testenv.Redis(s.b), s.copy()}
}

// tideline starts a server with further settings at its own place.
func (s *site) tideline(settings ...string) *server {
	s.b.Helper()
	return s.tidelineAt(s.ownPlace(), settings...)
}

// tidelineAt starts a server at a place.
func (s *site) tidelineAt(at place, settings ...string) *server {
	s.b.Helper()
	p := s.serve(at, settings...)
	base, err := url.Parse(p.WaitReady())
	must(s.b, err)
	return &server{Server: page.Server{Addr: base.Host, Secret: secret}, process: p, redis: redisClient(s.b, at.redisURL), place: at}
}

// worker starts a process that runs queued tasks and serves no requests.
func (s *site) worker(at place) *server {
	s.b.Helper()
	p := s.serve(at, "TIDELINE_ROLE=worker")
	p.WaitReady()
	return &server{process: p, place: at}
}

// serve starts the program.
func (s *site) serve(at place, settings ...string) *testenv.Process {
	s.b.Helper()
	env := append([]string{
		"TIDELINE_ADDR=127.0.0.1:0", "TIDELINE_DATABASE_URL=" + at.url, "TIDELINE_REDIS_URL=" + at.redisURL,
		"TIDELINE_JWT_SECRET=" + secret, "TIDELINE_ADMIN_TOKEN=" + adminToken, "TIDELINE_DATA_DIR=" + s.b.TempDir(),
		"TIDELINE_PUSH_THRESHOLD=" + strconv.Itoa(s.threshold),
	}, settings...)
	// The log goes to a file, as in production: reading it here would disturb the measurement.
	log := filepath.Join(testenv.Dir(s.b), "log")
	return s.start([]string{"/bin/sh", "-c", `exec "$0" serve 2>"$1"`, s.program, log}, env)
}

// start starts a program that runs until the benchmark ends, or until [site.leave].
func (s *site) start(args, env []string) *testenv.Process {
	s.b.Helper()
	p := testenv.Program(s.b, args, env)
	s.running = append(s.running, p)
	return p
}

// leave stops all programs except one server. Idle programs also poll for tasks, which takes a
// twentieth of a core each.
func (s *site) leave(v *server) {
	s.b.Helper()
	for _, p := range s.running {
		if p != v.process {
			p.Kill()
		}
	}
	s.running = []*testenv.Process{v.process}
}

func redisClient(b *testing.B, redisURL string) *redis.Client {
	b.Helper()
	options, err := redis.ParseURL(redisURL)
	must(b, err)
	c := redis.NewClient(options)
	b.Cleanup(func() { _ = c.Close() })
	return c
}

// prebuilt starts a server that responds with one body.
func (s *site) prebuilt(body []byte) *server {
	s.b.Helper()
	file := filepath.Join(s.b.TempDir(), "body.json")
	must(s.b, os.WriteFile(file, body, 0o600))
	p := s.start([]string{s.loadgen, "prebuilt", "-body", file}, nil)
	return &server{Server: page.Server{Addr: p.WaitLine(`ready at (\S+)`)[1], Secret: secret}, process: p}
}

// peer starts one of the programs in bench/peers at a place.
func (s *site) peer(program string, at place, settings ...string) *server {
	s.b.Helper()
	port := strconv.Itoa(testenv.FreePort(s.b))
	env := append([]string{"PEER_DATABASE_URL=" + at.url, "PEER_REDIS_URL=" + at.redisURL, "PEER_PORT=" + port, "NODE_ENV=production"}, settings...)
	p := s.start([]string{"node", filepath.Join(s.peers, program)}, env)
	p.WaitLine(`^ready`)
	return &server{Server: page.Server{Addr: "127.0.0.1:" + port, Secret: secret}, process: p, redis: redisClient(s.b, at.redisURL)}
}

// reads returns the number of home feed reads with the given label, or without it if says is false.
func (v *server) reads(b *testing.B, label string, says bool) (n float64) {
	b.Helper()
	wire := fmt.Appendf(nil, "GET /metrics HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", v.Addr, adminToken)
	body, err := page.Fetch(b.Context(), v.Addr, wire)
	must(b, err)
	for line := range bytes.Lines(body) {
		text := string(line)
		if !strings.HasPrefix(text, "tideline_feed_reads_total{") || strings.Contains(text, label) != says {
			continue
		}
		count, err := strconv.ParseFloat(strings.TrimSpace(text[strings.LastIndexByte(text, ' '):]), 64)
		must(b, err)
		n += count
	}
	return n
}

// The labels of reads from an inbox, and of reads from a cold inbox.
const (
	byInbox = `source="inbox"`
	byCold  = `inbox="cold"`
)

// warm reads every page of a request set until all come from inboxes. A viewer's first read only
// starts the build.
func (v *server) warm(b *testing.B, requests *page.RequestSet) {
	b.Helper()
	const passes = 200
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for range passes {
		before := v.reads(b, byInbox, false)
		must(b, readAll(b.Context(), v.Addr, requests))
		if v.reads(b, byInbox, false) == before {
			return
		}
		<-ticker.C
	}
	b.Fatalf("inboxes are not built after %d passes", passes)
}

// readAll sends each request of a request set once and verifies the responses.
func readAll(ctx context.Context, addr string, requests *page.RequestSet) error {
	c, err := drive.Dial(ctx, addr)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	for _, r := range requests.All() {
		body, err := c.Do(r.Wire)
		if err == nil {
			err = r.Check(body)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
