package fleet

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// fleet is a database and a Redis shared by programs of two versions.
type fleet struct {
	*testing.T
	older, newer string
	env          []string
	redis        string
	net          *harness.Network
	oracle       *harness.Oracle
	workers      []*testenv.Process
}

// starFollowers make the fan-outs of user 1 large.
const starFollowers = 5001

// newFleet imports a network with the older program.
func newFleet(t *testing.T, older, newer string) *fleet {
	t.Helper()
	database := testenv.Postgres(t)
	f := &fleet{T: t, older: older, newer: newer, redis: testenv.Redis(t), net: harness.NewNetwork(10, 100, 17)}
	f.env = []string{
		"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + f.redis, "TIDELINE_JWT_SECRET=" + harness.Secret,
		"TIDELINE_DEMO=false", "TIDELINE_SUBTASK_SIZE=500", "TIDELINE_LOG_LEVEL=debug",
	}
	lines := f.net.Lines
	for id := f.net.Users + 1; id <= starFollowers+1; id++ {
		lines = append(lines, harness.UserRecord(id), harness.FollowRecord(id, 1))
	}
	p := testenv.Program(t, []string{older, "import", harness.RecordsFile(t, lines)}, f.env)
	if code := p.Wait(); code != 0 {
		t.Fatalf("the import ended with exit code %d:\n%s", code, p.Output())
	}
	f.oracle = harness.NewOracle(t, database)
	return f
}

// newQueues begins the names of the newer program's queues.
const newQueues = "next:"

// envOf returns the settings of a program. The newer one puts its tasks into queues with other names.
func (f *fleet) envOf(binary string) []string {
	if binary == f.older {
		return f.env
	}
	return append(f.env[:len(f.env):len(f.env)], "TIDELINE_QUEUE_PREFIX="+newQueues)
}

// oldQueues returns the queues of the older program that have tasks.
func (f *fleet) oldQueues() (waiting []string) {
	f.Helper()
	conn, err := asynq.ParseRedisURI(f.redis)
	harness.Check(f.T, err)
	inspector := asynq.NewInspector(conn)
	defer func() { _ = inspector.Close() }()
	queues, err := inspector.Queues()
	harness.Check(f.T, err)
	for _, queue := range queues {
		info, err := inspector.GetQueueInfo(queue)
		harness.Check(f.T, err)
		if !strings.HasPrefix(queue, newQueues) && info.Pending+info.Active+info.Scheduled+info.Retry > 0 {
			waiting = append(waiting, queue)
		}
	}
	return waiting
}

// api starts an API process of a binary and returns it with a caller.
func (f *fleet) api(binary string) (*testenv.Process, *harness.Caller) {
	f.Helper()
	p := testenv.Program(f.T, []string{binary, "serve", "--role=api", "--addr=127.0.0.1:0"}, f.envOf(binary))
	return p, harness.NewCaller(p.WaitReady())
}

// worker starts a worker of a binary.
func (f *fleet) worker(binary string) *testenv.Process {
	f.Helper()
	p := testenv.Program(f.T, []string{binary, "worker"}, f.envOf(binary))
	p.WaitReady()
	f.workers = append(f.workers, p)
	return p
}

// stop interrupts processes in order and waits for each.
func (f *fleet) stop(processes ...*testenv.Process) {
	f.Helper()
	for _, p := range processes {
		p.Interrupt()
		if code := p.Wait(); code != 0 {
			f.Errorf("a process ended with exit code %d", code)
		}
	}
}

// works publishes and reads as every user by every API process at the same time, waits until
// everything is pushed, and compares every feed of every process with the tables.
func (f *fleet) works(when string, apis ...*harness.Caller) {
	f.Helper()
	began := time.Now()
	var group sync.WaitGroup
	for _, api := range apis {
		for id := range f.net.Users {
			group.Go(func() {
				viewer := feed.UserID(id + 1)
				if _, err := api.Publish(f.Context(), viewer, when); err != nil {
					f.Errorf("%s: a publish by %d: %v", when, viewer, err)
				}
				if _, _, err := api.Page(f.Context(), viewer, 20, nil); err != nil {
					f.Errorf("%s: a read by %d: %v", when, viewer, err)
				}
			})
		}
	}
	group.Wait()
	eventually.True(f.T, "everything is pushed, "+when, func() bool { return f.oracle.Open() == 0 })
	for i, api := range apis {
		if sum := f.oracle.Compare(api, f.net.Users); sum.Missing+sum.Extra > 0 {
			f.Errorf("%s: feeds of process %d: %d entries missing, %d extra", when, i, sum.Missing, sum.Extra)
		}
	}
	f.Logf("%s: exact after %v", when, time.Since(began).Round(10*time.Millisecond))
}

// upgradeFrom names the program of an earlier version; see scripts/upgrade.sh.
const upgradeFrom = "UPGRADE_FROM"

// The next version of the program writes other payloads, stores inboxes in another format, and adds
// to the schema. The test upgrades process by process in the order of docs/deployment.md, and
// downgrades again. Every request must succeed, every post must be pushed, and every process must
// show exact feeds all the time. With UPGRADE_FROM it upgrades from that program to this one.
func TestUpgrade_LosesNothingForthAndBack(t *testing.T) {
	t.Parallel() // it mostly waits until the other version's workers count as gone
	earlier := os.Getenv(upgradeFrom)
	older, newer := cmp.Or(earlier, testenv.Binary(t)), testenv.Binary(t)
	if earlier == "" {
		newer = testenv.UpgradedBinary(t)
	}
	f := newFleet(t, older, newer)
	oldAPI, old := f.api(older)
	oldWorker := f.worker(older)
	f.works("before the upgrade", old)

	newAPI, next := f.api(newer)
	f.works("with a new API and an old worker", old, next)
	newWorker := f.worker(newer)
	f.works("with two of each", old, next)
	f.stop(oldWorker)
	f.works("with an old API and a new worker", old, next)
	f.stop(oldAPI)
	f.stop(newWorker)
	newWorker = f.worker(newer)
	eventually.True(t, "the old queues are empty", func() bool { return len(f.oldQueues()) == 0 })
	f.works("after the upgrade", next)
	if queues := f.oldQueues(); len(queues) > 0 {
		t.Errorf("after the upgrade tasks wait in %v", queues)
	}
	var format int64
	harness.Check(t, f.oracle.Conn.QueryRow(t.Context(), "SELECT inbox_layout FROM feed_state").Scan(&format))
	if format%256 != 2 && earlier == "" { // the higher bits identify the Redis
		t.Errorf("after the upgrade inboxes have format %d, want 2", format)
	}

	_, old = f.api(older)
	f.worker(older)
	f.stop(newAPI, newWorker)
	f.works("after the return", old)
	for i, w := range f.workers {
		if strings.Contains(w.Output(), "was archived") {
			t.Errorf("worker %d archived a task", i)
		}
	}
}

// A worker that stops resigns, so that the next process leads at once. feed/inbox tests what happens
// when a leader dies.
func TestLeadership_EndsWithStoppedProcess(t *testing.T) {
	t.Parallel()
	database := harness.Postgres(t)
	worker := harness.StartWorker(t, []string{"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_DEMO=false"})
	oracle := harness.NewOracle(t, database)
	led := func() int64 {
		return harness.RowsOf[int64](oracle, `
SELECT COUNT(*) FROM leaders WHERE holder LIKE $1 AND until > EXTRACT(EPOCH FROM now()) * 1000`, fmt.Sprintf("%%/%d/%%", worker.Pid()))[0]
	}
	eventually.True(t, "the worker leads the heartbeat and both kinds of maintenance", func() bool { return led() >= 3 })
	worker.Interrupt()
	if code := worker.Wait(); code != 0 || strings.Contains(worker.Output(), "cannot resign leadership") {
		t.Errorf("the worker ended with exit code %d", code)
	}
	if n := led(); n > 0 {
		t.Errorf("the stopped worker keeps %d leases until they expire", n)
	}
}
