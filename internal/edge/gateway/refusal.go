package gateway

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/tideline-feeds/tideline/feed"
)

// internalMessage is all that clients see of unexpected errors.
const internalMessage = "internal error"

type refusal struct {
	Errors []refusalError `json:"errors"`
}

type refusalError struct {
	Message    string            `json:"message"`
	Extensions refusalExtensions `json:"extensions"`
}

type refusalExtensions struct {
	Code      feed.Code `json:"code"`
	RequestID string    `json:"requestId,omitempty"`
}

// refuse responds with an error and the request id, for users who report the refusal.
func refuse(w http.ResponseWriter, r *http.Request, status int, code feed.Code, message string) {
	writeJSON(w, status, refusal{Errors: []refusalError{{
		Message:    message,
		Extensions: refusalExtensions{Code: code, RequestID: RequestIDFrom(r.Context())},
	}}})
}

// refuseToken sends the challenge of RFC 6750. The message must be ASCII without quotes.
func refuseToken(w http.ResponseWriter, r *http.Request, message string) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="tideline", error="invalid_token", error_description="`+message+`"`)
	refuse(w, r, http.StatusUnauthorized, feed.CodeUnauthenticated, message)
}

// Caches must not store the body, because it depends on the identity. Errors mean that the client
// has left.
func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func clientMessage(err error) string {
	var e *feed.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return internalMessage
}
