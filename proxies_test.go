package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/gateway"
)

func TestProxyWatch_LogsEachDoubtOnceAnHour(t *testing.T) {
	var log bytes.Buffer
	now := time.Unix(1_777_896_000, 0)
	w := newProxyWatch(slog.New(slog.NewTextHandler(&log, nil)), func() time.Time { return now })
	peer := netip.MustParseAddr("192.0.2.7")
	for _, want := range []int{2, 2, 4} {
		for range 3 {
			w.doubted(t.Context(), gateway.UntrustedProxy, peer)
			w.doubted(t.Context(), gateway.SilentProxy, peer)
		}
		if got := strings.Count(log.String(), "peer=192.0.2.7"); got != want {
			t.Errorf("the log has %d lines, want %d:\n%s", got, want, log.String())
		}
		now = now.Add(proxyLogEvery/2 + time.Second)
	}
	if !strings.Contains(log.String(), "TIDELINE_TRUSTED_PROXIES") {
		t.Errorf("the log does not say what to do: %s", log.String())
	}
}

// Nobody is trusted unless named, and what a stranger claims changes nothing but the log.
func TestServer_TrustsNoProxyByDefault(t *testing.T) {
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+testSecret, "TIDELINE_DEMO=false",
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
	s.process.WaitLine("doubt=untrusted_proxy")
}

// The schema is described to this machine, but not to those who come through a proxy on it.
func TestIntrospection_NotThroughProxies(t *testing.T) {
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+testSecret, "TIDELINE_DEMO=false")
	const query = `{"query":"{ __schema { queryType { name } } }"}`
	if got := s.send(t, http.MethodPost, "/graphql", query); !strings.Contains(got.body, `"Query"`) {
		t.Errorf("this machine is answered with %s", got.body)
	}
	if got := s.send(t, http.MethodPost, "/graphql", query, "Via: 1.1 proxy"); strings.Contains(got.body, `"Query"`) {
		t.Errorf("a stranger is answered with %s", got.body)
	}
}
