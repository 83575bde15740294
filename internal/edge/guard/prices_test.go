package guard

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/graph"
)

// The cached measure must not depend on earlier requests and their variables.
func TestPrices_CachedEqualsComputed(t *testing.T) {
	schema := graph.LoadSchema()
	const text = `query a($first: Int, $last: Int = 7, $ids: [ID!] = ["x", "y"], $n: Int!, $after: String = "x") {
		viewer { homeFeed(first: $first, last: $last, after: $after) { nodes { comments(first: $n) { nodes { id } } } } }
		nodes(ids: $ids) { id }
	} query b($first: Int) { users(query: "", first: $first) { nodes { id } } }`
	doc := parsed(t, text)
	number := rapid.OneOf(rapid.Just[any](nil), rapid.Map(rapid.IntRange(-1, 200), func(n int) any { return json.Number(fmt.Sprint(n)) }),
		rapid.SampledFrom([]any{"text", 3.5, true, json.Number("1e9")}))
	rapid.Check(t, func(t *rapid.T) {
		d := newDocuments(schema)
		d.Add(t.Context(), text, doc)
		known, _ := d.kept.Get(t.Context(), text)
		for range rapid.IntRange(1, 40).Draw(t, "requests") {
			operation := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "operation")
			variables := map[string]any{}
			for _, name := range []string{"first", "last", "n"} {
				if rapid.Bool().Draw(t, "given") {
					variables[name] = number.Draw(t, name)
				}
			}
			if rapid.Bool().Draw(t, "given") {
				variables["ids"] = make([]any, rapid.IntRange(0, 3).Draw(t, "ids"))
			}
			if rapid.Bool().Draw(t, "given") {
				variables["after"] = strings.Repeat("x", rapid.IntRange(0, 10_000).Draw(t, "after"))
			}
			want := measure(schema, doc, operation, variables)
			if diff := cmp.Diff(want, d.measure(known, operation, variables)); diff != "" {
				t.Fatalf("%s with %v (-want +got):\n%s", operation, variables, diff)
			}
		}
	})
}

func TestDocuments_CacheNoLargeOnes(t *testing.T) {
	d := newDocuments(&ast.Schema{})
	for _, c := range []struct {
		text string
		kept bool
	}{
		{"{" + strings.Repeat(" a", selectionsMax) + "}", true},
		{"{" + strings.Repeat(" a", selectionsMax+1) + "}", false},
		{"{ a }" + strings.Repeat(" ", documentMax-5), true},
		{"{ a }" + strings.Repeat(" ", documentMax-4), false},
	} {
		doc, err := parser.ParseQuery(&ast.Source{Input: c.text})
		noError(t, err)
		d.Add(t.Context(), c.text, doc)
		if _, kept := d.Get(t.Context(), c.text); kept != c.kept {
			t.Errorf("a document of %d bytes begins with %.20q; it is cached: %t", len(c.text), c.text, kept)
		}
	}
}
