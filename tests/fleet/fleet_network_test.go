package fleet

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestFleet_ServesRealNetworkWhileMasterDies imports a social network into a fleet of two APIs and
// two workers on PostgreSQL and a Redis Cluster. It plays the network's later events in real time
// and kills masters meanwhile, while clients read all feeds. In the end every feed must match the
// tables.
//
// The network is that in the folder LDBC_GRAPH, whose snapshot.ndjson and updates.ndjson are
// records for import. Without LDBC_GRAPH it is a small generated one.
func TestFleet_ServesRealNetworkWhileMasterDies(t *testing.T) {
	t.Parallel() // it mostly waits until a replica takes over
	snapshot, updates := networkFiles(t)
	cluster, database := testenv.StartRedisCluster(t, 1), testenv.Postgres(t)
	env := []string{
		"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + cluster.URL(),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=error",
		// Small numbers, so that some users are popular and there are many slices.
		"TIDELINE_PUSH_THRESHOLD=40", "TIDELINE_SUBTASK_SIZE=10",
	}
	harness.ImportFile(t, env, snapshot, " 0 known, 0 bad")
	fleet := testenv.StartFleet(t, testenv.FleetOptions{APIs: 2, Workers: 2, Env: env})
	r := &readers{T: t, api: newFleetCaller(fleet), oracle: harness.NewOracle(t, database), stopping: make(chan struct{})}
	r.viewers = harness.RowsOf[feed.UserID](r.oracle, `SELECT id FROM users ORDER BY id`)
	r.start()

	began := time.Now()
	playing := testenv.Program(t, []string{testenv.Binary(t), "import", "--live", fmt.Sprint("--rate=", playRate()), updates}, env)
	kills, longest := 0, time.Duration(0)
	for running := true; running; kills++ {
		master := cluster.Masters()[kills%3]
		killed := time.Now()
		master.Kill()
		cluster.AwaitMasters()
		longest = max(longest, time.Since(killed))
		master.Restart()
		cluster.AwaitReplicas()
		running = harness.Full() && kills < 4 && isRunning(playing)
	}
	if code := playing.Wait(); code != 0 {
		t.Fatalf("the live import ended with exit code %d:\n%s", code, playing.Output())
	}
	took := time.Since(began)
	eventually.True(t, "everything is pushed", func() bool { return r.oracle.Open() == 0 })
	gap := r.clock.Take()
	r.stop()
	sum := r.oracle.CompareThose(r.api, r.all())
	t.Logf("viewers: %d, entries in their feeds: %d, missing: %d, extra: %d, in another order: %d",
		sum.Viewers, sum.Entries, sum.Missing, sum.Extra, sum.Misplaced)
	t.Logf("played in %v, masters killed: %d, longest until a replica had taken over: %v, pages read meanwhile: %d, failed: %d, longest without one: %v",
		took.Round(time.Second), kills, longest.Round(time.Millisecond), r.pages, r.failed, gap.Round(time.Millisecond))
	if r.failed > 0 {
		t.Errorf("%d pages were refused while a master was dead: %v", r.failed, r.why)
	}
	(&harness.Trial{T: t, Env: env}).RunDoctor()
}

// playRate is the number of records played per second. In a full run the last of some thousand is
// played after each master has died once.
func playRate() int {
	if harness.Full() {
		return 60
	}
	return 100
}

func isRunning(p *testenv.Process) bool {
	select {
	case <-p.Done():
		return false
	default:
		return true
	}
}

// readers read the feeds of random viewers until they are stopped.
type readers struct {
	*testing.T
	api     *harness.Caller
	oracle  *harness.Oracle
	viewers []feed.UserID

	stopping chan struct{}
	group    sync.WaitGroup
	clock    *harness.Windows

	mu            sync.Mutex
	pages, failed int
	why           error
}

// start starts four reading goroutines.
func (r *readers) start() {
	r.clock = harness.NewWindows()
	for i := range uint64(4) {
		rng := rand.New(rand.NewPCG(3, i))
		r.group.Go(func() {
			pause := time.NewTicker(harness.ClientPause)
			defer pause.Stop()
			for {
				_, _, err := r.api.Page(r.Context(), r.viewers[rng.IntN(len(r.viewers))], 20, nil)
				r.note(err)
				select {
				case <-pause.C:
				case <-r.stopping:
					return
				}
			}
		})
	}
}

func (r *readers) note(err error) {
	r.clock.Note(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pages++
	if err != nil {
		r.failed++
		r.why = err
	}
}

func (r *readers) stop() {
	close(r.stopping)
	r.group.Wait()
}

// all returns all viewers, including those created meanwhile.
func (r *readers) all() []feed.UserID {
	r.Helper()
	return harness.RowsOf[feed.UserID](r.oracle, `SELECT id FROM users ORDER BY id`)
}

// networkFiles returns the two files of the network.
func networkFiles(t *testing.T) (snapshot, updates string) {
	t.Helper()
	if folder := os.Getenv("LDBC_GRAPH"); folder != "" {
		return filepath.Join(folder, "snapshot.ndjson"), filepath.Join(folder, "updates.ndjson")
	}
	net := harness.NewNetwork(60, 240, 17)
	// Playing starts in the order of the records, and needs users to exist.
	var before, after []string
	for i, line := range net.Lines {
		var record struct{ Type string }
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		if record.Type != "user" && i%3 == 0 {
			after = append(after, line)
		} else {
			before = append(before, line)
		}
	}
	return harness.RecordsFile(t, before), harness.RecordsFile(t, after)
}

// The generated network has records of the same types as a real one in both files.
func TestMadeUpNetwork_HasUsersFollowsAndPosts(t *testing.T) {
	t.Setenv("LDBC_GRAPH", "")
	snapshot, updates := networkFiles(t)
	for file, want := range map[string][]string{snapshot: {"user", "follow", "post"}, updates: {"follow", "post"}} {
		in, err := os.Open(file)
		harness.Check(t, err)
		found := map[string]bool{}
		for lines := bufio.NewScanner(in); lines.Scan(); {
			var record struct{ Type string }
			harness.Check(t, json.Unmarshal(lines.Bytes(), &record))
			found[record.Type] = true
		}
		harness.Check(t, in.Close())
		for _, typ := range want {
			if !found[typ] {
				t.Errorf("%s has no %s", file, typ)
			}
		}
	}
}
