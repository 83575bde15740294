//go:build nightly

package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
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

func TestActivity_CountsPublishingAndSigningIn(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo)
	s, store := startServer(t, env...), openStore(t, env)
	for id := range feed.UserID(4) {
		_, err := store.EnsureUser(t.Context(), &feed.User{ID: id + 1, Handle: "u" + strconv.Itoa(int(id)), Name: "u"})
		harness.Check(t, err)
	}
	mutate := func(id feed.UserID, mutation string) {
		t.Helper()
		got := s.ask(t, mutation, as(harness.TokenFor(t, id)))
		if got.StatusCode != http.StatusOK || strings.Contains(got.body, `"errors"`) || strings.Contains(got.body, "message") {
			t.Fatalf("the response to %s is %d %s", mutation, got.StatusCode, got.body)
		}
	}
	inAnHour := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	// Users 1 to 3 publish, host a session and sign in by a browser; 5 is created by their first
	// request. 4 does nothing that counts as activity, and 6 signs in but is not stored.
	mutate(1, `mutation { publishPost(input: {text: "text"}) { userErrors { message } } }`)
	mutate(2, `mutation { scheduleLive(input: {title: "title", scheduledAt: "`+inAnHour+`"}) { userErrors { message } } }`)
	mutate(4, `{ viewer { user { id } } }`)
	mutate(5, `{ viewer { user { id } } }`)
	for _, id := range []feed.UserID{3, 6} {
		if got := s.send(t, http.MethodPost, "/session", `{"token":"`+harness.TokenFor(t, id)+`"}`); got.StatusCode != http.StatusOK {
			t.Fatalf("the response to signing in is %d %s", got.StatusCode, got.body)
		}
	}
	eventually.True(t, "users 1, 2, 3 and 5 are active", func() bool {
		dormant, err := store.Dormant(t.Context(), []feed.UserID{1, 2, 3, 4, 5, 6}, 0)
		harness.Check(t, err)
		slices.Sort(dormant)
		return slices.Equal(dormant, []feed.UserID{4, 6})
	})
}

func TestOutages_LogBeginAndEndOnce(t *testing.T) {
	t.Parallel()
	postgres, redis := testenv.StartPostgres(t), testenv.StartRedis(t, testenv.RedisOptions{})
	env := []string{
		"TIDELINE_DATABASE_URL=" + postgres.URL(), "TIDELINE_REDIS_URL=" + redis.URL(), "TIDELINE_JWT_SECRET=" + harness.Secret,
		"TIDELINE_DEMO=false", "TIDELINE_DATA_DIR=" + t.TempDir(),
	}
	api := startServer(t, append(slices.Clone(env), "TIDELINE_ROLE=api")...)
	worker := harness.StartWorker(t, env)
	token := harness.TokenFor(t, 1)
	api.Publish(t, token, "before")
	for _, store := range []struct {
		outage        string
		kill, restart func()
	}{{"Redis cannot be reached", redis.Kill, redis.Restart}, {"the database cannot be reached", postgres.Kill, postgres.Restart}} {
		logged := func(line string) {
			t.Helper()
			for _, p := range []*testenv.Process{api.Process, worker} {
				eventually.True(t, line+" is logged", func() bool { return strings.Contains(p.Output(), line) })
			}
		}
		store.kill()
		for range 50 { // some fail, others are served without the store
			_ = api.ask(t, `{ viewer { homeFeed(first: 5) { nodes { text } } } }`, as(token))
		}
		logged(`outage="` + store.outage + `"`)
		store.restart()
		logged(`msg="an outage ended" outage="` + store.outage + `"`)
	}
	for name, p := range map[string]*testenv.Process{"api": api.Process, "worker": worker} {
		lines := regexp.MustCompile(`(?m)^.* level=(?:ERROR|WARN) .*$`).FindAllString(p.Output(), -1)
		// Redis, the task queue and the database; what was lost with Redis; and the warnings about both.
		if text := strings.Join(lines, "\n"); len(lines) > 6 || strings.Contains(text, "make room") || strings.Contains(text, "other settings") {
			t.Errorf("%s logs %d lines:\n%s", name, len(lines), text)
		}
	}
}

// TestExport_ReadsFromReplica exports from a replica, where the load does not disturb users.
func TestExport_ReadsFromReplica(t *testing.T) {
	t.Parallel()
	primary := testenv.StartPostgres(t)
	net := harness.NewNetwork(20, 60, 5)
	harness.ImportFile(t, []string{"TIDELINE_DATABASE_URL=" + primary.URL()}, net.File(t), " 0 known, 0 bad")
	replica := testenv.StartPostgresReplica(t, primary)
	replica.CatchUp(primary)
	dir := t.TempDir()
	want := exportTo(t, []string{"TIDELINE_DATABASE_URL=" + primary.URL()}, filepath.Join(dir, "primary.ndjson"))
	got := exportTo(t, []string{"TIDELINE_DATABASE_URL=" + replica.URL()}, filepath.Join(dir, "replica.ndjson"))
	if len(want) == 0 || !bytes.Equal(got, want) {
		t.Errorf("the replica's export (%d bytes) differs from the primary's (%d bytes)", len(got), len(want))
	}
}
