package testenv

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
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
