package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func sourceCounters(key, counters string, version int) string {
	return sourceLine("counters", key, counters+",", version)
}

// awaitCounters waits until the counters of user 2 and post 10 are as wanted, as process caches keep
// the last ones for a second.
func (s *server) awaitCounters(t *testing.T, followers, likes int) {
	t.Helper()
	want := fmt.Sprintf(`{"data":{"user":{"counters":{"followers":%d}},"post":{"counters":{"likes":%d}}}`, followers, likes)
	eventually.Succeeds(t, "the counters are "+want, func() error {
		got := s.send(t, http.MethodPost, "/graphql",
			`{"query":"{ user(databaseId: \"2\") { counters { followers } } post(databaseId: \"10\") { counters { likes } } }"}`,
			"Authorization: Bearer "+serviceToken, "Tideline-Act-For: 1")
		if !strings.HasPrefix(got.body, want) {
			return fmt.Errorf("the response is %s", got.body)
		}
		return nil
	})
}

func TestCounters_ComeFromTheSource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := []string{
		"TIDELINE_DATA_DIR=" + dir, "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SERVICE_TOKEN=" + serviceToken,
		"TIDELINE_DEMO=false", "TIDELINE_SOURCE_OWNS=user,post,follow", "TIDELINE_COUNTERS=source",
	}
	s := startServer(t, env...)
	s.ingests(t, sourceUser(1, 1, ""), sourceUser(2, 1, ""), sourceFollow(1, 2, 1, ""), sourcePost(10, 2, 1, ""))
	s.awaitCounters(t, 0, 0)
	got := s.ingests(t, sourceCounters(`"user":"2"`, `"followers":900`, 1), sourceCounters(`"post":"10"`, `"likes":70,"comments":3`, 2))
	if !strings.Contains(got.body, `"stored":2,`) {
		t.Fatalf("status %d: %s", got.StatusCode, got.body)
	}
	s.awaitCounters(t, 900, 70)
	var liked struct {
		LikePost struct{ Post struct{ ViewerHasLiked bool } }
	}
	s.Query(t, harness.TokenFor(t, 1), `mutation($id: ID!) { likePost(input: {postId: $id}) { post { viewerHasLiked } } }`,
		map[string]any{"id": harness.NodeID("Post", "10")}, &liked)
	if !liked.LikePost.Post.ViewerHasLiked {
		t.Error("the viewer has not liked the post")
	}
	s.ingests(t, sourceCounters(`"user":"2"`, `"followers":901`, 2), sourceCounters(`"post":"10"`, `"likes":69`, 1))
	s.awaitCounters(t, 901, 70)
	code, stdout, stderr := harness.RunMain(t, "export", "-", "--data-dir", dir)
	if !strings.Contains(stdout, `{"type":"counters","post":"10","likes":70,"comments":3}`) || !strings.Contains(stderr, "2 counters") {
		t.Errorf("the export ended with exit code %d:\n%s%s", code, stdout, stderr)
	}
}

func TestCounters_OwnRefusesRecords(t *testing.T) {
	t.Parallel()
	s := startBeside(t)
	got := s.ingests(t, sourceCounters(`"user":"2"`, `"followers":900`, 1))
	if !strings.Contains(got.body, `"badCount":1,"bad":[{"line":1,"reason":"Tideline counts by itself;`) {
		t.Errorf("status %d: %s", got.StatusCode, got.body)
	}
}

func TestCounters_ChangeOnPurposeOnly(t *testing.T) {
	dir, file := t.TempDir(), harness.RecordsFile(t, []string{`{"type":"counters","user":"2","followers":1}`, harness.UserRecord(1)})
	for _, step := range []struct {
		flags, says string
		code        int
	}{
		{"", "Tideline counts by itself;", 0},
		{"--counters=source", "changed where counters come from", 0},
		{"--counters=own", "--counters is own, but in this database it is source;", 2},
		{"--counters=x", "--counters must be own or source", 2},
		{"--live", "a source owns records of type counters; import them without --live", 1},
		{"--counters=own --counters-was=source", "changed where counters come from", 0},
	} {
		code, stdout, stderr := importAgain(t, dir, file, strings.Fields(step.flags)...)
		if code != step.code || !strings.Contains(stdout+stderr, step.says) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s%s", step.flags, code, step.code, step.says, stdout, stderr)
		}
	}
}
