package feed

import (
	"errors"
	"fmt"
	"strings"
)

// Code classes an error for those who must act on it: a client, a retrying
// worker, an operator. The GraphQL layer turns codes into extensions.code and
// userErrors in one table.
type Code string

// Refusals: the request was understood and is declined. They reach the client as
// userErrors.
const (
	CodeNotFound    Code = "NOT_FOUND"
	CodeInvalid     Code = "INVALID"
	CodeTooLong     Code = "TOO_LONG"
	CodeFollowLimit Code = "FOLLOW_LIMIT"
	CodeConflict    Code = "CONFLICT"
	CodeForbidden   Code = "FORBIDDEN"
)

// Faults: the request cannot be answered. They reach the client as GraphQL errors.
const (
	// CodeBadInput: an argument is outside what the schema's prose allows.
	CodeBadInput Code = "BAD_USER_INPUT"
	// CodeBadCursor: a cursor that this feed did not make.
	CodeBadCursor Code = "BAD_CURSOR"
	// CodeUnauthenticated: nobody is signed in, or the token does not hold.
	CodeUnauthenticated Code = "UNAUTHENTICATED"
	// CodeUnavailable: a store cannot be reached, or cannot serve, now; the same request may
	// succeed later.
	CodeUnavailable Code = "UNAVAILABLE"
	// CodeInternal: everything nobody foresaw. Logged, never shown.
	CodeInternal Code = "INTERNAL"
)

// Refusal says whether the code is a declined request rather than a fault.
func (c Code) Refusal() bool {
	switch c {
	case CodeNotFound, CodeInvalid, CodeTooLong, CodeFollowLimit, CodeConflict, CodeForbidden:
		return true
	}
	return false
}

// Error is an error with a code. Message is fit for the client of the API; Err,
// when set, is the cause and for the log only.
type Error struct {
	Code    Code
	Message string
	// Field is the path of the input field at fault, outermost first; empty when
	// no single field is.
	Field []string
	Err   error
}

// Error returns the code, the message and, for the log, the cause.
func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Message
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// At returns a copy of the error that names the input field at fault.
func (e *Error) At(field ...string) *Error {
	c := *e
	c.Field = field
	return &c
}

// Reason returns what a refusal says of a record: the field at fault, and what is wrong.
func Reason(err error) string {
	var e *Error
	switch {
	case !errors.As(err, &e):
		return err.Error()
	case len(e.Field) == 0:
		return e.Message
	}
	return fmt.Sprintf("the field %q: %s", strings.Join(e.Field, "."), e.Message)
}

// Errorf makes an error with a code and a message for the client.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Unavailable wraps a store's failure to answer.
func Unavailable(what string, err error) *Error {
	return &Error{Code: CodeUnavailable, Message: what + " cannot be reached", Err: err}
}

// CannotServe wraps the failure of a store that can be reached and says why it cannot serve
// now. The reason completes a sentence that begins with what, such as "has no room left".
func CannotServe(what, reason string, err error) *Error {
	return &Error{Code: CodeUnavailable, Message: what + " " + reason, Err: err}
}

// CodeOf returns the code of the first [Error] in err's chain, [CodeInternal] when
// there is none, and the empty code for a nil error.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}
