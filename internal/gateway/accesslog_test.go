package gateway

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// errGone is the error of a goneWriter.
var errGone = errors.New("gone")

// goneWriter fails as if the client were gone.
type goneWriter struct{ http.ResponseWriter }

func (goneWriter) FlushError() error { return errGone }

func TestLogAccess_NamesTheUser(t *testing.T) {
	log, out := newLog()
	h := LogAccess(log, atNoon, Identify(Authenticator{Verifier: testTokens(), Attach: keep, Log: discard()}, http.NotFoundHandler()))
	serve(h, localRequest(http.MethodGet, "/graphql", ""))
	if line := out.String(); strings.Contains(line, "viewer") {
		t.Errorf("the log of an anonymous request is %s", line)
	}
	serve(h, withBearer(localRequest(http.MethodGet, "/graphql", ""), mustSign(t, Claims{User: 7})))
	wantContains(t, out.String(), "viewer=7")
}

func TestLogAccess_ReportsFlushErrorsToStreams(t *testing.T) {
	var got error
	h := LogAccess(discard(), atNoon, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		got = http.NewResponseController(w).Flush()
	}))
	h.ServeHTTP(goneWriter{httptest.NewRecorder()}, localRequest("GET", "/graphql", ""))
	if !errors.Is(got, errGone) {
		t.Errorf("FlushError returned %v", got)
	}
}
