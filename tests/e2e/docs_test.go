package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// readDoc returns the text of a file of the repository.
func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks returns the README's code blocks in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	return codeBlocks(t, readme(t), language)
}

// codeBlocks returns the code blocks of a text in a language. It fails the test if there is none.
func codeBlocks(t *testing.T, text, language string) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("there is no block in %s", language)
	}
	return out
}

func TestReadme_QueriesWorkOnDemoData(t *testing.T) {
	t.Parallel()
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret)
	for _, document := range blocks(t, "graphql") {
		got := map[string]map[string]any{}
		s.Query(t, harness.TokenFor(t, 10), document, nil, &got)
		for field, value := range got {
			if value == nil || reflect.ValueOf(value["userErrors"]).IsValid() && len(value["userErrors"].([]any)) > 0 {
				t.Errorf("field %s is %v in the response to\n%s", field, value, document)
			}
		}
	}
}

func TestReadme_RecordsCanBeImported(t *testing.T) {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(blocks(t, "json")[0]), "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
		lines = append(lines, line)
	}
	file := filepath.Join(t.TempDir(), "records.ndjson")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := harness.RunMain(t, "import", file, "--data-dir", t.TempDir())
	if code != 0 || !strings.Contains(stdout, "5 new, 0 known, 0 bad") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestDocs_IndexListsEveryDecision(t *testing.T) {
	index, err := os.ReadFile("docs/adr/README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("docs/adr/0*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		head := regexp.MustCompile(`^# (\d+)\. (.*)\n\n\*Status: (accepted|superseded)`).FindStringSubmatch(string(text))
		if head == nil {
			t.Errorf("%s does not begin with number, title and status", name)
			continue
		}
		if row := "| [" + head[1] + "](" + name + ") | " + head[2] + " | " + head[3]; !strings.Contains(string(index), row) {
			t.Errorf("docs/adr/README.md has no row that begins with %q", row)
		}
	}
}
