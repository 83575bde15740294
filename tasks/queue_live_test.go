package tasks_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/tasks"
)

// The clock is fixed in the past, so tasks scheduled for the next ten seconds are pending at once.
func TestReplays_TasksOfBothInboxesCoexist(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt) {
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return time.Unix(1_700_000_000, 0) }})
		for range 5 {
			for _, inboxes := range []feed.Queue{q, q.Replays()} {
				check(t, inboxes.Build(t.Context(), 7))
				check(t, inboxes.Reconcile(t.Context(), 7))
				check(t, inboxes.WarmUp(t.Context(), 7))
			}
		}
		assertPending(t, conn, tasks.QueueBuild,
			`build:7:170000000 {"v":1,"viewerId":"7"}`,
			`reconcile:7:170000000 {"v":1,"viewerId":"7"}`,
			`reconcile:7:170000001 {"v":1,"viewerId":"7"}`,
			`replay_build:7:170000000 {"v":1,"viewerId":"7"}`,
			`replay_reconcile:7:170000000 {"v":1,"viewerId":"7"}`,
			`replay_reconcile:7:170000001 {"v":1,"viewerId":"7"}`,
			`replay_warm_up:7:170000000 {"v":1,"viewerId":"7"}`,
			`warm_up:7:170000000 {"v":1,"viewerId":"7"}`)
	})
}

func TestRefresh_SharedUntilItBegins(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt) {
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return time.Unix(1_700_000_000, 0) }})
		hosts := []feed.UserID{8, 7}
		for range 3 {
			check(t, q.Refresh(t.Context(), hosts))
			check(t, q.Refresh(t.Context(), []feed.UserID{7, 8}))
		}
		if hosts[0] != 8 {
			t.Errorf("the caller's hosts are in another order: %v", hosts)
		}
		check(t, q.Refresh(t.Context(), []feed.UserID{7}))
		ids := map[string]int{}
		for _, task := range pending(t, newInspector(t, conn), tasks.QueueBuild) {
			_, bucketAndPayload, _ := strings.Cut(strings.TrimPrefix(task, "live_refresh:"), ":")
			ids[bucketAndPayload]++
		}
		want := map[string]int{
			`170000000 {"v":1,"hostIds":["8","7"]}`: 1,
			`170000001 {"v":1,"hostIds":["7","8"]}`: 1,
			`170000000 {"v":1,"hostIds":["7"]}`:     1,
		}
		if diff := cmp.Diff(want, ids); diff != "" {
			t.Errorf("build queue (-want +got):\n%s", diff)
		}
	})
}
