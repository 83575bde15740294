package chaos

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestFanout_CompletesAfterWorkerKill publishes to followers with inboxes, kills the worker by
// SIGKILL in the middle of the fan-out, starts another one, and reads every feed from its inbox.
func TestFanout_CompletesAfterWorkerKill(t *testing.T) {
	for _, inbox := range []string{"redis", "sql"} {
		t.Run("inboxes in "+inbox, func(t *testing.T) {
			t.Parallel() // it mostly waits for the dead worker's leases to expire
			killInTheMiddleOfAFanout(t, inbox)
		})
	}
}

func killInTheMiddleOfAFanout(t *testing.T, inbox string) {
	t.Helper()
	const followers, posts = 1200, 12
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_INBOX=" + inbox,
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_LOG_LEVEL=debug", "TIDELINE_SUBTASK_SIZE=20", "TIDELINE_DEMO=false",
	}
	harness.ImportFile(t, env, harness.StarFile(t, followers), fmt.Sprintf("%d new, 0 known, 0 bad", 2*followers+1))
	api := harness.StartServer(t, append(env, "TIDELINE_ROLE=api")...)
	worker := harness.StartWorker(t, env)
	readers := make([]string, followers)
	for i := range readers {
		readers[i] = harness.TokenFor(t, feed.UserID(i+2))
		api.Home(t, readers[i], 1, 1)
	}
	eventually.True(t, "every inbox is built", func() bool { return strings.Count(worker.Output(), "inbox built") >= followers })

	star := harness.TokenFor(t, 1)
	want := make([]string, posts)
	for i := range want {
		want[posts-1-i] = api.Publish(t, star, fmt.Sprint("post ", i))
	}
	eventually.True(t, "some slices are pushed", func() bool { return strings.Count(worker.Output(), "slice pushed") >= 20 })
	worker.Kill()
	done := strings.Count(worker.Output(), "slice pushed")
	if all := followers / 20 * posts; done >= all {
		t.Fatalf("all %d slices were pushed before the kill, so the test proves nothing", all)
	}
	t.Logf("killed after %d slices", done)

	harness.StartWorker(t, env)
	eventually.True(t, "every inbox has the post", func() bool {
		return !slices.ContainsFunc(readers, func(token string) bool { return !slices.Equal(api.Home(t, token, 20, 20), want) })
	})
	if n := api.CountLines("home feed read", "source=reference"); n != followers {
		t.Errorf("the reference query served %d pages, want %d, those from before the inboxes were built", n, followers)
	}
}
