package gateway

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/tideline-feeds/tideline/feed"
)

// internalMessage is all a client learns of a failure nobody foresaw.
const internalMessage = "internal error"

// refusal is the body of a request that was not let through: a GraphQL response
// with one error and no data.
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

// refuse answers the request with an error. The request's id goes along, because
// who is refused by mistake will ask about it.
func refuse(w http.ResponseWriter, r *http.Request, status int, code feed.Code, message string) {
	writeJSON(w, status, refusal{Errors: []refusalError{{
		Message:    message,
		Extensions: refusalExtensions{Code: code, RequestID: RequestIDFrom(r.Context())},
	}}})
}

// refuseToken answers 401 with the challenge of RFC 6750. The message is one of
// [Tokens.Verify], plain ASCII without quotes, fit for a quoted string.
func refuseToken(w http.ResponseWriter, r *http.Request, message string) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="tideline", error="invalid_token", error_description="`+message+`"`)
	refuse(w, r, http.StatusUnauthorized, feed.CodeUnauthenticated, message)
}

// writeJSON answers with a body that no cache may keep: everything this package
// says depends on who asks. A failed write means that the client has left.
func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// clientMessage returns the part of an error that may be shown.
func clientMessage(err error) string {
	var e *feed.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return internalMessage
}
