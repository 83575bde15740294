package testenv

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
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

// Backup is a copy of a database made by pg_dump. Others may write to the database meanwhile.
type Backup struct{ file string }

// BackUp backs up a database of [Postgres].
func BackUp(t testing.TB, database string) Backup {
	t.Helper()
	b := Backup{filepath.Join(t.TempDir(), "backup")}
	postgresTool(t, "pg_dump", "--format=custom", "--file="+b.file, "--dbname="+database)
	return b
}

// Restore returns the URL of a new database with the backup's data. It is dropped when the test
// ends.
func (b Backup) Restore(t testing.TB) string {
	t.Helper()
	database := Postgres(t)
	b.restoreInto(t, database)
	return database
}

// RestoreOver replaces the content of a database with the backup and keeps its URL. It closes all
// connections.
func (b Backup) RestoreOver(t testing.TB, database string) {
	t.Helper()
	server, err := sharedPostgres()
	check(t, err)
	u, err := url.Parse(database)
	check(t, err)
	name := filepath.Base(u.Path)
	for _, statement := range []string{"DROP DATABASE " + name + " WITH (FORCE)", "CREATE DATABASE " + name + " TEMPLATE template1"} {
		check(t, server.execute(t.Context(), statement))
	}
	b.restoreInto(t, database)
}

// restoreInto restores the backup into an empty database.
func (b Backup) restoreInto(t testing.TB, database string) {
	t.Helper()
	postgresTool(t, "pg_restore", "--exit-on-error", "--no-owner", "--dbname="+database, b.file)
}

// postgresTool runs one of the server's programs as the test's user.
func postgresTool(t testing.TB, name string, args ...string) {
	t.Helper()
	bin, err := postgresPrograms()
	if err == nil {
		err = postgresHome{bin: bin}.run(t.Context(), name, args...)
	}
	check(t, err)
}

// PostgresReplica is a PostgreSQL server that replicates another one by streaming and serves
// reads. A test can kill and restart it like any [PostgresServer], even while its primary is down.
// Call its methods from the test's goroutine.
type PostgresReplica struct{ *PostgresServer }

// retryPrimary makes a replica retry a lost primary ten times a second. The default is every five
// seconds.
const retryPrimary = "wal_retrieve_retry_interval=100ms"

// StartPostgresReplica starts a replica of a running server. The replica has all data that the
// server has at the time of the call. The start takes about two seconds. The replica ends with the
// test.
func StartPostgresReplica(t testing.TB, primary *PostgresServer) *PostgresReplica {
	t.Helper()
	r := &PostgresReplica{&PostgresServer{t: t, database: primary.database, settings: append([]string{retryPrimary}, primary.settings...)}}
	check(t, r.follow(primary))
	return r
}

// follow copies the primary with its settings and starts a server on the copy.
func (r *PostgresReplica) follow(primary *PostgresServer) error {
	var err error
	if r.postgresHome, err = newPostgresHome(nil); err != nil {
		return err
	}
	r.t.Cleanup(r.cleanup)
	err = r.run(r.t.Context(), "pg_basebackup", "--pgdata", r.data(), "--dbname", primary.server.url("postgres"),
		"--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync")
	if err != nil {
		return err
	}
	r.server, err = r.serve(r.settings...)
	r.running = err == nil
	return err
}

// CatchUp waits until the replica shows all commits that the primary made before the call. The
// replica must be following that primary.
func (r *PostgresReplica) CatchUp(primary *PostgresServer) {
	r.t.Helper()
	var position string
	check(r.t, ask(r.t.Context(), primary.server.url("postgres"), "SELECT pg_current_wal_flush_lsn()::text", &position))
	r.await("SELECT pg_last_wal_replay_lsn() >= '" + position + "'::pg_lsn")
}

// Promote makes the replica an independent server that accepts writes.
func (r *PostgresReplica) Promote() {
	r.t.Helper()
	r.do(fmt.Sprintf("SELECT pg_promote(true, %d)", int(eventually.Limit.Seconds())))
	r.await("SELECT NOT pg_is_in_recovery()")
}

func (r *PostgresReplica) do(statement string) {
	r.t.Helper()
	check(r.t, r.server.execute(r.t.Context(), statement))
}

// await waits until a query returns true.
func (r *PostgresReplica) await(query string) {
	r.t.Helper()
	eventually.True(r.t, "this is true: "+query, func() bool {
		var yes bool
		check(r.t, ask(r.t.Context(), r.server.url("postgres"), query, &yes))
		return yes
	})
}

// ask reads one value by a query.
func ask(ctx context.Context, url, query string, value any) error {
	ctx, cancel := context.WithTimeout(ctx, eventually.Limit)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("testenv: %w", err)
	}
	err = conn.QueryRow(ctx, query).Scan(value)
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		return fmt.Errorf("testenv: %s: %w", query, err)
	}
	return nil
}
