package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers"
)

const (
	newer = "application/graphql-response+json; charset=utf-8"
	older = "application/json; charset=utf-8"
)

func TestHTTP_UsesPreferredMediaType(t *testing.T) {
	w := newWorld(t)
	const name = `{"query":"{__typename}"}`
	for accept, want := range map[string]string{
		"":              older,
		"*/*":           older,
		"application/*": older,
		"application/graphql-response+json, application/json;q=0.9":   newer,
		"application/graphql-response+json;q=0.5, application/json":   older,
		"text/html, application/graphql-response+json;q=0.2":          newer,
		"application/graphql-response+json;q=0, */*;q=0.1":            older,
		"APPLICATION/GRAPHQL-RESPONSE+JSON; charset=UTF-8, */*;q=0.8": newer,
	} {
		rec := w.sendBody(1, name, "Accept", accept)
		wantEqual(t, []string{want, "Accept", "no-store"}, []string{rec.Header().Get("Content-Type"), rec.Header().Get("Vary"), rec.Header().Get("Cache-Control")},
			"status %d, and the headers for Accept: %s", rec.Code, accept)
	}
	for _, accept := range []string{"text/html", "application/json; charset=latin1", "application/json;q=0", "nonsense/"} {
		wantStatus(t, http.StatusNotAcceptable, w.sendBody(1, name, "Accept", accept), accept)
	}
}

// wantStatus checks the status of the response to a request. Requests that are not understood have
// one code.
func wantStatus(t *testing.T, want int, rec *httptest.ResponseRecorder, to string) {
	t.Helper()
	if rec.Code != want || want != http.StatusOK && !cmp.Equal(decoded(t, rec).codes(), []string{badInput}) {
		t.Errorf("%.100s gets %d %.300s, want %d", to, rec.Code, rec.Body, want)
	}
}

// Any web page may send forms to any site with the user's cookies.
func TestHTTP_RejectsForgeableBodies(t *testing.T) {
	w := newWorld(t)
	const mutation = `mutation { publishPost(input: {text: "forged"}) { post { id } } }`
	const part = "--x\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n"
	for contentType, body := range map[string]string{
		"application/x-www-form-urlencoded": url.Values{"query": {mutation}}.Encode(),
		"multipart/form-data; boundary=x":   part + request(mutation, nil) + "\r\n--x--\r\n",
		"text/plain":                        request(mutation, nil),
		"application/graphql":               mutation,
		"application/json; charset=utf-16":  request(mutation, nil),
		"":                                  request(mutation, nil),
	} {
		wantStatus(t, http.StatusUnsupportedMediaType, w.sendBody(1, body, "Content-Type", contentType), contentType)
	}
	wantEqual(t, []any{}, any(w.postedTexts()), "what the refused requests published")
}

func TestHTTP_GetRunsQueriesOnly(t *testing.T) {
	w := newWorld(t)
	rec := w.get(url.Values{
		"query":         {`query a { __typename } query b($h: String!) { user(handle: $h) { name } }`},
		"operationName": {"b"}, "variables": {`{"h":"ben"}`}, "extensions": {`{}`},
	})
	wantEqual(t, "BEN", decoded(t, rec).at(t, "user.name"), "the name by GET")
	rec = w.get(url.Values{"query": {`mutation { publishPost(input: {text: "x"}) { post { id } } }`}})
	wantStatus(t, http.StatusMethodNotAllowed, rec, "a mutation by GET")
	wantEqual(t, "POST", rec.Header().Get("Allow"), "what is allowed instead")
	for _, q := range []url.Values{{}, {"query": {"{__typename}"}, "variables": {"[]"}}, {"query": {"{__typename}"}, "extensions": {"x"}}} {
		wantStatus(t, http.StatusBadRequest, w.get(q), q.Encode())
	}
	for _, method := range []string{http.MethodDelete, http.MethodPatch, http.MethodHead, http.MethodOptions} {
		rec := w.send(httptest.NewRequest(method, "/graphql", nil))
		wantStatus(t, http.StatusMethodNotAllowed, rec, method)
		wantEqual(t, "DELETE, GET, POST, PUT", rec.Header().Get("Allow"), "what is allowed instead of %s", method)
	}
}

func TestHTTP_RejectsMalformedBodies(t *testing.T) {
	w := newWorld(t)
	for _, body := range []string{
		``, `{`, `null`, `[]`, `"{__typename}"`, `{}`, `{"query":""}`, `{"query":5}`, `{"query":{}}`, `{"query":null}`,
		`[{"query":"{__typename}"}]`, `{"query":"{__typename}"} {}`, `{"query":"{__typename}"} x`,
		`{"query":"{__typename}","variables":[]}`, `{"query":"{__typename}","variables":"{}"}`,
		`{"query":"{__typename}","operationName":5}`, `{"query":"{__typename}","extensions":"x"}`,
	} {
		rec := w.sendBody(1, body)
		wantStatus(t, http.StatusBadRequest, rec, body)
		wantRefusal(t, body, rec)
	}
	for _, body := range []string{
		`{"query":"{__typename}","variables":null,"operationName":null,"extensions":null}`,
		`{"query":"{__typename}","variables":{},"operationName":"","extensions":{}, "more": 1}`,
	} {
		wantStatus(t, http.StatusOK, w.sendBody(1, body, "Content-Type", "application/json; charset=utf-8"), body)
	}
	of := func(size int) string {
		const around = `{"query":"{__typename}","variables":{"x":""}}`
		return `{"query":"{__typename}","variables":{"x":"` + strings.Repeat("x", size-len(around)) + `"}}`
	}
	wantStatus(t, http.StatusOK, w.sendBody(1, of(256<<10)), "a body of 256 KiB")
	wantStatus(t, http.StatusRequestEntityTooLarge, w.sendBody(1, of(256<<10+1)), "one byte more")
}

func TestHTTP_BoundsWholeRequests(t *testing.T) {
	w := newWorld(t)
	send := func(method, query, body string, fields int) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, "/graphql?query={__typename}&x="+query, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		for i := range fields {
			r.Header.Set(fmt.Sprintf("X-%d", i), "")
		}
		return w.send(r)
	}
	half := strings.Repeat("x", 128<<10)
	for _, c := range []struct {
		method, query, body string
		fields, status      int
	}{
		{http.MethodGet, half, "", 0, http.StatusOK},
		{http.MethodGet, half + half, "", 0, http.StatusRequestEntityTooLarge},
		{http.MethodPost, half, `{"query":"{__typename}"}`, 0, http.StatusOK},
		{http.MethodPost, half, `{"query":"{__typename} #` + half + `"}`, 0, http.StatusRequestEntityTooLarge},
		{http.MethodGet, "", "", 100, http.StatusOK},
		{http.MethodGet, "", "", 400, http.StatusRequestHeaderFieldsTooLarge},
		{http.MethodPut, "", "", 400, http.StatusRequestHeaderFieldsTooLarge},
	} {
		wantStatus(t, c.status, send(c.method, c.query, c.body, c.fields),
			fmt.Sprintf("%s with %d bytes in the URL, %d in the body and %d fields", c.method, len(c.query), len(c.body), c.fields))
	}
}

// Clients of the older media type treat any status but 200 as a failure of the network.
func TestHTTP_RefusedOperationHasNoData(t *testing.T) {
	w := newWorld(t)
	for query, code := range map[string]string{
		`{`:                                notParsed,
		`{ nothing }`:                      notValid,
		`query a { __typename } query a {`: notParsed,
		`query a { __typename } query b { __typename }`: notValid,
		`query($id: ID!) { node(id: $id) { id } }`:      notValid,
		`subscription { __typename }`:                   notValid,
		`fragment f on Post { id }`:                     notValid,
	} {
		for accept, status := range map[string]int{"application/json": 200, mediaResponse: 400} {
			rec := w.sendBody(1, request(query, nil), "Accept", accept)
			wantRefusal(t, query, rec)
			if codes := decoded(t, rec).codes(); rec.Code != status || len(codes) == 0 || codes[0] != code {
				t.Errorf("%s gets %d and the codes %v, want %d and %s", query, rec.Code, codes, status, code)
			}
		}
	}
}

func TestHTTP_ReportsTimeout(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	wantEqual(t, []string{"TIMEOUT"}, decoded(t, w.askUntil(ctx, `{ viewer { user { id } } }`, nil)).codes(), "the codes")
}

// A nullable variable with a default may be used where null is not allowed, and still be null. The
// guard must find it before the executor panics.
func TestConditions_NullIsRefusedBeforeExecution(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	null := map[string]any{"b": nil, "id": postID(1)}
	const like = `mutation($id: ID!, $b: Boolean = true) { likePost(input: {postId: $id}) {`
	for _, query := range []string{
		`query($b: Boolean = true) { viewer @include(if: $b) { user { id } } }`,
		`query($b: Boolean = null) { viewer @skip(if: $b) { user { id } } }`,
		`query($b: Boolean = true) { viewer { user { id name @skip(if: false) @include(if: $b) } } }`,
		`query($b: Boolean = true) { viewer { ...v @include(if: $b) } } fragment v on Viewer { user { id } }`,
		`query($b: Boolean = true) { viewer { ...v ...v } } fragment v on Viewer { user { ...u } } fragment u on User { id @skip(if: $b) }`,
		`query($b: Boolean = true) { viewer { homeFeed { nodes { id @skip(if: $b) } } } }`,
		like + ` post { id @include(if: $b) } } }`,
		like + ` userErrors { code } } again: likePost(input: {postId: $id}) @include(if: $b) { userErrors { code } } }`,
		`subscription($b: Boolean = true) { homeFeedEdges { cursor @include(if: $b) } }`,
	} {
		got := w.ask(1, query, null)
		if !cmp.Equal(got.codes(), []string{"GRAPHQL_VALIDATION_FAILED"}) || !strings.Contains(got.Errors[0].Message, "$b") || got.Data != nil {
			t.Errorf("%s returns %+v", query, got)
		}
	}
	if got := w.must(1, `query($id: ID!) { node(id: $id) { ... on Post { viewerHasLiked } } }`, null).at(t, "node.viewerHasLiked"); got != false {
		t.Error("a refused mutation liked the post")
	}
}

const mediaResponse = "application/graphql-response+json"

// The server must not run an altered request.
func TestRequest_RejectsTextThatDecodingAlters(t *testing.T) {
	w := newWorld(t)
	const publish = `"query":"mutation($t: String!) { publishPost(input: {text: $t}) { post { text } } }"`
	bodies := map[string]string{
		"half a pair in a variable":           `{` + publish + `,"variables":{"t":"a\ud83c"}}`,
		"invalid UTF-8 in a variable":         `{` + publish + `,"variables":{"t":"` + "\xff" + `"}}`,
		"half a pair as a variable's name":    `{` + publish + `,"variables":{"t":"x","\ud83c":1}}`,
		"half a pair in an extension":         `{"query":"{__typename}","extensions":{"a":"\ud83c"}}`,
		"half a pair in the operation's name": `{"query":"{__typename}","operationName":"\ud83c"}`,
		"half a pair in a document's id":      `{"documentId":"\ud83c"}`,
		"half a pair in the query":            `{"query":"{__typename} # \ud83c"}`,
		"half a pair in a literal":            `{"query":"mutation { publishPost(input: {text: \"a\\ud83c\"}) { post { text } } }"}`,
	}
	for name, body := range bodies {
		for accept, status := range map[string]int{mediaResponse: http.StatusBadRequest, "text/event-stream": 0} {
			rec := w.sendBody(1, body, "Accept", accept)
			if status != 0 && rec.Code != status {
				t.Errorf("%s as %s: status %d", name, accept, rec.Code)
			}
			wantRefusal(t, name, rec)
		}
	}
	wantEqual(t, []any{}, any(w.postedTexts()), "what the refused requests published")
}

// wantRefusal checks that a response is an error of the request and shows no altered text.
func wantRefusal(t *testing.T, name string, rec *httptest.ResponseRecorder) {
	t.Helper()
	text := rec.Body.String()
	if !strings.Contains(text, `"errors"`) || strings.Contains(text, `"data"`) || strings.Contains(text, "\ufffd") {
		t.Errorf("%s: the response is %d %s", name, rec.Code, text)
	}
}

func TestRequest_RejectsMalformedParameters(t *testing.T) {
	w := newWorld(t)
	for name, query := range map[string]string{
		"invalid UTF-8 in the query":       `query=%7B__typename%7D%20%23%FF`,
		"invalid UTF-8 in a document's id": `documentId=%FF`,
		"invalid UTF-8 in a variable":      `query=query($h:String!)%7Buser(handle:$h)%7Bid%7D%7D&variables=%7B%22h%22:%22%FF%22%7D`,
		"half a pair in a variable":        `query=query($h:String!)%7Buser(handle:$h)%7Bid%7D%7D&variables=` + url.QueryEscape(`{"h":"\ud83c"}`),
		"half a pair in a literal":         `query=` + url.QueryEscape(`{ user(handle: "\ud83c") { id } }`),
		"a parameter that is cut off":      `query=%7B__typename%7D&variables=%7`,
	} {
		r := httptest.NewRequest(http.MethodGet, "/graphql?"+query, nil)
		r.Header.Set("Accept", mediaResponse)
		rec := w.send(r)
		wantEqual(t, http.StatusBadRequest, rec.Code, "the status of %s", name)
		wantRefusal(t, name, rec)
	}
}

func TestRequest_KeepsWholeSurrogatePairs(t *testing.T) {
	w := newWorld(t)
	for _, body := range []string{
		`{"query":"mutation($t: String!) { publishPost(input: {text: $t}) { post { text } } }","variables":{"t":"\ud83c\udf0a"}}`,
		`{"query":"mutation { publishPost(input: {text: \"\\ud83c\\udf0a\"}) { post { text } } }"}`,
		`{"query":"mutation { publishPost(input: {text: \"\\u{1F30A}\"}) { post { text } } }"}`,
	} {
		wantEqual(t, "🌊", decoded(t, w.sendBody(1, body)).at(t, "publishPost.post.text"), "what %s publishes", body)
	}
}

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
	bounds := resolvers.Bounds(graph.LoadSchema())
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
