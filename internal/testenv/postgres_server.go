package testenv

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// PostgresServer is a PostgreSQL server for one test, which can kill and restart it. Call its
// methods from the test's goroutine.
type PostgresServer struct {
	postgresHome
	t        testing.TB
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
	return startPostgresFor(t, nil, settings)
}

// StartPostgresOnDisk is StartPostgres with the files on a separate disk of the given size.
// [PostgresServer.FillDisk] fills it. An empty server needs about 50 megabytes.
func StartPostgresOnDisk(t testing.TB, megabytes int, settings ...string) *PostgresServer {
	t.Helper()
	return startPostgresFor(t, newDisk(t, megabytes), settings)
}

func startPostgresFor(t testing.TB, on *disk, settings []string) *PostgresServer {
	t.Helper()
	s := &PostgresServer{t: t, settings: settings, disk: on}
	check(t, s.start())
	return s
}

func (s *PostgresServer) start() error {
	var err error
	if s.postgresHome, err = newPostgresHome(s.disk); err != nil {
		return err
	}
	s.t.Cleanup(s.cleanup)
	if s.server, err = s.postgresHome.start(s.settings...); err != nil {
		return err
	}
	s.running = true
	if s.database, err = s.server.create(s.t.Context(), "template1"); err != nil {
		return err
	}
	// Acknowledged commits are then in the kernel's cache, which survives a kill of the server.
	return s.server.execute(s.t.Context(), "ALTER DATABASE "+s.database+" SET synchronous_commit = on")
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
	check(s.t, s.server.guard.stop())
	s.running = false
}

// Restart kills the server if it runs and starts it again on the same port. It returns when the
// server has recovered and is ready.
func (s *PostgresServer) Restart() {
	s.t.Helper()
	s.Kill()
	check(s.t, s.restart())
}

func (s *PostgresServer) restart() error {
	// Remove the ready message of the last start from the log.
	if err := os.Truncate(s.log(), 0); err != nil {
		return err
	}
	g, err := startGuard(s.dir, s.as, s.command(s.server.port, s.settings...)...)
	if err != nil {
		return err
	}
	s.server.guard, s.running = g, true
	return awaitPostgres(s.log())
}

// KillBackend kills one process of the server, as the kernel does when memory is short. The server
// then closes all connections and recovers. KillBackend returns when it is ready again. The
// server's start time does not change.
func (s *PostgresServer) KillBackend() {
	s.t.Helper()
	check(s.t, s.killBackend())
}

func (s *PostgresServer) killBackend() error {
	conn, err := pgx.Connect(s.t.Context(), s.URL())
	if err != nil {
		return fmt.Errorf("testenv: %w", err)
	}
	defer func() { _ = conn.Close(s.t.Context()) }() // cut off by then
	if err := os.Truncate(s.log(), 0); err != nil {
		return err
	}
	if err := syscall.Kill(int(conn.PgConn().PID()), syscall.SIGKILL); err != nil {
		return err
	}
	return awaitPostgres(s.log())
}

func (s *PostgresServer) cleanup() {
	s.Kill()
	if err := os.RemoveAll(s.dir); err != nil {
		s.t.Error(err)
	}
}
