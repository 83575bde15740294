//go:build nightly

package e2e

import (
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// sessionRecord is the record of a live session.
func sessionRecord(id, host int, fields string) string {
	return fmt.Sprintf(`{"type":"live","id":"%d","host":"%d","title":"s%d","scheduledAt":"2026-03-01T12:00:%02d.000Z"%s}`, id, host, id, id, fields)
}

// Inboxes in the embedded database outlive their server. Those of replays are examined too.
func TestDoctor_ExaminesReplaysWithoutServer(t *testing.T) {
	t.Parallel()
	env := embedded(t, "TIDELINE_LOG_LEVEL=debug", "TIDELINE_INBOX=sql", noDemo)
	lines := []string{harness.UserRecord(1), harness.UserRecord(2), harness.FollowRecord(2, 1)}
	for id := 11; id <= 13; id++ {
		lines = append(lines, sessionRecord(id, 1, `,"startedAt":"2026-03-01T12:01:00.000Z","endedAt":"2026-03-01T12:02:00.000Z"`))
	}
	harness.ImportLines(t, env, lines...)
	s := startServer(t, env...)
	s.liveFeed(t, harness.TokenFor(t, 2), 2, func() {})
	eventually.True(t, "the replay inbox is built", func() bool { return s.CountLines("replay inbox built") == 1 })
	s.Process.Interrupt()
	s.Process.Wait()
	runs(t, env, 0, "doctor", "replay inboxes of 1 users: 1 warm", "replays: 3 in inboxes, 3 in live feeds", "found nothing", "cannot read the task queues")

	store := openStore(t, env)
	amend(t, sqlstore.NewReplayInboxes(store, feed.DefaultPolicy().InboxCap), 2, nil, func(k feed.Key) bool { return k.ID == 12 })
	runs(t, env, 1, "doctor --user=2", "missing-entry", "missing-in-feed", "user 2  replay of session 12", "found 2 errors")
	runs(t, env, 1, "doctor --json", `"session": "12"`, `"replays": {`)
	runs(t, env, 0, "rebuild", "1 replay inboxes rebuilt")
	runs(t, env, 0, "doctor --all", "found nothing")
}
