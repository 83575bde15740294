// Package docs has the tests of documents that need no running program.
package docs

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// matching returns the files that match patterns. Each pattern must match one.
func matching(t *testing.T, patterns ...string) (files []string) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s matches %q (error %v)", pattern, found, err)
		}
		files = append(files, found...)
	}
	return files
}

func TestReadme_RecordsCanBeImported(t *testing.T) {
	records := strings.TrimSpace(harness.CodeBlocks(t, harness.Doc(t, "README.md"), "json")[0])
	for line := range strings.Lines(records) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
	code, stdout, stderr := harness.RunMain(t, "import", harness.RecordsFile(t, []string{records}), "--data-dir", t.TempDir())
	if code != 0 || !strings.Contains(stdout, "5 new, 0 known, 0 bad") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestDecisions_IndexListsAll(t *testing.T) {
	index := harness.Doc(t, "docs/adr/README.md")
	for _, file := range matching(t, "docs/adr/0*.md") {
		name := filepath.Base(file)
		head := regexp.MustCompile(`^# (\d+)\. (.*)\n\n\*Status: (accepted|superseded)`).FindStringSubmatch(harness.Doc(t, file))
		if head == nil {
			t.Errorf("%s does not begin with number, title and status", name)
			continue
		}
		if row := "| [" + head[1] + "](" + name + ") | " + head[2] + " | " + head[3]; !strings.Contains(index, row) {
			t.Errorf("docs/adr/README.md has no row that begins with %q", row)
		}
	}
}

// Documents and manifests set a secret to an empty, generated or refused value only.
func TestDocs_HaveNoUsableSecret(t *testing.T) {
	setting := regexp.MustCompile(`(?:TIDELINE_(?:JWT_SECRET|ADMIN_TOKEN)|--jwt-secret|--admin-token)[=:] *"?([^\s"|]*)`)
	for _, file := range matching(t, "*.md", "compose.yaml", "Dockerfile", "docs/*.md", "deploy/*/*.yaml", "clients/*/*.md") {
		for _, m := range setting.FindAllStringSubmatch(harness.Doc(t, file), -1) {
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
		for _, line := range regexp.MustCompile(`(?m)^.*\bgo build .*tideline.*$`).FindAllString(harness.Doc(t, file), -1) {
			if !regexp.MustCompile(`-ldflags=['"]-s -w['"]`).MatchString(line) {
				t.Errorf("%s: %s", file, strings.TrimSpace(line))
			}
		}
	}
}

// Lock files name no registry, because each user chooses their own.
func TestLockFiles_NameNoRegistry(t *testing.T) {
	files := matching(t, "*/*/package-lock.json")
	if len(files) < 6 {
		t.Errorf("found only %q", files)
	}
	for _, file := range files {
		if strings.Contains(harness.Doc(t, file), `"resolved"`) {
			t.Errorf("%s names a registry", file)
		}
	}
}

// Debian has no package of Caddy, so no test runs its snippet. It must set and remove the same
// headers as the others.
func TestCaddySnippet_SetsTheSameHeaders(t *testing.T) {
	text := harness.Doc(t, "deploy/caddy/Caddyfile")
	for _, line := range []string{
		"reverse_proxy 127.0.0.1:8080 {", "header_up X-Forwarded-For {remote_host}", "header_up X-Forwarded-Proto {scheme}",
		"header_up -Forwarded", "flush_interval -1", "respond @operators 404",
	} {
		if !strings.Contains(text, "\t"+line+"\n") {
			t.Errorf("the snippet lacks %q", line)
		}
	}
	if strings.Count(text, "{") != strings.Count(text, "}") {
		t.Error("the snippet has an unclosed block")
	}
}

func TestErrorCodes_TableMatchesContract(t *testing.T) {
	want := []string{
		"BAD_CURSOR", "BAD_USER_INPUT", "FORBIDDEN", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "INTERNAL", "NOT_FOUND",
		"PERSISTED_QUERY_NOT_FOUND", "QUERY_TOO_COMPLEX", "RATE_LIMITED", "STALE", "SYNC_RESET", "TIMEOUT", "UNAUTHENTICATED",
		"UNAVAILABLE",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(harness.ErrorCodes(t)))); diff != "" {
		t.Errorf("the codes of docs/errors.md (-contract +table):\n%s", diff)
	}
}

func TestGatewayGuide_ListsEveryLimit(t *testing.T) {
	text, limits := harness.Doc(t, "docs/gateway.md"), reflect.ValueOf(guard.DefaultLimits())
	for i := range limits.NumField() {
		name, value := limits.Type().Field(i).Name, limits.Field(i).Int()
		number := strconv.FormatInt(value, 10)
		if value >= 1000 {
			number = fmt.Sprintf("%d,%03d", value/1000, value%1000)
		}
		if row := fmt.Sprintf("| %s | %s |", name, number); !strings.Contains(text, row) {
			t.Errorf("docs/gateway.md lacks the row %s", row)
		}
	}
}

func TestOperationsGuide_ExplainsEveryFinding(t *testing.T) {
	text := harness.Doc(t, "docs/operations.md")
	for _, kind := range examine.Kinds() {
		if !strings.Contains(text, "\n| `"+string(kind)+"` | ") {
			t.Errorf("docs/operations.md does not explain %s", kind)
		}
	}
}
