package gateway

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

func TestOnlyLoopback_RefusesOtherMachines(t *testing.T) {
	h := OnlyLoopback(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "in") }))
	if resp := serve(h, localRequest(http.MethodGet, "/metrics", "")); resp.StatusCode != http.StatusOK {
		t.Errorf("a local request got %d", resp.StatusCode)
	}
	for name, change := range map[string]func(*http.Request){
		"of another machine":               func(r *http.Request) { r.RemoteAddr = "192.0.2.7:4711" },
		"for a name that was made to lead": func(r *http.Request) { r.Host = "evil.example" },
		"by a proxy":                       func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.0.2.7") },
		"by a network of proxies":          func(r *http.Request) { r.Header.Set("CF-Connecting-IP", "192.0.2.7") },
		"by a proxy that speaks HTTP/1.0":  func(r *http.Request) { r.ProtoMinor = 0 },
		"at an address of another network": func(r *http.Request) { atAddress(r, "192.0.2.1:9090") },
		"by a link on another site":        func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"by a page of another site":        func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
	} {
		r := localRequest(http.MethodGet, "/metrics", "")
		change(r)
		t.Run(name, func(t *testing.T) { wantRefusal(t, serve(h, r), http.StatusForbidden, feed.CodeForbidden) })
	}
}

// atAddress sets the local address of the connection.
func atAddress(r *http.Request, address string) {
	local := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))
	*r = *r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, local))
}

func TestDemandAdminToken_SendsChallenge(t *testing.T) {
	resp := serve(DemandAdminToken(), localRequest(http.MethodGet, "/metrics", ""))
	if resp.Header.Get("WWW-Authenticate") == "" {
		t.Error("the response has no challenge")
	}
	wantRefusal(t, resp, http.StatusUnauthorized, feed.CodeUnauthenticated)
}
