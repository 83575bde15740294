package fleet

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestFleet_OutlivesFaults breaks the processes, stores, networks and clocks of a fleet under load.
// Every page read meanwhile is judged, no acknowledged change may be lost, and in the end every
// feed must match the tables.
func TestFleet_OutlivesFaults(t *testing.T) {
	table := &faultTable{}
	t.Cleanup(func() { table.keep(t) })
	t.Run("its processes, masters, networks and clocks, on a Redis Cluster", func(t *testing.T) {
		t.Parallel() // it mostly waits for recovery
		onACluster(t, table)
	})
	t.Run("its stores, on one Redis with an append-only file", func(t *testing.T) {
		t.Parallel()
		onOneRedis(t, table)
	})
	t.Run("its master, with Sentinel", func(t *testing.T) {
		t.Parallel()
		onSentinels(t, table)
	})
}

// failoverMax limits the time without a response while one process of several is away. Its
// current request is lost, and the next one goes to another process.
const failoverMax = 2 * time.Second

func onACluster(t *testing.T, table *faultTable) {
	t.Helper()
	cluster := testenv.StartProxiedRedisCluster(t, 1)
	database := harness.Postgres(t)
	sql := testenv.StartProxy(t, database)
	r := newFleetRun(t, table, "Redis Cluster", sql.URL(database), cluster.URL())
	r.begin(database, cluster.URL())
	r.killProcesses()
	r.killMasters(cluster)
	r.breakNetworks("Redis", cluster.Proxies())
	r.breakNetworks("SQL", []*testenv.Proxy{sql})
	r.skewClocks()
	r.soak(cluster, sql)
	r.end()
}

// killProcesses kills a process of every role.
func (r *fleetRun) killProcesses() {
	r.Helper()
	for i := range r.plan.kills {
		for _, role := range [][]*testenv.Member{r.fleet.APIs, r.fleet.Workers} {
			r.killProcess(role[i%len(role)])
		}
	}
}

func (r *fleetRun) killProcess(m *testenv.Member) {
	r.Helper()
	r.fault("kill -9 of "+roleOf(m), failoverMax, m.Restart)
}

// roleOf returns the name of a process's role in the table.
func roleOf(m *testenv.Member) string {
	var role string
	_, _ = fmt.Sscan(m.Name, &role)
	if role == "api" {
		return "an API"
	}
	return "a worker"
}

// killMasters kills masters of the Cluster, one after the other. A fault ends when a replica has
// taken over.
func (r *fleetRun) killMasters(cluster *testenv.RedisCluster) {
	r.Helper()
	for i := range r.plan.masters {
		masters := cluster.Masters()
		killed := masters[i%len(masters)]
		began := time.Now()
		r.fault("a Cluster's master killed", gapMax, r.lost(func() {
			killed.Kill()
			cluster.AwaitMasters()
			r.table.fault(faultRow{fleet: r.name, what: "until a replica has taken over", times: 1, recovered: time.Since(began)})
		}))
		killed.Restart()
		cluster.AwaitReplicas()
	}
}

// toxic is a network fault.
type toxic struct {
	name string
	make func(*testenv.Proxy)
}

func toxics() []toxic {
	return []toxic{
		{"latency of 100 ms", func(p *testenv.Proxy) { p.Delay(100 * time.Millisecond) }},
		{"time-out, no response arrives", (*testenv.Proxy).Silence},
		{"reset of every connection", (*testenv.Proxy).Reset},
		{"bandwidth of 20 kB/s", func(p *testenv.Proxy) { p.Narrow(20) }},
		{"slicing into 50 bytes", func(p *testenv.Proxy) { p.Slice(50, time.Millisecond) }},
	}
}

// breakNetworks makes every network fault of a store's proxies, one after the other.
func (r *fleetRun) breakNetworks(store string, proxies []*testenv.Proxy) {
	r.Helper()
	for _, toxic := range toxics() {
		// Without its database a fleet refuses all requests.
		r.fault(store+": "+toxic.name, gapMax+r.plan.fault+app.OperationTimeout, func() {
			for _, p := range proxies {
				toxic.make(p)
			}
			r.Wait(r.plan.fault)
			for _, p := range proxies {
				p.Heal()
			}
		})
	}
}

// skewClocks sets the clock of one process of each role wrong, in turn.
func (r *fleetRun) skewClocks() {
	r.Helper()
	for _, m := range []*testenv.Member{r.fleet.APIs[0], r.fleet.Workers[0]} {
		for _, offset := range []time.Duration{5 * time.Minute, -5 * time.Minute, 0} {
			m.Skew(offset)
			name := fmt.Sprintf("the clock of %s wrong by %v", roleOf(m), offset)
			if offset == 0 {
				name = "and corrected"
			}
			r.fault(name, failoverMax, func() {
				m.Restart()
				r.Wait(r.plan.fault)
			})
		}
	}
}

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

// soak breaks everything at random except one API and one worker. At the end these must need no
// more memory, goroutines and descriptors than at the start.
func (r *fleetRun) soak(cluster *testenv.RedisCluster, sql *testenv.Proxy) {
	r.Helper()
	watched := []*testenv.Member{r.fleet.APIs[1], r.fleet.Workers[1]}
	before := make([]usage, len(watched))
	// A process is warm after a tenth of the time.
	began, warm := time.Now(), false
	for time.Since(began) < r.plan.soak {
		r.soakFault(cluster, sql)
		if !warm && time.Since(began) > r.plan.soak/10 {
			warm = true
			for i, m := range watched {
				before[i] = r.usage(m)
			}
		}
	}
	for i, m := range watched {
		after := r.usage(m)
		r.table.note("Soak of %v, %s: %v when warm, %v at the end.", r.plan.soak, roleOf(m), before[i], after)
		if grown := after.beyond(before[i]); grown != "" {
			r.Errorf("%s uses more %s: %v when warm, %v at the end", m.Name, grown, before[i], after)
		}
	}
}

// soakFault makes one random fault.
func (r *fleetRun) soakFault(cluster *testenv.RedisCluster, sql *testenv.Proxy) {
	r.Helper()
	switch r.Rand.IntN(5) {
	case 0:
		r.killProcess(r.fleet.APIs[0])
	case 1:
		r.killProcess(r.fleet.Workers[0])
	case 2:
		toxic := toxics()[r.Rand.IntN(len(toxics()))]
		proxy := cluster.Proxies()[r.Rand.IntN(len(cluster.Proxies()))]
		r.toxicFor("soak: one node of Redis: "+toxic.name, proxy, toxic)
	case 3:
		toxic := toxics()[r.Rand.IntN(len(toxics()))]
		r.toxicFor("soak: SQL: "+toxic.name, sql, toxic)
	case 4:
		plan := r.plan
		r.plan.masters = 1
		r.killMasters(cluster)
		r.plan = plan
	}
}

func (r *fleetRun) toxicFor(name string, proxy *testenv.Proxy, toxic toxic) {
	r.Helper()
	r.fault(name, gapMax+r.plan.fault+app.OperationTimeout, func() {
		toxic.make(proxy)
		r.Wait(r.plan.fault)
		proxy.Heal()
	})
}

// usage is what a process uses.
type usage struct {
	// memory is resident memory in bytes.
	memory, goroutines, descriptors int64
}

// String returns the figures as text.
func (u usage) String() string {
	return fmt.Sprintf("%d MB, %d goroutines, %d descriptors", u.memory>>20, u.goroutines, u.descriptors)
}

// The growth that a process may have: running requests and garbage.
const (
	moreMemory      = 200 << 20
	moreGoroutines  = 150
	moreDescriptors = 100
)

// beyond names the resources that grew too much.
func (u usage) beyond(before usage) string {
	switch {
	case u.memory > before.memory+moreMemory:
		return "memory"
	case u.goroutines > before.goroutines+moreGoroutines:
		return "goroutines"
	case u.descriptors > before.descriptors+moreDescriptors:
		return "descriptors"
	}
	return ""
}

// usage reads the resource metrics of a process.
func (r *fleetRun) usage(m *testenv.Member) usage {
	r.Helper()
	var u usage
	resp, err := http.Get(m.AdminURL() + "/metrics")
	harness.Check(r.T, err)
	defer func() { _ = resp.Body.Close() }()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		var n float64
		_, _ = fmt.Sscan(value, &n)
		switch name {
		case "process_resident_memory_bytes":
			u.memory = int64(n)
		case "go_goroutines":
			u.goroutines = int64(n)
		}
	}
	harness.Check(r.T, lines.Err())
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", m.Process().Pid()))
	harness.Check(r.T, err)
	u.descriptors = int64(len(open))
	if u.memory == 0 || u.goroutines == 0 {
		r.Fatalf("%s does not report its resources", m.Name)
	}
	return u
}
