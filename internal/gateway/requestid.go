package gateway

import (
	"context"
	"crypto/rand"
	"net/http"
	"regexp"
)

// RequestIDHeader carries the id of a request, both ways.
const RequestIDHeader = "X-Request-Id"

type requestIDKey struct{}

// RequestIDFrom returns the id that [AssignRequestID] gave the request, empty when
// it was not asked to.
func RequestIDFrom(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
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
		if !sane.MatchString(id) {
			id = fresh()
		}
		w.Header().Set(RequestIDHeader, id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}
