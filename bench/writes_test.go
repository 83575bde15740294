package bench_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The network of writes has about 15 followers per user. The one to import is smaller, so that all
// rounds take less time.
var (
	writesSize = world.Size{Seed: 1, Users: 10_400, Follows: 15, Posts: 15}
	importSize = world.Size{Seed: 1, Users: 3_000, Follows: 15, Posts: 15}
)

// durable are the settings of PostgreSQL in production, except that no checkpoint falls into a
// round.
var durable = []string{
	"fsync=on", "synchronous_commit=on", "full_page_writes=on", "checkpoint_timeout=1h", "max_wal_size=4GB",
}

// writesRounds is the default number of rounds. BENCH_ROUNDS replaces it.
const writesRounds = 9

// writesTolerance is how much a ratio may rise above the stored one without a warning.
const writesTolerance = 0.1

// BenchmarkWrites measures the comparisons of [bench.WriteGoals], and warns of ratios that have risen.
// scripts/bench.sh runs it with BENCH=writes. BENCH_ONLY is a pattern of the contenders to measure;
// then it stores nothing.
func BenchmarkWrites(b *testing.B) {
	rounds := writesRounds
	if text := os.Getenv("BENCH_ROUNDS"); text != "" {
		var err error
		rounds, err = strconv.Atoi(text)
		must(b, err)
	}
	// With this setting the files of PostgreSQL are on a disk and not in memory.
	b.Setenv("TMPDIR", os.TempDir())
	// There are two networks, and neither may exist before.
	b.Setenv("BENCH_DATABASE_URL", "")
	result := &bench.Writes{Report: *newReport(b, "BENCH=writes scripts/bench.sh", rounds < writesRounds)}
	w := newWrites(b, rounds)
	contenders := w.contenders()
	tell("ready")
	w.site.settle()
	w.other.settle()
	got := figures{}
	result.Figures = got
	if only := os.Getenv("BENCH_ONLY"); only != "" {
		chosen := regexp.MustCompile(only)
		contenders = slices.DeleteFunc(contenders, func(c contender) bool { return !chosen.MatchString(c.name) })
		must(b, got.measure(b.Context(), rounds, contenders, tell))
		result.Compare(bench.WriteGoals())
		must(b, result.Table(os.Stderr))
		return
	}
	must(b, got.measure(b.Context(), rounds, contenders, tell))
	must(b, got.measure(b.Context(), 1, []contender{{"memory subscribers", w.memoryOfSubscribers}}, tell))
	result.Compare(bench.WriteGoals())
	result.Parts = w.parts(bench.Median(got["saturated page programs"]), bench.Median(got["saturated page postgres"]))
	must(b, result.Table(os.Stderr))
	var before bench.Writes
	stored(b, "writes.json", &before)
	for _, line := range bench.Warnings(&before.Report, &result.Report, writesTolerance) {
		tell("warning: " + line)
	}
	store(b, "writes", result)
}

// writes are the programs to compare. Tideline has a PostgreSQL server of its own, so that its idle
// work is not counted for the others.
type writes struct {
	*site
	// other is the same network for the peers and pgbench.
	other *site
	place place
	// api and worker are Tideline's processes. admin is the address of the API's profiles.
	api, worker *server
	admin       string
	// peerAPI and peerWorker are the processes of Mercurius with BullMQ.
	peerAPI, peerWorker *server
	// tideline, peer and sql are the processes of a system, sql without any program.
	tideline, peer, sql *system
	inboxes             *redisstore.Inboxes
	users               roles
	// authors are writers with 14 to 16 followers.
	authors []int64
	// own and peers draw operations for Tideline and for Mercurius.
	own, peers *mix
}

// roles divide the crowd, so that writes do not change what others read for the first time.
type roles struct {
	// known are read again and again. Each of the next four is read once.
	known, unknown, due, absent, strangers []int64
	// writers like and follow.
	writers []int64
}

// The viewers of a round.
const (
	knownViewers   = 1000
	unknownViewers = 150
	dueViewers     = 100
	absentViewers  = 100
	mixedHundreds  = 10
	strangerCount  = mixedHundreds * mixedFirst
)

func rolesOf(crowd []int64, rounds int) roles {
	take := func(n int) (taken []int64) {
		taken, crowd = crowd[:n], crowd[n:]
		return taken
	}
	r := roles{known: take(knownViewers), unknown: take(rounds * unknownViewers), due: take(rounds * dueViewers), absent: take(rounds * absentViewers), strangers: take(rounds * strangerCount)}
	r.writers = crowd
	return r
}

// newWrites imports the network twice and starts the programs.
func newWrites(b *testing.B, rounds int) *writes {
	b.Helper()
	w := &writes{
		site:  newSite(b, writesSize, defaultThreshold, durable...),
		other: newSite(b, writesSize, defaultThreshold, durable...),
		users: rolesOf(writesSize.Crowd().Users(), rounds),
	}
	w.startTideline()
	w.startPeer()
	w.authors = w.ordinaryAuthors()
	w.sql = &system{b: b, postmaster: w.other.postmaster()}
	for _, check := range []struct {
		m *mix
		y *system
	}{{w.own, w.tideline}, {w.peers, w.peer}} {
		must(b, w.pushes(b.Context(), check.m, check.y))
	}
	return w
}

// startTideline starts an API process and a worker, and fills the inboxes of all users but the
// absent ones.
func (w *writes) startTideline() {
	w.b.Helper()
	w.place = place{testenv.Redis(w.b), w.network}
	w.admin = "127.0.0.1:" + strconv.Itoa(testenv.FreePort(w.b))
	w.api = w.tidelineAt(w.place, "TIDELINE_ROLE=api", "TIDELINE_ADMIN_ADDR="+w.admin)
	w.worker = w.site.worker(w.place)
	w.tideline = &system{
		b: w.b, programs: []int{w.api.process.Pid(), w.worker.process.Pid()},
		redis: w.api.redisPid(w.b), postmaster: w.postmaster(), done: w.tidelineDone,
	}
	w.fillInboxes()
	w.own = w.mix(w.api)
}

// startPeer starts Mercurius and its worker.
func (w *writes) startPeer() {
	w.b.Helper()
	s := w.other
	s.exec(`CREATE TABLE peer_outbox (post_id BIGINT PRIMARY KEY, author_id BIGINT NOT NULL, published_at BIGINT NOT NULL, pushed_at BIGINT NOT NULL DEFAULT 0)`)
	s.exec(`CREATE INDEX idx_peer_outbox ON peer_outbox (published_at) WHERE pushed_at = 0`)
	at := place{testenv.Redis(w.b), s.network}
	s.fillPeers(redisClient(w.b, at.redisURL), s.size.Crowd().Users())
	const queue = "PEER_QUEUE=publish"
	w.peerAPI, w.peerWorker = s.peer("mercurius.mjs", at, queue), s.peer("worker.mjs", at, queue)
	w.peer = &system{
		b: w.b, programs: []int{w.peerAPI.process.Pid(), w.peerWorker.process.Pid()},
		redis: w.peerAPI.redisPid(w.b), postmaster: s.postmaster(), done: w.peerDone,
	}
	w.peers = w.mix(w.peerAPI)
}

// ordinaryAuthors returns the writers with about 15 followers.
func (w *writes) ordinaryAuthors() (authors []int64) {
	w.b.Helper()
	rows, err := w.network.sql.Query(w.b.Context(), `
SELECT user_id FROM user_counters WHERE followers BETWEEN 14 AND 16 AND user_id >= $1 ORDER BY user_id`, w.users.writers[0])
	must(w.b, err)
	for rows.Next() {
		var id int64
		must(w.b, rows.Scan(&id))
		authors = append(authors, id)
	}
	must(w.b, rows.Err())
	return authors
}

// donePoll is the poll interval of pending work. It is long, because polling is part of the
// measurement.
const donePoll = 20 * time.Millisecond

// tidelineDone waits until SQL has no pending push, and then until no task is queued or runs.
func (w *writes) tidelineDone(ctx context.Context) error {
	if err := w.noneOf(ctx, w.network, `SELECT (SELECT count(*) FROM events WHERE state = 0) + (SELECT count(*) FROM plans WHERE open_slices > 0)`); err != nil {
		return err
	}
	inspector := asynq.NewInspectorFromRedisClient(w.api.redis)
	return pollUntil(ctx, donePoll, patience, func() (bool, error) {
		queues, err := inspector.Queues()
		for _, name := range queues {
			info, err := inspector.GetQueueInfo(name)
			if err != nil || info.Pending+info.Active > 0 {
				return false, err
			}
		}
		return true, err
	})
}

// peerDone waits until the outbox of the peer has no waiting row.
func (w *writes) peerDone(ctx context.Context) error {
	return w.noneOf(ctx, w.other.network, `SELECT count(*) FROM peer_outbox WHERE pushed_at = 0`)
}

// noneOf waits until a query returns 0.
func (w *writes) noneOf(ctx context.Context, n *network, query string) error {
	return pollUntil(ctx, donePoll, patience, func() (bool, error) {
		var open int
		err := n.sql.QueryRow(ctx, query).Scan(&open)
		return open == 0, err
	})
}
