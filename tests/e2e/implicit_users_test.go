package e2e

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// A running server follows a change of the mode, which another process makes.
func TestUsers_ImplicitShowsUsersWithoutRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := []string{"TIDELINE_DATA_DIR=" + dir, "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SOURCE_OWNS=user,post,follow", "TIDELINE_CACHE_TTL=0s"}
	s := startServer(t, env...)
	harness.ImportLines(t, env, harness.FollowRecord(1, 2),
		`{"type":"post","id":"10","author":"2","kind":"POST","text":"a","publishedAt":"2026-01-03T00:00:00Z"}`)
	token := harness.TokenFor(t, 1)
	home(t, s, token, "before the change")
	file := harness.RecordsFile(t, []string{`{"type":"like","user":"3","post":"10","createdAt":"2026-01-03T00:00:00Z"}`})
	for _, step := range []struct {
		flags, says string
		code        int
		posts       []string
	}{
		{"--users=implicit", "changed whether users without a record are shown", 0, []string{"10"}},
		{"--users=explicit", "--users is explicit, but in this database it is implicit; to change it, set --users-was=implicit", 2, []string{"10"}},
		{"--users=x", "--users must be explicit or implicit", 2, []string{"10"}},
		{"", "", 0, []string{"10"}},
		{"--users=explicit --users-was=implicit", "changed whether users without a record are shown", 0, nil},
		{"--users=implicit", "changed whether users without a record are shown", 0, []string{"10"}},
	} {
		code, stdout, stderr := importAgain(t, dir, file, strings.Fields(step.flags)...)
		if code != step.code && step.code != 0 || !strings.Contains(stdout+stderr, step.says) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s%s", step.flags, code, step.code, step.says, stdout, stderr)
		}
		home(t, s, token, "after "+step.flags, step.posts...)
	}
	var author struct {
		User struct {
			Handle, Name string
			Unavailable  bool
			Counters     struct{ Followers, Posts int }
		}
	}
	s.Query(t, token, `{ user(databaseId: "2") { handle name unavailable counters { followers posts } } }`, nil, &author)
	u := author.User
	if u.Handle+u.Name != "" || u.Unavailable || u.Counters.Followers != 1 || u.Counters.Posts != 1 {
		t.Errorf("the author without a record is %+v", u)
	}
}
