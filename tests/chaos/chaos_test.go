// Package chaos holds the tests that kill the program and lose or break its stores under load.
package chaos

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
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// plan is the size of a run.
type plan struct {
	// inbox is the server's value of --inbox.
	inbox                   string
	users, clients          int
	kills, wipes, rollbacks int
	// atLeast and atMost bound the time between two faults.
	atLeast, atMost time.Duration
}

// plans returns runs with kills alone, for each storage of inboxes, and one that also loses Redis.
// They are short unless CHAOS is "full", as in scripts/chaos.sh.
func plans() map[string]plan {
	alone := plan{inbox: "redis", users: 60, clients: 4, kills: 4, atLeast: 300 * time.Millisecond, atMost: time.Second}
	if harness.Full() {
		alone = plan{inbox: "redis", users: 200, clients: 6, kills: 40, atLeast: 500 * time.Millisecond, atMost: 4 * time.Second}
	}
	inSQL, lost := alone, alone
	inSQL.inbox = app.InboxSQL
	lost.wipes, lost.rollbacks = 1, 1
	if harness.Full() {
		lost.wipes, lost.rollbacks = 3, 2
	}
	return map[string]plan{"the server killed": alone, "the server killed, with inboxes in SQL": inSQL, "the server killed and Redis lost": lost}
}

// TestKills_NothingIsLost kills the server under load again and again, and loses the data of Redis.
// Afterwards all acknowledged changes must be there, and every feed must match the tables.
func TestKills_NothingIsLost(t *testing.T) {
	for name, p := range plans() {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits until something is due
			newChaos(t, p).play()
		})
	}
}

// dispatchesMax limits the mean number of times that a slice is enqueued if only the server dies:
// the sweeper must dispatch again what was lost, and not what is queued.
const dispatchesMax = 1.2

// chaos is one run of a plan.
type chaos struct {
	*harness.Trial
	plan    plan
	redis   *testenv.RedisServer
	server  *harness.Server
	windows map[string][]time.Duration
}

func newChaos(t *testing.T, p plan) *chaos {
	t.Helper()
	database := harness.Postgres(t)
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	addr := fmt.Sprintf("127.0.0.1:%d", testenv.FreePort(t))
	c := &chaos{
		Trial: &harness.Trial{T: t, Users: p.users, Rand: rand.New(rand.NewPCG(5, 25)), Database: database},
		plan:  p, redis: redis, windows: map[string][]time.Duration{},
	}
	c.Env = []string{
		"TIDELINE_ADDR=" + addr, "TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis.URL(), "TIDELINE_INBOX=" + p.inbox,
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=error",
		// Small numbers, so that some users are selective and there are many slices. The cap is
		// never reached, because a read of trimmed entries from SQL would hide a loss.
		"TIDELINE_PUSH_THRESHOLD=" + strconv.Itoa(p.users/4), "TIDELINE_SUBTASK_SIZE=20", "TIDELINE_INBOX_CAP=10000",
	}
	c.API = harness.NewCaller("http://" + addr)
	harness.ImportFile(t, c.Env, harness.NewNetwork(p.users, 2*p.users, 3).File(t), " 0 known, 0 bad")
	c.Oracle = harness.NewOracle(t, database)
	c.Inboxes = harness.OpenInboxes(t, p.inbox, database, redis.URL())
	return c
}

func (c *chaos) play() {
	c.Helper()
	c.server = harness.StartServer(c.T, c.Env...)
	c.Load = harness.StartLoad(c.Context(), c.API, c.plan.users, c.plan.clients, 7)
	began := time.Now()
	c.makeFaults()
	f := harness.Figures{UnderFaults: time.Since(began)}
	if c.plan.inbox != app.InboxSQL { // only Redis has the heartbeats that CatchUp awaits
		f.CaughtUp = c.CatchUp()
	}
	c.Load.Finish()
	c.Compare(&f)
	c.report(f)
	c.judge(f)
	c.RunDoctor()
}

// faults returns all faults in random order. Redis is rolled back after it was wiped, because an
// empty Redis hides what was lost before.
func (c *chaos) faults() []string {
	faults := slices.Repeat([]string{"kill"}, c.plan.kills+c.plan.wipes+c.plan.rollbacks)
	places := c.Rand.Perm(len(faults))[:c.plan.wipes+c.plan.rollbacks]
	slices.Sort(places)
	for i, place := range places {
		faults[place] = "wipe"
		if i >= c.plan.wipes {
			faults[place] = "rollback"
		}
	}
	return faults
}

// postsBetween is the least number of posts between two faults, as many as an idle machine
// publishes in that time. With fewer, the tasks that each kill loses dominate the mean.
const postsBetween = 30

// makeFaults makes all faults of the plan at random times.
func (c *chaos) makeFaults() {
	c.Helper()
	for _, fault := range c.faults() {
		before := c.Oracle.Posts()
		c.Wait(c.between())
		eventually.True(c.T, "enough is published before the next fault", func() bool {
			return c.Oracle.Posts() >= before+postsBetween
		})
		c.Load.Clock.Take()
		switch fault {
		case "kill":
			c.server.Process.Kill()
			c.server = harness.StartServer(c.T, c.Env...)
		case "wipe":
			c.redis.Kill()
			c.redis.Wipe()
			c.redis.Restart()
		case "rollback":
			copied := c.redis.Snapshot()
			c.Wait(c.between())
			c.redis.RollBack(copied)
		}
		c.Wait(c.plan.atLeast)
		c.windows[fault] = append(c.windows[fault], c.Load.Clock.Take())
	}
}

// between returns a random time between two faults.
func (c *chaos) between() time.Duration {
	return c.plan.atLeast + time.Duration(c.Rand.Int64N(int64(c.plan.atMost-c.plan.atLeast)))
}

// report logs the figures, one a line.
func (c *chaos) report(f harness.Figures) {
	c.Helper()
	for _, line := range []struct {
		what  string
		value any
	}{
		{"kills, wipes, rollbacks", []int{c.plan.kills, c.plan.wipes, c.plan.rollbacks}},
		{"time under faults", f.UnderFaults.Round(time.Second)},
		{"responses", c.Load.Results()},
		{"acknowledged posts", len(c.Load.Acknowledged().Posts)},
		{"viewers", f.Viewers},
		{"entries in their feeds", f.Entries},
		{"missing", f.Missing},
		{"extra", f.Extra},
		{"in another order", f.Misplaced},
		{"viewers with an inbox", f.Inboxes},
		{"caught up after the last fault, under load, in", f.CaughtUp.Round(time.Millisecond)},
		{"drained after the load in", f.Drained.Round(time.Millisecond)},
		{"slices", f.Slices},
		{"dispatches per slice", fmt.Sprintf("%.3f", f.Dispatches())},
	} {
		c.Logf("%s: %v", line.what, line.value)
	}
	for _, fault := range slices.Sorted(maps.Keys(c.windows)) {
		c.Logf("longest time without a response around a %s: %v", fault, slices.Max(c.windows[fault]).Round(time.Millisecond))
	}
}

// judge fails the test for figures over their limits. [harness.Trial.Compare] has already checked
// each feed.
func (c *chaos) judge(f harness.Figures) {
	c.Helper()
	if alone := c.plan.wipes+c.plan.rollbacks == 0; alone && f.Dispatches() > dispatchesMax {
		c.Errorf("%.3f dispatches per slice are more than %v", f.Dispatches(), dispatchesMax)
	}
	if f.Drained > harness.AtMost(harness.DrainedWithin) {
		c.Errorf("pushing the rest of the load took %v, more than %v", f.Drained, harness.DrainedWithin)
	}
	if alone := c.plan.wipes+c.plan.rollbacks == 0; alone && f.CaughtUp > harness.AtMost(harness.DrainedWithin) {
		c.Errorf("pushing the rest of the last fault took %v, more than %v", f.CaughtUp, harness.DrainedWithin)
	}
	if f.Inboxes < f.Viewers*3/4 {
		c.Errorf("only %d of %d viewers had an inbox", f.Inboxes, f.Viewers)
	}
	for code, n := range c.Load.Results() {
		switch code {
		case "ok", "no response", string(feed.CodeUnavailable):
		default:
			c.Errorf("%d requests got the code %s, which no fault causes", n, code)
		}
	}
}

// A backup made while servers work is enough: work that was pending in it completes.
func TestBackup_OfDatabaseAloneSuffices(t *testing.T) {
	t.Parallel()
	p := plan{inbox: "redis", users: 60, clients: 4, atLeast: time.Second, atMost: 2 * time.Second}
	c := newChaos(t, p)
	c.server = harness.StartServer(t, c.Env...)
	c.Load = harness.StartLoad(t.Context(), c.API, p.users, p.clients, 11)
	c.Wait(p.atLeast)
	backup := testenv.BackUp(t, c.Database)
	c.Wait(p.atLeast)
	c.Load.Finish()
	c.server.Process.Kill()

	// Another database, another Redis.
	database := backup.Restore(t)
	c.Env = append(c.Env, "TIDELINE_DATABASE_URL="+database, "TIDELINE_REDIS_URL="+testenv.Redis(t))
	c.Oracle = harness.NewOracle(t, database)
	t.Logf("pending in the backup: %d", c.Oracle.Open())
	c.server = harness.StartServer(t, c.Env...)
	eventually.True(t, "everything is pushed", func() bool { return c.Oracle.Open() == 0 })
	sum := c.Oracle.Compare(c.API, p.users)
	t.Logf("entries %d, missing %d, extra %d", sum.Entries, sum.Missing, sum.Extra)
	c.RunDoctor()
}

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
