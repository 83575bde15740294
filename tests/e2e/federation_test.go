//go:build nightly

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// Both composition libraries accept the schema, and clients of both routers get feeds with the names
// of an accounts service.
func TestFederation_BehindRouters(t *testing.T) {
	t.Parallel()
	folder, env := installNode(t, "federation"), embedded(t, noDemo, "TIDELINE_FEDERATION=true")
	lines := []string{harness.UserRecord(1), harness.UserRecord(2), harness.UserRecord(3), harness.UserRecord(4), harness.FollowRecord(1, 2), harness.FollowRecord(1, 3)}
	for n := range 60 {
		post := harness.Post{ID: int64(100 + n), Author: 2 + n%2, At: 1_790_000_000_000 + int64(n)*1000}
		lines = append(lines, harness.PostRecord(post, fmt.Sprint("post ", n)))
	}
	lines = append(lines, `{"type":"block","user":"4","target":"1","createdAt":"2026-01-02T00:00:00Z"}`)
	harness.ImportLines(t, env, lines...)
	s := startServer(t, env...)

	code, omitting, stderr := harness.RunMain(t, "schema", "--federation", "--federation-omit=User.name,User.avatarUrl")
	if code != 0 {
		t.Fatalf("schema ended with exit code %d:\n%s", code, stderr)
	}
	file := filepath.Join(t.TempDir(), "omitting.graphqls")
	harness.Check(t, os.WriteFile(file, []byte(omitting), 0o600))
	runNode(t, folder, []string{"federation.test.mjs"},
		"TIDELINE_URL="+s.Base+"/graphql", "TIDELINE_TOKEN="+harness.TokenFor(t, 1), "TIDELINE_AUTHOR_TOKEN="+harness.TokenFor(t, 2), "TIDELINE_OMITTING="+file)
}
