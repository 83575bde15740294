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
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// extensionsCode returns the code of an error of the domain as clients see it. If a read ends in a
// refusal that errors do not have, the input was wrong.
func extensionsCode(c feed.Code) feed.Code {
	switch entry, known := apierror.Find(c); {
	case !known:
		return feed.CodeInternal
	case !entry.InErrors:
		return feed.CodeBadInput
	}
	return c
}

// userErrors converts a refusal to userErrors: an empty list for nil. It returns other errors.
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

// errPanicked replaces the value of a panic, which has been logged.
var errPanicked = errors.New("panicked")

// presenter converts errors for clients.
type presenter struct{ log *slog.Logger }

func (p presenter) recovered(ctx context.Context, value any) error {
	p.log.ErrorContext(ctx, "panic in a resolver", "requestId", RequestIDFrom(ctx),
		"path", graphql.GetPath(ctx).String(), "panic", value, "stack", string(debug.Stack()))
	return errPanicked
}

// present adds a code and the request id, and hides messages that are not for clients.
func (p presenter) present(ctx context.Context, err error) *gqlerror.Error {
	var at *gqlerror.Error
	if !errors.As(err, &at) {
		at = gqlerror.WrapPath(graphql.GetPath(ctx), err)
	}
	shown := *at
	// The parser, the validator, the guard and the transport set the code.
	if apierror.CodeOf(at) == "" {
		shown = *apierror.New(p.classify(ctx, err))
		shown.Path, shown.Locations = at.Path, at.Locations
	}
	if id := RequestIDFrom(ctx); id != "" {
		// Several requests may share the error.
		shown.Extensions = maps.Clone(shown.Extensions)
		shown.Extensions["requestId"] = id
	}
	return &shown
}

// classify returns the code and the message of an error, and logs a cause that it hides.
func (p presenter) classify(ctx context.Context, err error) (code feed.Code, message string) {
	var known *feed.Error
	isKnown := errors.As(err, &known)
	switch {
	case errors.Is(err, errPanicked):
		return feed.CodeInternal, apierror.InternalMessage
	case errors.Is(err, graph.ErrTooLong):
		return apierror.TooComplex, "the response is too long; ask for shorter pages or fewer fields"
	case errors.Is(err, context.DeadlineExceeded):
		return apierror.Timeout, "the request took too long"
	case errors.Is(err, context.Canceled):
		return feed.CodeUnavailable, "the request was cancelled"
	case isKnown && known.Code == feed.CodeUnavailable:
		p.log.ErrorContext(ctx, "store unavailable", "requestId", RequestIDFrom(ctx), "error", err)
		return known.Code, known.Message
	case isKnown && extensionsCode(known.Code) != feed.CodeInternal:
		return extensionsCode(known.Code), known.Message
	}
	p.log.ErrorContext(ctx, "internal error", "requestId", RequestIDFrom(ctx),
		"path", graphql.GetPath(ctx).String(), "error", err)
	return feed.CodeInternal, apierror.InternalMessage
}

// errorsMax limits the errors of a response: after a timeout, ten thousand fields may have one.
const errorsMax = 100

// boundErrors replaces the errors beyond [errorsMax] by one. response may be nil.
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
