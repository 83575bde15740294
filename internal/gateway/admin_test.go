package gateway

import (
	"io"
	"net/http"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

func TestOnlyThisMachineGetsThrough(t *testing.T) {
	h := OnlyLoopback(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "in") }))
	if resp := serve(h, localRequest(http.MethodGet, "/metrics", "")); resp.StatusCode != http.StatusOK {
		t.Errorf("a request of this machine is answered with %d", resp.StatusCode)
	}
	for name, change := range map[string]func(*http.Request){
		"of another machine":               func(r *http.Request) { r.RemoteAddr = "192.0.2.7:4711" },
		"for a name that was made to lead": func(r *http.Request) { r.Host = "evil.example" },
		"by a proxy":                       func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.0.2.7") },
		"by a page of another site":        func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
	} {
		r := localRequest(http.MethodGet, "/metrics", "")
		change(r)
		t.Run(name, func(t *testing.T) { wantRefusal(t, serve(h, r), http.StatusForbidden, feed.CodeForbidden) })
	}
}

func TestWhoComesWithoutTheOperatorsTokenIsAskedForIt(t *testing.T) {
	resp := serve(DemandAdminToken(), localRequest(http.MethodGet, "/metrics", ""))
	if resp.Header.Get("WWW-Authenticate") == "" {
		t.Error("the answer does not say how to sign in")
	}
	wantRefusal(t, resp, http.StatusUnauthorized, feed.CodeUnauthenticated)
}
