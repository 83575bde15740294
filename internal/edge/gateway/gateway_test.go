package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
)

var noon = time.Date(2024, 5, 17, 12, 0, 0, 0, time.UTC)

func atNoon() time.Time { return noon }

// later returns a clock that stopped d after noon.
func later(d time.Duration) func() time.Time {
	return func() time.Time { return noon.Add(d) }
}

// testSecret has the minimum length.
var testSecret = bytes.Repeat([]byte("tide"), MinSecret/4)

var (
	ann  = Claims{User: 7, Handle: "ann", Name: "Ann", Picture: "https://example.org/ann.png"}
	root = Claims{User: 1, Handle: "root", Admin: true}
)

func testTokens() *Tokens { return NewTokens(testSecret, atNoon) }

// mustSign returns a token that is valid for an hour from noon.
func mustSign(t testing.TB, c Claims) string {
	t.Helper()
	token, err := testTokens().Sign(c, time.Hour)
	noError(t, err)
	return token
}

func serve(h http.Handler, r *http.Request) *http.Response {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec.Result()
}

// localRequest returns a request of a browser on the server's machine.
func localRequest(method, target, body string) *http.Request {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+target, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:50000"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func withCookie(r *http.Request, token string) *http.Request {
	r.AddCookie(&http.Cookie{Name: SessionCookie, Value: token})
	return r
}

func withBearer(r *http.Request, token string) *http.Request {
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

// wantRefusal checks the status and the body of a refusal.
func wantRefusal(t *testing.T, resp *http.Response, status int, code feed.Code) {
	t.Helper()
	wantEqual(t, status, resp.StatusCode, "the status")
	wantEqual(t, "application/json; charset=utf-8", resp.Header.Get("Content-Type"), "the content type")
	var body map[string]json.RawMessage
	var errs []struct {
		Message    string
		Extensions struct{ Code feed.Code }
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		t.Fatalf("the body is not JSON: %v", err)
	}
	if err := json.Unmarshal(body["errors"], &errs); err != nil || len(errs) != 1 {
		t.Fatalf("the body does not have exactly one error: %s", body["errors"])
	}
	if errs[0].Message == "" || errs[0].Extensions.Code != code {
		t.Errorf("the error is %+v, want a message and code %s", errs[0], code)
	}
	if _, ok := body["data"]; ok {
		t.Error("a refused request has data")
	}
}

// sessionCookie returns the session cookie that the response sets.
func sessionCookie(t *testing.T, resp *http.Response) *http.Cookie {
	t.Helper()
	for _, cookie := range resp.Cookies() {
		if strings.TrimPrefix(cookie.Name, securePrefix) == SessionCookie {
			return cookie
		}
	}
	t.Fatal("the response sets no session cookie")
	return nil
}

// wantContains checks that a text, such as a log, has all parts.
func wantContains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in %s", part, text)
		}
	}
}

// wantCleared checks that a response ends the session of a browser.
func wantCleared(t *testing.T, resp *http.Response) {
	t.Helper()
	if c := sessionCookie(t, resp); c.MaxAge >= 0 || c.Value != "" || c.Path != "/" {
		t.Errorf("the cookie stays: %v", c)
	}
}

// noError ends a test that cannot go on.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantEqual compares what a test got; the format says what it is.
func wantEqual[T any](t testing.TB, want, got T, format string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", fmt.Sprintf(format, args...), diff)
	}
}

// newLog returns a logger and what it writes.
func newLog() (*slog.Logger, *bytes.Buffer) {
	var out bytes.Buffer
	return slog.New(slog.NewTextHandler(&out, nil)), &out
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// keep is an [Attach] that changes nothing.
func keep(ctx context.Context, _ Identity) (context.Context, error) { return ctx, nil }

// whoami responds with the handle of the viewer, or that there is none.
var whoami = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	name := "anonymous"
	if id, ok := IdentityFrom(r.Context()); ok {
		name = id.Handle
	}
	_, _ = w.Write([]byte(name))
})
