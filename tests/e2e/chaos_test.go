package e2e

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// plan is how much a run of chaos does.
type plan struct {
	users, clients          int
	kills, wipes, rollbacks int
	// atLeast and atMost bound the time between two faults.
	atLeast, atMost time.Duration
}

// plans returns the run with kills alone and the one with Redis lost as well. They are
// short unless CHAOS is "full", as scripts/chaos.sh sets it.
func plans() map[string]plan {
	alone := plan{users: 60, clients: 4, kills: 4, atLeast: 300 * time.Millisecond, atMost: time.Second}
	if full() {
		alone = plan{users: 200, clients: 6, kills: 40, atLeast: 500 * time.Millisecond, atMost: 4 * time.Second}
	}
	lost := alone
	lost.wipes, lost.rollbacks = 1, 1
	if full() {
		lost.wipes, lost.rollbacks = 3, 2
	}
	return map[string]plan{"the server killed": alone, "the server killed and Redis lost": lost}
}

// full says whether this is a run of scripts/chaos.sh.
func full() bool { return os.Getenv("CHAOS") == "full" }

// atMost returns the limit of a time that is measured. It holds in the full run, for which
// the machine does nothing else. Other runs only find out what hangs.
func atMost(limit time.Duration) time.Duration {
	if full() {
		return limit
	}
	return eventually.Limit
}

// TestNothingIsLost kills the server under load, again and again, and loses what Redis
// has. What was acknowledged must be there afterwards, and every feed must be what the
// tables say.
func TestNothingIsLost(t *testing.T) {
	for name, p := range plans() {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // much of the time goes by until something is due
			newChaos(t, p).run()
		})
	}
}

// dispatchesMax is how often a subtask may be enqueued, in the mean, when nothing but the
// server dies: the sweeper is to dispatch again what was lost, and not what is queued.
const dispatchesMax = 1.2

// drainedWithin is within what time everything must be pushed once the load ends, and what
// the server had at hand when it was killed for the last time.
const drainedWithin = 5 * time.Second

// chaos is one run.
type chaos struct {
	*testing.T
	plan plan
	rng  *rand.Rand
	env  []string
	// database is the URL of the source of truth.
	database string
	redis    *testenv.RedisServer
	inboxes  app.InboxStore
	oracle   *oracle
	api      *caller
	server   *server
	load     *load
	windows  map[string][]time.Duration
}

func newChaos(t *testing.T, p plan) *chaos {
	t.Helper()
	database := testenv.Postgres(t)
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	addr := fmt.Sprintf("127.0.0.1:%d", testenv.FreePort(t))
	c := &chaos{T: t, plan: p, rng: rand.New(rand.NewPCG(5, 25)), database: database, redis: redis, windows: map[string][]time.Duration{}}
	c.env = []string{
		"TIDELINE_ADDR=" + addr, "TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis.URL(),
		"TIDELINE_JWT_SECRET=" + testSecret, "TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=error",
		// Small numbers, so that some users are selective and slices are many; and a cap
		// that nothing is trimmed by, since a read of what was trimmed would hide a loss.
		"TIDELINE_PUSH_THRESHOLD=" + strconv.Itoa(p.users/4), "TIDELINE_SUBTASK_SIZE=20", "TIDELINE_INBOX_CAP=10000",
	}
	c.api = newCaller("http://" + addr)
	importFile(t, c.env, newNetwork(p.users, 2*p.users, 3).file(t), " 0 known, 0 bad")
	c.oracle = newOracle(t, database)
	c.inboxes = openInboxes(t, "redis", database, redis.URL())
	return c
}

func (c *chaos) run() {
	c.Helper()
	c.server = startServer(c.T, c.env...)
	c.load = startLoad(c.Context(), c.api, c.plan.users, c.plan.clients, 7)
	began := time.Now()
	c.makeFaults()
	f := figures{underFaults: time.Since(began)}
	f.caughtUp = c.catchUp()
	c.load.finish()
	c.compare(&f)
	c.report(f)
	c.judge(f)
	c.askTheDoctor()
}

// figures is what a run has measured.
type figures struct {
	verdict
	// underFaults is from the first fault to the last, caughtUp from there until all
	// from before was pushed while the load went on, and drained from its end until
	// everything was.
	underFaults, caughtUp, drained time.Duration
	subtasks, enqueued             int64
	// inboxes is how many viewers had one when their feeds were compared.
	inboxes int
}

func (f figures) dispatches() float64 { return float64(f.enqueued) / float64(f.subtasks) }

// noticedAfter is after how many heartbeats the program has noticed that Redis has lost
// something: the first of them may have begun before. Nothing is waiting before that.
const noticedAfter = 2

// compare waits, after the load, until all is pushed, and holds everything against the tables.
func (c *chaos) compare(f *figures) {
	c.Helper()
	ended := time.Now()
	eventually.True(c.T, "everything is pushed", func() bool { return c.oracle.open() == 0 })
	f.drained = time.Since(ended)
	c.oracle.checkAcknowledged(c.load.acknowledged())
	c.visitAll()
	f.inboxes = c.countInboxes()
	f.verdict = c.oracle.compare(c.api, c.plan.users)
	f.subtasks, f.enqueued = c.oracle.dispatches()
}

// catchUp lets the load go on until everything that was published before the call is
// pushed, and returns how long that took.
func (c *chaos) catchUp() time.Duration {
	c.Helper()
	const pause = 200 * time.Millisecond // counting costs the database something
	began, beats := time.Now(), c.oracle.beats()
	for took := time.Duration(0); ; c.wait(pause) {
		since := time.Since(began)
		pending := c.oracle.openFrom(began) > 0
		switch {
		case since > eventually.Limit:
			c.Fatalf("what the faults left is not pushed after %v, or hearts do not beat", since)
		case pending:
			took = since
		case c.oracle.beats() >= beats+noticedAfter:
			return took
		}
	}
}

// faults draws the order of all faults. Redis is rolled back after it was wiped, because
// an empty one hides what was lost before.
func (c *chaos) faults() []string {
	faults := slices.Repeat([]string{"kill"}, c.plan.kills+c.plan.wipes+c.plan.rollbacks)
	places := c.rng.Perm(len(faults))[:c.plan.wipes+c.plan.rollbacks]
	slices.Sort(places)
	for i, place := range places {
		faults[place] = "wipe"
		if i >= c.plan.wipes {
			faults[place] = "rollback"
		}
	}
	return faults
}

// postsBetween is how many posts are published between two faults, at least: on a machine at rest
// it is as many in the time that is drawn. On a busy one there would be so few that what a kill
// loses, some tasks each time, counts for much in the mean.
const postsBetween = 30

// makeFaults makes all faults of the plan, at times drawn at random.
func (c *chaos) makeFaults() {
	c.Helper()
	for _, fault := range c.faults() {
		before := c.oracle.contents()
		c.wait(c.between())
		eventually.True(c.T, "enough is published before the next fault", func() bool {
			return c.oracle.contents() >= before+postsBetween
		})
		c.load.clock.take()
		switch fault {
		case "kill":
			c.server.process.Kill()
			c.server = startServer(c.T, c.env...)
		case "wipe":
			c.redis.Kill()
			c.redis.Wipe()
			c.redis.Restart()
		case "rollback":
			copied := c.redis.Snapshot()
			c.wait(c.between())
			c.redis.RollBack(copied)
		}
		c.wait(c.plan.atLeast)
		c.windows[fault] = append(c.windows[fault], c.load.clock.take())
	}
}

// between draws a time between two faults.
func (c *chaos) between() time.Duration {
	return c.plan.atLeast + time.Duration(c.rng.Int64N(int64(c.plan.atMost-c.plan.atLeast)))
}

// wait lets the load go on for a while.
func (c *chaos) wait(d time.Duration) {
	c.Helper()
	select {
	case <-time.After(d):
	case <-c.Context().Done():
		c.Fatal("the test was cut off")
	}
}

// comesBackAfter is after what time a viewer reads again: more often would use up his budget.
const comesBackAfter = time.Second

// visitAll has everybody read once, and those who have no inbox again, as people do, until
// most have one: one visit in ten seconds asks for a build, and that one may have been lost
// with Redis, or with a server that was killed over it. Inboxes that are there are left as the
// faults made them.
func (c *chaos) visitAll() {
	c.Helper()
	c.visit(func(feed.UserID) bool { return true })
	eventually.True(c.T, "most viewers have an inbox", func() bool {
		if c.countInboxes() >= c.plan.users*3/4 {
			return true
		}
		c.wait(comesBackAfter)
		c.visit(func(viewer feed.UserID) bool { return !c.hasInbox(viewer) })
		return false
	})
}

// visit reads the feeds of those who are to be visited.
func (c *chaos) visit(who func(feed.UserID) bool) {
	c.Helper()
	for viewer := feed.UserID(1); int(viewer) <= c.plan.users; viewer++ {
		if !who(viewer) {
			continue
		}
		_, _, err := c.api.page(c.Context(), viewer, 1, nil)
		check(c.T, err)
	}
}

// countInboxes counts who has an inbox that reads may use. The others are read by the
// reference query, so if they were many, comparing would prove little.
func (c *chaos) countInboxes() int {
	c.Helper()
	n := 0
	for viewer := feed.UserID(1); int(viewer) <= c.plan.users; viewer++ {
		if c.hasInbox(viewer) {
			n++
		}
	}
	return n
}

func (c *chaos) hasInbox(viewer feed.UserID) bool {
	c.Helper()
	inbox, err := c.inboxes.Read(c.Context(), viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1})
	check(c.T, err)
	return inbox.State == feed.InboxReady && inbox.Generation == c.oracle.generation()
}

// report prints what was measured, one figure a line.
func (c *chaos) report(f figures) {
	c.Helper()
	for _, line := range []struct {
		what  string
		value any
	}{
		{"kills, wipes, rollbacks", []int{c.plan.kills, c.plan.wipes, c.plan.rollbacks}},
		{"time under faults", f.underFaults.Round(time.Second)},
		{"answers", c.load.results()},
		{"acknowledged posts", len(c.load.acknowledged().posts)},
		{"viewers", f.viewers},
		{"entries in their feeds", f.entries},
		{"missing", f.missing},
		{"extra", f.extra},
		{"in another order", f.misplaced},
		{"viewers with an inbox", f.inboxes},
		{"caught up after the last fault, under load, in", f.caughtUp.Round(time.Millisecond)},
		{"drained after the load in", f.drained.Round(time.Millisecond)},
		{"subtasks", f.subtasks},
		{"dispatches per subtask", fmt.Sprintf("%.3f", f.dispatches())},
	} {
		c.Logf("%s: %v", line.what, line.value)
	}
	for _, fault := range slices.Sorted(maps.Keys(c.windows)) {
		c.Logf("longest time without an answer around a %s: %v", fault, slices.Max(c.windows[fault]).Round(time.Millisecond))
	}
}

// judge fails the test for figures that are too high. That feeds are exact has been
// checked feed by feed.
func (c *chaos) judge(f figures) {
	c.Helper()
	if alone := c.plan.wipes+c.plan.rollbacks == 0; alone && f.dispatches() > dispatchesMax {
		c.Errorf("%.3f dispatches per subtask are more than %v", f.dispatches(), dispatchesMax)
	}
	if f.drained > atMost(drainedWithin) {
		c.Errorf("it took %v to push what the load had left, more than %v", f.drained, drainedWithin)
	}
	if alone := c.plan.wipes+c.plan.rollbacks == 0; alone && f.caughtUp > atMost(drainedWithin) {
		c.Errorf("it took %v to push what the last fault had left, more than %v", f.caughtUp, drainedWithin)
	}
	if f.inboxes < f.viewers*3/4 {
		c.Errorf("only %d of %d viewers had an inbox", f.inboxes, f.viewers)
	}
	for code, n := range c.load.results() {
		switch code {
		case "ok", "no answer", string(feed.CodeUnavailable):
		default:
			c.Errorf("%d requests were answered with %s, which no fault excuses", n, code)
		}
	}
}

// askTheDoctor has the program itself look for what is wrong.
func (c *chaos) askTheDoctor() {
	c.Helper()
	began := time.Now()
	p := testenv.Program(c.T, []string{testenv.Binary(c.T), "doctor", "--all"}, c.env)
	code := p.Wait()
	if code != 0 {
		c.Errorf("the doctor ends with %d:\n%s", code, p.Output())
	}
	c.Logf("exit code of the doctor: %d, after %v", code, time.Since(began).Round(time.Millisecond))
}
