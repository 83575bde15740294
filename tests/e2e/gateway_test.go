package e2e

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/resolvers/guard"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// identityProvider serves one public key and returns functions that sign tokens with its private
// key.
func identityProvider(t *testing.T) (url string, sign func(claims map[string]any) string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b64 := base64.RawURLEncoding.EncodeToString
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"one","x":%q}]}`, b64(public))
	}))
	t.Cleanup(provider.Close)
	return provider.URL, func(claims map[string]any) string {
		payload, err := json.Marshal(claims)
		if err != nil {
			t.Fatal(err)
		}
		signed := b64([]byte(`{"alg":"EdDSA","kid":"one"}`)) + "." + b64(payload)
		return signed + "." + b64(ed25519.Sign(private, []byte(signed)))
	}
}

// response is a response with its body.
type response struct {
	*http.Response
	body string
}

// codes returns the codes of the errors in the body.
func (a response) codes(t *testing.T) []string {
	t.Helper()
	var got struct {
		Errors []struct {
			Extensions struct{ Code, RequestID string }
		}
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	var codes []string
	for _, e := range got.Errors {
		if id := a.Header.Get(gateway.RequestIDHeader); id == "" || e.Extensions.RequestID != id {
			t.Errorf("the body names the request %q and the header %q", e.Extensions.RequestID, id)
		}
		codes = append(codes, e.Extensions.Code)
	}
	return codes
}

// send sends a request with headers, each as "Name: value".
func (s *server) send(t *testing.T, method, path, body string, headers ...string) response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.Base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req) // follows no redirects
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{resp, string(text)}
}

// TestServe_TrustsIdentityProvider changes all settings of identity and browsers from their
// defaults.
func TestServe_TrustsIdentityProvider(t *testing.T) {
	t.Parallel()
	url, sign := identityProvider(t)
	adminToken := strings.Repeat("operator", 4)
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWKS_URL="+url, "TIDELINE_JWT_AUDIENCE=tideline",
		"TIDELINE_JWT_ISSUER=https://id.example", "TIDELINE_ADMIN_TOKEN="+adminToken,
		"TIDELINE_CORS_ORIGINS=https://app.example,https://other.example", "TIDELINE_INTROSPECTION=off")
	claims := func(changes map[string]any) map[string]any {
		all := map[string]any{
			"sub": "4711", "exp": time.Now().Add(time.Hour).Unix(), "iss": "https://id.example", "aud": []string{"tideline"}, "preferred_username": "newcomer",
		}
		for name, value := range changes {
			all[name] = value
		}
		return all
	}
	const whoAmI = `{"query":"{ viewer { user { handle } } }"}`
	as := func(token string) string { return "Authorization: Bearer " + token }

	t.Run("its tokens sign in and create the user", func(t *testing.T) {
		got := s.send(t, http.MethodPost, "/graphql", whoAmI, as(sign(claims(nil))))
		if got.StatusCode != http.StatusOK || !strings.Contains(got.body, `"handle":"newcomer"`) {
			t.Errorf("the response is %d %s", got.StatusCode, got.body)
		}
		session := s.send(t, http.MethodPost, "/session", `{"token":"`+sign(claims(nil))+`"}`)
		if cookies := session.Cookies(); session.StatusCode != http.StatusOK || len(cookies) != 1 {
			t.Errorf("the response to the session is %d %s", session.StatusCode, session.body)
		}
	})
	t.Run("over sockets too, until they expire", func(t *testing.T) {
		expires := time.Now().Add(-20 * time.Second) // with the accepted clock skew, in ten seconds
		conn := s.socket(t, sign(claims(map[string]any{"exp": expires.Unix()})))
		say(t, conn, `{"type":"subscribe","id":"1","payload":{"query":"{ viewer { user { handle } } }"}}`)
		if got := hear(t, conn); !strings.Contains(got, `"handle":"newcomer"`) {
			t.Errorf("the viewer is %s", got)
		}
		_ = hear(t, conn) // complete
		_, _, err := conn.Read(t.Context())
		if websocket.CloseStatus(err) != 4403 || time.Since(expires) > eventually.Limit {
			t.Errorf("the socket is closed with %v, %v after its token expired", err, time.Since(expires))
		}
	})
	t.Run("other tokens do not", func(t *testing.T) {
		_, forge := identityProvider(t)
		for name, token := range map[string]string{
			"of a secret":         harness.TokenFor(t, 10),
			"of another audience": sign(claims(map[string]any{"aud": "other"})),
			"by another issuer":   sign(claims(map[string]any{"iss": "https://evil.example"})),
			"expired":             sign(claims(map[string]any{"exp": time.Now().Add(-time.Hour).Unix()})),
			"of another key":      forge(claims(nil)),
			"no user's":           sign(claims(map[string]any{"sub": "newcomer"})),
			"the administrators":  adminToken,
		} {
			got := s.send(t, http.MethodPost, "/graphql", whoAmI, as(token))
			if got.StatusCode != http.StatusUnauthorized || !slices.Equal(got.codes(t), []string{"UNAUTHENTICATED"}) {
				t.Errorf("the response to a token %s is %d %s", name, got.StatusCode, got.body)
			}
		}
		if got := s.send(t, http.MethodGet, "/session", ""); !strings.Contains(got.body, `"demoUsers":[]`) {
			t.Errorf("signing in as a demo user is possible: %s", got.body)
		}
	})
	t.Run("the admin token and administrators open the task queues", func(t *testing.T) {
		for token, want := range map[string]int{
			adminToken: http.StatusOK, sign(claims(map[string]any{"role": "admin"})): http.StatusOK,
			sign(claims(nil)): http.StatusForbidden, adminToken + "x": http.StatusUnauthorized,
		} {
			if got := s.send(t, http.MethodGet, "/tasks", "", as(token)); got.StatusCode != want {
				t.Errorf("/tasks returns %d, want %d", got.StatusCode, want)
			}
		}
	})
	t.Run("listed origins may use the API", func(t *testing.T) {
		for origin, want := range map[string]string{"https://app.example": "https://app.example", "https://other.example": "https://other.example", "https://evil.example": ""} {
			for _, path := range []string{"/graphql", "/session"} {
				asked := s.send(t, http.MethodOptions, path, "", "Origin: "+origin, "Access-Control-Request-Method: POST")
				got := asked.Header.Get("Access-Control-Allow-Origin")
				if got != want || (asked.StatusCode == http.StatusNoContent) != (want != "") {
					t.Errorf("a preflight of %s for %s returns %d for %q", origin, path, asked.StatusCode, got)
				}
			}
			sent := s.send(t, http.MethodPost, "/graphql", whoAmI, "Origin: "+origin, as(sign(claims(nil))))
			if got := sent.Header.Get("Access-Control-Allow-Origin"); got != want || sent.StatusCode != http.StatusOK {
				t.Errorf("a request of %s returns %d for %q", origin, sent.StatusCode, got)
			}
			if vary := strings.Join(sent.Header.Values("Vary"), ", "); !strings.Contains(vary, "Origin") || !strings.Contains(vary, "Accept") {
				t.Errorf("the header Vary is %q", vary)
			}
		}
	})
	t.Run("introspection is refused", func(t *testing.T) {
		for _, query := range []string{"{ __schema { types { name } } }", "{ __type(name: \\\"Post\\\") { name } }"} {
			if got := s.send(t, http.MethodPost, "/graphql", `{"query":"`+query+`"}`); !slices.Equal(got.codes(t), []string{"GRAPHQL_VALIDATION_FAILED"}) {
				t.Errorf("the response to %s is %s", query, got.body)
			}
		}
		if got := s.send(t, http.MethodPost, "/graphql", `{"query":"{ vieer { id } }"}`); strings.Contains(got.body, "viewer") {
			t.Errorf("a name is suggested: %s", got.body)
		}
	})
}

// refusals has refused requests, each with its code, its status in the newer media type, and its
// status in the older one.
func refusals(t *testing.T) []struct {
	name, method, path, body string
	headers                  []string
	code                     string
	newer, older             int
} {
	t.Helper()
	const post = http.MethodPost
	query := func(q string) string {
		b, err := json.Marshal(map[string]any{"query": q})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	signedIn := []string{"Authorization: Bearer " + harness.TokenFor(t, 10)}
	return []struct {
		name, method, path, body string
		headers                  []string
		code                     string
		newer, older             int
	}{
		{"no GraphQL", post, "/graphql", query("{"), nil, "GRAPHQL_PARSE_FAILED", 400, 200},
		{"no such field", post, "/graphql", query("{ nothing }"), nil, "GRAPHQL_VALIDATION_FAILED", 400, 200},
		{"no JSON", post, "/graphql", "{", nil, "BAD_USER_INPUT", 400, 400},
		{"another method", http.MethodPatch, "/graphql", query("{ __typename }"), nil, "BAD_USER_INPUT", 405, 405},
		{"a form", post, "/graphql", "query=x", []string{"Content-Type: application/x-www-form-urlencoded"}, "BAD_USER_INPUT", 415, 415},
		{"a large body", post, "/graphql", query(strings.Repeat(" ", 256<<10)), nil, "BAD_USER_INPUT", 413, 413},
		{"a page too long", post, "/graphql", query(`{ user(handle: "star1") { posts(first: 101) { nodes { id } } } }`), nil, "BAD_USER_INPUT", 200, 200},
		{"a bad cursor", post, "/graphql", query(`{ user(handle: "star1") { posts(after: "x") { nodes { id } } } }`), nil, "BAD_CURSOR", 200, 200},
		{"a bad token", post, "/graphql", query("{ __typename }"), []string{"Authorization: Bearer x"}, "UNAUTHENTICATED", 401, 401},
		{"an anonymous mutation", post, "/graphql", query(`mutation { likePost(input: {postId: "x"}) { clientMutationId } }`), nil, "UNAUTHENTICATED", 200, 200},
		{"another site", post, "/graphql", query("{ __typename }"), []string{"Cookie: tideline_session=x", "Origin: https://evil.example"}, "FORBIDDEN", 403, 403},
		{"no administrator", http.MethodGet, "/tasks", "", signedIn, "FORBIDDEN", 403, 403},
		{"a deep query", post, "/graphql", query("{viewer{user{" + strings.Repeat("posts{nodes{author{", 5) + "id" + strings.Repeat("}", 18)), nil, "QUERY_TOO_COMPLEX", 400, 200},
		{"an unknown hash", post, "/graphql", `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"` + strings.Repeat("0", 64) + `"}}}`, nil, "PERSISTED_QUERY_NOT_FOUND", 400, 200},
	}
}

// Every refusal has its code, a status in docs/errors.md, and the request id in header and
// body.
func TestGateway_RefusesAsDocumented(t *testing.T) {
	t.Parallel()
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret)
	documented := documentedCodes(t)
	for _, c := range refusals(t) {
		for accept, want := range map[string]int{"application/graphql-response+json": c.newer, "application/json": c.older} {
			got := s.send(t, c.method, c.path, c.body, append(c.headers, "Accept: "+accept)...)
			if codes := got.codes(t); got.StatusCode != want || !slices.Equal(codes, []string{c.code}) {
				t.Errorf("%s as %s returns %d %v, want %d %s: %s", c.name, accept, got.StatusCode, codes, want, c.code, got.body)
			}
			if !strings.Contains(documented[c.code], fmt.Sprint(want)) {
				t.Errorf("docs/errors.md does not give %s the status %d: %s", c.code, want, documented[c.code])
			}
			if got.Header.Get("X-Content-Type-Options") != "nosniff" || got.Header.Get("Content-Security-Policy") == "" || got.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s lacks headers for browsers and caches: %v", c.name, got.Header)
			}
		}
	}
}

// documentedCodes returns the rows of docs/errors.md for codes in errors.
func documentedCodes(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| `errors`(.*)$").FindAllStringSubmatch(string(text), -1) {
		rows[m[1]] = m[2]
	}
	return rows
}

// The table has the codes of the contract and no others.
func TestErrorCodes_TableMatchesContract(t *testing.T) {
	want := []string{
		"BAD_CURSOR", "BAD_USER_INPUT", "FORBIDDEN", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "INTERNAL", "NOT_FOUND",
		"PERSISTED_QUERY_NOT_FOUND", "QUERY_TOO_COMPLEX", "RATE_LIMITED", "STALE", "SYNC_RESET", "TIMEOUT", "UNAUTHENTICATED",
		"UNAVAILABLE",
	}
	var got []string
	for code := range documentedCodes(t) {
		got = append(got, code)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the codes of docs/errors.md (-contract +table):\n%s", diff)
	}
}

// docs/gateway.md has every limit of documents with its value.
func TestDocs_ListEveryLimit(t *testing.T) {
	text, err := os.ReadFile("docs/gateway.md")
	if err != nil {
		t.Fatal(err)
	}
	limits := reflect.ValueOf(guard.DefaultLimits())
	for i := range limits.NumField() {
		name, value := limits.Type().Field(i).Name, limits.Field(i).Int()
		number := strconv.FormatInt(value, 10)
		if value >= 1000 {
			number = fmt.Sprintf("%d,%03d", value/1000, value%1000)
		}
		if row := fmt.Sprintf("| %s | %s |", name, number); !strings.Contains(string(text), row) {
			t.Errorf("docs/gateway.md lacks the row %s", row)
		}
	}
}
