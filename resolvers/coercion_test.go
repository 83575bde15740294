package resolvers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers"
)

// postedTexts returns the texts of the viewer's posts, which tell whether a mutation ran.
func (w *world) postedTexts() []any {
	w.t.Helper()
	return w.must(1, `{ viewer { homeFeed { nodes { text } } } }`, nil).at(w.t, "viewer.homeFeed.nodes").([]any)
}

// The first mutation of each document is valid; the second has an invalid value.
func TestMutations_RunOnlyWhenEveryValueIsCoerced(t *testing.T) {
	two := func(input string) string {
		return `one: publishPost(input: {text: "one"}) { post { id } } two: publishPost(input: ` + input + `) { post { id } }`
	}
	const at = `{text: "two", publishedAt: $at}`
	for name, c := range map[string]struct{ document, variables string }{
		"a variable of a custom scalar":     {`mutation($at: DateTime) { ` + two(at) + ` }`, `{"at":"nonsense"}`},
		"a literal of a custom scalar":      {`mutation { ` + two(`{text: "two", publishedAt: "nonsense"}`) + ` }`, `{}`},
		"a default of a custom scalar":      {`mutation($at: DateTime = "nonsense") { ` + two(at) + ` }`, `{}`},
		"a literal in a fragment":           {`mutation { ...f } fragment f on Mutation { ` + two(`{text: "two", publishedAt: 5}`) + ` }`, `{}`},
		"a list for a custom scalar":        {`mutation { ` + two(`{text: "two", publishedAt: ["2026-05-04T12:30:00Z"]}`) + ` }`, `{}`},
		"a number in a list of URLs":        {`mutation { ` + two(`{text: "two", media: ["https://a.example/", 5]}`) + ` }`, `{}`},
		"a null where the default hides it": {`mutation($t: String = "x") { ` + two(`{text: $t}`) + ` }`, `{"t":null}`},
		"a time out of range":               {`mutation($at: DateTime) { ` + two(at) + ` }`, `{"at":"1969-01-01T00:00:00Z"}`},
		"a number below a mutation": {
			`mutation { ` + two(`{text: "two"}`) + ` three: publishPost(input: {text: "three"}) { post { author { posts(first: 99999999999) { nodes { id } } } } } }`, `{}`,
		},
	} {
		w := newWorld(t)
		body := must(json.Marshal(map[string]any{"query": c.document, "variables": json.RawMessage(c.variables)}))
		rec := w.sendBody(1, body, "Accept", mediaResponse)
		wantRefusal(t, name, rec)
		wantEqual(t, http.StatusBadRequest, rec.Code, "the status of %s", name)
		wantRefusal(t, name+" as a stream", w.sendBody(1, body, "Accept", "text/event-stream"))
		wantEqual(t, []any{}, any(w.postedTexts()), "what %s publishes", name)
	}
}

// The same value is accepted or refused as a variable, as an element of a list, and by GET.
func TestVariables_AreCoercedAsTheSpecificationSays(t *testing.T) {
	w := newWorld(t)
	const (
		homeOf = `query($v: %s) { viewer { homeFeed(%s) { nodes { id } } } }`
		first  = `first: $v`
	)
	for _, c := range []struct {
		document, value string
		// shown is part of the error message; empty if the value is accepted.
		shown string
	}{
		{fmt.Sprintf(homeOf, "Int", first), `1.0`, ""},
		{fmt.Sprintf(homeOf, "Int", first), `1e1`, ""},
		{fmt.Sprintf(homeOf, "Int", first), `null`, ""},
		{fmt.Sprintf(homeOf, "Int", first), `1.5`, "$v is 1.5: "},
		{fmt.Sprintf(homeOf, "Int", first), `"1"`, `$v is "1": `},
		{fmt.Sprintf(homeOf, "Int", first), `2147483648`, "$v is 2147483648: "},
		{fmt.Sprintf(homeOf, "Int", first), `[1]`, "$v is a list of 1 values: "},
		{fmt.Sprintf(homeOf, "String", `after: $v`), `""`, ""},
		{fmt.Sprintf(homeOf, "String", `after: $v`), `5`, "$v is 5: "},
		{fmt.Sprintf(homeOf, "String", `after: $v`), `{"a":1}`, "$v is an object: "},
		{fmt.Sprintf(homeOf, "[PostKind!]", `kinds: $v`), `"POST"`, ""},
		{fmt.Sprintf(homeOf, "[PostKind!]", `kinds: $v`), `["post"]`, `$v[0] is "post": `},
		{fmt.Sprintf(homeOf, "[PostKind!]", `kinds: $v`), `["POST",null]`, `$v[1] is null: PostKind! is required`},
		{`query($v: ID!) { node(id: $v) { id } }`, `5`, ""},
		{`query($v: ID!) { node(id: $v) { id } }`, `12345678901234567890`, ""},
		{`query($v: ID!) { node(id: $v) { id } }`, `5.5`, "$v is 5.5: "},
		{`query($v: ID!) { node(id: $v) { id } }`, `null`, "$v is null: ID! is required"},
		{`query($v: [ID!]!) { nodes(ids: $v) { id } }`, `[["x"]]`, "$v[0] is a list of 1 values: "},
		{`query($v: Boolean!) { viewer @include(if: $v) { user { id } } }`, `true`, ""},
		{`query($v: Boolean!) { viewer @include(if: $v) { user { id } } }`, `1`, "$v is 1: "},
		{`query($v: String!) { user(handle: $v) { id } }`, `"` + strings.Repeat("x", 5000) + `"`, "$v has 5000 bytes: "},
	} {
		variables := `{"v":` + c.value + `}`
		body := must(json.Marshal(map[string]any{"query": c.document, "variables": json.RawMessage(variables)}))
		for how, rec := range map[string]*httptest.ResponseRecorder{
			"POST": w.sendBody(1, body, "Accept", mediaResponse), "GET": w.get(url.Values{"query": {c.document}, "variables": {variables}}), "a stream": w.sendBody(1, body, "Accept", "text/event-stream"),
		} {
			text := rec.Body.String()
			shown, _ := json.Marshal(c.shown)
			refused := strings.Contains(text, `"errors"`) && !strings.Contains(text, `"data"`)
			if refused != (c.shown != "") || !strings.Contains(text, strings.Trim(string(shown), `"`)) {
				t.Errorf("%s with %s by %s returns %s, want %q", c.document, c.value, how, text, c.shown)
			}
		}
	}
}

func TestInputObjects_AreCoercedFieldByField(t *testing.T) {
	w := newWorld(t)
	const publish = `mutation($in: PublishPostInput!) { publishPost(input: $in) { post { id } userErrors { code } } }`
	for in, shown := range map[string]string{
		`{"text":5}`:                            `$in.text is 5: `,
		`{"text":null}`:                         `$in.text is null: String! is required`,
		`{}`:                                    `$in.text is missing: String! is required`,
		`{"text":"x","media":["https://a/",7]}`: `$in.media[1] is 7: `,
		`{"text":"x","colour":"red"}`:           `$in has the field \"colour\": `,
		`{"text":"x","publishedAt":"nonsense"}`: `$in.publishedAt is \"nonsense\": a DateTime must be in RFC 3339`,
		`"x"`:                                   `$in is \"x\": PublishPostInput must be an object`,
		`{"text":"x","clientMutationId":[1,2,3]}`: `$in.clientMutationId is a list of 3 values: `,
	} {
		body := `{"query":"` + publish + `","variables":{"in":` + in + `}}`
		rec := w.sendBody(1, body, "Accept", mediaResponse)
		if rec.Code != http.StatusBadRequest || !strings.Contains(rec.Body.String(), shown) {
			t.Errorf("%s returns %d %s, want %s", in, rec.Code, rec.Body, shown)
		}
	}
	wantEqual(t, []any{}, any(w.postedTexts()), "what the inputs publish")
	for _, in := range []string{`{"text":"x"}`, `{"text":"x","media":"https://a.example/x"}`, `{"text":"x","__typename":"PublishPostInput","replyTo":null}`} {
		got := decoded(t, w.sendBody(1, `{"query":"`+publish+`","variables":{"in":`+in+`}}`))
		wantEqual(t, []string(nil), got.codes(), "the codes for %s", in)
	}
}

func TestBounds_CoverEveryArgument(t *testing.T) {
	schema := graph.LoadSchema()
	bounds := resolvers.Bounds()
	varies := []string{"String", "ID", "URL", "DateTime"}
	check := func(where, name string, typ *ast.Type) {
		def, bound := schema.Types[typ.Name()], bounds[name]
		if typ.Elem != nil && bound.Items == 0 {
			t.Errorf("the length of the list %s is not limited", where)
		}
		if def.Kind == ast.Scalar && !slices.Contains([]string{"Int", "Float", "Boolean"}, def.Name) {
			if !slices.Contains(varies, def.Name) {
				t.Errorf("%s has a scalar type that is unknown to this test", where)
			}
			// Of several ids each is judged alone.
			if bound.Bytes == 0 && !slices.Contains([]string{"ids", "databaseIds"}, name) {
				t.Errorf("the length of %s is not limited", where)
			}
		}
	}
	for _, def := range schema.Types {
		for _, f := range def.Fields {
			if def.Kind == ast.InputObject {
				check(def.Name+"."+f.Name, f.Name, f.Type)
			}
			for _, a := range f.Arguments {
				check(def.Name+"."+f.Name+"("+a.Name+":)", a.Name, a.Type)
			}
		}
	}
	for _, d := range schema.Directives {
		if slices.Contains(d.Locations, ast.LocationField) {
			for _, a := range d.Arguments {
				check("@"+d.Name+"("+a.Name+":)", a.Name, a.Type)
			}
		}
	}
	if n := len(schema.Types["PostKind"].EnumValues); bounds["kinds"].Items != n {
		t.Errorf("a list of kinds may have %d elements, but there are %d kinds", bounds["kinds"].Items, n)
	}
}
