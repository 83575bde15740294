package fleet

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

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
