package graph_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/tideline-feeds/tideline/graph"
)

// own returns the schema's own definitions, sorted by name.
func own(t *testing.T) []*ast.Definition {
	t.Helper()
	var defs []*ast.Definition
	for _, d := range graph.LoadSchema().Types {
		if !d.BuiltIn {
			defs = append(defs, d)
		}
	}
	sort.Slice(defs, func(i, j int) bool { return defs[i].Name < defs[j].Name })
	return defs
}

func TestSchema_DescribesEverything(t *testing.T) {
	for _, d := range own(t) {
		for _, p := range parts(d) {
			if strings.TrimSpace(p.description) == "" {
				t.Errorf("%s has no description", p.text)
			}
		}
	}
}

// -update adds what is new in the schema to the contract.
var update = flag.Bool("update", false, "add what is new in the schema to testdata/contract.txt")

// Clients depend on the contract: nothing in it may be removed or renamed, or change its type. It
// also lists every addition.
func TestSchema_KeepsTheContract(t *testing.T) {
	const file = "testdata/contract.txt"
	var lines []string
	for _, d := range own(t) {
		lines = append(lines, signature(d))
	}
	got := strings.Join(lines, "\n") + "\n"
	stored, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	contract := string(stored)
	if *update && subsequence(contract, got) {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		contract = got
	}
	if diff := cmp.Diff(contract, got); diff != "" {
		t.Errorf("the schema differs from the contract (-contract +schema); what is only added is taken over by -update:\n%s", diff)
	}
}

// subsequence reports whether all lines of a are among those of b, in the same order, perhaps with further
// arguments that may be left out.
func subsequence(a, b string) bool {
	rest := strings.Split(b, "\n")
	for line := range strings.SplitSeq(a, "\n") {
		i := slices.IndexFunc(rest, func(other string) bool { return line == other || addsArguments(line, other) })
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

func addsArguments(before, after string) bool {
	name, was, _ := strings.Cut(before, "(")
	other, is, _ := strings.Cut(after, "(")
	was, typ, _ := strings.Cut(was, ")")
	is, otherType, _ := strings.Cut(is, ")")
	added, kept := strings.CutPrefix(is, was+", ")
	return kept && name == other && typ == otherType && !strings.Contains(added+",", "!,")
}

func signature(d *ast.Definition) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(string(d.Kind)) + " " + d.Name)
	for _, i := range d.Interfaces {
		b.WriteString(" implements " + i)
	}
	for _, v := range d.EnumValues {
		b.WriteString(" " + v.Name)
	}
	for _, f := range d.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		b.WriteString("\n  " + f.Name)
		if len(f.Arguments) > 0 {
			var args []string
			for _, a := range f.Arguments {
				args = append(args, a.Name+": "+a.Type.String())
			}
			b.WriteString("(" + strings.Join(args, ", ") + ")")
		}
		b.WriteString(": " + f.Type.String())
	}
	return b.String()
}

func TestLoadSchema_ReturnsACopy(t *testing.T) {
	delete(graph.LoadSchema().Types, "Post")
	if graph.LoadSchema().Types["Post"] == nil {
		t.Error("a change to one schema shows in the next")
	}
}

// The SDL differs from the schema in its order only.
func TestSDL_IsTheWholeSchema(t *testing.T) {
	s, err := gqlparser.LoadSchema(&ast.Source{Name: "sdl", Input: graph.SDL()})
	if err != nil {
		t.Fatalf("the SDL does not parse: %v", err)
	}
	for _, want := range own(t) {
		got := s.Types[want.Name]
		if got == nil {
			t.Errorf("%s is missing from the SDL", want.Name)
			continue
		}
		if diff := cmp.Diff(parts(want), parts(got), cmp.AllowUnexported(part{}), inOrder); diff != "" {
			t.Errorf("%s differs in the SDL (-schema +SDL):\n%s", want.Name, diff)
		}
	}
}

func TestSDL_IsSorted(t *testing.T) {
	doc, err := parser.ParseSchema(&ast.Source{Name: "sdl", Input: graph.SDL()})
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, d := range doc.Definitions {
		types = append(types, d.Name)
		if parts := parts(d)[1:]; !slices.IsSortedFunc(parts, byText) {
			t.Errorf("%s is not sorted: %q", d.Name, parts)
		}
	}
	if !slices.IsSorted(types) {
		t.Errorf("the types are not sorted: %q", types)
	}
}

// part is a definition, field, argument or value, with all that the schema says about it.
type part struct{ text, description string }

// parts lists a definition and its parts in order.
func parts(d *ast.Definition) []part {
	all := []part{{fmt.Sprint(d.Kind, " ", d.Name, d.Interfaces, d.Types, directives(d.Directives)), d.Description}}
	for _, f := range d.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		all = append(all, part{fmt.Sprintln(f.Name, f.Type, f.DefaultValue, directives(f.Directives)), f.Description})
		for _, a := range f.Arguments {
			all = append(all, part{fmt.Sprintln(f.Name+"("+a.Name, a.Type, a.DefaultValue, directives(a.Directives)), a.Description})
		}
	}
	for _, v := range d.EnumValues {
		all = append(all, part{fmt.Sprintln(v.Name, directives(v.Directives)), v.Description})
	}
	return all
}

func directives(list ast.DirectiveList) string {
	var all []string
	for _, d := range list {
		all = append(all, "@"+d.Name)
		for _, a := range d.Arguments {
			all = append(all, a.Name+": "+a.Value.String())
		}
	}
	return strings.Join(all, " ")
}

func byText(a, b part) int { return strings.Compare(a.text, b.text) }

// inOrder compares parts in any order.
var inOrder = cmpopts.SortSlices(func(a, b part) bool { return a.text < b.text })
