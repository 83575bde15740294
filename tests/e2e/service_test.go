package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/tests/harness"
)

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
// kinds of tokens. The tests of internal/gateway have every reason to refuse a service.
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
