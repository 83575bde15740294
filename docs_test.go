package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
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
	return codeBlocks(t, readme(t), language)
}

// codeBlocks returns the code blocks of a text that are in a language, of which it must
// have one.
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
	t.Parallel()
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
	code, stdout, stderr := runMain(t, "import", file, "--data-dir", t.TempDir())
	if code != 0 || !strings.Contains(stdout, "5 new, 0 known, 0 bad") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// update makes TestCommandReference write the reference instead of comparing it.
var update = flag.Bool("update", false, "write docs/commands.md anew")

func TestCommandReference(t *testing.T) {
	const file = "docs/commands.md"
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	want := commandReference(parser.Model.Children)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not what the program knows; renew it by go test -run TestCommandReference -update .\n%s", file, diff)
	}
}

// commandReference describes every command with its arguments and flags, in the
// order of the help.
func commandReference(nodes []*kong.Node) string {
	var out strings.Builder
	out.WriteString(`# Commands

What ` + "`tideline --help`" + ` and the help of each command say, in one place. A flag wins over its name in the environment, and that over the default. Exit codes are 0, 1 for a failure, and 2 for a command line or a setting that cannot be used. ` + "`tideline -v` and `--version`" + ` print the version, ` + "`-h` and `--help`" + ` the help of any command.

Do not edit this file: ` + "`go test -run TestCommandReference -update .`" + ` writes it.
`)
	for _, n := range nodes {
		fmt.Fprintf(&out, "\n## tideline %s\n\n%s\n", n.Name, n.Help)
		for _, arg := range n.Positional {
			fmt.Fprintf(&out, "\n`%s`: %s\n", arg.Summary(), arg.Help)
		}
		if len(n.Flags) == 0 {
			continue
		}
		out.WriteString("\n| flag | environment | default | meaning |\n| --- | --- | --- | --- |\n")
		for _, f := range n.Flags {
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", code(flagUsage(f)), code(strings.Join(f.Envs, " ")), code(flagDefault(f)), flagMeaning(f))
		}
	}
	return out.String()
}

// flagUsage returns a flag as it is typed.
func flagUsage(f *kong.Flag) string {
	switch {
	case f.Tag.Negatable != "":
		return "--[no-]" + f.Name
	case f.IsBool():
		return "--" + f.Name
	case f.PlaceHolder != "":
		return "--" + f.Name + "=" + f.PlaceHolder
	case f.Enum != "":
		return "--" + f.Name + "=" + strings.ReplaceAll(f.Enum, ",", "\\|")
	}
	return "--" + f.Name + "=" + strings.ToUpper(f.Name)
}

// flagDefault returns what holds without the flag; empty when that depends, as the
// help says.
func flagDefault(f *kong.Flag) string {
	if f.IsBool() && f.Tag.Negatable == "" {
		return "false"
	}
	return f.Default
}

// flagMeaning returns a flag's help without the default, which has a column.
func flagMeaning(f *kong.Flag) string {
	help := strings.Replace(f.Help, " ("+f.Default+")", "", 1)
	if f.Required {
		help += " Required."
	}
	return help
}

// code sets a text that is not empty as code.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}
