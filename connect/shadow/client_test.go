package shadow_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/connect/shadow"
)

// ask returns what a handler shows user "a/7", and the requests that it got.
func ask(t *testing.T, file string, timeout time.Duration, handle func(n int, w http.ResponseWriter)) (shadow.Scroll, []string, error) {
	t.Helper()
	var mu sync.Mutex
	var requests []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		requests = append(requests, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", r.Method, r.RequestURI, r.Header.Get("Authorization"), body)))
		n := len(requests)
		mu.Unlock()
		handle(n, waiting{w, r.Context()})
	}))
	defer server.Close()
	m, err := shadow.ParseMap([]byte(file), environment)
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(server.URL + "/v1?app=x")
	if err != nil {
		t.Fatal(err)
	}
	c := &shadow.Client{
		Map: m, URL: target, HTTP: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		Limit: rate.NewLimiter(rate.Inf, 1), Pages: 3, Timeout: timeout, Wait: time.Millisecond,
	}
	scroll, err := c.Scroll(t.Context(), "a/7")
	mu.Lock()
	defer mu.Unlock()
	return scroll, slices.Clone(requests), err
}

// waiting is a response whose context ends with the request.
type waiting struct {
	http.ResponseWriter
	context.Context
}

func serves(pages ...string) func(int, http.ResponseWriter) {
	return func(n int, w http.ResponseWriter) { _, _ = io.WriteString(w, pages[n-1]) }
}

func TestClient_AsksAsTheFileSays(t *testing.T) {
	one, two := `{"items":[{"id":9223372036854775807,"at":"2026-01-01T00:00:00Z"}],"next":%s}`, `{"items":[{"id":"x","at":null}],"next":%s}`
	for name, c := range map[string]struct {
		file     string
		next     [2]string
		requests []string
		pages    int
		complete bool
	}{
		"by cursor, to the end": {
			minimal + "request: {path: [u, =viewer, 7], query: {limit: 20, at: =cursor, none: null}, headers: {Authorization: =env.OLD_TOKEN}}",
			[2]string{`"c+1"`, `""`},
			[]string{"GET /v1/u/a%2F7/7?app=x&limit=20 very secret", "GET /v1/u/a%2F7/7?app=x&at=c%2B1&limit=20 very secret"},
			2, true,
		},
		"by number": {
			minimal + "request: {query: {page: =number}}",
			[2]string{"true", "false"},
			[]string{"GET /v1?app=x&page=1", "GET /v1?app=x&page=2"},
			2, true,
		},
		"by a body": {
			minimal + "request: {body: {query: q, variables: {id: =viewer, first: 20, after: =cursor, all: [=number, true, 1.5]}}}",
			[2]string{"5", "null"},
			[]string{
				`POST /v1?app=x  {"query":"q","variables":{"all":[1,true,1.5],"first":20,"id":"a/7"}}`,
				`POST /v1?app=x  {"query":"q","variables":{"after":5,"all":[2,true,1.5],"first":20,"id":"a/7"}}`,
			},
			2, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			scroll, requests, err := ask(t, c.file, time.Minute, serves(fmt.Sprintf(one, c.next[0]), fmt.Sprintf(two, c.next[1])))
			if err != nil || scroll.Pages != c.pages || scroll.Complete != c.complete || !slices.Equal(requests, c.requests) {
				t.Errorf("the scroll is %+v %v after\n%s", scroll, err, strings.Join(requests, "\n"))
			}
			want := []shadow.Item{{ID: "9223372036854775807", At: 1767225600000, Page: 1}, {ID: "x", Page: 2}}
			if !slices.Equal(scroll.Items, want) {
				t.Errorf("the items are %+v", scroll.Items)
			}
		})
	}
}

func TestClient_RepeatsRequests(t *testing.T) {
	scroll, requests, err := ask(t, minimal, time.Minute, func(n int, w http.ResponseWriter) {
		switch n {
		case 1:
			w.WriteHeader(http.StatusBadGateway)
		case 2:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		case 3:
			panic(http.ErrAbortHandler)
		default:
			_, _ = io.WriteString(w, `{"items":[],"next":null}`)
		}
	})
	if err != nil || len(requests) != 4 || !scroll.Complete {
		t.Errorf("after %d requests the scroll is %+v, %v", len(requests), scroll, err)
	}
}

func TestClient_ErrorsKeepSecrets(t *testing.T) {
	const secret = minimal + "request: {query: {token: =env.OLD_TOKEN}}"
	answers := func(text string) func(int, http.ResponseWriter) {
		return func(_ int, w http.ResponseWriter) { _, _ = io.WriteString(w, text) }
	}
	for name, c := range map[string]struct {
		file     string
		handle   func(int, http.ResponseWriter)
		requests int
		want     string
	}{
		"a server error": {secret, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) }, 4, "page 1: the old feed answers 500 Internal Server Error"},
		"a refusal":      {secret, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusForbidden) }, 1, "page 1: the old feed answers 403 Forbidden"},
		"a redirection": {secret, func(_ int, w http.ResponseWriter) {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(http.StatusFound)
		}, 1, "page 1: the old feed answers 302 Found"},
		"a cut connection": {secret, func(int, http.ResponseWriter) { panic(http.ErrAbortHandler) }, 4, "page 1: ask the old feed: EOF"},
		"no JSON":          {secret, answers("<html>"), 1, "page 1: not JSON"},
		"no list":          {minimal, answers(`{"items":7}`), 1, "page 1: line 1: the posts are no list"},
		"no items":         {minimal, answers(`{}`), 1, "page 1: line 1: no such key: items"},
		"no id":            {minimal, answers(`{"items":[{"id":null}]}`), 1, "page 1: line 2: a post has no id"},
		"no time":          {minimal, answers(`{"items":[{"id":1,"at":"yesterday"}]}`), 1, `page 1: line 2: "yesterday" is no time`},
		"a number as time": {minimal, answers(`{"items":[{"id":1,"at":7}]}`), 1, "page 1: line 2: the time is no text; write =millis(…)"},
		"a cursor twice":   {minimal, answers(`{"items":[],"next":"c"}`), 2, "page 2: the next page has the same cursor as a page before"},
		"a failing value":  {minimal + "request: {query: {n: =int(env.OLD_TOKEN)}}", answers("{}"), 0, "page 1: line 3: "},
		"a list as header": {minimal + `request: {headers: {A: "=[viewer]"}}`, answers("{}"), 0, "page 1: line 3: A is no text"},
		"a list in a path": {minimal + `request: {path: ["=[viewer]"]}`, answers("{}"), 0, "page 1: line 3: a part of the path is no text"},
	} {
		t.Run(name, func(t *testing.T) {
			_, requests, err := ask(t, c.file, time.Minute, c.handle)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "very secret") || len(requests) != c.requests {
				t.Errorf("after %d requests the error is %v, want %q", len(requests), err, c.want)
			}
		})
	}
}

func TestClient_TimesOut(t *testing.T) {
	_, _, err := ask(t, minimal, 20*time.Millisecond, func(_ int, w http.ResponseWriter) { <-w.(waiting).Done() })
	if err == nil || err.Error() != "page 1: ask the old feed: context deadline exceeded" {
		t.Errorf("the error is %v", err)
	}
}

// minimal is a file without optional parts.
const minimal = "page: {posts: =body.items, next: =body.next}\npost: {id: =post.id, publishedAt: =post.at}\n"

func environment(name string) (string, bool) {
	value, set := map[string]string{"OLD_TOKEN": "very secret", "ONE": "1"}[name]
	return value, set
}

func TestParseMap_NamesEachMistake(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"no YAML":          {"page: [", "not YAML or JSON: line 1:"},
		"an empty file":    {"", "line 1: the file is empty"},
		"missing parts":    {"page: {}", `line 1: "post" is missing|line 1: "posts" is missing`},
		"an unknown part":  {minimal + "request:\n  body: 1\n  url: x\n", `line 5: "url" is not known here`},
		"a constant":       {"page: {posts: items}\npost: {id: =post.id}", `line 1: "=" and an expression must be here`},
		"a query as text":  {minimal + "request:\n  query: limit=20\n", "line 4: an object must be here"},
		"no method":        {minimal + "request:\n  method: PUT\n", `line 4: the method must be GET or POST, not "PUT"`},
		"GET with a body":  {minimal + "request:\n  method: GET\n  body: {a: 1}\n", "line 5: a request with the method GET has no body"},
		"no such variable": {minimal + "request:\n  headers:\n    A: =env.OTHER\n", "line 5: the environment variable OTHER is not set"},
		"all variables":    {minimal + "request:\n  headers:\n    A: =string(size(env))\n", "line 5: name environment variables"},
		"a wrong variable": {"page: {posts: =post.items}\npost: {id: =post.id}", "line 1: the expression \"post.items\": undeclared reference to 'post'"},
		"a wrong syntax":   {minimal + "request:\n  body:\n    a: [1, =viewer +]\n", `line 5: the expression "viewer +"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := shadow.ParseMap([]byte(c.file), environment)
			var mistakes mapping.Mistakes
			if !errors.As(err, &mistakes) {
				t.Fatalf("the error is %v", err)
			}
			for _, want := range strings.Split(c.want, "|") {
				if !strings.Contains(err.Error()+"\n", strings.TrimSpace(want)) {
					t.Errorf("the error is\n%v\nwant %q", err, want)
				}
			}
		})
	}
}
