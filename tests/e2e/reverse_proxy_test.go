package e2e

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// The snippets in deploy, in the servers that Debian packages.
func TestReverseProxy_SnippetsTellClientsApart(t *testing.T) {
	for name, start := range map[string]func(t testing.TB, snippet, addr string) *testenv.ReverseProxy{
		"deploy/nginx/tideline.conf":  testenv.StartNginx,
		"deploy/haproxy/tideline.cfg": testenv.StartHAProxy,
	} {
		t.Run(name, func(t *testing.T) {
			snippet, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			// The proxy reports the test's clients as 127.0.0.1, whatever they claim.
			s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret,
				"TIDELINE_TRUSTED_PROXIES=127.0.0.1", "TIDELINE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=10000")
			proxy := start(t, string(snippet), strings.TrimPrefix(s.Base, "http://"))
			c := proxied{t, proxy, &http.Client{Transport: &http.Transport{TLSClientConfig: proxy.TLS}}}
			c.operatorsStayOut()
			c.signsIn()
			c.speaksOverSockets()
			c.streams()
			c.sharesOneBudget()
			if out := s.Process.Output(); strings.Contains(out, "doubt=") {
				t.Errorf("the server warns of its proxy:\n%s", out)
			}
		})
	}
}

// proxied is a client of a server behind a proxy.
type proxied struct {
	t      *testing.T
	proxy  *testenv.ReverseProxy
	client *http.Client
}

// send sends a request with headers, each as "Name: value".
func (c proxied) send(method, path, body string, headers ...string) response {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.proxy.URL+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return response{resp, string(text)}
}

func (c proxied) operatorsStayOut() {
	c.t.Helper()
	for _, path := range []string{"/metrics", "/tasks", "/tasks/"} {
		if got := c.send(http.MethodGet, path, ""); got.StatusCode != http.StatusNotFound {
			c.t.Errorf("%s returns %d", path, got.StatusCode)
		}
	}
}

// signsIn checks the cookie, and that a page of the same origin may use it.
func (c proxied) signsIn() {
	c.t.Helper()
	got := c.send(http.MethodPost, "/session", `{"token":"`+harness.TokenFor(c.t, 10)+`"}`, "Origin: "+c.proxy.URL)
	if cookies := got.Cookies(); len(cookies) != 1 || cookies[0].Name != "__Host-tideline_session" || !cookies[0].Secure {
		c.t.Fatalf("the response to the session is %d %v %s", got.StatusCode, got.Cookies(), got.body)
	}
	cookie := "Cookie: " + got.Cookies()[0].Name + "=" + got.Cookies()[0].Value
	viewer := c.send(http.MethodPost, "/graphql", `{"query":"{ viewer { user { databaseId } } }"}`, cookie, "Origin: "+c.proxy.URL)
	if !strings.Contains(viewer.body, `"10"`) {
		c.t.Errorf("with the cookie the viewer is %s", viewer.body)
	}
}

func (c proxied) speaksOverSockets() {
	c.t.Helper()
	options := &websocket.DialOptions{HTTPClient: c.client, Subprotocols: []string{"graphql-transport-ws"}}
	conn, _, err := websocket.Dial(c.t.Context(), c.proxy.URL+"/graphql", options) //nolint:bodyclose // the library closes it
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	say(c.t, conn, `{"type":"connection_init"}`)
	if got := hear(c.t, conn); !strings.Contains(got, "connection_ack") {
		c.t.Errorf("the response to the sign-in is %s", got)
	}
}

// streams checks that the proxy forwards an event at once.
func (c proxied) streams() {
	c.t.Helper()
	req, err := http.NewRequestWithContext(eventually.Context(c.t), http.MethodPost, c.proxy.URL+"/graphql", strings.NewReader(`{"query":"subscription { homeFeedEdges { cursor } }"}`))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "text/event-stream", "Authorization": "Bearer " + harness.TokenFor(c.t, 10)} {
		req.Header.Set(name, value)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	own := c.send(http.MethodPost, "/graphql", `{"query":"mutation { publishPost(input: {text: \"hello\"}) { userErrors { message } } }"}`,
		"Authorization: Bearer "+harness.TokenFor(c.t, 10))
	if line, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil || line != "event: next\n" {
		c.t.Errorf("after a publish with the response %s the stream begins with %q, %v", own.body, line, err)
	}
}

// sharesOneBudget checks that a client has the budget of its own address, whatever it claims.
func (c proxied) sharesOneBudget() {
	c.t.Helper()
	for i, header := range []string{
		"X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 203.0.113.10", "Forwarded: for=203.0.113.11", "X-Real-IP: 203.0.113.12", "X-Forwarded-For: unknown",
	} {
		want := http.StatusTooManyRequests
		if i == 0 {
			want = http.StatusOK
		}
		if got := c.send(http.MethodPost, "/graphql", expensive, header); got.StatusCode != want {
			c.t.Errorf("with %s the status is %d, want %d", header, got.StatusCode, want)
		}
	}
}

// Caddy is not in Debian, so the test reads its snippet: it must set and remove the same headers.
func TestReverseProxy_CaddySnippetSetsTheSame(t *testing.T) {
	text, err := os.ReadFile("deploy/caddy/Caddyfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"reverse_proxy 127.0.0.1:8080 {", "header_up X-Forwarded-For {remote_host}", "header_up X-Forwarded-Proto {scheme}",
		"header_up -Forwarded", "flush_interval -1", "respond @operators 404",
	} {
		if !strings.Contains(string(text), "\t"+line+"\n") {
			t.Errorf("the snippet lacks %q", line)
		}
	}
	if strings.Count(string(text), "{") != strings.Count(string(text), "}") {
		t.Error("the snippet has an unclosed block")
	}
}
