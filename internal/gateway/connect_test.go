package gateway

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// opened returns the context of a socket that was opened with the request, as Identify
// makes it.
func opened(t *testing.T, a Authenticator, r *http.Request) context.Context {
	t.Helper()
	var ctx context.Context
	serve(Identify(a, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { ctx = r.Context() })), r)
	if ctx == nil {
		t.Fatal("the socket was not opened")
	}
	return ctx
}

// A socket is whose its payload's token is, or else whose it was opened by, and ends
// with the token that says so.
func TestConnectDecidesWhoseASocketIs(t *testing.T) {
	a := Authenticator{testTokens(), keep, discard()}
	long, err := testTokens().Sign(root, 2*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	get := func() *http.Request { return localRequest("GET", "/graphql", "") }
	bearer := "Bearer " + mustSign(t, ann)
	for name, c := range map[string]struct {
		request *http.Request
		payload map[string]any
		want    string
		expires time.Time
	}{
		"nobody":                      {get(), nil, "", time.Time{}},
		"nobody, with other payload":  {get(), map[string]any{"client": "web", "token": bearer}, "", time.Time{}},
		"a token":                     {get(), map[string]any{"Authorization": bearer}, "ann", noon.Add(time.Hour)},
		"a token in lower case":       {get(), map[string]any{"authorization": "bearer " + mustSign(t, ann)}, "ann", noon.Add(time.Hour)},
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
			t.Errorf("%s: the socket is %q's until %v, want %q's until %v", name, id.Handle, expires, c.want, c.expires)
		}
	}
}

// Whoever sends a token means to be somebody: one that does not hold makes no anonymous
// socket, and no socket of him who holds the cookie.
func TestConnectRefusesATokenThatDoesNotHold(t *testing.T) {
	a := Authenticator{testTokens(), keep, discard()}
	ctx := opened(t, a, withCookie(localRequest("GET", "/graphql", ""), mustSign(t, root)))
	good := "Bearer " + mustSign(t, ann)
	for name, payload := range map[string]map[string]any{
		"garbage":         {"Authorization": "Bearer x"},
		"no token":        {"Authorization": "Bearer"},
		"nothing":         {"Authorization": ""},
		"null":            {"Authorization": nil},
		"a number":        {"Authorization": 5},
		"an object":       {"Authorization": map[string]any{"token": "x"}},
		"several":         {"Authorization": []any{good}},
		"another scheme":  {"Authorization": "Basic eDp5"},
		"no scheme":       {"Authorization": mustSign(t, ann)},
		"two names":       {"Authorization": good, "authorization": good},
		"algorithm none":  {"Authorization": "Bearer " + stripSignature(forge(`{"alg":"none"}`, payload, nil))},
		"another's token": {"Authorization": "Bearer " + forge(hs256, payload, bytes.Repeat([]byte("x"), 32))},
	} {
		if got, _, err := a.Connect(ctx, payload); feed.CodeOf(err) != feed.CodeUnauthenticated || got != nil {
			t.Errorf("%s: the socket is opened, %v", name, err)
		}
	}
	later := Authenticator{NewTokens(testSecret, later(time.Hour)), keep, discard()}
	if _, _, err := later.Connect(ctx, map[string]any{"Authorization": good}); clientMessage(err) != "the token has expired" {
		t.Errorf("an expired token is refused with %v", err)
	}
}

// A user who cannot be had opens no socket. The client learns the code and no cause.
func TestConnectWhenTheUserCannotBeHad(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want feed.Error
	}{
		"counts for nothing":     {feed.Errorf(feed.CodeUnauthenticated, "the account is gone"), feed.Error{Code: feed.CodeUnauthenticated, Message: "the account is gone"}},
		"the store is away":      {feed.Unavailable("the user store", errors.New("secret detail")), feed.Error{Code: feed.CodeUnavailable, Message: "the user store cannot be reached"}},
		"the claims are no user": {feed.Errorf(feed.CodeInvalid, "the handle is too long"), feed.Error{Code: feed.CodeForbidden, Message: "the handle is too long"}},
		"not foreseen":           {errors.New("secret detail"), feed.Error{Code: feed.CodeInternal, Message: "internal error"}},
	} {
		var log bytes.Buffer
		attach := func(context.Context, Identity) (context.Context, error) { return nil, c.err }
		a := Authenticator{testTokens(), attach, slog.New(slog.NewTextHandler(&log, nil))}
		ctx, _, err := a.Connect(t.Context(), map[string]any{"authorization": "Bearer " + mustSign(t, ann)})
		if ctx != nil || err == nil || err.Error() != c.want.Error() {
			t.Errorf("%s: the client reads %v, want %v", name, err, &c.want)
		}
		if !strings.Contains(log.String(), c.err.Error()) {
			t.Errorf("%s: the log does not have the cause: %s", name, &log)
		}
	}
}
