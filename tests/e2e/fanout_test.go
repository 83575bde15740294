//go:build nightly

package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// The page, the command, the API and the task UI show the same fan-out, of a deployment whose queues
// have a prefix.
func TestFanout_OperatorsFollowOnePost(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo, "TIDELINE_QUEUE_PREFIX=blue:", "TIDELINE_SUBTASK_SIZE=20")
	harness.ImportFile(t, env, harness.StarFile(t, 45), "91 new, 0 known, 0 bad")
	s := startServer(t, env...)
	post := s.Publish(t, harness.TokenFor(t, 1), "news")
	admin := adminToken(t)
	page := func(path string, texts ...string) {
		t.Helper()
		eventually.True(t, "the page "+path+" has "+strings.Join(texts, ", "), func() bool {
			status, body := s.Get(t, path, admin)
			for _, text := range texts {
				if status != http.StatusOK || !strings.Contains(body, text) {
					return false
				}
			}
			return true
		})
	}
	page("/tasks/fanout/"+post, "3 of 3 done (100 %)", "45 followers", ">done<")
	page("/tasks/fanout", `href="/tasks/fanout?post=`+post+`"`)
	page("/tasks/api/queues/blue:push/completed_tasks", `"result":"20 of 20"`, `"result":"5 of 5"`)
	for _, token := range []string{"", harness.TokenFor(t, 2)} {
		if status, body := s.Get(t, "/tasks/fanout/"+post, token); status != http.StatusForbidden && status != http.StatusUnauthorized {
			t.Errorf("others get %d: %.200s", status, body)
		}
	}
	var got struct {
		Fanout         struct{ State, HighestID string }
		SlowestFanouts []struct{ ContentID string }
	}
	s.Query(t, admin, `query($post: String!) { fanout(contentId: $post) { state highestId } slowestFanouts { contentId } }`, map[string]any{"post": post}, &got)
	if got.Fanout.State != "done" || got.Fanout.HighestID != "46" || len(got.SlowestFanouts) != 1 || got.SlowestFanouts[0].ContentID != post {
		t.Errorf("the API shows %+v", got)
	}
	runs(t, env, 0, "fanout "+post, "3 of 3 done (100 %), 0 running")
	runs(t, env, 0, "fanout "+post+" --json", `"ended": true`)
	runs(t, env, 0, "fanout", "post "+post)
	runs(t, env, 1, "fanout 99", "the post is not stored")
	runs(t, env, 2, "fanout x", "ids are whole numbers from 1")
}
