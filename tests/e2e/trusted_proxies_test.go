package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// Nobody is trusted unless named, and what a stranger claims changes nothing but the log.
func TestServer_TrustsNoProxyByDefault(t *testing.T) {
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_DEMO=false",
		"TIDELINE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=10000")
	for i, header := range []string{"X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 203.0.113.10", "Forwarded: for=203.0.113.11"} {
		want := http.StatusTooManyRequests
		if i == 0 {
			want = http.StatusOK
		}
		if got := s.send(t, http.MethodPost, "/graphql", dear, header); got.StatusCode != want {
			t.Errorf("with %s it answers %d, want %d", header, got.StatusCode, want)
		}
	}
	s.Process.WaitLine("doubt=untrusted_proxy")
}

// The schema is described to this machine, but not to those who come through a proxy on it.
func TestIntrospection_NotThroughProxies(t *testing.T) {
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_DEMO=false")
	const query = `{"query":"{ __schema { queryType { name } } }"}`
	if got := s.send(t, http.MethodPost, "/graphql", query); !strings.Contains(got.body, `"Query"`) {
		t.Errorf("this machine is answered with %s", got.body)
	}
	if got := s.send(t, http.MethodPost, "/graphql", query, "Via: 1.1 proxy"); strings.Contains(got.body, `"Query"`) {
		t.Errorf("a stranger is answered with %s", got.body)
	}
}
