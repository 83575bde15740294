//go:build nightly

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// connectExamples are the programs of docs/connect.md in their order: the language of the block, the
// file and the command that runs it, and the home feed of user 1 afterwards.
func connectExamples() []struct{ language, file, command, home string } {
	return []struct{ language, file, command, home string }{
		{"bash", "send.sh", "bash", "10"},
		{"go", "main.go", "go run", "11 10"},
		{"ts", "send.mjs", "node", "12 11 10"},
		{"python", "send.py", "python3", "13 12 11 10"},
		{"python", "enqueue.py", "python3", "14 13 12 11 10"},
	}
}

func TestConnectGuide_ExamplesFillAFeed(t *testing.T) {
	t.Parallel()
	page, redis := harness.Doc(t, "docs/connect.md"), testenv.Redis(t)
	env := embedded(t, noDemo, sourceOwns, "TIDELINE_REDIS_URL="+redis)
	s := startServer(t, env...)
	if _, err := os.Stat(filepath.Join(setting(env, "TIDELINE_DATA_DIR"), "redis.url")); !os.IsNotExist(err) {
		t.Errorf("a server with a Redis elsewhere writes the address of an embedded one (error %v)", err)
	}
	used := map[string]int{}
	for _, e := range connectExamples() {
		texts := harness.CodeBlocks(t, page, e.language)
		if used[e.language] == len(texts) {
			t.Fatalf("docs/connect.md lacks an example in %s", e.language)
		}
		folder := t.TempDir()
		harness.Check(t, os.WriteFile(filepath.Join(folder, e.file), []byte(texts[used[e.language]]), 0o600))
		used[e.language]++
		command := append(strings.Fields(e.command), e.file)
		program := exec.CommandContext(t.Context(), command[0], command[1:]...)
		program.Dir = folder
		program.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "TIDELINE="+s.Base, "TIDELINE_SERVICE_TOKEN="+serviceToken, "TIDELINE_QUEUE_REDIS_URL="+redis)
		out, err := program.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", e.file, err, out)
		}
		// Those that read show their post, which may not have been pushed yet.
		if newest, _, _ := strings.Cut(e.home, " "); e.file != "enqueue.py" && !strings.Contains(string(out), `"databaseId":"`+newest+`"`) {
			t.Errorf("%s shows no post %s:\n%s", e.file, newest, out)
		}
		s.awaitHome(t, 1, e.home)
	}
	for _, language := range []string{"bash", "go", "ts", "python"} {
		if n := len(harness.CodeBlocks(t, page, language)); n != used[language] {
			t.Errorf("docs/connect.md has %d examples in %s, and %d are tested", n, language, used[language])
		}
	}
}

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

// clientManifest lists the documents of the TypeScript client.
const clientManifest = "clients/typescript/src/generated/persisted-documents.json"

// A server that trusts only the manifest of the TypeScript client runs those of its documents by
// their ids that need no variables. It refuses a manifest with a document that it could not run.
func TestTrusted_ManifestDocumentsRun(t *testing.T) {
	t.Parallel()
	s := startServer(t, embedded(t, "TIDELINE_TRUSTED_DOCUMENTS="+clientManifest, "TIDELINE_TRUSTED_ONLY=true")...)
	var documents map[string]string
	harness.Check(t, json.Unmarshal([]byte(harness.Doc(t, clientManifest)), &documents))
	ran := 0
	for id, text := range documents {
		document, err := parser.ParseQuery(&ast.Source{Input: text})
		harness.Check(t, err)
		op := document.Operations[0]
		if op.Operation != ast.Query || slices.ContainsFunc(op.VariableDefinitions, func(v *ast.VariableDefinition) bool { return v.Type.NonNull }) {
			continue
		}
		ran++
		got := s.send(t, http.MethodPost, "/graphql", `{"documentId":"`+id+`"}`, as(harness.TokenFor(t, 10)))
		if got.StatusCode != http.StatusOK || len(got.codes(t)) > 0 || !strings.HasPrefix(got.body, `{"data":{`) {
			t.Errorf("%s returns %d %s", op.Name, got.StatusCode, got.body)
		}
	}
	if len(documents) < 30 || ran == 0 {
		t.Errorf("%d of %d documents ran", ran, len(documents))
	}
	if got := s.ask(t, `{ __typename }`, as(harness.TokenFor(t, 10))); !slices.Equal(got.codes(t), []string{"FORBIDDEN"}) {
		t.Errorf("the response to another document is %s", got.body)
	}
}
