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

// onBothInboxStores runs a test with inboxes in Redis and in SQL. The test gets the settings of a
// server and its inboxes.
func onBothInboxStores(t *testing.T, test func(t *testing.T, env []string, inboxes app.InboxStore)) {
	t.Parallel()
	for _, inbox := range []string{"redis", app.InboxSQL} {
		t.Run("inboxes in "+inbox, func(t *testing.T) {
			t.Parallel() // it mostly waits until maintenance is due
			env := shared(t, "TIDELINE_INBOX="+inbox, "TIDELINE_LOG_LEVEL=debug", noDemo)
			test(t, env, openInboxes(t, inbox, env))
		})
	}
}

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
	onBothInboxStores(t, func(t *testing.T, env []string, inboxes app.InboxStore) {
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

// The records of an import with --live reach the inbox of the only follower while the server runs.
func TestImport_PlayedPostsReachInboxes(t *testing.T) {
	onBothInboxStores(t, func(t *testing.T, env []string, inboxes app.InboxStore) {
		harness.ImportLines(t, env, harness.UserRecord(1), harness.UserRecord(2), harness.FollowRecord(1, 2), livePost(99, 2))
		s := startWithInboxes(t, env, inboxes, 1)
		records := []string{harness.UserRecord(3), harness.FollowRecord(1, 3)}
		want := []string{"99"}
		for id := 11; id <= 30; id++ { // Posts of one millisecond are ordered by id.
			records = append(records, livePost(id, 2+id%2))
			want = slices.Insert(want, 0, fmt.Sprint(id))
		}
		file := harness.RecordsFile(t, append(records, livePost(31, 77)))
		runs(t, env, 0, "import --live --rate=200 "+file, "23 lines, 22 played, 0 known, 1 bad")
		eventually.True(t, "all posts are pushed", func() bool { return slices.Equal(entries(t, inboxes, 1), want) })
		if got := s.Home(t, harness.TokenFor(t, 1), 100, 100); !slices.Equal(got, want) {
			t.Errorf("the feed is %v, want %v", got, want)
		}
	})
}
