package memstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

func slice(task int) feed.Dispatchable[feed.SliceRef] {
	return feed.Dispatchable[feed.SliceRef]{Ref: feed.SliceRef{Post: 7, Task: task}, Dispatches: task}
}

func TestTake_EmptiesQueueInOrder(t *testing.T) {
	q := memstore.NewQueue()
	event := feed.Dispatchable[feed.PostID]{Ref: 7, Dispatches: 2}
	first, second := slice(0), slice(1)
	for _, err := range []error{
		q.Dispatch(t.Context(), []feed.Dispatchable[feed.PostID]{event}),
		q.Push(t.Context(), []feed.Dispatchable[feed.SliceRef]{first, second}),
		q.Build(t.Context(), 9),
		q.Build(t.Context(), 9),
		q.Reconcile(t.Context(), 10),
		q.WarmUp(t.Context(), 11),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []memstore.Task{
		{Dispatch: &event}, {Push: &first}, {Push: &second}, {Build: 9}, {Build: 9}, {Reconcile: 10}, {WarmUp: 11},
	}
	if diff := cmp.Diff(want, q.Take()); diff != "" {
		t.Errorf("the first take: mismatch (-want +got):\n%s", diff)
	}
	if left := q.Take(); len(left) != 0 {
		t.Errorf("the second take returned %v, want no tasks", left)
	}
}

func TestTakeWithFaults_CoversEveryFault(t *testing.T) {
	const n = 1000
	q := memstore.NewQueue()
	for i := range n {
		if err := q.Build(t.Context(), feed.UserID(i+1)); err != nil {
			t.Fatal(err)
		}
	}
	times, sorted, last := map[feed.UserID]int{}, true, feed.UserID(0)
	for _, task := range q.TakeWithFaults(rand.New(rand.NewPCG(1, 2))) {
		times[task.Build]++
		sorted = sorted && task.Build >= last
		last = task.Build
	}
	left := map[feed.UserID]bool{}
	for _, task := range q.Take() {
		left[task.Build] = true
	}
	fates := map[string]int{}
	for id := feed.UserID(1); id <= n; id++ {
		fates[fmt.Sprintf("taken %d times, left %t", times[id], left[id])]++
	}
	for _, fate := range []string{
		"taken 0 times, left false", "taken 1 times, left false", "taken 2 times, left false", "taken 0 times, left true",
	} {
		if fates[fate] < n/8 {
			t.Errorf("%q: %d of %d tasks, want about a quarter", fate, fates[fate], n)
		}
	}
	if len(fates) != 4 || sorted {
		t.Errorf("got fates %v, in the order of the queue: %t; want four fates, in another order", fates, sorted)
	}
}

func TestQueue_RefusesEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := memstore.NewQueue()
	for _, err := range []error{
		q.Dispatch(ctx, []feed.Dispatchable[feed.PostID]{{Ref: 7}}),
		q.Push(ctx, []feed.Dispatchable[feed.SliceRef]{slice(0)}),
		q.Build(ctx, 9),
		q.Reconcile(ctx, 9),
		q.WarmUp(ctx, 9),
	} {
		if feed.CodeOf(err) != feed.CodeUnavailable {
			t.Errorf("got error %v, want %s", err, feed.CodeUnavailable)
		}
	}
	if tasks := q.Take(); len(tasks) != 0 {
		t.Errorf("the queue has %v, want no tasks", tasks)
	}
}
