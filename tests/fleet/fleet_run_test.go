package fleet

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// fleetPlan is how much is done to a fleet.
type fleetPlan struct {
	users, clients int
	// kills are those of each role, masters those of the Cluster's, and stores those of
	// Redis and of PostgreSQL each.
	kills, masters, stores int
	// fault is how long a fault lasts that has no end of its own.
	fault time.Duration
	// calm is how long nothing else is broken after a process is back, and watched after a
	// store or a network is.
	calm, watched time.Duration
	// soak is how long everything is broken at random.
	soak time.Duration
	// redisDisk and postgresDisk are the megabytes of disks that run full. By themselves they
	// must not: what Redis appends between two rewrites comes to a hundred and more in the
	// full run.
	redisDisk, postgresDisk int
}

// fleetPlanOfToday is short unless CHAOS is "full".
func fleetPlanOfToday() fleetPlan {
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

// What faults may come to at most.
const (
	// gapMax is how long nobody may have an answer while a master of a Cluster is replaced.
	gapMax = 5 * time.Second
	// errorsMax is for how long requests may fail once what was away is back.
	errorsMax = 2 * time.Second
	// recoveredMax is within what time all is pushed that was published by the end of a
	// fault.
	recoveredMax = 5 * time.Second
	// rerunMax is the same after Redis may have lost something, of which the pushes of the
	// seconds before run again, and holds for rerunFor after it.
	rerunMax = 30 * time.Second
	rerunFor = time.Minute
)

// balancer sends each request to the next API, as a load balancer does, and past those that
// take no connections.
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

// fleetRun is two APIs and two workers under load, which is judged.
type fleetRun struct {
	*harness.Trial
	plan  fleetPlan
	fleet *testenv.Fleet
	judge *judge
	table *faultTable
	name  string
	stop  func()
	// lostUntil is when a Redis last came back that may have lost something.
	lostUntil time.Time
}

// newFleetRun imports a network and starts a fleet on the stores, with some further
// settings, and the load.
func newFleetRun(t *testing.T, table *faultTable, name, database, redis string, env ...string) *fleetRun {
	t.Helper()
	p := fleetPlanOfToday()
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

// begin has everybody read once, so that there are inboxes, and starts the load. The truth
// is asked for at direct, past any proxy.
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

// end ends the load, waits until all is pushed, and holds everything against the tables.
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
		fleet: r.name, answers: r.Load.Results(), posts: len(r.Load.Acknowledged().Posts),
		pages: pages, wrong: len(wrong), Figures: f,
	})
	if f.Drained > harness.AtMost(harness.DrainedWithin) {
		r.Errorf("it took %v to push what the load had left", f.Drained)
	}
	r.RunDoctor()
}

// fault makes a fault under load, which do does and returns from when it has ended. For
// some time afterwards requests may fail. What was published by the end must be pushed in
// time, and the row of the table that has the fault's name tells the worst of all times.
func (r *fleetRun) fault(name string, gap time.Duration, do func()) {
	r.Helper()
	r.Load.Clock.Take()
	do()
	returned := time.Now()
	r.awaitPushed(name, returned)
	recovered := time.Since(returned)
	calm := r.plan.calm
	if gap > anotherAnswers {
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
		r.Errorf("%s: nobody had an answer for %v, requests failed for %v after it, and all was pushed after %v", name, row.gap, row.errors, recovered)
	}
}

// awaitPushed waits until everything is pushed that was published by some time.
func (r *fleetRun) awaitPushed(name string, until time.Time) {
	r.Helper()
	const pause = 50 * time.Millisecond
	for r.Oracle.OpenFrom(until) > 0 {
		if time.Since(until) > eventually.Limit {
			r.Fatalf("%s: what it left is not pushed after %v", name, eventually.Limit)
		}
		r.Wait(pause)
	}
}

// lost tells the judge that do loses what a Redis has not saved or copied.
func (r *fleetRun) lost(do func()) func() {
	return func() {
		from := time.Now()
		do()
		r.lostUntil = time.Now()
		r.judge.loses(from, r.lostUntil)
	}
}
