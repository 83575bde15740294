//go:build nightly

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
