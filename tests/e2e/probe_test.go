package e2e

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestHealth_ReportsServerState(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		code   int
	}{
		"a server that is ready":       {http.StatusOK, 0},
		"a server that is not":         {http.StatusServiceUnavailable, 1},
		"a server of something else":   {http.StatusNotFound, 1},
		"a server that sends us along": {http.StatusNotModified, 1},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(c.status)
				if c.status != http.StatusNotModified {
					_, _ = w.Write([]byte(`{"path":"` + r.URL.Path + `"}` + "\n"))
				}
			}))
			defer server.Close()
			code, stdout, stderr := harness.RunMain(t, "health", "--url", server.URL+"/readyz")
			if code != c.code {
				t.Errorf("the exit code is %d, want %d; it prints %q and %q", code, c.code, stdout, stderr)
			}
			if c.status != http.StatusNotModified && !strings.Contains(stdout+stderr, `{"path":"/readyz"}`) {
				t.Errorf("the output lacks the server's response: %q, %q", stdout, stderr)
			}
		})
	}
}

func TestHealth_FailsWithoutServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	if code, stdout, stderr := harness.RunMain(t, "health", "--url", server.URL+"/readyz"); code != 1 || stdout != "" || !strings.Contains(stderr, "health: ") {
		t.Errorf("the exit code is %d; it prints %q and %q", code, stdout, stderr)
	}
	for _, url := range []string{"127.0.0.1:8080", "ftp://127.0.0.1/readyz", "http:///readyz", ":"} {
		if code, _, stderr := harness.RunMain(t, "health", "--url", url); code != 2 || !strings.Contains(stderr, "--url must be http://HOST:PORT/readyz") {
			t.Errorf("%s: the exit code is %d; it prints %q", url, code, stderr)
		}
	}
}
