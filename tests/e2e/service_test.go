package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// serviceToken is the TIDELINE_SERVICE_TOKEN of the tests.
var serviceToken = strings.Repeat("opaque", 6)

// serviceJWT returns a token of a service, signed with [harness.Secret].
func serviceJWT(t *testing.T, name string, ttl time.Duration) string {
	t.Helper()
	token, err := gateway.NewTokens([]byte(harness.Secret), time.Now).Sign(gateway.Claims{Service: name}, ttl)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// actor is what a request says about its identity.
type actor struct {
	token, cookie string
	// actFor is absent if nil.
	actFor *string
}

func (a actor) headers() []string {
	var headers []string
	if a.token != "" {
		headers = append(headers, "Authorization: Bearer "+a.token)
	}
	if a.cookie != "" {
		headers = append(headers, "Cookie: tideline_session="+a.cookie)
	}
	if a.actFor != nil {
		headers = append(headers, "Tideline-Act-For: "+*a.actFor)
	}
	return headers
}

// transports send a document as an actor, and return the body or the messages, and the status or the
// close code; 0 for a socket that stays open.
func (s *server) transports() map[string]func(t *testing.T, a actor, query string) (string, int) {
	body := func(query string) string {
		text, _ := json.Marshal(map[string]string{"query": query})
		return string(text)
	}
	send := func(t *testing.T, method, path, body string, a actor, accept string) (string, int) {
		t.Helper()
		got := s.send(t, method, path, body, append(a.headers(), "Accept: "+accept, "GraphQL-Preflight: 1")...)
		return got.body, got.StatusCode
	}
	return map[string]func(t *testing.T, a actor, query string) (string, int){
		"POST": func(t *testing.T, a actor, query string) (string, int) {
			t.Helper()
			return send(t, http.MethodPost, "/graphql", body(query), a, "application/json")
		},
		"GET": func(t *testing.T, a actor, query string) (string, int) {
			t.Helper()
			return send(t, http.MethodGet, "/graphql?query="+url.QueryEscape(query), "", a, "application/json")
		},
		"events": func(t *testing.T, a actor, query string) (string, int) {
			t.Helper()
			return send(t, http.MethodPost, "/graphql", body(query), a, "text/event-stream")
		},
		"socket": func(t *testing.T, a actor, query string) (string, int) {
			t.Helper()
			return s.overPayload(t, a, query)
		},
		"socket with headers": func(t *testing.T, a actor, query string) (string, int) {
			t.Helper()
			return s.overUpgrade(t, a, query)
		},
	}
}

// overPayload sends a document over a socket whose connection_init has the identity.
func (s *server) overPayload(t *testing.T, a actor, query string) (string, int) {
	t.Helper()
	payload := map[string]string{}
	if a.token != "" {
		payload["Authorization"] = "Bearer " + a.token
	}
	if a.actFor != nil {
		payload["Tideline-Act-For"] = *a.actFor
	}
	text, _ := json.Marshal(payload)
	return askOn(t, s.dial(t, string(text)), query)
}

// overUpgrade sends a document over a socket whose HTTP request has the identity.
func (s *server) overUpgrade(t *testing.T, a actor, query string) (string, int) {
	t.Helper()
	header := http.Header{"Origin": {s.Base}}
	for _, h := range a.headers() {
		name, value, _ := strings.Cut(h, ": ")
		header.Add(name, value)
	}
	//nolint:bodyclose // The library returns a body that needs no closing.
	conn, resp, err := websocket.Dial(t.Context(), strings.Replace(s.Base, "http", "ws", 1)+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: header})
	if err != nil {
		if resp == nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		return string(body), resp.StatusCode
	}
	say(t, conn, `{"type":"connection_init"}`)
	return askOn(t, conn, query)
}

// askOn sends a document over a socket, once its connection_init is acknowledged, and closes it.
func askOn(t *testing.T, conn *websocket.Conn, query string) (string, int) {
	t.Helper()
	defer func() { _ = conn.CloseNow() }()
	if _, _, err := conn.Read(t.Context()); err != nil {
		return err.Error(), int(websocket.CloseStatus(err))
	}
	params, _ := json.Marshal(map[string]string{"query": query})
	say(t, conn, `{"type":"subscribe","id":"1","payload":`+string(params)+`}`)
	return hear(t, conn), 0
}

// refusal is the code of an error, and the close code of a socket instead.
type refusal struct {
	code  string
	close int
}

func (r refusal) is(text string, status int) bool {
	if status >= 4000 {
		return r.close == status
	}
	return strings.Contains(text, `"code":"`+r.code+`"`)
}

// TestService_MayDoWhatIsDocumented sends the requests of the table in docs/gateway.md with both
// kinds of tokens.
func TestService_MayDoWhatIsDocumented(t *testing.T) {
	t.Parallel()
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret,
		"TIDELINE_SERVICE_TOKEN="+serviceToken, "TIDELINE_ADMIN_TOKEN="+strings.Repeat("operator", 4), "TIDELINE_CORS_ORIGINS=https://app.example",
		"TIDELINE_SLOW_OPERATION=1ns")
	const (
		who       = `{ viewer { user { databaseId handle } } }`
		publish   = `mutation { publishPost(input: {text: "by a service"}) { post { author { databaseId } } userErrors { code } } }`
		remove    = `mutation { deleteAccount(input: {confirmHandle: "user555"}) { userErrors { message } } }`
		subscribe = `subscription { homeFeedEdges { cursor } }`
	)
	ten, unknown, gone := "10", "987654", "555"
	if got := s.send(t, http.MethodPost, "/graphql", `{"query":"`+strings.ReplaceAll(remove, `"`, `\"`)+`"}`,
		"Authorization: Bearer "+serviceToken, "Tideline-Act-For: "+gone); !strings.Contains(got.body, `"userErrors":[]`) {
		t.Fatalf("the account is not deleted: %s", got.body)
	}
	jwt := serviceJWT(t, "content", time.Hour)
	for kind, token := range map[string]string{"JWT": jwt, "opaque token": serviceToken} {
		for name, send := range s.transports() {
			t.Run(kind+" over "+name, func(t *testing.T) {
				for _, c := range []struct {
					actFor *string
					query  string
					want   string
				}{
					{&ten, who, `"databaseId":"10"`},
					{nil, who, `"viewer":null`},
					{&unknown, who, `"databaseId":"987654","handle":"user987654"`},
				} {
					if got, _ := send(t, actor{token: token, actFor: c.actFor}, c.query); !strings.Contains(got, c.want) {
						t.Errorf("%s returns %s, want %s", c.query, got, c.want)
					}
				}
				acting, alone := actor{token: token, actFor: &ten}, actor{token: token}
				const hint = "name the user that the service acts for, in Tideline-Act-For"
				got, status := send(t, acting, publish)
				if name == "GET" {
					if status != http.StatusMethodNotAllowed {
						t.Errorf("a mutation returns %d %s", status, got)
					}
				} else if !strings.Contains(got, `"author":{"databaseId":"10"}`) {
					t.Errorf("a mutation returns %s", got)
				}
				if got, _ := send(t, alone, publish); name != "GET" && !(strings.Contains(got, `"code":"UNAUTHENTICATED"`) && strings.Contains(got, hint)) {
					t.Errorf("a mutation without a user returns %s", got)
				}
				if got, _ := send(t, alone, subscribe); name != "POST" && name != "GET" && !(strings.Contains(got, `"code":"UNAUTHENTICATED"`) && strings.Contains(got, hint)) {
					t.Errorf("a subscription without a user returns %s", got)
				}
				if got, status := send(t, actor{token: token, actFor: &gone}, who); !(refusal{"FORBIDDEN", 4403}).is(got, status) {
					t.Errorf("acting for a deleted account returns %d %s", status, got)
				}
				for _, id := range []string{"", "0", "-1", "07", "+7", "7,8", "star1", "9223372036854775808", strings.Repeat("9", 5000)} {
					if got, status := send(t, actor{token: token, actFor: &id}, who); !(refusal{"BAD_USER_INPUT", 4400}).is(got, status) {
						t.Errorf("acting for %.20q returns %d %s", id, status, got)
					}
				}
			})
		}
		for path, method := range map[string]string{"/tasks": http.MethodGet, "/tasks/api/queues": http.MethodGet, "/metrics": http.MethodGet, "/session": http.MethodPost} {
			body := ""
			if method == http.MethodPost {
				body = `{"token":"` + token + `"}`
			}
			for _, headers := range [][]string{{"Authorization: Bearer " + token}, {"Authorization: Bearer " + token, "Tideline-Act-For: 1"}} {
				got := s.send(t, method, path, body, headers...)
				if got.StatusCode != http.StatusForbidden || !slices.Equal(got.codes(t), []string{"FORBIDDEN"}) || len(got.Cookies()) > 0 {
					t.Errorf("%s returns a service's %s %d %s", path, kind, got.StatusCode, got.body)
				}
			}
		}
		if got := s.send(t, http.MethodPost, "/graphql", `{"query":"`+who+`"}`, "Cookie: tideline_session="+token); !strings.Contains(got.body, `"viewer":null`) {
			t.Errorf("the %s in a cookie returns %d %s", kind, got.StatusCode, got.body)
		}
	}
	t.Run("others may not act", func(t *testing.T) {
		for name, a := range map[string]actor{
			"a user": {token: harness.TokenFor(t, 11), actFor: &ten}, "a user as themselves": {token: harness.TokenFor(t, 10), actFor: &ten},
			"an administrator": {token: adminToken(t), actFor: &ten}, "no token": {actFor: &ten}, "a cookie": {cookie: harness.TokenFor(t, 10), actFor: &ten},
			"a cookie of a service": {cookie: jwt, actFor: &ten}, "an invalid cookie": {cookie: "x", actFor: &ten},
		} {
			for transport, send := range s.transports() {
				if got, status := send(t, a, who); !(refusal{"FORBIDDEN", 4403}).is(got, status) {
					t.Errorf("%s over %s gets %d %s", name, transport, status, got)
				}
			}
		}
	})
	t.Run("pages may not send the header", func(t *testing.T) {
		asked := s.send(t, http.MethodOptions, "/graphql", "", "Origin: https://app.example",
			"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type,tideline-act-for")
		if allowed := strings.ToLower(asked.Header.Get("Access-Control-Allow-Headers")); !strings.Contains(allowed, "authorization") || strings.Contains(allowed, "act-for") {
			t.Errorf("a preflight returns %d and allows %q", asked.StatusCode, allowed)
		}
	})
	t.Run("the log names both identities and no token", func(t *testing.T) {
		for _, texts := range [][]string{
			{"msg=request", "viewer=10", "service=content"},
			{"msg=request", "viewer=10", "service=" + gateway.OpaqueService},
			{`msg="socket acts for a user"`, "viewer=10", "service=content"},
			{`msg="acting for a user refused"`, "level=INFO"},
			{`msg="slow operation"`, "kind=mutation", "viewer=10", "service=content"},
		} {
			eventually.True(t, fmt.Sprintf("a line has %q", texts), func() bool { return s.CountLines(texts...) > 0 })
		}
		output := s.Process.Output()
		if strings.Contains(output, serviceToken) || strings.Contains(output, jwt) {
			t.Error("the log has a token")
		}
	})
}

func TestService_SpendsItsOwnBudget(t *testing.T) {
	t.Parallel()
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_SERVICE_TOKEN="+serviceToken,
		"TIDELINE_RATE_LIMIT=10000", "TIDELINE_ADDRESS_RATE_LIMIT=15000", "TIDELINE_SERVICE_RATE_LIMIT=12000", "TIDELINE_TRUSTED_PROXIES=127.0.0.1")
	as := func(token string) string { return "Authorization: Bearer " + token }
	ann, ben := as(harness.TokenFor(t, 1)), as(harness.TokenFor(t, 2))
	content, other := as(serviceJWT(t, "content", time.Hour)), as(serviceJWT(t, "other", time.Hour))
	const forAnn, forBen, elsewhere = "Tideline-Act-For: 1", "Tideline-Act-For: 2", "X-Forwarded-For: 203.0.113.9"
	for _, c := range []struct {
		headers []string
		want    int
		because string
	}{
		{[]string{content, forAnn}, http.StatusOK, "the budget of the service is full"},
		{[]string{content, forBen}, http.StatusTooManyRequests, "all users that it acts for share the rest"},
		{[]string{content}, http.StatusTooManyRequests, "it also pays for anonymous reads"},
		{[]string{as(serviceJWT(t, "content", time.Minute)), forBen}, http.StatusTooManyRequests, "its tokens share the budget"},
		{[]string{content, forBen, elsewhere}, http.StatusTooManyRequests, "its addresses share the budget"},
		{[]string{other, forAnn}, http.StatusOK, "another service has its own budget"},
		{[]string{as(serviceToken), forAnn}, http.StatusOK, "so has the opaque token"},
		{[]string{ann}, http.StatusOK, "services spend neither Ann's budget nor that of the address"},
		{[]string{ben, elsewhere}, http.StatusOK, "nor Ben's"},
		{[]string{ann, elsewhere}, http.StatusTooManyRequests, "Ann has spent her own budget"},
	} {
		got := s.send(t, http.MethodPost, "/graphql", expensive, c.headers...)
		if got.StatusCode != c.want {
			t.Errorf("with %.20q the status is %d, want %d: %s", c.headers, got.StatusCode, c.want, c.because)
		}
		if header := got.Header.Get("RateLimit"); strings.Contains(header, `"service"`) == (strings.Contains(header, `"viewer"`) || strings.Contains(header, `"address"`)) {
			t.Errorf("with %.20q the budgets are %s", c.headers, header)
		}
	}
}

// actingSocket opens a socket on which a service acts for a user.
func (s *server) actingSocket(t *testing.T, token, user string) *websocket.Conn {
	t.Helper()
	conn := s.dial(t, fmt.Sprintf(`{"Authorization":"Bearer %s","Tideline-Act-For":%q}`, token, user))
	if got := hear(t, conn); !strings.Contains(got, "connection_ack") {
		t.Fatalf("the response to the sign-in is %s", got)
	}
	return conn
}

func TestService_ActingEndsWhenTokenExpires(t *testing.T) {
	t.Parallel()
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_CLOCK_LEEWAY=10s")
	token := serviceJWT(t, "content", time.Second)
	listener{t, s.overEvents(t, token, "Tideline-Act-For: 1")}.upToEnd()
	_, _, err := s.actingSocket(t, serviceJWT(t, "content", time.Second), "1").Read(t.Context())
	if websocket.CloseStatus(err) != 4403 {
		t.Errorf("the socket is closed with %v", err)
	}
}

// A service's streams and sockets end in all processes when its token is revoked, and when the
// account is deleted that it acts for.
func TestService_ActingEndsWithTokenAndAccount(t *testing.T) {
	t.Parallel()
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SERVICE_TOKEN=" + serviceToken,
	}
	one, other := startServer(t, env...), startServer(t, env...)
	revoked, kept := serviceJWT(t, "content", time.Hour), serviceJWT(t, "content", time.Hour)
	user := func(id string) string {
		return harness.TokenFor(t, map[string]feed.UserID{"1": 1, "2": 2, "3": 3}[id])
	}
	open := func(token, id string) []listener {
		return []listener{
			other.listening(t, user(id), other.overEvents(t, token, "Tideline-Act-For: "+id)),
			other.listening(t, user(id), subscribedOn(t, other.actingSocket(t, token, id))),
		}
	}
	ends := slices.Concat(open(revoked, "1"), open(kept, "2"), open(serviceToken, "2"))
	stay := slices.Concat(open(kept, "1"), open(serviceToken, "3"))

	if got := one.send(t, http.MethodDelete, "/session", "", "Authorization: Bearer "+revoked); got.StatusCode != http.StatusNoContent {
		t.Fatalf("revoking returns %d %s", got.StatusCode, got.body)
	}
	gone := `{"query":"mutation { deleteAccount(input: {confirmHandle: \"user2\"}) { userErrors { message } } }"}`
	if got := one.send(t, http.MethodPost, "/graphql", gone, "Authorization: Bearer "+user("2")); !strings.Contains(got.body, `"userErrors":[]`) {
		t.Fatalf("deleting the account returns %s", got.body)
	}
	if got := one.send(t, http.MethodDelete, "/session", "", "Cookie: tideline_session="+user("1")); got.StatusCode != http.StatusNoContent {
		t.Fatalf("signing out returns %d %s", got.StatusCode, got.body)
	}
	if got := one.send(t, http.MethodDelete, "/session", "", "Authorization: Bearer "+serviceToken); got.StatusCode != http.StatusForbidden {
		t.Errorf("revoking the opaque token returns %d %s", got.StatusCode, got.body)
	}
	for _, l := range ends {
		l.upToEnd()
	}
	for i, l := range stay {
		l.upTo(other.Publish(t, user(map[bool]string{true: "1", false: "3"}[i < 2]), "after the revocations"))
	}
	for token, want := range map[string]string{revoked: "401", kept: "200"} {
		for _, s := range []*server{one, other} {
			got := s.send(t, http.MethodPost, "/graphql", `{"query":"{ __typename }"}`, "Authorization: Bearer "+token, "Tideline-Act-For: 1")
			if fmt.Sprint(got.StatusCode) != want {
				t.Errorf("the next request returns %d %s, want %s", got.StatusCode, got.body, want)
			}
		}
	}
	for _, token := range []string{kept, serviceToken} {
		for _, s := range []*server{one, other} {
			got := s.send(t, http.MethodPost, "/graphql", `{"query":"{ __typename }"}`, "Authorization: Bearer "+token, "Tideline-Act-For: 2")
			if got.StatusCode != http.StatusForbidden {
				t.Errorf("acting for the deleted account returns %d %s", got.StatusCode, got.body)
			}
		}
	}
}
