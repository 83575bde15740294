// Package apierror makes the GraphQL errors of the API, and lists their codes.
package apierror

import (
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
)

// Codes of errors that the domain does not know.
const (
	ParseFailed      feed.Code = "GRAPHQL_PARSE_FAILED"
	ValidationFailed feed.Code = "GRAPHQL_VALIDATION_FAILED"
	TooComplex       feed.Code = "QUERY_TOO_COMPLEX"
	RateLimited      feed.Code = "RATE_LIMITED"
	UnknownDocument  feed.Code = "PERSISTED_QUERY_NOT_FOUND"
	Timeout          feed.Code = "TIMEOUT"
)

// InternalMessage is the message of every error whose cause the client must not see.
const InternalMessage = "internal error"

// New returns an error with a code and a message for the client.
func New(code feed.Code, message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: extensions(code)}
}

// SetCode gives an error of the parser or the validator its code.
func SetCode(err *gqlerror.Error, code feed.Code) { err.Extensions = extensions(code) }

func extensions(code feed.Code) map[string]any { return map[string]any{"code": string(code)} }

// CodeOf returns the code of an error; empty if it has none.
func CodeOf(err *gqlerror.Error) feed.Code {
	code, _ := err.Extensions["code"].(string)
	return feed.Code(code)
}
