//go:build nightly

package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// entries returns the ids in a viewer's inbox, newest first.
func entries(t *testing.T, inboxes app.InboxStore, viewer feed.UserID) []string {
	t.Helper()
	inbox, err := inboxes.Read(t.Context(), viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1000})
	harness.Check(t, err)
	ids := []string{}
	for _, k := range inbox.Keys {
		ids = append(ids, fmt.Sprint(k.ID))
	}
	return ids
}

// A process with another cap fills an inbox beyond the server's, then an import invalidates every
// inbox. No viewer reads.
func TestMaintenance_TrimsUnreadInboxes(t *testing.T) {
	t.Parallel()
	for _, inbox := range []string{"redis", app.InboxSQL} {
		t.Run("inboxes in "+inbox, func(t *testing.T) {
			t.Parallel() // it mostly waits until maintenance is due
			env := shared(t, "TIDELINE_INBOX="+inbox, noDemo)
			inboxes := openInboxes(t, inbox, env)
			harness.ImportLines(t, env, harness.UserRecord(1), harness.UserRecord(2), harness.UserRecord(3), harness.FollowRecord(2, 1), harness.FollowRecord(3, 1), livePost(10, 1))
			startWithInboxes(t, append(env, "TIDELINE_INBOX_CAP=3"), inboxes, 2, 3)
			at := feed.Millis(time.Now())
			for id := int64(11); id <= 20; id++ {
				_, err := inboxes.Push(t.Context(), []feed.UserID{2}, feed.Key{TS: at, ID: id})
				harness.Check(t, err)
			}
			eventually.True(t, "the inbox is trimmed to the newest three", func() bool {
				return slices.Equal(entries(t, inboxes, 2), []string{"20", "19", "18"})
			})
			if got := entries(t, inboxes, 3); !slices.Equal(got, []string{"10"}) {
				t.Errorf("the other inbox, which is within the cap, has %v", got)
			}

			harness.ImportLines(t, env, harness.UserRecord(4))
			eventually.True(t, "inboxes from before the import are removed", func() bool { return len(owners(t, inboxes)) == 0 })
		})
	}
}
