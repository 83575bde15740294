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

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
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
	check(t, err)
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
	check(t, err)
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
	h, err := newPostgresHome(nil)
	if err != nil {
		return nil, err
	}
	server, err := h.start(settings...)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(h.dir))
	}
	return server, nil
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

// StrictDefaults returns unusual session defaults as assignments for ALTER DATABASE … SET. The
// program must work with all of them.
func StrictDefaults() []string {
	return []string{
		"default_transaction_isolation = 'serializable'",
		"default_transaction_read_only = on",
		"client_encoding = 'LATIN1'",
		"standard_conforming_strings = off",
		"bytea_output = 'escape'",
		"TimeZone = 'Asia/Kathmandu'",
		"DateStyle = 'German, DMY'",
		"IntervalStyle = 'sql_standard'",
		"statement_timeout = '1s'",
		"lock_timeout = '1ms'",
		"idle_in_transaction_session_timeout = '1s'",
		"idle_session_timeout = '1s'",
		"synchronous_commit = off",
	}
}

// SetDefaults sets session defaults of a PostgreSQL database. New connections begin with them.
func SetDefaults(t testing.TB, databaseURL string, assignments ...string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	check(t, err)
	conn, err := pgx.Connect(t.Context(), databaseURL)
	check(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	for _, assignment := range assignments {
		// An earlier default may have made transactions read-only.
		statement := fmt.Sprintf("BEGIN READ WRITE; ALTER DATABASE %s SET %s; COMMIT", strings.TrimPrefix(u.Path, "/"), assignment)
		if _, err := conn.Exec(t.Context(), statement, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatalf("testenv: %s: %v", statement, err)
		}
	}
}

// LogicalPostgres is [Postgres] on another server, with wal_level=logical: another system's database
// whose changes a test reads. Its slots are dropped with the database.
func LogicalPostgres(t testing.TB) string {
	t.Helper()
	server, err := sharedLogicalPostgres()
	check(t, err)
	database := server.newDatabase(t, "template1")
	t.Cleanup(func() {
		u, err := url.Parse(database)
		check(t, err)
		drop := "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = '" + filepath.Base(u.Path) + "'"
		// The process of a connection that was closed a moment ago still has its slot.
		eventually.Succeeds(t, "dropping the slots", func() error { return server.execute(context.Background(), drop) })
	})
	return database
}

// sharedLogicalPostgres starts the server on the first call, as sharedPostgres does.
var sharedLogicalPostgres = sync.OnceValues(func() (*postgresServer, error) { return startPostgres(logicalSettings...) })

// logicalSettings let tests have many slots at a time.
var logicalSettings = []string{"wal_level=logical", "max_replication_slots=100", "max_wal_senders=100"}

// PostgresProgram returns the path of a program of the PostgreSQL server's version, such as
// pgbench.
func PostgresProgram(t testing.TB, name string) string {
	t.Helper()
	bin, err := postgresPrograms()
	check(t, err)
	return filepath.Join(bin, name)
}

// PostgresTemplate is a filled database that tests copy. A copy takes a fraction of the time of
// filling. The template stays until the test binary ends, so tests can share it.
type PostgresTemplate struct {
	server *postgresServer
	name   string
}

// NewPostgresTemplate makes an empty database and calls fill with its URL. fill must close its
// connections, because PostgreSQL copies no database in use.
func NewPostgresTemplate(ctx context.Context, fill func(databaseURL string) error) (*PostgresTemplate, error) {
	server, err := sharedPostgres()
	if err != nil {
		return nil, err
	}
	name, err := server.create(ctx, "template1")
	if err != nil {
		return nil, err
	}
	if err := fill(server.url(name)); err != nil {
		return nil, err
	}
	return &PostgresTemplate{server: server, name: name}, nil
}

// Copy returns the URL of a new database with all data of the template. It is dropped when the test
// ends, even with open connections.
func (p *PostgresTemplate) Copy(t testing.TB) string {
	t.Helper()
	return p.server.newDatabase(t, p.name)
}

// postgresHome is the folder of a server, and the programs and the user that run it.
type postgresHome struct {
	bin, dir string
	// as is nil for the test's user.
	as *syscall.Credential
}

// newPostgresHome makes a folder on the disk if there is one. Otherwise the folder is in memory if
// possible.
func newPostgresHome(on *disk) (h postgresHome, err error) {
	const pattern = "tideline-postgres-"
	if h.bin, err = postgresPrograms(); err != nil {
		return h, err
	}
	if h.as, err = postgresUser(); err != nil {
		return h, err
	}
	if on == nil {
		h.dir, err = scratchDir(pattern)
	} else {
		on.as = h.as
		h.dir, err = os.MkdirTemp(on.dir, pattern)
	}
	if err != nil || h.as == nil {
		return h, err
	}
	return h, os.Chown(h.dir, int(h.as.Uid), int(h.as.Gid))
}

func (h postgresHome) data() string { return filepath.Join(h.dir, "data") }
func (h postgresHome) log() string  { return filepath.Join(h.dir, "log") }

// start makes the data folder, which takes about a second, and starts a server. settings override the
// package's own.
func (h postgresHome) start(settings ...string) (*postgresServer, error) {
	err := h.run(context.Background(), "initdb", "--pgdata", h.data(), "--username", "postgres", "--auth", "trust",
		"--encoding", "UTF8", "--locale", "C", "--no-sync")
	if err != nil {
		return nil, err
	}
	return h.serve(settings...)
}

// serve starts a server for the data folder on a free port.
func (h postgresHome) serve(settings ...string) (*postgresServer, error) {
	var failure error
	for range startTries {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		g, err := startGuard(h.dir, h.as, h.command(port, settings...)...)
		if err != nil {
			return nil, err
		}
		if failure = awaitPostgres(h.log()); failure == nil {
			return &postgresServer{port: port, log: h.log(), guard: g}, nil
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

func (h postgresHome) command(port int, further ...string) []string {
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
	command := []string{filepath.Join(h.bin, "postgres"), "-D", h.data()}
	for _, setting := range append(settings, further...) {
		command = append(command, "-c", setting)
	}
	return command
}

// run runs one of the programs that come with the server.
func (h postgresHome) run(ctx context.Context, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, eventually.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(h.bin, name), args...)
	cmd.Dir = h.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: h.as}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("testenv: %s: %w; its output:\n%s", name, err, out)
	}
	return nil
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
