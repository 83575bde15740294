package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// response is a response with its body.
type response struct {
	*http.Response
	body string
}

// codes returns the codes of the errors in the body.
func (a response) codes(t *testing.T) []string {
	t.Helper()
	var got struct {
		Errors []struct {
			Extensions struct{ Code, RequestID string }
		}
	}
	a.decode(t, &got)
	var codes []string
	for _, e := range got.Errors {
		if id := a.Header.Get(gateway.RequestIDHeader); id == "" || e.Extensions.RequestID != id {
			t.Errorf("the body names the request %q and the header %q", e.Extensions.RequestID, id)
		}
		codes = append(codes, e.Extensions.Code)
	}
	return codes
}

// decode reads the body as JSON.
func (a response) decode(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), into); err != nil {
		t.Fatalf("%v: status %d: %s", err, a.StatusCode, a.body)
	}
}

// as returns the header of a token, and actFor those of the service token for a user.
func as(token string) string { return "Authorization: Bearer " + token }

func actFor(user any) []string {
	return []string{as(serviceToken), fmt.Sprint("Tideline-Act-For: ", user)}
}

// queryOf returns the body of a request with a document.
func queryOf(document string) string {
	body, _ := json.Marshal(map[string]string{"query": document})
	return string(body)
}

// send sends a request with headers, each as "Name: value".
func (s *server) send(t *testing.T, method, path, body string, headers ...string) response {
	t.Helper()
	return send(t, http.DefaultTransport, method, s.Base+path, body, headers...) // follows no redirects
}

// ask sends a GraphQL document.
func (s *server) ask(t *testing.T, document string, headers ...string) response {
	t.Helper()
	return s.send(t, http.MethodPost, "/graphql", queryOf(document), headers...)
}

// send sends a request and reads the response.
func send(t *testing.T, by http.RoundTripper, method, url, body string, headers ...string) response {
	t.Helper()
	resp := open(t, by, method, url, body, headers...)
	text, err := io.ReadAll(resp.Body)
	harness.Check(t, err)
	harness.Check(t, resp.Body.Close())
	return response{resp, string(text)}
}

// open sends a request, whose response the end of the test closes.
func open(t *testing.T, by http.RoundTripper, method, url, body string, headers ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	harness.Check(t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := by.RoundTrip(req)
	harness.Check(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}
