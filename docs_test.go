package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// blocks returns the README's code blocks in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(readme(t), -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("the README has no block in %s", language)
	}
	return out
}

func TestTheReadmeListsEverySettingOfServeWithItsDefault(t *testing.T) {
	documented := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(TIDELINE_[A-Z_]+)` \\| (.*?) \\|").FindAllStringSubmatch(readme(t), -1) {
		documented[m[1]] = m[2]
	}
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == "serve" })
	for _, flag := range parser.Model.Children[i].Flags {
		for _, env := range flag.Envs {
			def, ok := documented[env]
			if !ok {
				t.Errorf("the README does not list %s", env)
			}
			if flag.HasDefault && def != "`"+flag.Default+"`" {
				t.Errorf("the default of %s is %s, the README says %s", env, flag.Default, def)
			}
			delete(documented, env)
		}
	}
	for env := range documented {
		t.Errorf("the README lists %s, which serve does not know", env)
	}
}

func TestTheReadmesCommandsAreUnderstood(t *testing.T) {
	command := regexp.MustCompile(`(?m)(?:go run \.|\./tideline)([^\n)|]*)`)
	tried := 0
	for _, block := range blocks(t, "sh") {
		for _, m := range command.FindAllStringSubmatch(block, -1) {
			tried++
			parser, err := kong.New(&commands{}, kong.Exit(func(int) {}))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.Parse(strings.Fields(m[1])); err != nil {
				t.Errorf("tideline%s: %v", m[1], err)
			}
		}
	}
	if tried < 6 {
		t.Errorf("found only %d commands", tried)
	}
	for _, m := range regexp.MustCompile(`(?m)^make (\w+)`).FindAllStringSubmatch(strings.Join(blocks(t, "sh"), ""), -1) {
		makefile, err := os.ReadFile("Makefile")
		if err != nil || !strings.Contains(string(makefile), "\n"+m[1]+":") {
			t.Errorf("the Makefile has no target %s, %v", m[1], err)
		}
	}
	if _, err := os.Stat("scripts/test.sh"); err != nil {
		t.Error(err)
	}
}

func TestTheReadmesQueriesWorkOnTheDemoData(t *testing.T) {
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+testSecret)
	for _, document := range blocks(t, "graphql") {
		got := map[string]map[string]any{}
		s.query(t, tokenFor(t, 10), document, nil, &got)
		for field, value := range got {
			if value == nil || reflect.ValueOf(value["userErrors"]).IsValid() && len(value["userErrors"].([]any)) > 0 {
				t.Errorf("%s answers %v to\n%s", field, value, document)
			}
		}
	}
}

func TestTheReadmesRecordsCanBeImported(t *testing.T) {
	lines := []string{userRecord(8)}
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
	code, stdout, stderr := runMain(t, "import", file, "--data-dir", t.TempDir())
	if code != 0 || !strings.Contains(stdout, "5 new, 0 known, 0 bad") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}
