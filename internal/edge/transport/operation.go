package transport

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

type headerKey struct{}

// Header returns the header of the response, for extensions. A socket ignores it.
func Header(ctx context.Context) http.Header {
	if h, ok := ctx.Value(headerKey{}).(http.Header); ok {
		return h
	}
	return http.Header{}
}

func withHeader(ctx context.Context, h http.Header) context.Context {
	return context.WithValue(ctx, headerKey{}, h)
}

// prepare parses and validates an operation, or returns a response with errors and no data.
func prepare(ctx context.Context, exec graphql.GraphExecutor, params *graphql.RawParams) (*graphql.OperationContext, *graphql.Response) {
	oc, errs := exec.CreateOperationContext(ctx, params)
	if errs != nil {
		return nil, exec.DispatchError(graphql.WithOperationContext(ctx, oc), unwrapAll(errs))
	}
	return oc, nil
}

// unwrapAll returns all errors: an extension of the executor returns one, which may wrap a list.
func unwrapAll(errs gqlerror.List) gqlerror.List {
	var all gqlerror.List
	if len(errs) == 1 && errors.As(errs[0].Err, &all) {
		return all
	}
	return errs
}

func errorResponse(ctx context.Context, exec graphql.GraphExecutor, code feed.Code, message string) *graphql.Response {
	return failedResponse(ctx, exec, apierror.New(code, message))
}

// failedResponse presents an error by the executor's error presenter.
func failedResponse(ctx context.Context, exec graphql.GraphExecutor, err error) *graphql.Response {
	if !graphql.HasOperationContext(ctx) {
		// Observers of responses need an operation.
		ctx = graphql.WithOperationContext(ctx, &graphql.OperationContext{})
	}
	return exec.DispatchError(ctx, gqlerror.List{gqlerror.WrapIfUnwrapped(err)})
}

// panicked returns the response after a panic outside of a resolver, which the executor logs.
func panicked(ctx context.Context, exec graphql.GraphExecutor, value any) *graphql.Response {
	type presenter interface {
		PresentRecoveredError(ctx context.Context, value any) error
	}
	if p, ok := exec.(presenter); ok {
		return failedResponse(ctx, exec, p.PresentRecoveredError(ctx, value))
	}
	return errorResponse(ctx, exec, feed.CodeInternal, apierror.InternalMessage)
}

// responses runs an operation and yields its responses: one for a query or a mutation, or several if
// fields are deferred ([InParts]); any number for a subscription, which has begun when responses
// returns. A response counts as written when yield returns ([AfterWrite]), and parts with the last.
// ctx is that of after.
func (t *Transport) responses(ctx context.Context, after *afterWrite, exec graphql.GraphExecutor, oc *graphql.OperationContext) iter.Seq[*graphql.Response] {
	if oc.Operation.Operation == ast.Subscription {
		next, ctx := exec.DispatchOperation(ctx, oc)
		return func(yield func(*graphql.Response) bool) {
			defer after.written()
			for response := next(ctx); response != nil && yield(response); {
				after.written()
				response = next(ctx)
			}
		}
	}
	return func(yield func(*graphql.Response) bool) {
		defer after.written()
		ctx, evict := context.WithCancelCause(ctx)
		defer evict(nil)
		after.cancel = evict
		ctx, cancel := t.Bounded(ctx)
		defer cancel()
		next, ctx := exec.DispatchOperation(ctx, oc)
		for more := true; more; {
			response := next(ctx)
			if response == nil {
				// The executor returns nil if ctx is done.
				response = failedResponse(ctx, exec, context.Cause(ctx))
				response.Data = json.RawMessage("null")
			}
			more = yield(response) && continues(response)
		}
	}
}

// Bounded returns a context with the timeout of an operation, or ctx if its deadline is earlier.
// The transport cannot tell an event from the wait for it, so the caller bounds events.
func (t *Transport) Bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if by, ok := ctx.Deadline(); ok && time.Until(by) <= t.o.OperationWithin {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, t.o.OperationWithin)
}

// hasData reports whether the operation began. Its data may be null.
func hasData(response *graphql.Response) bool { return response.Data != nil }

// status returns the HTTP status of a response. If there is no room, the status says so for both
// media types, because proxies and clients know when to retry. Other errors have status 400 for the
// newer media type only: older clients treat it as a failure of the network.
func status(mediaType string, response *graphql.Response) int {
	if hasData(response) || len(response.Errors) == 0 {
		return http.StatusOK
	}
	for _, err := range response.Errors {
		switch apierror.CodeOf(err) {
		case apierror.RateLimited:
			return http.StatusTooManyRequests
		case feed.CodeUnavailable:
			return http.StatusServiceUnavailable
		case feed.CodeStale:
			if mediaType == mediaResponse {
				return http.StatusPreconditionFailed
			}
		}
	}
	if mediaType == mediaResponse {
		return http.StatusBadRequest
	}
	return http.StatusOK
}
