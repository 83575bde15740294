package gateway

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// errGone is what a writer says whose client has gone.
var errGone = errors.New("gone")

// goneWriter cannot send anything.
type goneWriter struct{ http.ResponseWriter }

func (goneWriter) FlushError() error { return errGone }

// Who is signed in is found out behind the log, and written down in it all the same.
func TestLogAccessSaysWhoAsked(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	h := LogAccess(log, atNoon, Identify(Authenticator{Verifier: testTokens(), Attach: keep, Log: discard()}, http.NotFoundHandler()))
	serve(h, localRequest(http.MethodGet, "/graphql", ""))
	if line := out.String(); strings.Contains(line, "viewer") {
		t.Errorf("of nobody the log says %s", line)
	}
	serve(h, withBearer(localRequest(http.MethodGet, "/graphql", ""), mustSign(t, Claims{User: 7})))
	if line := out.String(); !strings.Contains(line, "viewer=7") {
		t.Errorf("of user 7 the log says %s", line)
	}
}

// A stream has to learn that its client has gone, through the log as well.
func TestLogAccessTellsStreamsThatNothingCanBeSent(t *testing.T) {
	var got error
	h := LogAccess(discard(), atNoon, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		got = http.NewResponseController(w).Flush()
	}))
	h.ServeHTTP(goneWriter{httptest.NewRecorder()}, localRequest("GET", "/graphql", ""))
	if !errors.Is(got, errGone) {
		t.Errorf("the stream is told %v", got)
	}
}
