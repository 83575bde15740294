package testenv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

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
	r := &PostgresReplica{&PostgresServer{
		t: t, bin: primary.bin, as: primary.as, database: primary.database,
		settings: append([]string{retryPrimary}, primary.settings...),
	}}
	if err := r.follow(primary); err != nil {
		t.Fatal(err)
	}
	return r
}

// follow copies the primary and starts a server on the copy.
func (r *PostgresReplica) follow(primary *PostgresServer) error {
	var err error
	if r.dir, err = scratchDir("tideline-postgres-"); err != nil {
		return err
	}
	r.t.Cleanup(r.cleanup)
	if r.as != nil {
		if err := os.Chown(r.dir, int(r.as.Uid), int(r.as.Gid)); err != nil {
			return err
		}
	}
	if err := r.copyOf(primary); err != nil {
		return err
	}
	r.server, err = servePostgres(r.dir, r.bin, r.as, r.settings...)
	r.running = err == nil
	return err
}

// copyOf makes the data folder with the settings of the primary.
func (r *PostgresReplica) copyOf(primary *PostgresServer) error {
	ctx, cancel := context.WithTimeout(r.t.Context(), eventually.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(r.bin, "pg_basebackup"),
		"--pgdata", filepath.Join(r.dir, "data"), "--dbname", primary.server.url("postgres"),
		"--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync")
	cmd.Dir = r.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: r.as}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("testenv: pg_basebackup: %w; its output:\n%s", err, out)
	}
	return nil
}

// Pause makes the replica lag. It shows no later commit until [PostgresReplica.Resume] or a
// restart.
func (r *PostgresReplica) Pause() {
	r.t.Helper()
	r.do("SELECT pg_wal_replay_pause()")
	// The call only requests the pause.
	r.await("SELECT pg_get_wal_replay_pause_state() = 'paused'")
}

// Resume undoes [PostgresReplica.Pause].
func (r *PostgresReplica) Resume() {
	r.t.Helper()
	r.do("SELECT pg_wal_replay_resume()")
}

// CatchUp waits until the replica shows all commits that the primary made before the call. The
// replica must be following that primary.
func (r *PostgresReplica) CatchUp(primary *PostgresServer) {
	r.t.Helper()
	var position string
	if err := ask(r.t.Context(), primary.server.url("postgres"), "SELECT pg_current_wal_flush_lsn()::text", &position); err != nil {
		r.t.Fatal(err)
	}
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
	if err := r.server.execute(r.t.Context(), statement); err != nil {
		r.t.Fatal(err)
	}
}

// await waits until a query returns true.
func (r *PostgresReplica) await(query string) {
	r.t.Helper()
	eventually.True(r.t, "this is true: "+query, func() bool {
		var yes bool
		if err := ask(r.t.Context(), r.server.url("postgres"), query, &yes); err != nil {
			r.t.Fatal(err)
		}
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
