package resolvers_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/resolvers/guard"
)

// nested returns a query whose deepest field has the given depth.
func nested(depth int) string {
	return `{ node(id: "x") { ... on Post { ` + strings.Repeat("replyTo { ", depth-2) + "id" + strings.Repeat(" }", depth-2) + ` } } }`
}

func TestLimits_FifteenLevels(t *testing.T) {
	w := newWorld(t)
	w.must(1, nested(15), nil)
	if got := w.ask(1, nested(16), nil); !cmp.Equal(got.codes(), []string{"QUERY_TOO_COMPLEX"}) {
		t.Errorf("a query with 16 levels returns %+v", got.Errors)
	}
	throughFragments := `{ node(id: "x") { ...a } } fragment a on Post { replyTo { ...b } } fragment b on Post { ` +
		strings.Repeat("replyTo { ", 12) + "id" + strings.Repeat(" }", 12) + " }"
	if got := w.ask(1, throughFragments, nil); len(got.Errors) != 0 {
		t.Errorf("a query with 15 levels through fragments returns %+v", got.Errors)
	}
	deeper := strings.Replace(throughFragments, "...b", "replyTo { ...b }", 1)
	if got := w.ask(1, deeper, nil); !cmp.Equal(got.codes(), []string{"QUERY_TOO_COMPLEX"}) {
		t.Errorf("a query with 16 levels through fragments returns %+v", got.Errors)
	}
}

// Each level doubles the paths through fragments, so a walk of every path would not end.
func TestLimits_MeasureFragmentsOnce(t *testing.T) {
	w := newWorld(t)
	var query strings.Builder
	query.WriteString("{ node(id: \"x\") { ...f0 } }")
	const levels = 40
	for i := range levels {
		fmt.Fprintf(&query, " fragment f%d on Post { ...f%d ... on Post { ...f%d } }", i, i+1, i+1)
	}
	fmt.Fprintf(&query, " fragment f%d on Post { id }", levels)
	w.must(1, query.String(), nil)
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

func TestLimits_TwoHundredAliases(t *testing.T) {
	w := newWorld(t)
	aliased := func(n int) string {
		var query strings.Builder
		for i := range n {
			fmt.Fprintf(&query, " a%d: __typename", i)
		}
		return query.String()
	}
	w.must(1, `{ viewer {`+aliased(200)+`} }`, nil)
	w.must(1, `{ viewer {`+aliased(100)+` ...f ...f } } fragment f on Viewer {`+aliased(100)+`}`, nil)
	for _, query := range []string{
		`{ viewer {` + aliased(201) + `} }`,
		`{ viewer {` + aliased(101) + ` ...f } } fragment f on Viewer {` + aliased(100) + `}`,
		`{ viewer { user {` + aliased(201) + `} } }`,
	} {
		if got := w.ask(1, query, nil); !cmp.Equal(got.codes(), []string{"QUERY_TOO_COMPLEX"}) {
			t.Errorf("a query with 201 aliases returns %+v", got.Errors)
		}
	}
}

func TestLimits_TwoThousandTokens(t *testing.T) {
	w := newWorld(t)
	if got := w.ask(1, "{"+strings.Repeat(" __typename", 2000)+"}", nil); !cmp.Equal(got.codes(), []string{"GRAPHQL_PARSE_FAILED"}) {
		t.Errorf("a query with 2,002 tokens returns %+v", got.Errors)
	}
}

func TestDocuments_LongOnesRunUncached(t *testing.T) {
	w := newWorld(t)
	query := `{ user(handle: "ben") { name } } #` + strings.Repeat("x", 20<<10)
	for range 2 {
		if got := w.must(1, query, nil).at(t, "user.name"); got != "BEN" {
			t.Errorf("the name is %v, want BEN", got)
		}
	}
}

func TestIntrospection_IsAnOption(t *testing.T) {
	const query = `{ ...s } fragment s on Query { __schema { queryType { name } } }`
	off := newWorld(t)
	if got := off.ask(1, query, nil); !cmp.Equal(got.codes(), []string{"GRAPHQL_VALIDATION_FAILED"}) {
		t.Errorf("without introspection it returns %v, %+v", got.Data, got.Errors)
	}
	on := newWorld(t, func(d *resolvers.Deps) { d.Introspection = true })
	if got := on.must(1, query, nil).at(t, "__schema.queryType.name"); got != "Query" {
		t.Errorf("with introspection it returns %v", got)
	}
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

func TestIntrospection_ReturnsTheWholeSchema(t *testing.T) {
	if got := resolvers.Schema(); got != graph.SDL() || !strings.Contains(got, "type Query {") {
		t.Errorf("the schema is %.200s", got)
	}
}

// A synctest bubble fails if a goroutine is stuck at its end.
func TestRequest_LeavesNoGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		fillFeed(w)
		w.must(1, fullPage, map[string]any{"first": 20})
		w.must(1, `mutation($id: ID!) { likePost(input: {postId: $id}) { post { author { handle } } } }`, map[string]any{"id": postID(4)})
	})
}
