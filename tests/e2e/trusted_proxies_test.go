package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// The server trusts no proxy by default: a forwarded address changes only the log.
func TestServer_TrustsNoProxyByDefault(t *testing.T) {
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_DEMO=false",
		"TIDELINE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=10000")
	for i, header := range []string{"X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 203.0.113.10", "Forwarded: for=203.0.113.11"} {
		want := http.StatusTooManyRequests
		if i == 0 {
			want = http.StatusOK
		}
		if got := s.send(t, http.MethodPost, "/graphql", expensive, header); got.StatusCode != want {
			t.Errorf("with %s the status is %d, want %d", header, got.StatusCode, want)
		}
	}
	s.Process.WaitLine("doubt=untrusted_proxy")
}

// Introspection works on the same machine, but not through a proxy on it.
func TestIntrospection_NotThroughProxies(t *testing.T) {
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_DEMO=false")
	const query = `{"query":"{ __schema { queryType { name } } }"}`
	if got := s.send(t, http.MethodPost, "/graphql", query); !strings.Contains(got.body, `"Query"`) {
		t.Errorf("the response to this machine is %s", got.body)
	}
	if got := s.send(t, http.MethodPost, "/graphql", query, "Via: 1.1 proxy"); strings.Contains(got.body, `"Query"`) {
		t.Errorf("the response through a proxy is %s", got.body)
	}
}
