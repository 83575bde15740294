package testenv

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// Postgres returns the URL of a new, empty database on a real PostgreSQL server, such as
// postgres://postgres@127.0.0.1:15001/test_1?sslmode=disable. The database is dropped when the test
// ends, even with open connections.
//
// All tests of the test binary share the server, which allows 400 connections. It does not sync to
// disk, so do not test power failures with it.
func Postgres(t testing.TB) string {
	t.Helper()
	server, err := sharedPostgres()
	if err != nil {
		t.Fatal(err)
	}
	return server.newDatabase(t, "template1")
}

// sharedPostgres starts the server on the first call. It is package state because unrelated tests
// of a test binary can share the server nowhere else. The only other state is the server of
// LogicalPostgres, the built programs and the folder of Dir.
var sharedPostgres = sync.OnceValues(func() (*postgresServer, error) { return startPostgres() })

type postgresServer struct {
	port      int
	log       string // the path of its log
	guard     *guard // kept, because its end is the end of the server
	databases atomic.Int64

	mu sync.Mutex
	// admin is a connection to the maintenance database. It is nil until first used.
	admin *pgx.Conn
}

func (s *postgresServer) url(database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.User("postgres"),
		Host:     address(s.port),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// newDatabase copies a database for the duration of a test and returns the URL of the copy.
func (s *postgresServer) newDatabase(t testing.TB, template string) string {
	t.Helper()
	name, err := s.create(t.Context(), template)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if crashes := s.crashes(); t.Failed() && crashes != "" {
			t.Logf("PostgreSQL has closed all connections, because a process of it crashed:\n%s", crashes)
		}
		// t.Context is already done here. A database that stays does no harm: the server is removed
		// when the test binary ends.
		if err := s.execute(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Log(err)
		}
	})
	return s.url(name)
}

// crashes returns the lines of the log that name a crashed process. The server then ends all
// connections without an error, so that its clients only see the end of a stream.
func (s *postgresServer) crashes() string {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "PANIC:") || strings.Contains(line, "was terminated by signal") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// create copies a database and returns the name of the copy. template1 is PostgreSQL's empty
// database.
func (s *postgresServer) create(ctx context.Context, template string) (string, error) {
	name := fmt.Sprintf("test_%d", s.databases.Add(1))
	return name, s.execute(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template)
}

// execute runs one statement in the maintenance database. It keeps the connection, because starting
// a backend takes longer than creating and dropping a database.
func (s *postgresServer) execute(ctx context.Context, statement string) error {
	ctx, cancel := context.WithTimeout(ctx, eventually.Limit)
	defer cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.admin == nil || s.admin.Ping(ctx) != nil {
		conn, err := pgx.Connect(ctx, s.url("postgres"))
		if err != nil {
			return fmt.Errorf("testenv: %w", err)
		}
		s.admin = conn
	}
	if _, err := s.admin.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol); err != nil {
		return fmt.Errorf("testenv: %s: %w", statement, err)
	}
	return nil
}

func startPostgres(settings ...string) (*postgresServer, error) {
	bin, err := postgresPrograms()
	if err != nil {
		return nil, err
	}
	as, err := postgresUser()
	if err != nil {
		return nil, err
	}
	dir, err := scratchDir("tideline-postgres-")
	if err != nil {
		return nil, err
	}
	server, err := startPostgresIn(dir, bin, as, settings...)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return server, nil
}

// startPostgresIn makes the data folder and starts a server on a free port. settings override the
// package's own.
func startPostgresIn(dir, bin string, as *syscall.Credential, settings ...string) (*postgresServer, error) {
	if as != nil {
		if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
			return nil, err
		}
	}
	if err := initPostgres(bin, filepath.Join(dir, "data"), as); err != nil {
		return nil, err
	}
	return servePostgres(dir, bin, as, settings...)
}

// servePostgres starts a server for the data folder in dir on a free port.
func servePostgres(dir, bin string, as *syscall.Credential, settings ...string) (*postgresServer, error) {
	data := filepath.Join(dir, "data")
	var failure error
	for range startTries {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		g, err := startGuard(dir, as, postgresCommand(bin, data, port, settings...)...)
		if err != nil {
			return nil, err
		}
		if failure = awaitPostgres(filepath.Join(dir, "log")); failure == nil {
			return &postgresServer{port: port, log: filepath.Join(dir, "log"), guard: g}, nil
		}
		if err := g.stop(); err != nil {
			return nil, errors.Join(failure, err)
		}
		if !errors.Is(failure, errPortTaken) {
			return nil, failure
		}
	}
	return nil, failure
}

// initPostgres makes the data folder, which takes about a second.
func initPostgres(bin, data string, as *syscall.Credential) error {
	ctx, cancel := context.WithTimeout(context.Background(), eventually.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "initdb"),
		"--pgdata", data, "--username", "postgres", "--auth", "trust",
		"--encoding", "UTF8", "--locale", "C", "--no-sync")
	cmd.Dir = filepath.Dir(data)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("testenv: initdb: %w; its output:\n%s", err, out)
	}
	return nil
}

func postgresCommand(bin, data string, port int, further ...string) []string {
	settings := []string{
		"listen_addresses=" + host,
		"port=" + strconv.Itoa(port),
		"unix_socket_directories=",
		"max_connections=400",
		"shared_buffers=32MB",
		// The folder may be in memory, where 1 GB of log, the default, is too much.
		"max_wal_size=128MB",
		// The data is temporary and needs no durability.
		"fsync=off",
		"synchronous_commit=off",
		"full_page_writes=off",
		// The guard removes shared memory with the data folder if it is in files there.
		"dynamic_shared_memory_type=mmap",
	}
	command := []string{filepath.Join(bin, "postgres"), "-D", data}
	for _, setting := range append(settings, further...) {
		command = append(command, "-c", setting)
	}
	return command
}

// tooEarly is the prefix of log lines about clients that connect before the server is ready.
const tooEarly = "FATAL:  the database system is "

// A server logs these lines when it takes connections: the first a primary, the second a replica.
const (
	readyAlone    = "database system is ready to accept connections"
	readyToFollow = "database system is ready to accept read-only connections"
)

// awaitPostgres waits for the ready message in the server's log. A test connection could reach
// another server on the same port.
func awaitPostgres(log string) error {
	const pause = 5 * time.Millisecond
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	deadline := time.After(eventually.Limit)
	for {
		// The log does not exist until the guard's shell opens it.
		text, _ := os.ReadFile(log)
		switch lines := string(text); {
		case strings.Contains(lines, "Address already in use"):
			return errors.Join(errPortTaken, os.Truncate(log, 0))
		case strings.Contains(lines, readyAlone), strings.Contains(lines, readyToFollow):
			// A ready replica may log a FATAL error about the connection to its primary. It
			// retries.
			return nil
		case strings.Contains(strings.ReplaceAll(lines, tooEarly, ""), "FATAL:"):
			return fmt.Errorf("testenv: PostgreSQL did not start; its log:\n%s", lines)
		}
		select {
		case <-ticker.C:
		case <-deadline:
			return fmt.Errorf("testenv: PostgreSQL is not ready after %v; its log:\n%s", eventually.Limit, text)
		}
	}
}

// postgresPrograms returns the folder of initdb and postgres. It prefers PATH, then the newest
// version in Debian's folder, which is not in PATH.
func postgresPrograms() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		// Resolve links: postgres is next to the real initdb.
		target, err := filepath.EvalSymlinks(path)
		return filepath.Dir(target), err
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", errors.New("testenv: this test needs the PostgreSQL server, which is not installed; on Debian: apt-get install postgresql")
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return majorVersion(a) - majorVersion(b) })
	return filepath.Dir(newest), nil
}

// majorVersion returns the 15 of /usr/lib/postgresql/15/bin/initdb, or 0 without a number.
func majorVersion(initdb string) int {
	version := filepath.Base(filepath.Dir(filepath.Dir(initdb)))
	major, _, _ := strings.Cut(version, ".")
	number, err := strconv.Atoi(major)
	if err != nil {
		return 0
	}
	return number
}

// postgresUser returns the user of the server. It is nil, the test's user, unless that is root,
// because PostgreSQL refuses to run as root.
func postgresUser() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("testenv: PostgreSQL refuses to run as root and the user postgres is missing (on Debian: apt-get install postgresql): %w", err)
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}
