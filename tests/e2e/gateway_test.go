package e2e

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// identityProvider serves one public key and returns functions that sign tokens with its private
// key.
func identityProvider(t *testing.T) (url string, sign func(claims map[string]any) string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	harness.Check(t, err)
	b64 := base64.RawURLEncoding.EncodeToString
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"one","x":%q}]}`, b64(public))
	}))
	t.Cleanup(provider.Close)
	return provider.URL, func(claims map[string]any) string {
		payload, err := json.Marshal(claims)
		harness.Check(t, err)
		signed := b64([]byte(`{"alg":"EdDSA","kid":"one"}`)) + "." + b64(payload)
		return signed + "." + b64(ed25519.Sign(private, []byte(signed)))
	}
}

// TestServe_TrustsIdentityProvider changes all settings of identity and browsers from their
// defaults. The tests of internal/edge/gateway have every reason to refuse tokens and origins.
func TestServe_TrustsIdentityProvider(t *testing.T) {
	t.Parallel()
	url, sign := identityProvider(t)
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWKS_URL="+url, "TIDELINE_JWT_AUDIENCE=tideline",
		"TIDELINE_JWT_ISSUER=https://id.example", "TIDELINE_ADMIN_TOKEN="+operatorToken,
		"TIDELINE_CORS_ORIGINS=https://app.example,https://other.example", "TIDELINE_INTROSPECTION=off", "TIDELINE_COMPRESS=false")
	// token returns one with a claim changed.
	token := func(claim string, value any) string {
		claims := map[string]any{
			"sub": "4711", "exp": time.Now().Add(time.Hour).Unix(), "iss": "https://id.example", "aud": []string{"tideline"}, "preferred_username": "newcomer",
		}
		claims[claim] = value
		return sign(claims)
	}
	valid := token("jti", "1")
	const whoAmI = `{ viewer { user { handle } } }`

	t.Run("its tokens sign in and create the user", func(t *testing.T) {
		if got := s.ask(t, whoAmI, as(valid)); !strings.Contains(got.body, `"handle":"newcomer"`) {
			t.Errorf("the response is %d %s", got.StatusCode, got.body)
		}
		session := s.send(t, http.MethodPost, "/session", `{"token":"`+valid+`"}`)
		if session.StatusCode != http.StatusOK || len(session.Cookies()) != 1 {
			t.Errorf("the response to the session is %d %s", session.StatusCode, session.body)
		}
	})
	t.Run("over sockets too", func(t *testing.T) {
		conn := s.socket(t, valid)
		say(t, conn, `{"type":"subscribe","id":"1","payload":`+queryOf(whoAmI)+`}`)
		if got := hear(t, conn); !strings.Contains(got, `"handle":"newcomer"`) {
			t.Errorf("the viewer is %s", got)
		}
	})
	t.Run("other tokens do not", func(t *testing.T) {
		for name, token := range map[string]string{
			"of a secret":         harness.TokenFor(t, 10),
			"of another audience": token("aud", "other"),
			"by another issuer":   token("iss", "https://evil.example"),
			"the administrators":  operatorToken,
		} {
			if got := s.ask(t, whoAmI, as(token)); got.StatusCode != http.StatusUnauthorized || !slices.Equal(got.codes(t), []string{"UNAUTHENTICATED"}) {
				t.Errorf("the response to a token %s is %d %s", name, got.StatusCode, got.body)
			}
		}
		if got := s.send(t, http.MethodGet, "/session", ""); !strings.Contains(got.body, `"demoUsers":[]`) {
			t.Errorf("signing in as a demo user is possible: %s", got.body)
		}
	})
	t.Run("the admin token and administrators open the task queues", func(t *testing.T) {
		for token, want := range map[string]int{
			operatorToken: http.StatusOK, token("role", "admin"): http.StatusOK, valid: http.StatusForbidden, operatorToken + "x": http.StatusUnauthorized,
		} {
			if got := s.send(t, http.MethodGet, "/tasks", "", as(token)); got.StatusCode != want {
				t.Errorf("/tasks returns %d, want %d", got.StatusCode, want)
			}
		}
	})
	t.Run("listed origins may use the API", func(t *testing.T) {
		for origin, want := range map[string]string{"https://other.example": "https://other.example", "https://evil.example": ""} {
			for _, path := range []string{"/graphql", "/session"} {
				asked := s.send(t, http.MethodOptions, path, "", "Origin: "+origin, "Access-Control-Request-Method: POST")
				if got := asked.Header.Get("Access-Control-Allow-Origin"); got != want {
					t.Errorf("a preflight of %s for %s returns %d for %q", origin, path, asked.StatusCode, got)
				}
			}
			sent := s.ask(t, whoAmI, "Origin: "+origin, as(valid), "Accept-Encoding: gzip")
			if got := sent.Header.Get("Access-Control-Allow-Origin"); got != want || sent.StatusCode != http.StatusOK {
				t.Errorf("a request of %s returns %d for %q", origin, sent.StatusCode, got)
			}
			if sent.Header.Get("Content-Encoding") != "" {
				t.Error("the response is compressed although compression is off")
			}
		}
	})
	t.Run("introspection is refused, and no name suggested", func(t *testing.T) {
		got := s.ask(t, "{ __schema { types { name } } }")
		if wrong := s.ask(t, "{ vieer { id } }"); !slices.Equal(got.codes(t), []string{"GRAPHQL_VALIDATION_FAILED"}) || strings.Contains(wrong.body, "viewer") {
			t.Errorf("the responses are %s and %s", got.body, wrong.body)
		}
	})
}

// refused is a request, its code, its status in the newer media type, and its status in the older
// one.
type refused struct {
	name, method, path, body string
	headers                  []string
	code                     string
	newer, older             int
}

func refusals(t *testing.T) []refused {
	t.Helper()
	const post = http.MethodPost
	return []refused{
		{"no GraphQL", post, "/graphql", queryOf("{"), nil, "GRAPHQL_PARSE_FAILED", 400, 200},
		{"no such field", post, "/graphql", queryOf("{ nothing }"), nil, "GRAPHQL_VALIDATION_FAILED", 400, 200},
		{"no JSON", post, "/graphql", "{", nil, "BAD_USER_INPUT", 400, 400},
		{"another method", http.MethodPatch, "/graphql", queryOf("{ __typename }"), nil, "BAD_USER_INPUT", 405, 405},
		{"a form", post, "/graphql", "query=x", []string{"Content-Type: application/x-www-form-urlencoded"}, "BAD_USER_INPUT", 415, 415},
		{"a large body", post, "/graphql", queryOf(strings.Repeat(" ", 256<<10)), nil, "BAD_USER_INPUT", 413, 413},
		{"a page too long", post, "/graphql", queryOf(`{ user(handle: "star1") { posts(first: 101) { nodes { id } } } }`), nil, "BAD_USER_INPUT", 200, 200},
		{"a bad cursor", post, "/graphql", queryOf(`{ user(handle: "star1") { posts(after: "x") { nodes { id } } } }`), nil, "BAD_CURSOR", 200, 200},
		{"a bad token", post, "/graphql", queryOf("{ __typename }"), []string{as("x")}, "UNAUTHENTICATED", 401, 401},
		{"an anonymous mutation", post, "/graphql", queryOf(`mutation { likePost(input: {postId: "x"}) { clientMutationId } }`), nil, "UNAUTHENTICATED", 200, 200},
		{"another site", post, "/graphql", queryOf("{ __typename }"), []string{"Cookie: tideline_session=x", "Origin: https://evil.example"}, "FORBIDDEN", 403, 403},
		{"no administrator", http.MethodGet, "/tasks", "", []string{as(harness.TokenFor(t, 10))}, "FORBIDDEN", 403, 403},
		{"a deep query", post, "/graphql", queryOf("{viewer{user{" + strings.Repeat("posts{nodes{author{", 5) + "id" + strings.Repeat("}", 18)), nil, "QUERY_TOO_COMPLEX", 400, 200},
		{"an unknown hash", post, "/graphql", `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"` + strings.Repeat("0", 64) + `"}}}`, nil, "PERSISTED_QUERY_NOT_FOUND", 400, 200},
	}
}

// Every refusal has its code, a status in docs/errors.md, and the request id in header and
// body.
func TestGateway_RefusesAsDocumented(t *testing.T) {
	t.Parallel()
	s := startServer(t, embedded(t)...)
	documented := harness.ErrorCodes(t)
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

// actingSocket opens a socket on which a service acts for a user.
func (s *server) actingSocket(t *testing.T, token, user string) *websocket.Conn {
	t.Helper()
	conn := dial(t, http.DefaultClient, s.Base, fmt.Sprintf(`{"Authorization":"Bearer %s","Tideline-Act-For":%q}`, token, user))
	if got := hear(t, conn); !strings.Contains(got, "connection_ack") {
		t.Fatalf("the response to the sign-in is %s", got)
	}
	return conn
}

// TestService_MayDoWhatIsDocumented sends the requests of the table in docs/gateway.md with both
// kinds of tokens. The tests of internal/edge/gateway have every reason to refuse a service.
func TestService_MayDoWhatIsDocumented(t *testing.T) {
	t.Parallel()
	s := startServer(t, embedded(t, noDemo, "TIDELINE_CORS_ORIGINS=https://app.example", "TIDELINE_SLOW_OPERATION=1ns")...)
	const (
		who       = `{ viewer { user { databaseId handle } } }`
		publish   = `mutation { publishPost(input: {text: "by a service"}) { post { author { databaseId } } userErrors { code } } }`
		subscribe = `subscription { homeFeedEdges { cursor } }`
		hint      = "name the user that the service acts for, in Tideline-Act-For"
	)
	s.deleteAccount(t, "user555", actFor(555)...)
	jwt := serviceJWT(t, "content")
	for kind, token := range map[string]string{"JWT": jwt, "opaque token": serviceToken} {
		for name, c := range map[string]struct {
			document string
			headers  []string
			want     []string
		}{
			"a read":                        {who, []string{"Tideline-Act-For: 10"}, []string{`"databaseId":"10"`}},
			"an anonymous read":             {who, nil, []string{`"viewer":null`}},
			"a read for an unknown user":    {who, []string{"Tideline-Act-For: 987654"}, []string{`"databaseId":"987654","handle":"user987654"`}},
			"a read for a deleted account":  {who, []string{"Tideline-Act-For: 555"}, []string{`"code":"FORBIDDEN"`}},
			"a read for no id":              {who, []string{"Tideline-Act-For: star1"}, []string{`"code":"BAD_USER_INPUT"`}},
			"a mutation":                    {publish, []string{"Tideline-Act-For: 10"}, []string{`"author":{"databaseId":"10"}`}},
			"a mutation without a user":     {publish, nil, []string{`"code":"UNAUTHENTICATED"`, hint}},
			"a stream":                      {who, []string{"Tideline-Act-For: 10", "Accept: text/event-stream"}, []string{`"databaseId":"10"`}},
			"a subscription without a user": {subscribe, []string{"Accept: text/event-stream"}, []string{`"code":"UNAUTHENTICATED"`, hint}},
		} {
			got := s.ask(t, c.document, append(c.headers, as(token))...)
			for _, want := range c.want {
				if !strings.Contains(got.body, want) {
					t.Errorf("%s with a %s returns %d %s, want %s", name, kind, got.StatusCode, got.body, want)
				}
			}
		}
		conn := s.actingSocket(t, token, "10")
		say(t, conn, `{"type":"subscribe","id":"1","payload":`+queryOf(publish)+`}`)
		if got := hear(t, conn); !strings.Contains(got, `"author":{"databaseId":"10"}`) {
			t.Errorf("over a socket, a mutation with a %s returns %s", kind, got)
		}
		for path, body := range map[string]string{"/tasks": "", "/tasks/api/queues": "", "/metrics": "", "/session": `{"token":"` + token + `"}`} {
			method := map[bool]string{true: http.MethodGet, false: http.MethodPost}[body == ""]
			got := s.send(t, method, path, body, as(token), "Tideline-Act-For: 1")
			if got.StatusCode != http.StatusForbidden || !slices.Equal(got.codes(t), []string{"FORBIDDEN"}) || len(got.Cookies()) > 0 {
				t.Errorf("%s returns a service's %s %d %s", path, kind, got.StatusCode, got.body)
			}
		}
	}
	if got := s.ask(t, who, as(harness.TokenFor(t, 10)), "Tideline-Act-For: 10"); !slices.Equal(got.codes(t), []string{"FORBIDDEN"}) {
		t.Errorf("a user who acts gets %s", got.body)
	}
	asked := s.send(t, http.MethodOptions, "/graphql", "", "Origin: https://app.example",
		"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type,tideline-act-for")
	if allowed := strings.ToLower(asked.Header.Get("Access-Control-Allow-Headers")); !strings.Contains(allowed, "authorization") || strings.Contains(allowed, "act-for") {
		t.Errorf("a page's preflight returns %d and allows %q", asked.StatusCode, allowed)
	}
	for _, texts := range [][]string{
		{"msg=request", "viewer=10", "service=content"},
		{"msg=request", "viewer=10", "service=" + gateway.OpaqueService},
		{`msg="socket acts for a user"`, "viewer=10", "service=content"},
		{`msg="acting for a user refused"`, "level=INFO"},
		{`msg="slow operation"`, "kind=mutation", "viewer=10", "service=content"},
	} {
		eventually.True(t, fmt.Sprintf("a line has %q", texts), func() bool { return s.CountLines(texts...) > 0 })
	}
	if output := s.Process.Output(); strings.Contains(output, serviceToken) || strings.Contains(output, jwt) {
		t.Error("the log has a token")
	}
}
