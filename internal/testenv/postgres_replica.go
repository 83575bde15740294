package testenv

import (
	"context"
	"errors"
	"fmt"
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
