package resolvers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

// extensionsCode is the one table from the domain's codes to extensions.code.
// Refusals are userErrors where a mutation has a place for them; where a read ends in
// one, those the contract has no code for are the input's fault.
func extensionsCode(c feed.Code) feed.Code {
	switch entry, known := apierror.Find(c); {
	case !known:
		return feed.CodeInternal
	case !entry.InErrors:
		return feed.CodeBadInput
	}
	return c
}

// userErrors turns a refusal into what a payload says. It returns an empty list for
// no error, and everything that is not a refusal as an error.
func userErrors(err error) ([]model.UserError, error) {
	if err == nil {
		return []model.UserError{}, nil
	}
	var refusal *feed.Error
	if errors.As(err, &refusal) && refusal.Code.Refusal() {
		return []model.UserError{{Code: refusal.Code, Message: refusal.Message, Field: refusal.Field}}, nil
	}
	return nil, err
}

// errPanicked stands for a panic, which is in the log already.
var errPanicked = errors.New("panicked")

// presenter decides what clients see of an error.
type presenter struct{ log *slog.Logger }

// recovered logs a panic and returns what is to be presented instead.
func (p presenter) recovered(ctx context.Context, value any) error {
	p.log.ErrorContext(ctx, "panic in a resolver", "requestId", RequestIDFrom(ctx),
		"path", graphql.GetPath(ctx).String(), "panic", value, "stack", string(debug.Stack()))
	return errPanicked
}

// present returns err as the client may see it: with a code, the request's id, and
// never a text that was not written for clients.
func (p presenter) present(ctx context.Context, err error) *gqlerror.Error {
	var at *gqlerror.Error
	if !errors.As(err, &at) {
		at = gqlerror.WrapPath(graphql.GetPath(ctx), err)
	}
	shown := *at
	// The parser, the validator, the guard and the transport give their errors a code.
	if apierror.CodeOf(at) == "" {
		shown = *apierror.New(p.classify(ctx, err))
		shown.Path, shown.Locations = at.Path, at.Locations
	}
	if id := RequestIDFrom(ctx); id != "" {
		// The error may be shared; what its request is called is not.
		shown.Extensions = maps.Clone(shown.Extensions)
		shown.Extensions["requestId"] = id
	}
	return &shown
}

// classify returns the code and the message for an error, and logs what only the
// operator may know.
func (p presenter) classify(ctx context.Context, err error) (code feed.Code, message string) {
	var known *feed.Error
	isKnown := errors.As(err, &known)
	switch {
	case errors.Is(err, errPanicked):
		return feed.CodeInternal, apierror.InternalMessage
	case errors.Is(err, graph.ErrTooLong):
		return apierror.TooComplex, "the answer would be longer than an answer may be; ask for shorter pages, or for less of each entry"
	case errors.Is(err, context.DeadlineExceeded):
		return apierror.Timeout, "the request took too long"
	case errors.Is(err, context.Canceled):
		return feed.CodeUnavailable, "the request was cancelled"
	case isKnown && known.Code == feed.CodeUnavailable:
		p.log.ErrorContext(ctx, "a store cannot serve", "requestId", RequestIDFrom(ctx), "error", err)
		return known.Code, known.Message
	case isKnown && extensionsCode(known.Code) != feed.CodeInternal:
		return extensionsCode(known.Code), known.Message
	}
	p.log.ErrorContext(ctx, "internal error", "requestId", RequestIDFrom(ctx),
		"path", graphql.GetPath(ctx).String(), "error", err)
	return feed.CodeInternal, apierror.InternalMessage
}

// errorsMax is how many errors a response lists. Each field of an operation that has run out
// of time is one, and there may be ten thousand.
const errorsMax = 100

// boundErrors puts one error in the place of those beyond [errorsMax]. response may be nil.
func boundErrors(response *graphql.Response) *graphql.Response {
	if response == nil || len(response.Errors) <= errorsMax {
		return response
	}
	more := response.Errors[errorsMax:]
	last := *more[0]
	last.Path, last.Locations = nil, nil
	last.Message = fmt.Sprintf("%d more errors are not listed, of which the first says: %s", len(more), last.Message)
	response.Errors = append(response.Errors[:errorsMax:errorsMax], &last)
	return response
}
