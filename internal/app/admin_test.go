package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A proxy on the same machine may look like a local client.
func TestAdmin_DemandsTokenThatIsSet(t *testing.T) {
	token := strings.Repeat("operator", 4)
	ok := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for _, c := range []struct {
		set, given string
		want       int
	}{
		{token, "", http.StatusUnauthorized},
		{token, "another", http.StatusUnauthorized},
		{token, token, http.StatusOK},
		{"", "", http.StatusOK},
	} {
		admin := adminSettings{AdminAddr: "127.0.0.1:9090", AdminToken: c.set}.admin(operatorEndpoints{metrics: ok, queues: ok, health: &health{}})
		for _, path := range []string{"/metrics", "/tasks", "/debug/pprof/cmdline"} {
			r := httptest.NewRequest(http.MethodGet, "http://localhost:9090"+path, nil)
			r.RemoteAddr = "127.0.0.1:51000"
			if c.given != "" {
				r.Header.Set("Authorization", "Bearer "+c.given)
			}
			w := httptest.NewRecorder()
			admin.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("with the token %q set, %s with %q returns %d, want %d", c.set, path, c.given, w.Code, c.want)
			}
		}
	}
}
