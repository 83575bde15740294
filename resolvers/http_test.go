package resolvers_test

import (
	"context"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func (w *world) postBody(contentType, accept, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	r.Header.Set("X-Viewer", "1")
	return w.send(r)
}

const (
	newer = "application/graphql-response+json; charset=utf-8"
	older = "application/json; charset=utf-8"
)

func TestHTTP_UsesPreferredMediaType(t *testing.T) {
	w := newWorld(t)
	for accept, want := range map[string]string{
		"":                                  older,
		"*/*":                               older,
		"application/*":                     older,
		"application/json":                  older,
		"application/json; charset=utf-8":   older,
		"application/graphql-response+json": newer,
		"application/graphql-response+json, application/json;q=0.9":   newer,
		"application/graphql-response+json;q=0.5, application/json":   older,
		"text/html, application/graphql-response+json;q=0.2":          newer,
		"application/graphql-response+json;q=0, */*;q=0.1":            older,
		"APPLICATION/GRAPHQL-RESPONSE+JSON; charset=UTF-8, */*;q=0.8": newer,
	} {
		rec := w.postBody("application/json", accept, `{"query":"{__typename}"}`)
		if got := rec.Header().Get("Content-Type"); got != want || rec.Code != http.StatusOK {
			t.Errorf("Accept %s: status %d with %s, want %s", accept, rec.Code, got, want)
		}
		if rec.Header().Get("Vary") != "Accept" || rec.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("Accept %s: the headers for caches are %v", accept, rec.Header())
		}
	}
	for _, accept := range []string{"text/html", "application/json; charset=latin1", "application/json;q=0", "nonsense/"} {
		if rec := w.postBody("application/json", accept, `{"query":"{__typename}"}`); rec.Code != http.StatusNotAcceptable {
			t.Errorf("Accept %s: status %d", accept, rec.Code)
		}
	}
}

// Any web page may send forms to any site with the user's cookies.
func TestHTTP_RejectsForgeableBodies(t *testing.T) {
	w := newWorld(t)
	const mutation = `mutation { publishPost(input: {text: "forged"}) { post { id } } }`
	var form strings.Builder
	parts := multipart.NewWriter(&form)
	for name, value := range map[string]string{"operations": `{"query":"` + mutation + `"}`, "map": "{}", "query": mutation} {
		if err := parts.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := parts.Close(); err != nil {
		t.Fatal(err)
	}
	json := `{"query":"mutation { publishPost(input: {text: \"forged\"}) { post { id } } }"}`
	for contentType, body := range map[string]string{
		"application/x-www-form-urlencoded": url.Values{"query": {mutation}}.Encode(),
		parts.FormDataContentType():         form.String(),
		"text/plain":                        json,
		"application/graphql":               mutation,
		"application/json; charset=utf-16":  json,
		"":                                  json,
	} {
		if rec := w.postBody(contentType, "", body); rec.Code != http.StatusUnsupportedMediaType {
			t.Errorf("Content-Type %s: the response is %d %s", contentType, rec.Code, rec.Body)
		}
	}
	if n := w.must(1, `{ viewer { homeFeed { nodes { id } } } }`, nil).at(t, "viewer.homeFeed.nodes"); len(n.([]any)) != 0 {
		t.Errorf("the refused requests published %v", n)
	}
}

func TestHTTP_GetRunsQueriesOnly(t *testing.T) {
	w := newWorld(t)
	get := func(q url.Values) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/graphql?"+q.Encode(), nil)
		r.Header.Set("X-Viewer", "1")
		return w.send(r)
	}
	rec := get(url.Values{
		"query":         {`query a { __typename } query b($h: String!) { user(handle: $h) { name } }`},
		"operationName": {"b"}, "variables": {`{"h":"ben"}`}, "extensions": {`{}`},
	})
	if got := decoded(t, rec); rec.Code != http.StatusOK || got.at(t, "user.name") != "BEN" {
		t.Errorf("the response to a query by GET is %d %s", rec.Code, rec.Body)
	}
	rec = get(url.Values{"query": {`mutation { publishPost(input: {text: "x"}) { post { id } } }`}})
	if rec.Code != http.StatusMethodNotAllowed || rec.Header().Get("Allow") != "POST" {
		t.Errorf("the response to a mutation by GET is %d %s", rec.Code, rec.Body)
	}
	for _, q := range []url.Values{{}, {"query": {"{__typename}"}, "variables": {"[]"}}, {"query": {"{__typename}"}, "extensions": {"x"}}} {
		if rec := get(q); rec.Code != http.StatusBadRequest {
			t.Errorf("GET %s: the response is %d %s", q.Encode(), rec.Code, rec.Body)
		}
	}
}

func TestHTTP_RejectsOtherMethods(t *testing.T) {
	w := newWorld(t)
	for _, method := range []string{http.MethodDelete, http.MethodPatch, http.MethodHead, http.MethodOptions} {
		rec := w.send(httptest.NewRequest(method, "/graphql", nil))
		if rec.Code != http.StatusMethodNotAllowed || rec.Header().Get("Allow") != "DELETE, GET, POST, PUT" {
			t.Errorf("%s: status %d, Allow: %s", method, rec.Code, rec.Header().Get("Allow"))
		}
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
		rec := w.postBody("application/json", "", body)
		got := decoded(t, rec)
		if rec.Code != http.StatusBadRequest || !cmp.Equal(got.codes(), []string{"BAD_USER_INPUT"}) || strings.Contains(rec.Body.String(), `"data"`) {
			t.Errorf("%s returns %d %s", body, rec.Code, rec.Body)
		}
	}
	for _, body := range []string{
		`{"query":"{__typename}","variables":null,"operationName":null,"extensions":null}`,
		`{"query":"{__typename}","variables":{},"operationName":"","extensions":{}, "more": 1}`,
	} {
		if rec := w.postBody("application/json; charset=utf-8", "", body); rec.Code != http.StatusOK {
			t.Errorf("%s returns %d %s", body, rec.Code, rec.Body)
		}
	}
}

func TestHTTP_RejectsLargeBodies(t *testing.T) {
	w := newWorld(t)
	body := func(size int) string {
		const around = `{"query":"{__typename}","variables":{"x":""}}`
		return `{"query":"{__typename}","variables":{"x":"` + strings.Repeat("x", size-len(around)) + `"}}`
	}
	if rec := w.postBody("application/json", "", body(256<<10)); rec.Code != http.StatusOK {
		t.Errorf("the response to 256 KiB is %d %s", rec.Code, rec.Body)
	}
	if rec := w.postBody("application/json", "", body(256<<10+1)); rec.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("the response to one byte more is %d %s", rec.Code, rec.Body)
	}
}

// Clients of the older media type treat any status but 200 as a failure of the network.
func TestHTTP_RefusedOperationHasNoData(t *testing.T) {
	w := newWorld(t)
	for query, code := range map[string]string{
		`{`:                                "GRAPHQL_PARSE_FAILED",
		`{ nothing }`:                      "GRAPHQL_VALIDATION_FAILED",
		`query a { __typename } query a {`: "GRAPHQL_PARSE_FAILED",
		`query a { __typename } query b { __typename }`: "GRAPHQL_VALIDATION_FAILED",
		`query($id: ID!) { node(id: $id) { id } }`:      "GRAPHQL_VALIDATION_FAILED",
		`subscription { __typename }`:                   "GRAPHQL_VALIDATION_FAILED",
		`fragment f on Post { id }`:                     "GRAPHQL_VALIDATION_FAILED",
	} {
		for accept, status := range map[string]int{"application/json": 200, "application/graphql-response+json": 400} {
			rec := w.postBody("application/json", accept, `{"query":"`+query+`"}`)
			got := decoded(t, rec)
			if rec.Code != status || len(got.Errors) == 0 || got.codes()[0] != code || strings.Contains(rec.Body.String(), `"data"`) {
				t.Errorf("%s as %s: the response is %d %s, want %d %s", query, accept, rec.Code, rec.Body, status, code)
			}
		}
	}
}

func TestHTTP_ReportsTimeout(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", strings.NewReader(`{"query":"{ viewer { user { id } } }"}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Viewer", "1")
	if got := decoded(t, w.send(r)); !cmp.Equal(got.codes(), []string{"TIMEOUT"}) {
		t.Errorf("%+v", got)
	}
}
