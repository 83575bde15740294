package e2e

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/doctor"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// amend adds and removes entries without the program.
func amend(t *testing.T, inboxes app.InboxStore, viewer feed.UserID, add []feed.Key, remove func(feed.Key) bool) {
	t.Helper()
	in, err := inboxes.Read(t.Context(), viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1000})
	harness.Check(t, err)
	a := feed.Amendment{Token: in.Token, Version: in.Version, NewVersion: in.Version, Add: add}
	for _, k := range in.Keys {
		if remove(k) {
			a.Remove = append(a.Remove, k)
		}
	}
	done, err := inboxes.Amend(t.Context(), viewer, a)
	harness.Check(t, err)
	if !done {
		t.Fatal("the inbox has changed")
	}
}

func TestDoctor_FindsMissingInboxEntry(t *testing.T) {
	onBothInboxStores(t, func(t *testing.T, env []string, inboxes app.InboxStore) {
		lines := []string{harness.UserRecord(1), harness.UserRecord(2), harness.UserRecord(3), harness.UserRecord(4), harness.FollowRecord(2, 1), harness.FollowRecord(3, 1)}
		for id := 11; id <= 15; id++ {
			lines = append(lines, livePost(id, 1))
		}
		harness.ImportLines(t, env, lines...)
		startWithInboxes(t, env, inboxes, 2, 3)
		harness.DoctorSays(t, env, nil, 0, "examined 2 users of 2 with an inbox", "2 warm", "10 in inboxes, 10 in home feeds", "found nothing",
			"0 posts without a plan", "; 0 overdue by", "queue push:")

		amend(t, inboxes, 2, nil, func(k feed.Key) bool { return k.ID == 13 })
		amend(t, inboxes, 3, []feed.Key{{TS: feed.Millis(time.Now()), ID: 999}}, func(feed.Key) bool { return false })
		for _, args := range [][]string{nil, {"--all"}, {"--sample=2", "--depth=4"}} {
			harness.DoctorSays(t, env, args, 1, "missing-entry", "missing-in-feed", "unknown-entry", "user 2  post 13", "user 3  post 999",
				"found 3 errors")
		}
		harness.DoctorSays(t, env, []string{"--user=2"}, 1, "examined 1 users in", "found 2 errors")
		says := func(want string, args ...string) {
			t.Helper()
			if code, out := harness.Command(t, env, append([]string{"inbox"}, args...)...); code != 0 || !strings.Contains(out, want) {
				t.Errorf("inbox %q ended with exit code %d and lacks %q:\n%s", args, code, want, out)
			}
		}
		says("post 13 is in the home feed of user 2, but not shown yet: the inbox lacks it", "2", "--why=13")
		says("post 14 is in the home feed of user 2: the inbox has it", "2", "--why=14")
		says("no inbox can be used", "1", "--why=13", "--json")
		says("left out: it is not stored", "3", "--limit=1")
		says("and 5 older entries", "3", "--limit=1")
		says(`"state": "warm: `, "2", "--json")
		says("is absent: ", "4")
		harness.DoctorSays(t, env, []string{"--user=4"}, 0, "1 absent", "found nothing")

		if code, out := harness.Command(t, env, "rebuild", "--user=2"); code != 0 || !strings.Contains(out, "rebuilt the inbox of user 2") {
			t.Fatalf("rebuild ended with exit code %d:\n%s", code, out)
		}
		harness.DoctorSays(t, env, []string{"--user=2"}, 0)
		harness.DoctorSays(t, env, []string{"--all"}, 1, "found 1 errors")
		if code, out := harness.Command(t, env, "rebuild"); code != 0 || !strings.Contains(out, "2 inboxes rebuilt, 0 of inactive users dropped") {
			t.Fatalf("rebuild ended with exit code %d:\n%s", code, out)
		}
		harness.DoctorSays(t, env, []string{"--all"}, 0, "2 cold", "found nothing")
	})
}

// Posts whose push is pending are missing, but not wrong.
func TestDoctor_ExplainsPendingWork(t *testing.T) {
	t.Parallel()
	onBothInboxStores(t, func(t *testing.T, env []string, inboxes app.InboxStore) {
		harness.ImportLines(t, env, harness.UserRecord(1), harness.UserRecord(2), harness.FollowRecord(2, 1))
		s := startWithInboxes(t, env, inboxes, 2)
		// The server creates its queues by tasks, which must be gone.
		eventually.True(t, "the queues are known and empty", func() bool {
			_, out := harness.Command(t, env, "doctor")
			return strings.Count(out, " 0 waiting") == 5
		})
		s.Process.Interrupt()
		s.Process.Wait()
		api := startServer(t, append(env, "TIDELINE_ROLE=api")...)
		id := api.Publish(t, harness.TokenFor(t, 1), "hello")
		harness.DoctorSays(t, env, nil, 0, "normal", "pending-entry", "pending-in-feed", "post "+id, "1 slices of followers", "queue push:            1 waiting")
	})
}

// An embedded Redis listens on another port after each start. The doctor finds it by its server.
func TestDoctor_WorksWithEmbeddedRedis(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := []string{"TIDELINE_DATA_DIR=" + dir, "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_LOG_LEVEL=debug"}
	s := startServer(t, env...)
	for viewer := feed.UserID(10); viewer < 15; viewer++ {
		s.Home(t, harness.TokenFor(t, viewer), 1, 1)
	}
	eventually.True(t, "every inbox is built", func() bool { return s.CountLines("inbox built") >= 5 })
	harness.DoctorSays(t, env, []string{"--all"}, 0, "examined 5 users of 5 with an inbox", "found nothing")

	url, err := app.DatabaseSettings{DataDir: dir}.ReadRedisURL(t.Context())
	harness.Check(t, err)
	client, err := redisstore.Open(t.Context(), url)
	harness.Check(t, err)
	defer func() { harness.Check(t, client.Close()) }()
	inboxes := redisstore.NewInboxes(client, feed.DefaultPolicy().InboxCap)
	gone := entries(t, inboxes, 12)[3]
	amend(t, inboxes, 12, nil, func(k feed.Key) bool { return k.ID == gone })
	harness.DoctorSays(t, env, []string{"--all"}, 1, fmt.Sprintf("user 12  post %d", gone))
	if code, out := harness.Command(t, env, "rebuild"); code != 0 || !strings.Contains(out, "5 inboxes rebuilt") {
		t.Fatalf("rebuild ended with exit code %d:\n%s", code, out)
	}
	harness.DoctorSays(t, env, []string{"--all"}, 0, "found nothing")

	s.Process.Kill()
	for _, name := range []string{"doctor", "rebuild"} {
		if code, out := harness.Command(t, env, name); code != 2 || !strings.Contains(out, "no server with an embedded Redis runs on") {
			t.Errorf("without a server %s ended with exit code %d:\n%s", name, code, out)
		}
	}
}

// Inboxes in the embedded database outlive their server.
func TestDoctor_NeedsNoServerForSQLInboxes(t *testing.T) {
	t.Parallel()
	env := []string{"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_LOG_LEVEL=debug", "TIDELINE_INBOX=sql"}
	s := startServer(t, env...)
	s.Home(t, harness.TokenFor(t, 10), 1, 1)
	eventually.True(t, "the inbox is built", func() bool { return s.CountLines("inbox built") == 1 })
	s.Process.Interrupt()
	s.Process.Wait()
	harness.DoctorSays(t, env, nil, 0, "examined 1 users of 1 with an inbox", "found nothing", "cannot read the task queues")
	if code, out := harness.Command(t, env, "rebuild"); code != 0 || !strings.Contains(out, "1 inboxes rebuilt") {
		t.Errorf("rebuild ended with exit code %d:\n%s", code, out)
	}
}

// A database that is from a backup draws numbers of changes again.
func TestRebuildAndEpochNew_BeginEpochOfChangeLog(t *testing.T) {
	dataDir := smallDatabase(t)
	epoch := func() int64 {
		store, err := app.OpenSQL(t.Context(), app.DatabaseSettings{DataDir: dataDir}, slog.New(slog.DiscardHandler))
		harness.Check(t, err)
		last, err := store.LastChange(t.Context())
		harness.Check(t, err)
		harness.Check(t, store.Close())
		return last.Epoch
	}
	rebuild := func(args ...string) {
		t.Helper()
		if code, _, stderr := harness.RunMain(t, append([]string{"rebuild", "--inbox=sql", "--data-dir", dataDir}, args...)...); code != 0 {
			t.Fatalf("rebuild %v ended with exit code %d:\n%s", args, code, stderr)
		}
	}
	before := epoch()
	rebuild("--user=1")
	if now := epoch(); now != before {
		t.Errorf("a rebuild of one user changes the epoch from %d to %d", before, now)
	}
	rebuild()
	if now := epoch(); now == before || now == 0 {
		t.Errorf("after a rebuild the epoch is %d, before %d", now, before)
	}
	rebuild("--active")
	rebuilt := epoch()
	code, stdout, stderr := harness.RunMain(t, "epoch", "new", "--data-dir", dataDir)
	if now := epoch(); code != 0 || now == rebuilt || stdout == "" {
		t.Errorf("epoch new ends with exit code %d and epoch %d, before %d:\n%s%s", code, now, rebuilt, stdout, stderr)
	}
}

func TestDoctor_ReportsAsJSON(t *testing.T) {
	dataDir := smallDatabase(t)
	code, stdout, stderr := harness.RunMain(t, "doctor", "--json", "--inbox=sql", "--data-dir", dataDir, "--user=1")
	var r struct {
		Users  struct{ Examined, Absent int }
		Found  map[doctor.Kind]int
		Wrong  int
		Queues []any
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if r.Users.Examined != 1 || r.Users.Absent != 1 || len(r.Found) != len(doctor.Kinds()) || r.Wrong != 0 || r.Queues != nil {
		t.Errorf("the report is\n%s", stdout)
	}
}

func TestDoctor_RefusesContradictingFlags(t *testing.T) {
	t.Setenv("TIDELINE_DATA_DIR", smallDatabase(t))
	for _, c := range []struct{ args, want string }{
		{"doctor --user x", "--user: \"x\" is not a user id"},
		{"doctor --user 1 --all", "can't be used together"},
		{"doctor --sample 0", "--sample must be from 1"},
		{"doctor --depth=-1", "--depth must be from 0"},
		{"doctor --inbox-cap 0", "--inbox-cap must be from 1"},
		{"doctor --redis-url http://x", "--redis-url must be"},
		{"doctor --data-dir /nowhere/at/all", "there is no database"},
		{"doctor", "no server with an embedded Redis runs on"},
		{"rebuild --user 0", "--user: \"0\" is not a user id"},
		{"rebuild --data-dir /nowhere/at/all", "there is no database"},
		{"rebuild", "no server with an embedded Redis runs on"},
	} {
		code, stdout, stderr := harness.RunMain(t, strings.Fields(c.args)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("tideline %s: exit code %d, %q, %s", c.args, code, stdout, stderr)
		}
	}
}

func TestDoctor_FindingsAreInOperationsGuide(t *testing.T) {
	text, err := os.ReadFile("docs/operations.md")
	harness.Check(t, err)
	for _, kind := range doctor.Kinds() {
		if !strings.Contains(string(text), "\n| `"+string(kind)+"` | ") {
			t.Errorf("docs/operations.md does not explain %s", kind)
		}
	}
}
