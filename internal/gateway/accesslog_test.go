package gateway

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

// errGone is what a writer says whose client has gone.
var errGone = errors.New("gone")

// goneWriter cannot send anything.
type goneWriter struct{ http.ResponseWriter }

func (goneWriter) FlushError() error { return errGone }

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
