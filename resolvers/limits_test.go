package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/resolvers/guard"
)

// nested returns a query whose deepest field has the given depth.
func nested(depth int) string {
	return `{ node(id: "x") { ... on Post { ` + strings.Repeat("replyTo { ", depth-2) + "id" + strings.Repeat(" }", depth-2) + ` } } }`
}

func TestLimits_RefuseWhatIsBeyond(t *testing.T) {
	w := newWorld(t)
	aliased := func(n int) string { return each(n, func(i int) string { return fmt.Sprintf("a%d: __typename", i) }) }
	throughFragments := `{ node(id: "x") { ...a } } fragment a on Post { replyTo { %s } } fragment b on Post { ` +
		strings.Repeat("replyTo { ", 12) + "id" + strings.Repeat(" }", 12) + " }"
	// Each level doubles the paths through fragments, so a walk of every path would not end.
	doubling := `{ node(id: "x") { ...f0 } } fragment f40 on Post { id }` + each(40, func(i int) string {
		return fmt.Sprintf(" fragment f%d on Post { ...f%d ... on Post { ...f%d } }", i, i+1, i+1)
	})
	for _, c := range []struct{ name, query, code string }{
		{"15 levels", nested(15), ""},
		{"16 levels", nested(16), tooComplex},
		{"15 levels through fragments", fmt.Sprintf(throughFragments, "...b"), ""},
		{"16 levels through fragments", fmt.Sprintf(throughFragments, "replyTo { ...b }"), tooComplex},
		{"fragments that double 40 times", doubling, ""},
		{"200 aliases", `{ viewer {` + aliased(200) + `} }`, ""},
		{"200 aliases, some in a fragment", `{ viewer {` + aliased(100) + ` ...f ...f } } fragment f on Viewer {` + aliased(100) + `}`, ""},
		{"201 aliases", `{ viewer { user {` + aliased(201) + `} } }`, tooComplex},
		{"201 aliases, some in a fragment", `{ viewer {` + aliased(101) + ` ...f } } fragment f on Viewer {` + aliased(100) + `}`, tooComplex},
		{"2,002 tokens", "{ " + repeat(2000, "__typename") + "}", notParsed},
		{"a document too long for the cache", benName + " #" + strings.Repeat("x", 20<<10), ""},
	} {
		if got := w.ask(1, c.query, nil).codes(); strings.Join(got, " ") != c.code {
			t.Errorf("%s: the codes are %v, want %q", c.name, got, c.code)
		}
	}
}

// Ten aliases on each level would make 10^12 selections. The limit of the cost refuses this
// document, so the test raises it.
func TestPage_RepeatedSelectionsReadOnce(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) {
		d.Guard.Limits = guard.DefaultLimits()
		d.Guard.Limits.Cost = guard.MaxCount
	})
	w.post(1, 1)
	var query strings.Builder
	query.WriteString("{ viewer { homeFeed { nodes { ...f0 } } } }")
	const levels = 11
	for i := range levels {
		fmt.Fprintf(&query, " fragment f%d on Post {", i)
		for alias := range 10 {
			fmt.Fprintf(&query, " a%d: replyTo { ...f%d }", alias, i+1)
		}
		query.WriteString(" }")
	}
	fmt.Fprintf(&query, " fragment f%d on Post { id }", levels)
	w.must(1, query.String(), nil)
}

func TestIntrospection_IsAnOption(t *testing.T) {
	const query = `{ ...s } fragment s on Query { __schema { queryType { name } } }`
	newWorld(t).wantCode(notValid, 1, query, nil)
	on := newWorld(t, func(d *resolvers.Deps) { d.Introspection = true })
	wantEqual(t, "Query", on.must(1, query, nil).at(t, "__schema.queryType.name"), "the name with introspection")
}

// Suggestions would reveal the schema.
func TestSuggestions_NeedIntrospection(t *testing.T) {
	off, on := newWorld(t), newWorld(t, func(d *resolvers.Deps) { d.Introspection = true })
	for _, query := range []string{
		`{ viewr { user { id } } }`,
		`{ user(handl: "x") { id } }`,
		`{ node(id: "x") { ...f } } fragment f on Pots { id }`,
		`{ user(handle: "x") { posts(kinds: [POTS]) { nodes { id } } } }`,
		`{ viewer }`,
	} {
		if got := off.ask(1, query, nil); len(got.Errors) == 0 || strings.Contains(fmt.Sprint(got.Errors), "Did you mean") {
			t.Errorf("without introspection %s returns %+v", query, got.Errors)
		}
		if got := on.ask(1, query, nil); !strings.Contains(fmt.Sprint(got.Errors), "Did you mean") {
			t.Errorf("with introspection %s returns %+v", query, got.Errors)
		}
	}
}
