package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

// page returns the text of a file, by its path in the repository.
func page(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile("../../" + path)
	check(t, err)
	return string(b)
}

// shellBlocks returns the README's shell commands by block.
func shellBlocks(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(page(t, "README.md"), -1) {
		out = append(out, m[1])
	}
	return out
}

func TestSettingsPage_ListsEverySettingWithItsDefault(t *testing.T) {
	documented := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(TIDELINE_[A-Z_]+)` \\| (.*?) \\|").FindAllStringSubmatch(page(t, "docs/settings.md"), -1) {
		if _, ok := documented[m[1]]; ok {
			t.Errorf("docs/settings.md lists %s twice", m[1])
		}
		documented[m[1]] = m[2]
	}
	parser, err := kong.New(&commands{})
	check(t, err)
	i := slices.IndexFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == "serve" })
	for _, flag := range parser.Model.Children[i].Flags {
		for _, env := range flag.Envs {
			def, ok := documented[env]
			if !ok {
				t.Errorf("docs/settings.md does not list %s", env)
			}
			if flag.HasDefault && def != "`"+flag.Default+"`" {
				t.Errorf("the default of %s is %s, docs/settings.md says %s", env, flag.Default, def)
			}
			delete(documented, env)
		}
	}
	for env := range documented {
		t.Errorf("docs/settings.md lists %s, which serve does not know", env)
	}
}

func TestReadme_CommandsParse(t *testing.T) {
	command := regexp.MustCompile(`(?m)(?:go run \.|\./tideline)([^\n)|>#]*)`)
	tried := 0
	exported := regexp.MustCompile(`(TIDELINE_\w+)=(\S+)`)
	for _, block := range shellBlocks(t) {
		for _, m := range exported.FindAllStringSubmatch(block, -1) {
			t.Setenv(m[1], m[2])
		}
		for _, m := range command.FindAllStringSubmatch(block, -1) {
			tried++
			parser, err := kong.New(&commands{}, kong.Exit(func(int) {}))
			check(t, err)
			if _, err := parser.Parse(strings.Fields(m[1])); err != nil {
				t.Errorf("tideline%s: %v", m[1], err)
			}
		}
	}
	if tried < 6 {
		t.Errorf("found only %d commands", tried)
	}
	targets := regexp.MustCompile("`make (\\w+)`").FindAllStringSubmatch(page(t, "README.md"), -1)
	if len(targets) < 2 {
		t.Errorf("found only %d targets of make", len(targets))
	}
	for _, m := range targets {
		if !strings.Contains(page(t, "Makefile"), "\n"+m[1]+":") {
			t.Errorf("the Makefile has no target %s", m[1])
		}
	}
	if _, err := os.Stat("../../scripts/test.sh"); err != nil {
		t.Error(err)
	}
}

// update makes TestCommandReference write the page.
var update = flag.Bool("update", false, "write docs/commands.md again")

func TestCommandReference(t *testing.T) {
	const file = "../../docs/commands.md"
	parser, err := kong.New(&commands{})
	check(t, err)
	want := commandReference(parser.Model.Children)
	if *update {
		check(t, os.WriteFile(file, []byte(want), 0o644))
	}
	got, err := os.ReadFile(file)
	check(t, err)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is outdated; run go test -run TestCommandReference -update ./internal/cli\n%s", file, diff)
	}
}

// commandReference describes the commands in the order of the help. For settings that serve, the
// first command, describes already, other commands list only names.
func commandReference(nodes []*kong.Node) string {
	var out strings.Builder
	out.WriteString(`# Commands

The output of ` + "`tideline help`" + ` and of the help of each command. Flags take precedence over environment variables, and these over defaults. The exit code is 0 for success, 1 for a failure, and 2 for an invalid command line or setting. ` + "`-v` and `--version`" + ` print the version; ` + "`-h` and `--help`" + ` print the help of any command.

Do not edit this page: ` + "`go test -run TestCommandReference -update ./internal/cli`" + ` writes it.
`)
	serve := map[string]bool{}
	for i, n := range withSubcommands(nodes) {
		fmt.Fprintf(&out, "\n## tideline %s\n\n%s\n", n.Path(), n.Help)
		for _, arg := range n.Positional {
			fmt.Fprintf(&out, "\n`%s`: %s\n", arg.Summary(), arg.Help)
		}
		var shared, rows []string
		for _, f := range n.Flags {
			row := fmt.Sprintf("| %s | %s | %s | %s |\n", code(flagUsage(f)), code(strings.Join(f.Envs, " ")), code(flagDefault(f)), flagMeaning(f))
			switch {
			case i == 0:
				serve[row] = true
				rows = append(rows, row)
			case serve[row]:
				shared = append(shared, code("--"+f.Name))
			default:
				rows = append(rows, row)
			}
		}
		if len(shared) > 0 {
			fmt.Fprintf(&out, "\nFlags of [serve](#tideline-serve) with the same environment variables, defaults and meanings: %s.\n", strings.Join(shared, ", "))
		}
		if len(rows) > 0 {
			out.WriteString("\n| flag | environment | default | meaning |\n| --- | --- | --- | --- |\n" + strings.Join(rows, ""))
		}
	}
	return out.String()
}

// withSubcommands puts the subcommands of each command after it.
func withSubcommands(nodes []*kong.Node) []*kong.Node {
	var all []*kong.Node
	for _, n := range nodes {
		all = append(append(all, n), withSubcommands(n.Children)...)
	}
	return all
}

// flagUsage returns the syntax of a flag.
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

// flagDefault returns the default of a flag; empty if it depends on other things, as the help
// says.
func flagDefault(f *kong.Flag) string {
	if f.IsBool() && f.Tag.Negatable == "" {
		return "false"
	}
	return f.Default
}

// flagMeaning returns the help of a flag without the default, which has its own column.
func flagMeaning(f *kong.Flag) string {
	help := strings.Replace(f.Help, " ("+f.Default+")", "", 1)
	if f.Required {
		help += " Required."
	}
	return help
}

// code formats a text as code, unless it is empty.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

func TestSchema_PrintsCostsAndTheSubgraph(t *testing.T) {
	for _, c := range []struct {
		args     []string
		code     int
		has, not string
	}{
		{nil, 0, `@cost(weight: 10)`, `@key`},
		{[]string{"--federation"}, 0, `type User implements Node @key(fields: "id") @key(fields: "databaseId")`, "\n  node("},
		{[]string{"--federation", "--federation-node"}, 0, "\n  node(", `_entities`},
		{[]string{"--federation", "--federation-omit=User.name,User.avatarUrl"}, 0, "\n  handle: String! @shareable", "avatarUrl: URL @shareable"},
		{[]string{"--federation", "--federation-omit=User.x"}, 2, `--federation-omit: "User.x" is not a field`, "type User"},
		{[]string{"--federation-omit=User.name"}, 2, "need --federation", "type User"},
	} {
		var out bytes.Buffer
		code := Run(t.Context(), append([]string{"schema"}, c.args...), &out, &out)
		if text := out.String(); code != c.code || !strings.Contains(text, c.has) || strings.Contains(text, c.not) {
			t.Errorf("schema %v ends with %d, want %d, with %q and without %q:\n%.3000s", c.args, code, c.code, c.has, c.not, text)
		}
	}
}
