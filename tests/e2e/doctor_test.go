package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// livePost returns the record of a post from long ago.
func livePost(id, author int) string {
	return harness.PostRecord(harness.Post{ID: int64(id), Author: author, At: 1_262_304_000_000}, "old")
}

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

// runs runs a command, which must end with an exit code and print texts.
func runs(t *testing.T, env []string, code int, command string, texts ...string) {
	t.Helper()
	got, out := harness.Command(t, env, strings.Fields(command)...)
	if got != code {
		t.Fatalf("%s ended with exit code %d, want %d:\n%s", command, got, code, out)
	}
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("%s does not print %q:\n%s", command, text, out)
		}
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

// startWithInboxes starts a server and reads a page as each viewer until all have an inbox.
func startWithInboxes(t *testing.T, env []string, inboxes app.InboxStore, viewers ...feed.UserID) *server {
	t.Helper()
	s := startServer(t, env...)
	for _, viewer := range viewers {
		s.Home(t, harness.TokenFor(t, viewer), 1, 1)
	}
	eventually.True(t, "every inbox is built", func() bool { return slices.Equal(owners(t, inboxes), viewers) })
	return s
}

func TestDoctor_FindsMissingInboxEntry(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo)
	lines := []string{harness.UserRecord(1), harness.UserRecord(2), harness.UserRecord(3), harness.UserRecord(4), harness.FollowRecord(2, 1), harness.FollowRecord(3, 1)}
	for id := 11; id <= 15; id++ {
		lines = append(lines, livePost(id, 1))
	}
	harness.ImportLines(t, env, lines...)
	inboxes := openInboxes(t, "redis", env)
	s := startWithInboxes(t, env, inboxes, 2, 3)
	runs(t, env, 0, "doctor", "examined 2 users of 2 with an inbox", "2 warm", "10 in inboxes, 10 in home feeds", "found nothing",
		"0 posts without a plan", "; 0 overdue by", "queue push:")

	amend(t, inboxes, 2, nil, func(k feed.Key) bool { return k.ID == 13 })
	amend(t, inboxes, 3, []feed.Key{{TS: feed.Millis(time.Now()), ID: 999}}, func(feed.Key) bool { return false })
	runs(t, env, 1, "doctor --sample=2 --depth=4", "missing-entry", "missing-in-feed", "unknown-entry", "user 2  post 13", "user 3  post 999", "found 3 errors")
	runs(t, env, 1, "doctor --user=2", "examined 1 users in", "found 2 errors")
	runs(t, env, 0, "doctor --user=4", "1 absent", "found nothing")
	runs(t, env, 0, "inbox 2 --why=13", "post 13 is in the home feed of user 2, but not shown yet: the inbox lacks it")
	runs(t, env, 0, "inbox 2 --why=14", "post 14 is in the home feed of user 2: the inbox has it")
	runs(t, env, 0, "inbox 1 --why=13 --json", "no inbox can be used")
	runs(t, env, 0, "inbox 3 --limit=1", "left out: it is not stored", "and 5 older entries")
	runs(t, env, 0, "inbox 2 --json", `"state": "warm: `)
	runs(t, env, 0, "inbox 4", "is absent: ")
	runs(t, env, 1, "fanout 99", "the post is not stored")
	runs(t, env, 2, "fanout x", "ids are whole numbers from 1")

	runs(t, env, 0, "rebuild --user=2", "rebuilt the inbox of user 2")
	runs(t, env, 0, "doctor --user=2", "found nothing")
	runs(t, env, 1, "doctor --all", "found 1 errors")
	runs(t, env, 0, "rebuild", "2 inboxes rebuilt, 0 of inactive users dropped")
	runs(t, env, 0, "doctor --all", "2 cold", "found nothing")

	// A post whose push is pending is missing, but not wrong.
	eventually.True(t, "the queues are empty", func() bool {
		_, out := harness.Command(t, env, "doctor")
		return strings.Count(out, " 0 waiting") == 5
	})
	s.Process.Interrupt()
	s.Process.Wait()
	id := startServer(t, append(env, "TIDELINE_ROLE=api")...).Publish(t, harness.TokenFor(t, 1), "hello")
	runs(t, env, 0, "doctor", "normal", "pending-entry", "pending-in-feed", "post "+id, "1 slices of followers", "queue push:            1 waiting")
}
