package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// replayRecord is a session that has ended.
func replayRecord(id, host int) string {
	return fmt.Sprintf(`{"type":"live","id":"%d","host":"%d","title":"session %d","scheduledAt":"2026-01-03T00:00:00Z",`+
		`"startedAt":"2026-01-03T00:00:00Z","endedAt":"2026-01-03T00:00:%02dZ"}`, id, host, id, id)
}

func TestDoctor_FindsMissingReplayEntry(t *testing.T) {
	t.Parallel() // it mostly waits until the doctor repeats its check
	dir := t.TempDir()
	env := []string{
		"TIDELINE_DATA_DIR=" + dir, "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_LOG_LEVEL=debug", "TIDELINE_INBOX=sql",
		"TIDELINE_DEMO=false",
	}
	harness.ImportLines(t, env, harness.UserRecord(1), harness.UserRecord(2), harness.FollowRecord(2, 1), replayRecord(11, 1), replayRecord(12, 1), replayRecord(13, 1))
	s := startServer(t, env...)
	s.liveFeed(t, harness.TokenFor(t, 2), 2, func() {})
	eventually.True(t, "the replay inbox is built", func() bool { return s.CountLines("replay inbox built") == 1 })
	s.Process.Interrupt()
	s.Process.Wait()
	harness.DoctorSays(t, env, nil, 0, "replay inboxes of 1 users: 1 warm", "replays: 3 in inboxes, 3 in live feeds", "found nothing")

	store, err := sqlstore.Open(t.Context(), "sqlite://"+filepath.Join(dir, "tideline.db"))
	harness.Check(t, err)
	inboxes := sqlstore.NewReplayInboxes(store, feed.DefaultPolicy().InboxCap)
	amend(t, inboxes, 2, nil, func(k feed.Key) bool { return k.ID == 12 })
	harness.Check(t, store.Close())
	for _, args := range [][]string{nil, {"--all"}, {"--user=2"}} {
		harness.DoctorSays(t, env, args, 1, "missing-entry", "missing-in-feed", "user 2  replay of session 12", "found 2 errors")
	}
	harness.DoctorSays(t, env, []string{"--json"}, 1, `"session": "12"`, `"replays": {`)
	if code, out := harness.Command(t, env, "rebuild"); code != 0 || !strings.Contains(out, "1 replay inboxes rebuilt") {
		t.Fatalf("rebuild ended with exit code %d:\n%s", code, out)
	}
	harness.DoctorSays(t, env, []string{"--all"}, 0, "found nothing")
}
