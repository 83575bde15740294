package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/kit/warnings"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestReadme_QueriesWorkOnDemoData(t *testing.T) {
	t.Parallel()
	s := startServer(t, embedded(t)...)
	for _, document := range harness.CodeBlocks(t, harness.Doc(t, "README.md"), "graphql") {
		got := map[string]map[string]any{}
		s.Query(t, harness.TokenFor(t, 10), document, nil, &got)
		for field, value := range got {
			if refused, _ := value["userErrors"].([]any); value == nil || len(refused) > 0 {
				t.Errorf("field %s is %v in the response to\n%s", field, value, document)
			}
			noEmptyPosts(t, value)
		}
	}
}

// TestGraphiQL_StartQueryWorksSignedOut covers what GraphiQL shows before a visitor types anything.
func TestGraphiQL_StartQueryWorksSignedOut(t *testing.T) {
	t.Parallel()
	s := startServer(t, embedded(t)...)
	var got struct{ User map[string]any }
	s.Query(t, "", harness.Doc(t, "web/graphiql/src/default-query.graphql"), nil, &got)
	if got.User == nil {
		t.Error("the query finds no user in the demo data")
	}
	noEmptyPosts(t, got.User)
}

// noEmptyPosts fails the test if a post of a page in value has neither text nor repostOf.
func noEmptyPosts(t *testing.T, value map[string]any) {
	t.Helper()
	for _, field := range value {
		page, _ := field.(map[string]any)
		edges, _ := page["edges"].([]any)
		for _, edge := range edges {
			post := edge.(map[string]any)["node"].(map[string]any)
			if post["text"] == "" && post["repostOf"] == nil {
				t.Errorf("a post looks empty: %v", post)
			}
		}
	}
}

// TestReadme_StartEndsWithDemoLink does what "Start in a minute" says.
func TestReadme_StartEndsWithDemoLink(t *testing.T) {
	t.Parallel()
	s := startServer(t, embedded(t)...)
	link := "/#demo="
	if !strings.Contains(section(t, "Start in a minute"), "http://127.0.0.1:8080"+link) {
		t.Errorf("the README shows no link with %s", link)
	}
	if ready := regexp.MustCompile(`(?m)^ready after .*: open ` + s.Base + link + `\w+$`); !ready.MatchString(s.Process.Output()) {
		t.Errorf("the output does not match %v", ready)
	}
	if links := strings.Count(s.Process.Output(), link); links != 1 {
		t.Errorf("the link is printed %d times", links)
	}
}

// section returns the text under a second-level heading of the README.
func section(t *testing.T, heading string) string {
	t.Helper()
	_, text, found := strings.Cut(harness.Doc(t, "README.md"), "\n## "+heading+"\n")
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
	t.Parallel()
	text := section(t, "Run it for real")
	postgres, redis := postgresWithPasswords(t), testenv.StartRedis(t, testenv.RedisOptions{})
	admin, err := pgx.Connect(t.Context(), postgres.URL())
	harness.Check(t, err)
	statements := strings.Split(strings.TrimSpace(harness.CodeBlocks(t, text, "sql")[0]), "\n")
	if len(statements) != 2 {
		t.Errorf("the section has %d lines of SQL", len(statements))
	}
	for _, statement := range statements {
		_, err := admin.Exec(t.Context(), statement)
		harness.Check(t, err)
	}
	host := fmt.Sprintf("%s:%d", admin.Config().Host, admin.Config().Port)
	harness.Check(t, admin.Close(t.Context()))

	here := strings.NewReplacer("@db/", "@"+host+"/", "cache:6379", redis.Addr(), "--addr=:8080", "--addr=127.0.0.1:0")
	blocks := harness.CodeBlocks(t, text, "sh")
	env := harness.SettingsFile(t, here.Replace(strings.TrimPrefix(blocks[0], "go build -trimpath -ldflags='-s -w' -o tideline .\n")), 3)
	start := func(command string) *testenv.Process {
		t.Helper()
		line := regexp.MustCompile(`(?m)^set -a; \. \./\.env; \./tideline (` + command + `.*)$`).FindStringSubmatch(here.Replace(blocks[1]))
		return testenv.Program(t, append([]string{testenv.Binary(t)}, strings.Fields(line[1])...), append(env, "TIDELINE_DATA_DIR="+t.TempDir()))
	}
	process := start("serve")
	start("worker").WaitReady()
	s := &server{&harness.Server{Process: process, Base: process.WaitReady()}}
	_, token := harness.Command(t, env, "token", "--user=1")
	s.Publish(t, strings.TrimSpace(token), "hello")
	if got := s.readyWarnings(t); len(got) > 0 {
		t.Errorf("the server warns of %v", got)
	}
	for _, want := range []string{": open " + s.Base + "/graphiql\n", "PostgreSQL at " + host + ", database tideline", "redis://" + redis.Addr()} {
		if !strings.Contains(process.Output(), want) {
			t.Errorf("the output lacks %q:\n%s", want, process.Output())
		}
	}
}

// readyWarnings returns the warnings in a server's /readyz, whose status must be 200.
func (s *server) readyWarnings(t *testing.T) map[string]warnings.Warning {
	t.Helper()
	code, got := s.Ready(t)
	if code != 200 || !got.Ready {
		t.Fatalf("/readyz returns %d %+v", code, got)
	}
	byName := map[string]warnings.Warning{}
	for _, w := range got.Warnings {
		byName[w.Name] = w
	}
	return byName
}
