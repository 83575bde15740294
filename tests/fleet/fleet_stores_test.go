package fleet

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func onOneRedis(t *testing.T, table *faultTable) {
	t.Helper()
	p := newFleetPlan()
	redis := testenv.StartRedis(t, testenv.RedisOptions{AppendFsync: "everysec", Disk: p.redisDisk})
	postgres := testenv.StartPostgresOnDisk(t, p.postgresDisk)
	r := newFleetRun(t, table, "one Redis", postgres.URL(), redis.URL())
	r.begin(postgres.URL(), redis.URL())
	for range r.plan.stores {
		r.killRedis(redis)
		r.killPostgres(postgres)
	}
	r.fillRedis(redis)
	r.fillPostgres(postgres)
	r.end()
}

// killRedis kills Redis, which keeps all acknowledged writes except those that the kernel did not
// have yet.
func (r *fleetRun) killRedis(redis *testenv.RedisServer) {
	r.Helper()
	r.fault("Redis with an append-only file killed", gapMax, r.lost(func() {
		redis.Kill()
		r.Wait(r.plan.fault / 2)
		redis.Restart()
	}))
}

// killPostgres kills the database. Every request is refused meanwhile.
func (r *fleetRun) killPostgres(postgres *testenv.PostgresServer) {
	r.Helper()
	down := r.plan.fault / 2
	r.fault("PostgreSQL killed", down+gapMax, func() {
		postgres.Kill()
		r.Wait(down)
		postgres.Restart()
		r.Oracle = harness.NewOracle(r.T, postgres.URL())
	})
}

// fillRedis fills the disk of Redis, which then refuses writes.
func (r *fleetRun) fillRedis(redis *testenv.RedisServer) {
	r.Helper()
	r.fault("the disk of Redis full ("+redis.DiskKind()+")", gapMax, func() {
		redis.FillDisk()
		r.Wait(2 * r.plan.fault)
		redis.FreeDisk()
		// Redis checks once a second whether it can write again.
		eventually.True(r.T, "Redis writes again", func() bool { return redis.Writes() })
	})
}

// fillPostgres fills the disk of the database, which then refuses writes and may crash.
func (r *fleetRun) fillPostgres(postgres *testenv.PostgresServer) {
	r.Helper()
	full := 2 * r.plan.fault
	r.fault("the disk of PostgreSQL full ("+postgres.DiskKind()+")", full+gapMax, func() {
		postgres.FillDisk()
		r.Wait(full)
		ended := postgres.FreeDisk()
		r.table.note("PostgreSQL on its full disk (%s) had ended when there was room again: %v.", postgres.DiskKind(), ended)
		r.Oracle = harness.NewOracle(r.T, postgres.URL())
	})
}

func onSentinels(t *testing.T, table *faultTable) {
	t.Helper()
	sentinels := testenv.StartRedisSentinels(t, testenv.RedisOptions{AppendFsync: "everysec"})
	database := harness.Postgres(t)
	r := newFleetRun(t, table, "Sentinel", database, sentinels.URL())
	r.begin(database, sentinels.URL())
	for range r.plan.masters {
		killed := sentinels.Master()
		r.fault("Sentinel's master killed", gapMax, r.lost(func() {
			began := time.Now()
			killed.Kill()
			sentinels.Master()
			r.table.fault(faultRow{fleet: r.name, what: "until a replica has taken over", times: 1, recovered: time.Since(began)})
		}))
		killed.Restart()
		sentinels.AwaitReplica()
	}
	r.end()
}
