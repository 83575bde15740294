package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// section returns the text under a second-level heading of the README.
func section(t *testing.T, heading string) string {
	t.Helper()
	_, text, found := strings.Cut(readme(t), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("the README has no section %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

// postgresWithPasswords starts an empty server that accepts its superuser without a password and
// all others with one.
func postgresWithPasswords(t *testing.T) *testenv.PostgresServer {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "pg_hba.conf")
	harness.Check(t, os.WriteFile(file, []byte("host all postgres all trust\nhost all all all scram-sha-256\n"), 0o600))
	// The server may run as another user.
	harness.Check(t, os.Chmod(file, 0o644))
	harness.Check(t, os.Chmod(dir, 0o755))
	harness.Check(t, os.Chmod(filepath.Dir(dir), 0o755))
	return testenv.StartPostgres(t, "hba_file="+file)
}

// TestReadme_RunsForRealFromNothing does what the section says, with other host names and another
// port.
func TestReadme_RunsForRealFromNothing(t *testing.T) {
	text := section(t, "Run it for real")
	postgres, redis := postgresWithPasswords(t), testenv.StartRedis(t, testenv.RedisOptions{})
	admin, err := pgx.Connect(t.Context(), postgres.URL())
	harness.Check(t, err)
	statements := strings.Split(strings.TrimSpace(codeBlocks(t, text, "sql")[0]), "\n")
	if len(statements) != 2 {
		t.Errorf("the section has %d lines of SQL", len(statements))
	}
	for _, statement := range statements {
		_, err := admin.Exec(t.Context(), statement)
		harness.Check(t, err)
	}
	host := fmt.Sprintf("%s:%d", admin.Config().Host, admin.Config().Port)
	harness.Check(t, admin.Close(t.Context()))

	script := strings.NewReplacer("@db/", "@"+host+"/", "cache:6379", redis.Addr(), "--addr=:8080", "--addr=127.0.0.1:0").Replace(codeBlocks(t, text, "sh")[0])
	exports := regexp.MustCompile(`(?m)^export .*$`).FindAllString(script, -1)
	out, err := exec.CommandContext(t.Context(), "sh", "-c", strings.Join(exports, "\n")+"\nenv").Output()
	harness.Check(t, err)
	env := regexp.MustCompile(`(?m)^TIDELINE_.*$`).FindAllString(string(out), -1)
	if len(exports) != len(env) {
		t.Fatalf("%q set %d variables", exports, len(env))
	}
	start := func(command, ready string) (*testenv.Process, []string) {
		t.Helper()
		line := regexp.MustCompile(`(?m)^\./tideline (` + command + `.*)$`).FindStringSubmatch(script)
		p := testenv.Program(t, append([]string{testenv.Binary(t)}, strings.Fields(line[1])...), append(env, "TIDELINE_DATA_DIR="+t.TempDir()))
		return p, p.WaitLine(ready)
	}
	process, base := start("serve", `^ready after .*: open (http://[^/]+)/graphiql$`)
	start("worker", `^tideline worker is ready`)
	s := &server{&harness.Server{Process: process, Base: base[1]}}
	_, token, _ := runWith(t, env, "token", "--user=1")
	s.Publish(t, strings.TrimSpace(token), "hello")
	if got := s.readyWarnings(t); len(got) > 0 {
		t.Errorf("the server warns of %v", got)
	}
	if want := "PostgreSQL at " + host + ", database tideline"; !strings.Contains(process.Output(), want) {
		t.Errorf("the output lacks %q:\n%s", want, process.Output())
	}
}

// runWith runs a command in this process with settings from the environment.
func runWith(t *testing.T, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	return harness.RunMain(t, args...)
}

// Documents and manifests set a secret to an empty, generated or refused value only.
func TestDocs_HaveNoUsableSecret(t *testing.T) {
	setting := regexp.MustCompile(`(?:TIDELINE_(?:JWT_SECRET|ADMIN_TOKEN)|--jwt-secret|--admin-token)[=:] *"?([^\s"|]*)`)
	var files []string
	for _, pattern := range []string{"*.md", "compose.yaml", "Dockerfile", "docs/*.md", "deploy/*/*.yaml", "clients/*/*.md"} {
		found, err := filepath.Glob(pattern)
		harness.Check(t, err)
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		harness.Check(t, err)
		for _, m := range setting.FindAllStringSubmatch(string(text), -1) {
			generated := strings.HasPrefix(m[1], "$") || m[1] == "TEXT`"
			if m[1] == "" || generated {
				continue
			}
			if code, _, _ := harness.RunMain(t, "token", "--user=1", "--jwt-secret="+m[1]); code != 2 {
				t.Errorf("%s: %s is a published secret, but the program accepts it", file, m[0])
			}
		}
	}
}

// Stripping saves a third of the program's size.
func TestBuilds_AreStripped(t *testing.T) {
	for _, file := range []string{"Makefile", "Dockerfile", "README.md"} {
		text, err := os.ReadFile(file)
		harness.Check(t, err)
		for _, line := range regexp.MustCompile(`(?m)^.*\bgo build .*tideline.*$`).FindAllString(string(text), -1) {
			if !regexp.MustCompile(`-ldflags=['"]-s -w['"]`).MatchString(line) {
				t.Errorf("%s: %s", file, strings.TrimSpace(line))
			}
		}
	}
}
