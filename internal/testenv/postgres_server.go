package testenv

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// PostgresServer is a PostgreSQL server for one test, which can kill and restart it. Call its
// methods from the test's goroutine.
type PostgresServer struct {
	t        testing.TB
	bin, dir string
	as       *syscall.Credential
	settings []string
	server   *postgresServer
	running  bool
	disk     *disk // nil unless it has one of its own
	database string
}

// StartPostgres starts a PostgreSQL server with one empty database. It returns when the server is
// ready, after about two seconds. The server ends with the test. Tests that do not kill it use
// [Postgres].
//
// settings, such as shared_buffers=1GB, override the package's own, which suit small databases.
func StartPostgres(t testing.TB, settings ...string) *PostgresServer {
	t.Helper()
	s := &PostgresServer{t: t, settings: settings}
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// StartPostgresOnDisk is StartPostgres with the files on a separate disk of the given size.
// [PostgresServer.FillDisk] fills it. An empty server needs about 50 megabytes.
func StartPostgresOnDisk(t testing.TB, megabytes int, settings ...string) *PostgresServer {
	t.Helper()
	s := &PostgresServer{t: t, settings: settings, disk: newDisk(t, megabytes)}
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *PostgresServer) start() error {
	var err error
	if s.bin, err = postgresPrograms(); err != nil {
		return err
	}
	if s.as, err = postgresUser(); err != nil {
		return err
	}
	if s.dir, err = s.makeDir(); err != nil {
		return err
	}
	s.t.Cleanup(s.cleanup)
	if s.server, err = startPostgresIn(s.dir, s.bin, s.as, s.settings...); err != nil {
		return err
	}
	s.running = true
	if s.database, err = s.server.create(s.t.Context(), "template1"); err != nil {
		return err
	}
	// Acknowledged commits are then in the kernel's cache, which survives a kill of the server.
	return s.server.execute(s.t.Context(), "ALTER DATABASE "+s.database+" SET synchronous_commit = on")
}

func (s *PostgresServer) makeDir() (string, error) {
	if s.disk != nil {
		s.disk.as = s.as
		return os.MkdirTemp(s.disk.dir, "tideline-postgres-")
	}
	return scratchDir("tideline-postgres-")
}

// URL returns the URL of the database. [PostgresServer.Restart] does not change it.
func (s *PostgresServer) URL() string { return s.server.url(s.database) }

// Kill ends the server at once, closes all connections and waits for the end.
// [PostgresServer.Restart] recovers all acknowledged commits. Kill does nothing to a dead server.
func (s *PostgresServer) Kill() {
	s.t.Helper()
	if !s.running {
		return
	}
	if err := s.server.guard.stop(); err != nil {
		s.t.Fatal(err)
	}
	s.running = false
}

// Restart kills the server if it runs and starts it again on the same port. It returns when the
// server has recovered and is ready.
func (s *PostgresServer) Restart() {
	s.t.Helper()
	s.Kill()
	if err := s.restart(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *PostgresServer) restart() error {
	log := filepath.Join(s.dir, "log")
	// Remove the ready message of the last start from the log.
	if err := os.Truncate(log, 0); err != nil {
		return err
	}
	g, err := startGuard(s.dir, s.as, postgresCommand(s.bin, filepath.Join(s.dir, "data"), s.server.port, s.settings...)...)
	if err != nil {
		return err
	}
	s.server.guard, s.running = g, true
	return awaitPostgres(log)
}

// KillBackend kills one process of the server, as the kernel does when memory is short. The server
// then closes all connections and recovers. KillBackend returns when it is ready again. The
// server's start time does not change.
func (s *PostgresServer) KillBackend() {
	s.t.Helper()
	if err := s.killBackend(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *PostgresServer) killBackend() error {
	log := filepath.Join(s.dir, "log")
	conn, err := pgx.Connect(s.t.Context(), s.URL())
	if err != nil {
		return fmt.Errorf("testenv: %w", err)
	}
	defer func() { _ = conn.Close(s.t.Context()) }() // cut off by then
	if err := os.Truncate(log, 0); err != nil {
		return err
	}
	if err := syscall.Kill(int(conn.PgConn().PID()), syscall.SIGKILL); err != nil {
		return err
	}
	return awaitPostgres(log)
}

// Crashes returns the lines of the server's log that name a crashed process, empty without one.
func (s *PostgresServer) Crashes() string { return s.server.crashes() }

func (s *PostgresServer) cleanup() {
	s.Kill()
	if err := os.RemoveAll(s.dir); err != nil {
		s.t.Error(err)
	}
}
