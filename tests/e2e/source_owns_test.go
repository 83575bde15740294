package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// viewerOf is the profile that a viewer sees of themselves.
type viewerOf struct {
	Viewer struct {
		User struct{ ID, Handle, Name string }
	}
}

// TestSourceOwns_ImportAppliesChanges runs a server whose users, posts and follows come from files.
func TestSourceOwns_ImportAppliesChanges(t *testing.T) {
	t.Parallel()
	for name, open := range storesUnderTest() {
		t.Run(name, func(t *testing.T) {
			env := append(open(t), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_SOURCE_OWNS=user,post,follow", "TIDELINE_CACHE_TTL=0s")
			s := startServer(t, env...)
			harness.ImportLines(t, env,
				harness.FollowRecord(1, 2), harness.FollowRecord(1, 3), harness.UserRecord(3),
				`{"type":"post","id":"13","author":"3","kind":"POST","text":"d","publishedAt":"2026-01-02T00:00:00Z"}`,
				`{"type":"post","id":"10","author":"2","kind":"POST","text":"a","publishedAt":"2026-01-03T00:00:00Z"}`,
				`{"type":"post","id":"11","author":"2","kind":"POST","text":"b","publishedAt":"2026-01-04T00:00:00Z"}`)
			token := harness.TokenFor(t, 1)
			var me viewerOf
			s.Query(t, token, `{ viewer { user { id handle name } } }`, nil, &me)
			if me.Viewer.User.ID == "" || me.Viewer.User.Handle+me.Viewer.User.Name != "" {
				t.Errorf("a viewer without a record sees themselves as %+v", me.Viewer.User)
			}
			home(t, s, token, "before an author arrives", "13")
			harness.ImportFile(t, env, harness.RecordsFile(t, []string{harness.UserRecord(2)}), " 1 new,")
			home(t, s, token, "after the author has arrived", "11", "10", "13")
			harness.ImportFile(t, env, harness.RecordsFile(t, []string{
				`{"type":"user","id":"1","handle":"one","name":"One","createdAt":"2026-01-01T00:00:00Z"}`,
				`{"type":"user","id":"2","handle":"two","name":"Two","createdAt":"2026-01-01T00:00:00Z"}`,
				`{"type":"post","id":"11","author":"2","kind":"POST","text":"b","publishedAt":"2026-01-04T00:00:00Z","deletedAt":"2026-01-05T00:00:00Z"}`,
				`{"type":"post","id":"12","author":"2","kind":"POST","text":"c","publishedAt":"2026-01-05T00:00:00Z"}`,
				`{"type":"follow","follower":"1","followee":"3","createdAt":"2026-01-02T00:00:00Z","deletedAt":"2026-01-05T00:00:00Z"}`,
			}), "5 lines, 2 new, 0 known, 0 bad, 3 updated")
			home(t, s, token, "after the changes", "12", "10")
			s.Query(t, token, `{ viewer { user { id handle name } } }`, nil, &me)
			if me.Viewer.User.Handle != "one" || me.Viewer.User.Name != "One" {
				t.Errorf("the viewer sees themselves as %+v", me.Viewer.User)
			}
			checkRefused(t, s, token)
		})
	}
}

// home checks a feed, which the next read after an import has.
func home(t *testing.T, s *server, token, when string, want ...string) {
	t.Helper()
	var got []string
	eventually.True(t, "the feed "+when+" is as the reference", func() bool {
		got = s.Home(t, token, 5, 5)
		return slices.Equal(got, want)
	})
}

func checkRefused(t *testing.T, s *server, token string) {
	t.Helper()
	type payload struct {
		UserErrors []struct{ Code, Message string }
	}
	var got struct{ A, B, C, D payload }
	s.Query(t, token, `mutation($user: ID!) {
		a: publishPost(input: {text: "x"}) { userErrors { code message } }
		b: unfollowUser(input: {userId: $user}) { userErrors { code message } }
		c: updateProfile(input: {name: "X"}) { userErrors { code message } }
		d: muteUser(input: {userId: $user}) { userErrors { code message } }
	}`, map[string]any{"user": harness.NodeID("User", "2")}, &got)
	for record, p := range map[string]payload{"post": got.A, "follow": got.B, "user": got.C} {
		if len(p.UserErrors) != 1 || p.UserErrors[0].Code != "FORBIDDEN" || !strings.Contains(p.UserErrors[0].Message, "type "+record) {
			t.Errorf("a mutation of type %s has the errors %v", record, p.UserErrors)
		}
	}
	if len(got.D.UserErrors) > 0 {
		t.Errorf("a mute has the errors %v", got.D.UserErrors)
	}
	home(t, s, token, "after a mute")
}

func TestSourceOwns_ChangesOnPurposeOnly(t *testing.T) {
	dir, file := t.TempDir(), harness.RecordsFile(t, []string{harness.UserRecord(1)})
	if code, _, stderr := importAgain(t, dir, file, "--source-owns=user"); code != 0 || !strings.Contains(stderr, "changed which types sources own") {
		t.Errorf("the first import ended with exit code %d: %s", code, stderr)
	}
	if code, _, stderr := importAgain(t, dir, file, "--source-owns=post"); code != 2 || !strings.Contains(stderr, "--source-owns is post, but in this database sources own user;") {
		t.Errorf("the import with another value ended with exit code %d: %s", code, stderr)
	}
	if code, _, stderr := importAgain(t, dir, file, "--source-owns=x"); code != 2 || !strings.Contains(stderr, "--source-owns: \"x\" is not a type") {
		t.Errorf("the import with a wrong value ended with exit code %d: %s", code, stderr)
	}
	if code, _, stderr := importAgain(t, dir, file, "--live"); code != 1 || !strings.Contains(stderr, "a source owns records of type user; import them without --live") {
		t.Errorf("the play of an owned record ended with exit code %d: %s", code, stderr)
	}
	if code, _, stderr := importAgain(t, dir, file, "--source-owns=none", "--source-owns-was=user"); code != 0 {
		t.Errorf("the change ended with exit code %d: %s", code, stderr)
	}
	owned, _, err := storeIn(t, dir).UseOwners(t.Context(), sqlstore.Owners{})
	if err != nil || len(owned) != 0 {
		t.Errorf("after the change, a source owns %s: %v", owned, err)
	}
}

// TestSourceOwns_PlaceholderSignsIn has follows from a source, while Tideline owns users.
func TestSourceOwns_PlaceholderSignsIn(t *testing.T) {
	t.Parallel()
	env := []string{"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SOURCE_OWNS=follow"}
	s := startServer(t, env...)
	harness.ImportLines(t, env, harness.FollowRecord(1, 2))
	author := harness.TokenFor(t, feed.UserID(2))
	id := s.Publish(t, author, "hello")
	home(t, s, harness.TokenFor(t, 1), "of a follower of a placeholder", id)
}
