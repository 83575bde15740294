package tasks_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/tasks"
)

// newPosts returns first dispatches of the only slices of posts 1 to n.
func newPosts(n int) (ds []feed.Dispatchable[feed.SliceRef]) {
	for id := range feed.PostID(n) {
		ds = append(ds, slice(id+1, 0, 0))
	}
	return ds
}

func TestPush_SharesTasksOfManyPosts(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt) {
		const posts = 1250
		check(t, newQueue(t, conn).Push(t.Context(), newPosts(posts)))
		list := pending(t, newInspector(t, conn), tasks.QueuePush)
		if len(list) != (posts+15)/16 {
			t.Errorf("%d posts have %d tasks, want one for each 16", posts, len(list))
		}
		times := map[string]int{}
		for _, text := range list {
			id, raw, _ := strings.Cut(text, " ")
			var p struct {
				ContentID string
				Task      int
				More      []string
			}
			check(t, json.Unmarshal([]byte(raw), &p))
			if id != "push:"+p.ContentID+":0:d0" || p.Task != 0 {
				t.Errorf("a task is %s", text)
			}
			for _, post := range append(p.More, p.ContentID) {
				times[post]++
			}
		}
		for _, d := range newPosts(posts) {
			if n := times[d.Ref.Post.String()]; n != 1 {
				t.Errorf("post %v is in %d tasks", d.Ref.Post, n)
			}
		}
	})
}

// Workers take tasks at the same time, so few posts have a task each.
func TestPush_FewPostsShareNoTask(t *testing.T) {
	conn := realRedis(t)
	check(t, newQueue(t, conn).Push(t.Context(), newPosts(127)))
	if list := pending(t, newInspector(t, conn), tasks.QueuePush); len(list) != 127 {
		t.Errorf("127 posts have %d tasks", len(list))
	}
}

func TestPush_OtherSlicesShareNoTask(t *testing.T) {
	for name, alone := range map[string]feed.Dispatchable[feed.SliceRef]{
		"a further slice of a post": slice(5000, 1, 0), "a repeated dispatch": slice(5000, 0, 1), "a large fan-out": large(slice(5000, 0, 0))[0],
	} {
		t.Run(name, func(t *testing.T) {
			conn := realRedis(t)
			ds := slices.Insert(newPosts(1024), 500, alone)
			check(t, newQueue(t, conn).Push(t.Context(), ds))
			i := newInspector(t, conn)
			var of []string
			for _, queue := range []string{tasks.QueuePush, tasks.QueuePushLarge} {
				if _, err := i.GetQueueInfo(queue); err != nil {
					continue // nothing was enqueued there
				}
				of = append(of, pending(t, i, queue)...)
			}
			of = slices.DeleteFunc(of, func(text string) bool { return !strings.Contains(text, "5000") })
			if len(of) != 1 || strings.Contains(of[0], "more") {
				t.Errorf("its tasks are %v", of)
			}
		})
	}
}

func TestWorker_PushesRestOfFailedTask(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt) {
		got := make(chan feed.SliceRef, 10)
		failed := false
		startWorker(t, conn, tasks.Handlers{Push: func(_ context.Context, ref feed.SliceRef) error {
			got <- ref
			if ref.Post == 2 && !failed {
				failed = true
				return feed.Unavailable("a test", context.DeadlineExceeded)
			}
			return nil
		}}, tasks.Options{})
		enqueueRaw(t, conn, tasks.QueuePush, tasks.TypePush, `{"v":1,"contentId":"1","task":0,"more":["2","-3"]}`)
		var refs []feed.SliceRef
		for range 6 {
			refs = append(refs, receive(t, got, "a push"))
		}
		once := []feed.SliceRef{{Post: 1}, {Post: 2}, {Post: -3}}
		if diff := cmp.Diff(append(once, once...), refs); diff != "" {
			t.Errorf("pushes (-want +got):\n%s", diff)
		}
	})
}
