//go:build nightly

package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// callbackRouter is a router's end of the HTTP callback protocol, for one subscription.
type callbackRouter struct {
	*httptest.Server
	checks chan struct{}
	events chan event
	// ended gets the code of the complete message; empty for none.
	ended chan string
}

func newCallbackRouter(t *testing.T) *callbackRouter {
	r := &callbackRouter{checks: make(chan struct{}, 1000), events: make(chan event, 1000), ended: make(chan string, 1)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var m struct {
			Kind, Action, ID, Verifier string
			Payload                    event
			Errors                     []struct{ Extensions struct{ Code string } }
		}
		if err := json.NewDecoder(req.Body).Decode(&m); err != nil || m.Kind != "subscription" || m.ID != "one" || m.Verifier != "secret" ||
			req.Header.Get("Subscription-Protocol") != "callback/1.0" {
			t.Errorf("the router receives %+v, %v", m, err)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		switch m.Action {
		case "check":
			r.checks <- struct{}{}
			w.WriteHeader(http.StatusNoContent)
		case "next":
			r.events <- m.Payload
		case "complete":
			code := ""
			if len(m.Errors) > 0 {
				code = m.Errors[0].Extensions.Code
			}
			r.ended <- code
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// overCallback subscribes for events at a URL, and returns the response.
func (s *server) overCallback(t *testing.T, token, url string) response {
	t.Helper()
	body := `{"query":"` + homeFeedEdges + `","extensions":{"subscription":{"callbackUrl":"` + url + `","subscriptionId":"one","verifier":"secret","heartbeatIntervalMs":1000}}}`
	return s.send(t, http.MethodPost, "/graphql", body, as(token), "Accept: application/json;callbackSpec=1.0")
}

// receive returns what a channel has, in time.
func receive[T any](t *testing.T, what string, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(eventually.Limit):
		t.Fatalf("the router gets no %s", what)
	}
	return v
}

// A router gets the events of a subscription, heartbeats, and why the subscription ends.
func TestCallback_SendsEventsToARouter(t *testing.T) {
	t.Parallel()
	router, other := newCallbackRouter(t), newCallbackRouter(t)
	s := startServer(t, embedded(t, noDemo, "TIDELINE_CALLBACK_URLS="+router.URL+"/callback")...)
	ann := harness.TokenFor(t, 11)
	if got := s.overCallback(t, ann, other.URL+"/callback"); got.StatusCode != http.StatusBadRequest || len(other.checks) > 0 {
		t.Errorf("for a router that is not allowed the response is %d %s", got.StatusCode, got.body)
	}
	if got := s.overCallback(t, ann, router.URL+"/callback/one"); got.StatusCode != http.StatusOK || got.body != `{"data":null}` {
		t.Fatalf("the response is %d %s", got.StatusCode, got.body)
	}
	receive(t, "check before the response", router.checks)
	post := s.Publish(t, ann, "by ann")
	if got := receive(t, "event", router.events); got.Data.HomeFeedEdges.Node.DatabaseID != post {
		t.Errorf("the event is %+v, want the post %s", got, post)
	}
	receive(t, "heartbeat", router.checks)
	s.Process.Interrupt()
	if code := receive(t, "end", router.ended); code != "UNAVAILABLE" {
		t.Errorf("the subscription ends with the code %q", code)
	}
	if code := s.Process.Wait(); code != 0 {
		t.Errorf("the exit code is %d, want 0", code)
	}
}
