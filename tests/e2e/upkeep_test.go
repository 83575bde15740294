package e2e

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// onBothInboxStores runs a test with inboxes in Redis and in SQL. The test gets the settings of a
// server and its inboxes.
func onBothInboxStores(t *testing.T, test func(t *testing.T, env []string, inboxes app.InboxStore)) {
	for _, inbox := range []string{"redis", app.InboxSQL} {
		t.Run("inboxes in "+inbox, func(t *testing.T) {
			t.Parallel() // it mostly waits until maintenance is due
			database, redis := testenv.Postgres(t), testenv.Redis(t)
			test(t, []string{
				"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis, "TIDELINE_INBOX=" + inbox,
				"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_LOG_LEVEL=debug", "TIDELINE_DEMO=false",
			}, harness.OpenInboxes(t, inbox, database, redis))
		})
	}
}

// owners returns the owners of inboxes in ascending order.
func owners(t *testing.T, inboxes app.InboxStore) []feed.UserID {
	t.Helper()
	var all []feed.UserID
	for cursor, ended := "", false; !ended; ended = cursor == "" {
		viewers, next, err := inboxes.Walk(t.Context(), cursor, 100)
		harness.Check(t, err)
		all, cursor = append(all, viewers...), next
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// entries returns the ids in a viewer's inbox, newest first.
func entries(t *testing.T, inboxes app.InboxStore, viewer feed.UserID) []int64 {
	t.Helper()
	inbox, err := inboxes.Read(t.Context(), viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1000})
	harness.Check(t, err)
	ids := []int64{}
	for _, k := range inbox.Keys {
		ids = append(ids, k.ID)
	}
	return ids
}

// startWithInboxes starts a server and reads a page as each viewer until all have an inbox.
func startWithInboxes(t *testing.T, env []string, inboxes app.InboxStore, viewers ...feed.UserID) *server {
	t.Helper()
	s := startServer(t, env...)
	for _, viewer := range viewers {
		s.Home(t, harness.TokenFor(t, viewer), 1, 1)
	}
	eventually.True(t, "every inbox is built", func() bool { return s.CountLines("inbox built") >= len(viewers) })
	if got := owners(t, inboxes); !slices.Equal(got, viewers) {
		t.Fatalf("%v have an inbox, want %v", got, viewers)
	}
	return s
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
			return slices.Equal(entries(t, inboxes, 2), []int64{20, 19, 18})
		})
		if got := entries(t, inboxes, 3); !slices.Equal(got, []int64{10}) {
			t.Errorf("the other inbox, which is within the cap, has %v", got)
		}

		harness.ImportLines(t, env, harness.UserRecord(4))
		eventually.True(t, "inboxes from before the import are removed", func() bool { return len(owners(t, inboxes)) == 0 })
	})
}

// A follow enqueues no task: the next read pulls the author and requests one reconciliation for all
// changes. It requests at most one in ten seconds.
func TestReconcile_OneTaskForManyFollows(t *testing.T) {
	onBothInboxStores(t, func(t *testing.T, env []string, inboxes app.InboxStore) {
		harness.ImportLines(t, env, harness.UserRecord(1), harness.UserRecord(2), harness.UserRecord(3), harness.UserRecord(4),
			harness.FollowRecord(1, 2), livePost(12, 2), livePost(13, 3), livePost(14, 4))
		s := startWithInboxes(t, env, inboxes, 1)
		reader := harness.TokenFor(t, 1)
		// reads compares the feed and, once it is reconciled, the inbox.
		reads := func(want ...int64) {
			t.Helper()
			if got := s.Home(t, reader, 10, 10); !slices.Equal(got, texts(want)) {
				t.Errorf("the feed is %v, want %v", got, want)
			}
			eventually.True(t, "the inbox is reconciled", func() bool { return slices.Equal(entries(t, inboxes, 1), want) })
		}
		reads(12)
		for n := range 41 {
			if n%2 == 0 {
				s.Follow(t, reader, 3)
			} else {
				s.unfollow(t, reader, 3)
			}
		}
		if got := entries(t, inboxes, 1); !slices.Equal(got, []int64{12}) {
			t.Errorf("before the next read, the inbox has %v", got)
		}
		reads(13, 12)
		s.Follow(t, reader, 4)
		s.unfollow(t, reader, 3)
		reads(14, 12)
		eventually.True(t, "43 changes and the reads after them made two tasks", func() bool {
			_, scrape := s.Get(t, "/metrics", adminToken(t))
			return strings.Contains(scrape, `tideline_tasks_total{outcome="ok",type="timeline_reconcile"} 2`+"\n")
		})
	})
}

func texts(ids []int64) []string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = strconv.FormatInt(id, 10)
	}
	return all
}

// The star has more followers than the threshold. Two of them read before the push and two after
// it.
func TestSelectivePush_ReachesActiveFollowers(t *testing.T) {
	onBothInboxStores(t, func(t *testing.T, env []string, inboxes app.InboxStore) {
		env = append(env, "TIDELINE_PUSH_THRESHOLD=3")
		lines := []string{harness.UserRecord(1)}
		for id := 2; id <= 5; id++ {
			lines = append(lines, harness.UserRecord(id), harness.FollowRecord(id, 1))
		}
		harness.ImportLines(t, env, lines...)
		s := startWithInboxes(t, env, inboxes, 2, 4)

		id := s.Publish(t, harness.TokenFor(t, 1), "hello")
		eventually.True(t, "the post is pushed to both", func() bool {
			return s.CountLines("slice pushed", "post="+id, "followers=2") == 1
		})
		for viewer := feed.UserID(2); viewer <= 5; viewer++ {
			if got := s.Home(t, harness.TokenFor(t, viewer), 10, 10); !slices.Equal(got, []string{id}) {
				t.Errorf("user %d reads %v, want %s", viewer, got, id)
			}
		}
	})
}

// unfollow unfollows a user as the token's user.
func (s *server) unfollow(t *testing.T, token string, user feed.UserID) {
	t.Helper()
	var got struct {
		UnfollowUser struct{ UserErrors []struct{ Message string } }
	}
	id := base64.RawURLEncoding.EncodeToString([]byte("User:" + user.String()))
	s.Query(t, token, `mutation($id: ID!) { unfollowUser(input: {userId: $id}) { userErrors { message } } }`, map[string]any{"id": id}, &got)
	if len(got.UnfollowUser.UserErrors) > 0 {
		t.Fatalf("the unfollow was refused: %v", got.UnfollowUser.UserErrors)
	}
}
