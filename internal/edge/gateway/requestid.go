package gateway

import (
	"context"
	"crypto/rand"
	"net/http"
	"regexp"

	"github.com/tideline-feeds/tideline/feed"
)

// RequestIDHeader has the id of a request, in requests and responses.
const RequestIDHeader = "X-Request-Id"

// requestInfo is one context value, because each costs a copy of the request. It belongs to the
// goroutine of the request.
type requestInfo struct {
	requestID string
	// viewer has number 0 for no user.
	viewer  feed.PublicID
	service string
	// client is set by [Locate].
	client Client
}

type requestInfoKey struct{}

func infoFrom(ctx context.Context) *requestInfo {
	n, _ := ctx.Value(requestInfoKey{}).(*requestInfo)
	return n
}

func withInfo(r *http.Request) (*http.Request, *requestInfo) {
	if n := infoFrom(r.Context()); n != nil {
		return r, n
	}
	n := &requestInfo{}
	return r.WithContext(context.WithValue(r.Context(), requestInfoKey{}, n)), n
}

func setIdentity(ctx context.Context, id Identity) {
	if n := infoFrom(ctx); n != nil {
		n.viewer, n.service = id.publicID(), id.Service
	}
}

// RequestIDFrom returns the id that [AssignRequestID] gave the request; empty without it.
func RequestIDFrom(ctx context.Context) string {
	if n := infoFrom(ctx); n != nil {
		return n.requestID
	}
	return ""
}

// ViewerFrom returns the public id of the user of a request, or of a socket; empty for none.
func ViewerFrom(ctx context.Context) string {
	if id, _ := IdentityFrom(ctx); id.User != 0 {
		return id.publicUser()
	}
	return ""
}

// AssignRequestID gives every request an id, in its context and in the [RequestIDHeader] of the
// response. It keeps the client's if that has 1 to 64 letters, digits, underscores and hyphens,
// which can neither forge nor flood log lines. fresh generates ids; random ones when nil.
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
		r, n := withInfo(r)
		n.requestID = id
		next.ServeHTTP(w, r)
	})
}
