package bench_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

const (
	// idleSource is a database next to ours, on the same server.
	idleSource = "bench_idle_source"
	// mirrorSettles is how long a mirror follows before it is measured for mirrorIdles, six times the ten seconds
	// after which it stores an idle position.
	mirrorSettles = 10 * time.Second
	mirrorIdles   = time.Minute
	// idleGoal is the CPU time a second in all processes, in milliseconds.
	idleGoal = 20
)

// idle returns the CPU time a second of a mirror while nothing changes, in milliseconds, where our
// database is on the server of the source. Each stored position writes to the log that the mirror follows.
func (m *mirrored) idle() float64 {
	m.b.Helper()
	ctx := m.b.Context()
	for _, database := range []string{mirrorDatabase, idleSource} {
		m.source.execOutside(ctx, `DROP DATABASE IF EXISTS `+database+` WITH (FORCE)`)
		m.source.execOutside(ctx, `CREATE DATABASE `+database)
	}
	conn, err := pgx.Connect(ctx, m.source.databaseURL(idleSource))
	must(m.b, err)
	_, err = conn.Exec(ctx, mirrorTables)
	must(m.b, err)
	must(m.b, conn.Close(ctx))
	store, err := sqlstore.Open(ctx, m.source.databaseURL(mirrorDatabase))
	must(m.b, err)
	_, err = store.Migrate(ctx)
	must(m.b, err)
	must(m.b, store.Close())

	p := m.start(m.source.databaseURL(idleSource), m.source.databaseURL(mirrorDatabase))
	must(m.b, pollUntil(ctx, 50*time.Millisecond, time.Minute, func() (bool, error) {
		return strings.Contains(p.Output(), "the snapshot is complete"), nil
	}))
	<-time.After(mirrorSettles)
	all := system{b: m.b, programs: []int{p.Pid()}, redis: m.redis, postmaster: m.source.master()}
	cost, err := all.each(ctx, func() (float64, error) {
		<-time.After(mirrorIdles)
		return mirrorIdles.Seconds(), nil
	})
	must(m.b, err)
	p.Interrupt()
	p.Wait()
	_, err = m.source.sql.Exec(ctx, `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = $1`, idleSource)
	must(m.b, err)
	tell(fmt.Sprintf("idle mirror, same server: %s ms of CPU time a second, at most %d (mirror %s, Redis %s, PostgreSQL %s)", bench.Number(cost[""]/1000), idleGoal,
		bench.Number(cost[" programs"]/1000), bench.Number(cost[" redis"]/1000), bench.Number(cost[" postgres"]/1000)))
	return cost[""] / 1000
}

// start starts a mirror of a source in a database.
func (m *mirrored) start(source, database string) *testenv.Process {
	m.b.Helper()
	return testenv.Program(m.b, []string{m.program, "mirror", "--map", m.mapFile}, []string{
		"TIDELINE_MIRROR_SOURCE=" + source, "TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + m.redisURL,
		"TIDELINE_JWT_SECRET=" + secret, "TIDELINE_SOURCE_OWNS=user,post,follow", "TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=info", "TIDELINE_DATA_DIR=" + m.b.TempDir(),
	})
}
