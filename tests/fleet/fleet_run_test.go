// Package fleet has the tests of several processes that work together, also during faults of
// processes, stores and networks, and during upgrades.
package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// fleetPlan is the size of a run.
type fleetPlan struct {
	users, clients int
	// kills is per role, masters per Cluster, and stores for Redis and PostgreSQL each.
	kills, masters, stores int
	// fault is the duration of a fault that does not end by itself.
	fault time.Duration
	// calm is the time without faults after a process, a store or a network is back.
	calm, watched time.Duration
	// soak is the duration of random faults.
	soak time.Duration
	// redisDisk and postgresDisk are the sizes of small disks in megabytes. The load alone must not
	// fill them: Redis appends a hundred megabytes and more between two rewrites in the full run.
	redisDisk, postgresDisk int
}

// newFleetPlan returns a short plan unless CHAOS is "full".
func newFleetPlan() fleetPlan {
	if harness.Full() {
		return fleetPlan{
			users: 120, clients: 4, kills: 100, masters: 5, stores: 10,
			fault: 4 * time.Second, calm: 500 * time.Millisecond, watched: 3 * time.Second, soak: 10 * time.Minute,
			redisDisk: 512, postgresDisk: 1000,
		}
	}
	return fleetPlan{
		users: 40, clients: 3, kills: 2, masters: 1, stores: 1,
		fault: time.Second, calm: 200 * time.Millisecond, watched: 500 * time.Millisecond, soak: 5 * time.Second,
		redisDisk: 64, postgresDisk: 300,
	}
}

// Limits of faults.
const (
	// gapMax limits the time without a response while a master of a Cluster is replaced.
	gapMax = 5 * time.Second
	// errorsMax limits the time of failing requests after recovery.
	errorsMax = 2 * time.Second
	// recoveredMax limits the time until everything published during a fault is pushed.
	recoveredMax = 5 * time.Second
	// rerunMax replaces recoveredMax for rerunFor after Redis may have lost data, because the
	// pushes of the seconds before run again.
	rerunMax = 30 * time.Second
	rerunFor = time.Minute
)

// balancer sends each request to the next API, as a load balancer does, and skips those that refuse
// connections.
type balancer struct {
	apis []string
	next atomic.Uint64
	http http.Transport
}

// RoundTrip implements http.RoundTripper.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	first := b.next.Add(1)
	var resp *http.Response
	var err error
	for i := range uint64(len(b.apis)) {
		attempt := r.Clone(r.Context())
		attempt.URL.Host = b.apis[(first+i)%uint64(len(b.apis))]
		if r.GetBody != nil {
			if attempt.Body, err = r.GetBody(); err != nil {
				return nil, err
			}
		}
		if resp, err = b.http.RoundTrip(attempt); !errors.Is(err, syscall.ECONNREFUSED) {
			return resp, err
		}
	}
	return resp, err
}

// fleetRun is two APIs and two workers under load, with a judge.
type fleetRun struct {
	*harness.Trial
	plan  fleetPlan
	fleet *testenv.Fleet
	judge *judge
	table *faultTable
	name  string
	stop  func()
	// lostUntil is the last time that Redis came back after it may have lost data.
	lostUntil time.Time
}

// newFleetRun imports a network and starts a fleet with further settings on the stores.
func newFleetRun(t *testing.T, table *faultTable, name, database, redis string, env ...string) *fleetRun {
	t.Helper()
	p := newFleetPlan()
	r := &fleetRun{
		Trial: &harness.Trial{T: t, Users: p.users, Rand: rand.New(rand.NewPCG(11, 5)), Database: database},
		plan:  p, table: table, name: name,
	}
	r.Env = append([]string{
		"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis,
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=error",
		"TIDELINE_PUSH_THRESHOLD=" + strconv.Itoa(p.users/4), "TIDELINE_SUBTASK_SIZE=20", "TIDELINE_INBOX_CAP=10000",
	}, env...)
	net := harness.NewNetwork(p.users, 2*p.users, 3)
	harness.ImportFile(t, r.Env, net.File(t), " 0 known, 0 bad")
	r.fleet = testenv.StartFleet(t, testenv.FleetOptions{APIs: 2, Workers: 2, Env: r.Env})
	r.API = newFleetCaller(r.fleet)
	r.judge = newJudge(net, database)
	return r
}

// newFleetCaller returns a caller whose requests go to all APIs in turn.
func newFleetCaller(fleet *testenv.Fleet) *harness.Caller {
	b := &balancer{}
	b.http.MaxIdleConnsPerHost = 16
	for _, api := range fleet.APIs {
		b.apis = append(b.apis, api.Addr())
	}
	c := harness.NewCaller("http://fleet")
	c.HTTP.Transport = b
	return c
}

// begin reads every feed once, so that inboxes exist, and starts the load. The oracle and the judge
// use direct, which bypasses proxies.
func (r *fleetRun) begin(direct, redis string) {
	r.Helper()
	r.Oracle = harness.NewOracle(r.T, direct)
	r.judge.database, r.Trial.Database = direct, direct
	r.Inboxes = harness.OpenInboxes(r.T, "redis", direct, redis)
	r.VisitAll()
	r.Load = harness.StartWatchedLoad(r.Context(), r.API, r.plan.users, r.plan.clients, 7, r.judge)
	following, stop := context.WithCancel(r.Context())
	var group sync.WaitGroup
	group.Go(func() { r.judge.follow(following) })
	r.stop = func() { stop(); group.Wait() }
	r.Cleanup(r.stop)
	r.Wait(r.plan.calm)
}

// end ends the load, waits until everything is pushed, and compares everything with the tables.
func (r *fleetRun) end() {
	r.Helper()
	f := harness.Figures{}
	f.CaughtUp = r.CatchUp()
	r.Load.Finish()
	r.stop()
	r.Compare(&f)
	pages, wrong := r.judge.verdict(r.T, r.Oracle)
	for _, what := range wrong[:min(len(wrong), 20)] {
		r.Errorf("a page was wrong: %s", what)
	}
	r.table.verified(verifiedRow{
		fleet: r.name, responses: r.Load.Results(), posts: len(r.Load.Acknowledged().Posts),
		pages: pages, wrong: len(wrong), Figures: f,
	})
	if f.Drained > harness.AtMost(harness.DrainedWithin) {
		r.Errorf("pushing the rest of the load took %v", f.Drained)
	}
	r.RunDoctor()
}

// fault makes a fault under load: do returns when it has ended. Requests may fail for some time
// afterwards. Everything published by then must be pushed in time. The fault's row in the table
// keeps the worst figures.
func (r *fleetRun) fault(name string, gap time.Duration, do func()) {
	r.Helper()
	r.Load.Clock.Take()
	do()
	returned := time.Now()
	r.awaitPushed(name, returned)
	recovered := time.Since(returned)
	calm := r.plan.calm
	if gap > failoverMax {
		calm = r.plan.watched
	}
	r.Wait(max(0, calm-recovered))
	most := recoveredMax
	if returned.Sub(r.lostUntil) < rerunFor {
		most = rerunMax
	}
	row := faultRow{
		fleet: r.name, what: name, times: 1, gap: r.Load.Clock.Take(),
		errors: r.Load.Clock.FailedSince(returned), recovered: recovered,
	}
	r.table.fault(row)
	if row.gap > harness.AtMost(gap) || row.errors > harness.AtMost(errorsMax) || recovered > harness.AtMost(most) {
		r.Errorf("%s: no response for %v, errors for %v afterwards, everything pushed after %v", name, row.gap, row.errors, recovered)
	}
}

// awaitPushed waits until everything published by a time is pushed.
func (r *fleetRun) awaitPushed(name string, until time.Time) {
	r.Helper()
	const pause = 50 * time.Millisecond
	for r.Oracle.OpenFrom(until) > 0 {
		if time.Since(until) > eventually.Limit {
			r.Fatalf("%s: its rest is not pushed after %v", name, eventually.Limit)
		}
		r.Wait(pause)
	}
}

// lost wraps a fault and tells the judge that Redis loses data that it has not saved or copied.
func (r *fleetRun) lost(do func()) func() {
	return func() {
		from := time.Now()
		do()
		r.lostUntil = time.Now()
		r.judge.loses(from, r.lostUntil)
	}
}

// faultTable collects the figures of faults. It may be used by several tests at a time.
type faultTable struct {
	mu    sync.Mutex
	rows  []faultRow
	sums  []verifiedRow
	notes []string
}

// faultRow is a kind of fault, how often it was made, and its worst figures.
type faultRow struct {
	fleet, what string
	times       int
	// gap is the longest time without a response, errors the time of failing requests after the
	// fault, and recovered the time until everything from before is pushed.
	gap, errors, recovered time.Duration
}

// verifiedRow is the result of the comparison of one fleet.
type verifiedRow struct {
	fleet               string
	responses           map[string]int
	posts, pages, wrong int
	harness.Figures
}

// fault adds a fault to the row of its name.
func (t *faultTable) fault(row faultRow) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, old := range t.rows {
		if old.what == row.what && old.fleet == row.fleet {
			t.rows[i].times += row.times
			t.rows[i].gap = max(old.gap, row.gap)
			t.rows[i].errors = max(old.errors, row.errors)
			t.rows[i].recovered = max(old.recovered, row.recovered)
			return
		}
	}
	t.rows = append(t.rows, row)
}

func (t *faultTable) verified(row verifiedRow) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sums = append(t.sums, row)
}

// note adds a sentence to the figures.
func (t *faultTable) note(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notes = append(t.notes, fmt.Sprintf(format, args...))
}

// String returns the tables in Markdown.
func (t *faultTable) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	b.WriteString("| fleet | fault | times | longest time without a response | requests failed after its end for | all pushed after |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s |\n", r.fleet, r.what, r.times, seconds(r.gap), seconds(r.errors), seconds(r.recovered))
	}
	b.WriteString("\n| fleet | posts acknowledged | pages judged under load | wrong | entries in all feeds | missing | extra | in another order | dispatches per slice | responses |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, s := range t.sums {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %.3f | %s |\n", s.fleet, s.posts, s.pages, s.wrong,
			s.Entries, s.Missing, s.Extra, s.Misplaced, s.Dispatches(), strings.Trim(fmt.Sprint(s.responses), "map[]"))
	}
	for _, note := range t.notes {
		b.WriteString("\n" + note + "\n")
	}
	return b.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// fleetPage has the figures of the last full run.
const fleetPage = "docs/benchmarks/fleet.md"

// keep logs the tables. After a full run it also writes them to the page, even if a figure is too
// high.
func (t *faultTable) keep(test *testing.T) {
	test.Helper()
	test.Logf("\n%s", t)
	if !harness.Full() {
		return
	}
	commit, err := exec.CommandContext(context.Background(), "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		test.Log(err)
	}
	text := fmt.Sprintf(`# A fleet under faults

Two APIs and two workers serve clients that publish, delete, follow, unfollow, mute and read, while something is broken. [operations.md](../operations.md#faults) says what each fault means. Every row has the worst of all times.

| measured | |
| --- | --- |
| date | %s |
| machine | %s, %d cores, shared with the load |
| command | `+"`make chaos`"+` at commit %s |

Long times in the last column are pushes of the last ten seconds that run again because Redis may have lost them. Pages are right meanwhile. Rows of kills, masters and networks include those of the soak.

%s`, time.Now().UTC().Format("2 January 2006"), runtime.Version(), runtime.NumCPU(), cmp.Or(strings.TrimSpace(string(commit)), "unknown"), t)
	if err := os.WriteFile(fleetPage, []byte(text), 0o600); err != nil {
		test.Error(err)
	}
}

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
