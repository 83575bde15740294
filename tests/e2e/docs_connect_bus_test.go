package e2e

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// busExample returns the block of docs/connect.md that reads a stream of a bus.
func busExample(t *testing.T, from string) string {
	t.Helper()
	page, err := os.ReadFile("docs/connect.md")
	harness.Check(t, err)
	var found []string
	for _, block := range codeBlocks(t, string(page), "sh") {
		if strings.Contains(block, "tideline ingest --from "+from) && !strings.Contains(block, "…") {
			found = append(found, block)
		}
	}
	if len(found) != 1 {
		t.Fatalf("docs/connect.md has %d examples that read %s", len(found), from)
	}
	return found[0]
}

// command writes a program of a name into a folder.
func command(t *testing.T, folder, name, script string) {
	t.Helper()
	harness.Check(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
}

// The commands run as they are documented, except for the port: redis-cli and tideline are scripts
// that replace it.
func TestConnectGuide_RedisExampleFillsADatabase(t *testing.T) {
	t.Parallel()
	redis := testenv.StartRedis(t, testenv.RedisOptions{AppendFsync: "always"})
	at, err := url.Parse(redis.URL())
	harness.Check(t, err)
	database, folder := testenv.Postgres(t), t.TempDir()
	client, err := exec.LookPath("redis-cli")
	harness.Check(t, err)
	command(t, folder, "redis-cli", "exec "+client+" -p "+at.Port()+` "$@"`)
	command(t, folder, "tideline", `[ "$*" = "ingest --from redis://127.0.0.1:6379/changes" ] || { echo "unexpected: $*"; exit 1; }
exec `+testenv.Binary(t)+" ingest --from redis://127.0.0.1:"+at.Port()+"/changes")
	program := testenv.Program(t, []string{"/bin/sh", "-ec", busExample(t, "redis://")}, []string{
		"PATH=" + folder + ":" + os.Getenv("PATH"), "TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_SOURCE_OWNS=user,post,follow", "TIDELINE_DEMO=false",
	})
	program.WaitLine(`^tideline ingest is ready`)
	oracle := harness.NewOracle(t, database)
	eventually.True(t, "the documented user arrives", func() bool {
		names := harness.RowsOf[string](oracle, "SELECT name FROM users WHERE id = 7 AND absent = 0")
		return len(names) == 1 && names[0] == "Ann"
	})
}
