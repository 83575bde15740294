//go:build nightly

package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestCallback_SendsEventsToARouter checks that the setting reaches the server. The tests of
// resolvers/transport have the protocol.
func TestCallback_SendsEventsToARouter(t *testing.T) {
	t.Parallel()
	messages := make(chan string, 1000)
	router := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		messages <- string(body)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(router.Close)
	s := startServer(t, embedded(t, noDemo, "TIDELINE_CALLBACK_URLS="+router.URL+"/callback")...)
	ann := harness.TokenFor(t, 11)
	subscribe := func(path string) response {
		body := `{"query":"` + homeFeedEdges + `","extensions":{"subscription":{"callbackUrl":"` + router.URL + path + `","subscriptionId":"one","verifier":"secret","heartbeatIntervalMs":0}}}`
		return s.send(t, http.MethodPost, "/graphql", body, as(ann), "Accept: application/json;callbackSpec=1.0")
	}
	if got := subscribe("/elsewhere"); got.StatusCode != http.StatusBadRequest || len(messages) > 0 {
		t.Errorf("for a URL that is not allowed the response is %d %s", got.StatusCode, got.body)
	}
	if got := subscribe("/callback/one"); got.StatusCode != http.StatusOK || got.body != `{"data":null}` {
		t.Fatalf("the response is %d %s", got.StatusCode, got.body)
	}
	wants := func(parts ...string) {
		t.Helper()
		got := eventually.Receive(t, "message to the router", messages)
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Fatalf("the router gets %s, want %s", got, part)
			}
		}
	}
	wants(`"action":"check"`)
	wants(`"action":"next"`, s.Publish(t, ann, "by ann"))
	s.Process.Interrupt()
	wants(`"action":"complete"`, "UNAVAILABLE")
	if code := s.Process.Wait(); code != 0 {
		t.Errorf("the exit code is %d, want 0", code)
	}
}
