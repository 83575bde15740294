package feed

import (
	"errors"
	"fmt"
	"strings"
)

// Code classifies an error for clients, for workers that retry, and for operators.
type Code string

// Refusals: the request is valid and declined. Clients get them as userErrors.
const (
	CodeNotFound    Code = "NOT_FOUND"
	CodeInvalid     Code = "INVALID"
	CodeTooLong     Code = "TOO_LONG"
	CodeFollowLimit Code = "FOLLOW_LIMIT"
	CodeConflict    Code = "CONFLICT"
	CodeForbidden   Code = "FORBIDDEN"
)

// Faults: the request cannot be answered. Clients get them as GraphQL errors.
const (
	CodeBadInput Code = "BAD_USER_INPUT"
	// CodeBadCursor: the cursor is not one of this feed.
	CodeBadCursor Code = "BAD_CURSOR"
	// CodeSyncReset: the change log cannot tell what has changed.
	CodeSyncReset Code = "SYNC_RESET"
	// CodeUnauthenticated: there is no valid token or session.
	CodeUnauthenticated Code = "UNAUTHENTICATED"
	// CodeStale: a read cannot reflect what it must ([AtLeast]).
	CodeStale Code = "STALE"
	// CodeUnavailable: a store cannot be reached or cannot serve now. A retry may succeed.
	CodeUnavailable Code = "UNAVAILABLE"
	// CodeInternal: an unexpected failure. It is logged and never shown.
	CodeInternal Code = "INTERNAL"
)

// Refusal reports whether the code declines a request, as opposed to a fault.
func (c Code) Refusal() bool {
	switch c {
	case CodeNotFound, CodeInvalid, CodeTooLong, CodeFollowLimit, CodeConflict, CodeForbidden:
		return true
	}
	return false
}

// Error is an error with a code. Clients see Message. Err, if set, is the cause, for the log only.
type Error struct {
	Code    Code
	Message string
	// Field is the path of the invalid input field, outermost first; empty if no single one is.
	Field []string
	Err   error
}

func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Message
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// At returns a copy of the error that names the invalid input field.
func (e *Error) At(field ...string) *Error {
	c := *e
	c.Field = field
	return &c
}

// Reason returns the message of a refusal, with the invalid field if there is one.
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

// Errorf returns an error with a code and a message for the client.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Unavailable wraps the failure of a store that cannot be reached. what names the store.
func Unavailable(what string, err error) *Error {
	return &Error{Code: CodeUnavailable, Message: what + " cannot be reached", Err: err}
}

// CannotServe wraps the failure of a store that was reached. The message is what, then the reason.
func CannotServe(what, reason string, err error) *Error {
	return &Error{Code: CodeUnavailable, Message: what + " " + reason, Err: err}
}

// CodeOf returns the code of the first [Error] in err's chain, else [CodeInternal]; "" for nil.
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
