package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// expensive takes nearly all of the smallest budget, for a user who does not exist.
const expensive = `{ user(handle: "unknown") { posts(first: 100) { nodes { comments(first: 90) { nodes { id } } } } } }`

const there, elsewhere = "X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 203.0.113.10"

// spends sends an expensive document, which must be refused or not.
func (s *server) spends(t *testing.T, refused bool, because string, headers ...string) {
	t.Helper()
	want := map[bool]int{false: http.StatusOK, true: http.StatusTooManyRequests}[refused]
	got := s.ask(t, expensive, headers...)
	if got.StatusCode != want || refused != (got.Header.Get("Retry-After") != "") {
		t.Errorf("with %.40q the status is %d and Retry-After %q, want %d: %s", headers, got.StatusCode, got.Header.Get("Retry-After"), want, because)
	}
}

func TestLimits_ProcessesCountTogether(t *testing.T) {
	t.Parallel()
	env := shared(t, "TIDELINE_ROLE=api", "TIDELINE_RATE_LIMIT=10000", "TIDELINE_ADDRESS_RATE_LIMIT=15000", "TIDELINE_SERVICE_RATE_LIMIT=12000",
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
		{one, []string{"X-Forwarded-For: 2001:db8::1"}, false, "an IPv6 network has its own budget"},
		{one, []string{"X-Forwarded-For: 2001:db8::2"}, true, "addresses of one IPv6 network share it"},
		{one, nil, false, "clients without a forwarded address share one"},
		{other, []string{ann}, true, "and it is spent"},
		{other, []string{"X-Forwarded-For: unknown"}, true, "an invalid address does not help"},
		{one, []string{content, there, "Tideline-Act-For: 1"}, false, "a service spends neither Ann's budget nor that of the address"},
		{other, []string{as(serviceJWT(t, "content")), "Tideline-Act-For: 2"}, true, "its tokens, and all users that it acts for, share its budget"},
		{other, []string{content, elsewhere}, true, "it also pays for anonymous reads, at every address"},
		{other, []string{as(serviceJWT(t, "other")), "Tideline-Act-For: 1"}, false, "another service has its own budget"},
		{other, []string{as(serviceToken)}, false, "so has the opaque token"},
	} {
		c.server.spends(t, c.refused, c.because, c.headers...)
	}

	t.Run("a persisted query is known to all", func(t *testing.T) {
		const query = `{ viewer { user { name } } }`
		sum := sha256.Sum256([]byte(query))
		extension := fmt.Sprintf(`"extensions":{"persistedQuery":{"version":1,"sha256Hash":%q}}}`, hex.EncodeToString(sum[:]))
		ask := func(s *server, body string) response {
			return s.send(t, http.MethodPost, "/graphql", body, "X-Forwarded-For: 203.0.113.11")
		}
		if got := ask(other, "{"+extension); !cmp.Equal(got.codes(t), []string{"PERSISTED_QUERY_NOT_FOUND"}) {
			t.Errorf("before the query was sent: %s", got.body)
		}
		for _, got := range []response{ask(one, `{"query":"`+query+`",`+extension), ask(other, "{"+extension)} {
			if !strings.HasPrefix(got.body, `{"data":{"viewer":null}`) {
				t.Errorf("the response is %s", got.body)
			}
		}
	})
}

// The server trusts no proxy by default.
func TestLimits_UntrustedProxiesShareOneBudget(t *testing.T) {
	t.Parallel()
	s := startServer(t, embedded(t, noDemo, "TIDELINE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=10000")...)
	s.spends(t, false, "the budget is full", there)
	s.spends(t, true, "a forwarded address does not help", elsewhere)
	s.Process.WaitLine("doubt=untrusted_proxy")
}
