package tasks_test

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tasks"
)

// asynq by itself looks at an idle queue once a second, and would have to do so a hundred
// times as often to be as fast as this. Every task here finds a worker that waits.
func TestWorker_IdleTakesTaskAtOnce(t *testing.T) {
	conn := realRedis(t)
	r := raw(t, conn)
	built, _ := startBuilder(t, conn, tasks.Options{})
	q := newQueue(t, conn)
	awaitWaiting(t, r, 1)
	const builds = 100
	looked, began := calls(t, r, "rpoplpush"), time.Now()
	for viewer := range feed.UserID(builds) {
		check(t, q.Build(t.Context(), 1+viewer))
		receive(t, built, "build")
		awaitWaiting(t, r, 1)
	}
	// One look finds the task, one that there is no other, and after a second of waiting
	// there is another one.
	if n := calls(t, r, "rpoplpush") - looked; n > 2*builds+2+int(time.Since(began)/time.Second) {
		t.Errorf("the queue was looked at %d times for %d tasks", n, builds)
	}
}

// Asynq does not finish a task whose lease has expired, so the lease may not begin while the worker
// waits for a task.
func TestWorker_LeaseBeginsWithTask(t *testing.T) {
	t.Parallel() // it waits for most of its time
	conn := realRedis(t)
	r := raw(t, conn)
	leases := make(chan float64, 1)
	startWorker(t, conn, buildsOnly(func(ctx context.Context, _ feed.UserID) error {
		held := fixture.Got(r.ZRangeWithScores(ctx, "asynq:{build}:lease", 0, 0).Result()).Must(t)
		leases <- held[0].Score
		return nil
	}), tasks.Options{})
	waits := calls(t, r, "blmove")
	eventually.True(t, "the worker waits for the sixth time", func() bool { return calls(t, r, "blmove") >= waits+5 })
	asked := time.Now()
	check(t, newQueue(t, conn).Build(t.Context(), 7))
	// Leases take thirty seconds. One wait of a second is in the command, and leases have whole seconds.
	if end := time.Unix(int64(receive(t, leases, "build")), 0); end.Before(asked.Add(27 * time.Second)) {
		t.Errorf("the lease ends %v after the task was enqueued, want at least 27 s", end.Sub(asked))
	}
}

// What is put into the queue by something else than this program's queue is not waited for
// any longer, and it comes in the order it would have come.
func TestWorker_WaitingKeepsOrder(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		built, _ := startBuilder(t, conn, tasks.Options{BuildConcurrency: 1})
		check(t, q.Build(t.Context(), 1))
		receive(t, built, "build")

		inspector := newInspector(t, conn)
		check(t, inspector.PauseQueue(tasks.QueueBuild))
		for viewer := range feed.UserID(10) {
			check(t, q.Build(t.Context(), 100+viewer))
		}
		check(t, inspector.UnpauseQueue(tasks.QueueBuild))
		for viewer := range feed.UserID(10) {
			same(t, "the next inbox built", receive(t, built, "build"), 100+viewer)
		}
	})
}

func TestWorker_AllWaitingTakeTasks(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		const workers = 3
		running, release := make(chan int, workers), make(chan struct{})
		for i := range workers {
			startWorker(t, conn, buildsOnly(func(context.Context, feed.UserID) error {
				running <- i
				<-release
				return nil
			}), tasks.Options{BuildConcurrency: 1})
		}
		for viewer := range feed.UserID(workers) {
			check(t, q.Build(t.Context(), 1+viewer))
		}
		seen := map[int]bool{}
		for range workers {
			seen[receive(t, running, "build by each of the workers")] = true
		}
		close(release)
		same(t, "workers that built something", len(seen), workers)
	})
}

func TestShutdown_EndsWaitAtOnce(t *testing.T) {
	conn := realRedis(t)
	r := raw(t, conn)
	w := tasks.NewWorker(conn, buildsOnly(func(context.Context, feed.UserID) error {
		t.Error("a task was taken after the shutdown")
		return nil
	}), tasks.Options{Log: slog.New(slog.DiscardHandler)})
	check(t, w.Start())
	awaitWaiting(t, r, 1)
	w.Shutdown()
	check(t, newQueue(t, conn).Build(t.Context(), 7))
	awaitWaiting(t, r, 0)
	assertStates(t, conn, tasks.QueueBuild, states{pending: 1})
}

// awaitWaiting waits until so many clients of a Redis wait for a task.
func awaitWaiting(t *testing.T, r redis.UniversalClient, want int) {
	t.Helper()
	eventually.True(t, fmt.Sprintf("%d clients wait for a task", want), func() bool {
		clients := fixture.Got(r.ClientList(t.Context()).Result()).Must(t)
		waiting := 0
		for line := range strings.Lines(clients) {
			if strings.Contains(line, "cmd=blmove") && strings.Contains(line, "flags=b") {
				waiting++
			}
		}
		return waiting == want
	})
}

// calls returns how often a Redis has run a command, in scripts too.
func calls(t *testing.T, r redis.UniversalClient, command string) int {
	t.Helper()
	return stat(t, r, command, "calls")
}

// stat returns one of the figures that a Redis keeps of a command.
func stat(t *testing.T, r redis.UniversalClient, command, figure string) int {
	t.Helper()
	info := fixture.Got(r.Info(t.Context(), "commandstats").Result()).Must(t)
	m := regexp.MustCompile(`cmdstat_` + command + `:.*\b` + figure + `=(\d+)`).FindStringSubmatch(info)
	if m == nil {
		return 0
	}
	n := fixture.Got(strconv.Atoi(m[1])).Must(t)
	return n
}
