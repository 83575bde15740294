package e2e

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"

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
			t.Parallel()
			// The proxy reports the test's clients as 127.0.0.1, whatever they claim.
			s := startServer(t, embedded(t, "TIDELINE_TRUSTED_PROXIES=127.0.0.1", "TIDELINE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=10000")...)
			c := newProxied(t, start(t, harness.Doc(t, name), strings.TrimPrefix(s.Base, "http://")))
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

func newProxied(t *testing.T, proxy *testenv.ReverseProxy) proxied {
	return proxied{t, proxy, &http.Client{Transport: &http.Transport{TLSClientConfig: proxy.TLS}}}
}

// send sends a request with headers, each as "Name: value".
func (c proxied) send(method, path, body string, headers ...string) response {
	c.t.Helper()
	return send(c.t, c.client.Transport, method, c.proxy.URL+path, body, headers...)
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
	viewer := c.send(http.MethodPost, "/graphql", queryOf(`{ viewer { user { databaseId } } }`), cookie, "Origin: "+c.proxy.URL)
	if !strings.Contains(viewer.body, `"10"`) {
		c.t.Errorf("with the cookie the viewer is %s", viewer.body)
	}
}

func (c proxied) speaksOverSockets() {
	c.t.Helper()
	conn := dial(c.t, c.client, c.proxy.URL, "{}")
	if got := hear(c.t, conn); !strings.Contains(got, "connection_ack") {
		c.t.Errorf("the response to the sign-in is %s", got)
	}
}

// streams checks that the proxy forwards an event at once.
func (c proxied) streams() {
	c.t.Helper()
	user := as(harness.TokenFor(c.t, 10))
	resp := open(c.t, c.client.Transport, http.MethodPost, c.proxy.URL+"/graphql", queryOf(`subscription { homeFeedEdges { cursor } }`), user, "Accept: text/event-stream")
	own := c.send(http.MethodPost, "/graphql", queryOf(`mutation { publishPost(input: {text: "hello"}) { userErrors { message } } }`), user)
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
		if got := c.send(http.MethodPost, "/graphql", queryOf(expensive), header); got.StatusCode != want {
			c.t.Errorf("with %s the status is %d, want %d", header, got.StatusCode, want)
		}
	}
}

// expensive takes nearly all of the smallest budget, for a user who does not exist.
const expensive = `{ user(handle: "unknown") { posts(first: 100) { nodes { comments(first: 90) { nodes { id } } } } } }`

const there, elsewhere = "X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 203.0.113.10"

// spends sends an expensive document, which must be refused or not.
func (s *server) spends(t *testing.T, refused bool, because string, headers ...string) {
	t.Helper()
	if fault := s.spend(t, refused, because, headers...); fault != "" {
		t.Error(fault)
	}
}

func (s *server) spend(t *testing.T, refused bool, because string, headers ...string) (fault string) {
	t.Helper()
	want := map[bool]int{false: http.StatusOK, true: http.StatusTooManyRequests}[refused]
	got := s.ask(t, expensive, headers...)
	if got.StatusCode != want || refused != (got.Header.Get("Retry-After") != "") {
		return fmt.Sprintf("with %.40q the status is %d and Retry-After %q, want %d: %s", headers, got.StatusCode, got.Header.Get("Retry-After"), want, because)
	}
	return ""
}

// A process that waits for Redis longer than a tenth of a second counts alone. On a machine that is so
// busy, the test begins again.
func TestLimits_ProcessesCountTogether(t *testing.T) {
	t.Parallel()
	const tries = 5
	for range tries {
		if faults, alone := countTogether(t); !alone {
			if len(faults) > 0 {
				t.Error(strings.Join(faults, "\n"))
			}
			return
		}
	}
	t.Errorf("in each of %d tries, a process has waited too long for Redis", tries)
}

func countTogether(t *testing.T) (faults []string, alone bool) {
	t.Helper()
	env := shared(t, "TIDELINE_ROLE=api", "TIDELINE_LOG_LEVEL=debug", "TIDELINE_RATE_LIMIT=10000", "TIDELINE_ADDRESS_RATE_LIMIT=15000", "TIDELINE_SERVICE_RATE_LIMIT=12000",
		"TIDELINE_TRUSTED_PROXIES=127.0.0.1")
	one, other := startServer(t, env...), startServer(t, env...)
	ann, ben := as(harness.TokenFor(t, 1)), as(harness.TokenFor(t, 2))
	content := as(serviceJWT(t, "content"))
	for _, c := range []struct {
		server  *server
		headers []string
		refused bool
		because string
	}{
		{one, []string{ann, there}, false, "the budgets of Ann and the address are full"},
		{other, []string{ann, elsewhere}, true, "Ann's budget is spent at every address"},
		{other, []string{ben, there}, true, "Ben has spent nothing, but the address has only 6,000 left"},
		{other, []string{there}, true, "the address's budget applies to anonymous requests"},
		{one, []string{elsewhere}, false, "another address has its own budget"},
		{one, nil, false, "clients without a forwarded address share one"},
		{other, []string{ann}, true, "and it is spent"},
		{one, []string{content, there, "Tideline-Act-For: 1"}, false, "a service spends neither Ann's budget nor that of the address"},
		{other, []string{as(serviceJWT(t, "content")), "Tideline-Act-For: 2"}, true, "its tokens, and all users that it acts for, share its budget"},
		{other, []string{content, elsewhere}, true, "it also pays for anonymous reads, at every address"},
		{other, []string{as(serviceJWT(t, "other")), "Tideline-Act-For: 1"}, false, "another service has its own budget"},
	} {
		if fault := c.server.spend(t, c.refused, c.because, c.headers...); fault != "" {
			faults = append(faults, fault)
		}
	}
	return faults, strings.Contains(one.Process.Output()+other.Process.Output(), "the process counts alone")
}

// The server trusts no proxy by default.
func TestLimits_UntrustedProxiesShareOneBudget(t *testing.T) {
	t.Parallel()
	s := startServer(t, embedded(t, noDemo, "TIDELINE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=10000")...)
	s.spends(t, false, "the budget is full", there)
	s.spends(t, true, "a forwarded address does not help", elsewhere)
	s.Process.WaitLine("doubt=untrusted_proxy")
}
