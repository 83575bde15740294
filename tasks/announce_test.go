package tasks_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tasks"
)

// allQueues are the names of all queues, sorted.
var allQueues = []string{tasks.QueueBuild, tasks.QueueDispatch, tasks.QueueDispatchLarge, tasks.QueuePush, tasks.QueuePushLarge}

// listed returns the queues that Redis lists, sorted.
func listed(t *testing.T, i *asynq.Inspector) []string {
	t.Helper()
	names := fixture.Got(i.Queues()).Must(t)
	slices.Sort(names)
	return names
}

// raw returns a client to look at what the queue keeps, or to break it.
func raw(t *testing.T, conn asynq.RedisConnOpt) redis.UniversalClient {
	t.Helper()
	r := conn.MakeRedisClient().(redis.UniversalClient)
	t.Cleanup(func() { check(t, r.Close()) })
	return r
}

// A client of asynq, and a server, go on for ever as if Redis still knew their queues.
func TestAnnounce_ListsQueuesAfterDataLoss(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		built, _ := startBuilder(t, conn, tasks.Options{})
		i := newInspector(t, conn)
		check(t, q.Build(t.Context(), 7))
		receive(t, built, "build before the loss")

		check(t, raw(t, conn).FlushAll(t.Context()).Err())
		check(t, q.Build(t.Context(), 8))
		receive(t, built, "build after the loss")
		if got := listed(t, i); len(got) != 0 {
			t.Fatalf("Redis lists %v by itself, so there is nothing to repair", got)
		}
		check(t, q.Announce(t.Context()))
		same(t, "listed", listed(t, i), allQueues)
		check(t, q.Build(t.Context(), 9))
		same(t, "built", receive(t, built, "build after the repair"), 9)
		eventually.True(t, "the worker's server is listed again", func() bool {
			servers, err := i.Servers()
			return err == nil && len(servers) == 1
		})
	})
}

func TestAnnounce_LeavesNothingBehind(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if err := q.Announce(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		same(t, "listed", listed(t, newInspector(t, conn)), allQueues)
		startWorker(t, conn, buildsOnly(nothing), tasks.Options{})
		i := newInspector(t, conn)
		eventually.True(t, "the announcement is gone", func() bool {
			info := fixture.Got(i.GetQueueInfo(tasks.QueueBuild)).Must(t)
			return info.Size == 0
		})
		assertStates(t, conn, tasks.QueueBuild, states{})
		// This queue has no handler here, and the task is not announced twice.
		check(t, q.Announce(t.Context()))
		assertStates(t, conn, tasks.QueuePush, states{pending: 1})
	})
}
