package tasks_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tasks"
)

// On a Cluster of three masters the push tasks of a fan-out are spread over all of them, and a
// worker with the option takes all.
func TestSpread_UsesAllMastersOfCluster(t *testing.T) {
	t.Parallel() // joining a cluster takes some seconds, in which nothing happens here
	conn := clusterConn(t)
	q := newQueue(t, conn, tasks.QueueOptions{Spread: true})
	want := map[feed.SliceRef]bool{}
	var all []feed.Dispatchable[feed.SliceRef]
	for task := range 30 {
		all = append(all, slice(7, task, 0))
		want[feed.SliceRef{Post: 7, Task: task}] = true
	}
	check(t, q.Push(t.Context(), all))
	inspector, masters := newInspector(t, conn), map[string]bool{}
	for _, state := range inspected(t, q) {
		if !strings.HasPrefix(state.Name, tasks.QueuePush) || strings.HasPrefix(state.Name, tasks.QueuePushLarge) {
			continue
		}
		nodes, err := inspector.ClusterNodes(state.Name)
		check(t, err)
		masters[nodes[0].Addr] = true
		if state.Pending != 10 || state.Oldest == 0 {
			t.Errorf("the queue of ten of thirty push tasks is %+v", state)
		}
	}
	if len(masters) != 3 {
		t.Errorf("the push tasks are on %d of three masters", len(masters))
	}
	if w, err := q.Waits(t.Context()); err != nil || w.Push == 0 || w.Dispatch != 0 {
		t.Errorf("the waits are %+v (%v)", w, err)
	}
	pushed := make(chan feed.SliceRef, 100)
	startWorker(t, conn, pushes(pushed), tasks.Options{Spread: true})
	for len(want) > 0 {
		delete(want, receive(t, pushed, "push task"))
	}
}

// A slice that is dispatched again goes to another queue, whose server may answer.
func TestSpread_RepeatedDispatchChangesQueue(t *testing.T) {
	conn := realRedis(t)
	q := newQueue(t, conn, tasks.QueueOptions{Spread: true})
	var in []string
	for dispatch := range 3 {
		pushOne(t, q, -3, 1, dispatch)
		for _, state := range inspected(t, q) {
			if state.Pending > 0 && !slices.Contains(in, state.Name) {
				in = append(in, state.Name)
			}
		}
	}
	if slices.Sort(in); !slices.Equal(in, []string{"push", "push-2", "push-3"}) {
		t.Errorf("the dispatches of one slice are in the queues %v", in)
	}
	if w, err := q.Waits(t.Context()); err != nil || w.Push == 0 {
		t.Errorf("the waits are %+v (%v)", w, err)
	}
}

func clusterConn(t *testing.T) asynq.RedisConnOpt {
	t.Helper()
	addrs, ok := strings.CutPrefix(testenv.StartRedisCluster(t, 0).URL(), "redis-cluster://")
	if !ok {
		t.Fatal(errors.New("the cluster has no URL"))
	}
	return asynq.RedisClusterClientOpt{Addrs: strings.Split(addrs, ","), DialTimeout: time.Second}
}
