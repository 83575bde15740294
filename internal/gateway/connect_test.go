package gateway

import (
	"bytes"
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// opened returns the context of a socket that the request opened.
func opened(t *testing.T, a Authenticator, r *http.Request) context.Context {
	t.Helper()
	var ctx context.Context
	serve(Identify(a, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { ctx = r.Context() })), r)
	if ctx == nil {
		t.Fatal("the socket was not opened")
	}
	return ctx
}

func TestConnect_PrefersTokenOfPayload(t *testing.T) {
	a := Authenticator{testTokens(), keep, nil, discard()}
	long, err := testTokens().Sign(root, 2*time.Hour)
	noError(t, err)
	get := func() *http.Request { return localRequest("GET", "/graphql", "") }
	bearer := "Bearer " + mustSign(t, ann)
	for name, c := range map[string]struct {
		request *http.Request
		payload map[string]any
		want    string
		expires time.Time
	}{
		"anonymous":                   {get(), nil, "", time.Time{}},
		"nobody, with other payload":  {get(), map[string]any{"client": "web", "author": "ann", "expiresInMillis": 5, "list": []any{"a.b.c", 1, nil}}, "", time.Time{}},
		"a token":                     {get(), map[string]any{"Authorization": bearer}, "ann", noon.Add(time.Hour)},
		"token":                       {get(), map[string]any{"token": mustSign(t, ann)}, "ann", noon.Add(time.Hour)},
		"authToken":                   {get(), map[string]any{"authToken": mustSign(t, ann)}, "ann", noon.Add(time.Hour)},
		"headers":                     {get(), map[string]any{"headers": map[string]any{"authorization": bearer, "X-Client": "web"}}, "ann", noon.Add(time.Hour)},
		"a token and an unknown one":  {get(), map[string]any{"Authorization": bearer, "csrfToken": "x"}, "ann", noon.Add(time.Hour)},
		"a cookie":                    {withCookie(get(), long), map[string]any{}, "root", noon.Add(2 * time.Hour)},
		"a header":                    {withBearer(get(), long), nil, "root", noon.Add(2 * time.Hour)},
		"a token over a cookie":       {withCookie(get(), long), map[string]any{"authorization": bearer}, "ann", noon.Add(time.Hour)},
		"a cookie that does not hold": {withCookie(get(), "stale"), nil, "", time.Time{}},
	} {
		ctx, expires, err := a.Connect(opened(t, a, c.request), c.payload)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if id, _ := IdentityFrom(ctx); id.Handle != c.want || !expires.Equal(c.expires) {
			t.Errorf("%s: viewer %q until %v, want %q until %v", name, id.Handle, expires, c.want, c.expires)
		}
	}
}

// A client that sends a token expects to be signed in, so an invalid one must not open an
// anonymous socket or one of the cookie's user.
func TestConnect_RefusesInvalidTokens(t *testing.T) {
	a := Authenticator{testTokens(), keep, nil, discard()}
	ctx := opened(t, a, withCookie(localRequest("GET", "/graphql", ""), mustSign(t, root)))
	good := "Bearer " + mustSign(t, ann)
	for name, payload := range map[string]map[string]any{
		"garbage":         {"Authorization": "Bearer x"},
		"a number":        {"Authorization": 5},
		"several":         {"Authorization": []any{good}},
		"another scheme":  {"Authorization": "Basic eDp5"},
		"two names":       {"Authorization": good, "authorization": good},
		"two places":      {"Authorization": good, "headers": map[string]any{"authorization": good}},
		"empty token":     {"token": ""},
		"bare header":     {"headers": map[string]any{"Authorization": mustSign(t, ann)}},
		"deep":            {"context": map[string]any{"headers": map[string]any{"authorization": good}}},
		"password":        {"user": "ann", "password": "x"},
		"by value":        {"me": mustSign(t, ann)},
		"another's token": {"Authorization": "Bearer " + forge(hs256, payload, bytes.Repeat([]byte("x"), 32))},
	} {
		if got, _, err := a.Connect(ctx, payload); feed.CodeOf(err) != feed.CodeUnauthenticated || got != nil {
			t.Errorf("%s: the socket was opened, %v", name, err)
		}
	}
	later := Authenticator{NewTokens(testSecret, later(time.Hour)), keep, nil, discard()}
	if _, _, err := later.Connect(ctx, map[string]any{"Authorization": good}); clientMessage(err) != "the token has expired" {
		t.Errorf("an expired token got %v", err)
	}
}

func TestConnect_NamesRefusedField(t *testing.T) {
	a := Authenticator{testTokens(), keep, nil, discard()}
	for want, payload := range map[string]map[string]any{
		`the field "jwt" of connection_init is unknown; send {"Authorization": "Bearer TOKEN"}`: {"jwt": "x"},
		`the field "token" of connection_init must be a token or be omitted`:                    {"token": nil},
		`the field "authorization" of connection_init must be "Bearer TOKEN"`:                   {"authorization": "x"},
		`connection_init has several tokens`:                                                    {"authorization": "x", "token": "y"},
	} {
		_, _, err := a.Connect(t.Context(), payload)
		// The reason of a close has at most 123 bytes, and the transport needs some.
		if got := clientMessage(err); got != want || len("Forbidden: "+got) > 123 {
			t.Errorf("%v: got %q, want %q", payload, got, want)
		}
	}
}
