package gateway

import (
	"context"
	"crypto/rand"
	"net/http"
	"regexp"

	"github.com/tideline-feeds/tideline/feed"
)

// RequestIDHeader carries the id of a request, both ways.
const RequestIDHeader = "X-Request-Id"

// notes are what this package knows of a request while it is answered. One value in the
// context holds all of them, because each value costs a copy of the request. They are used on
// the goroutine of the request.
type notes struct {
	requestID string
	// viewer is who asks, once that has been found out.
	viewer feed.UserID
	// client is who sends the request, once [Locate] has found that out.
	client Client
}

type notesKey struct{}

// notesFrom returns the notes of a request; nil when nobody takes any.
func notesFrom(ctx context.Context) *notes {
	n, _ := ctx.Value(notesKey{}).(*notes)
	return n
}

// withNotes returns the request with notes, and these.
func withNotes(r *http.Request) (*http.Request, *notes) {
	if n := notesFrom(r.Context()); n != nil {
		return r, n
	}
	n := &notes{}
	return r.WithContext(context.WithValue(r.Context(), notesKey{}, n)), n
}

// noteViewer notes who asks.
func noteViewer(ctx context.Context, user feed.UserID) {
	if n := notesFrom(ctx); n != nil {
		n.viewer = user
	}
}

// RequestIDFrom returns the id that [AssignRequestID] gave the request, empty when
// it was not asked to.
func RequestIDFrom(ctx context.Context) string {
	if n := notesFrom(ctx); n != nil {
		return n.requestID
	}
	return ""
}

// AssignRequestID gives every request an id, in its context and in the response's
// [RequestIDHeader]. An id the client sends is kept when it is 1 to 64 letters,
// digits, underscores and hyphens, so that it can neither forge a line of the log
// nor fill it; any other is replaced. fresh makes ids; random ones of 128 bits when
// nil.
func AssignRequestID(fresh func() string, next http.Handler) http.Handler {
	if fresh == nil {
		fresh = rand.Text
	}
	sane := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(RequestIDHeader)
		if id == "" || !sane.MatchString(id) {
			id = fresh()
		}
		w.Header()[RequestIDHeader] = []string{id}
		r, n := withNotes(r)
		n.requestID = id
		next.ServeHTTP(w, r)
	})
}
