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
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

type headerKey struct{}

// Header returns the header of the response that is in the making, for what runs behind
// the transport and has something to say there before the operation begins. On a socket,
// whose header is long sent, what is set in it is lost.
func Header(ctx context.Context) http.Header {
	if h, ok := ctx.Value(headerKey{}).(http.Header); ok {
		return h
	}
	return http.Header{}
}

func withHeader(ctx context.Context, h http.Header) context.Context {
	return context.WithValue(ctx, headerKey{}, h)
}

// prepare parses and validates an operation. It returns a response that says what is
// wrong, with no data, when the operation cannot begin.
func prepare(ctx context.Context, exec graphql.GraphExecutor, params *graphql.RawParams) (*graphql.OperationContext, *graphql.Response) {
	oc, errs := exec.CreateOperationContext(ctx, params)
	if errs != nil {
		return nil, exec.DispatchError(graphql.WithOperationContext(ctx, oc), allOf(errs))
	}
	return oc, nil
}

// allOf returns the errors that are meant: an extension of the executor can return one only,
// which wraps a list when there are several.
func allOf(errs gqlerror.List) gqlerror.List {
	var all gqlerror.List
	if len(errs) == 1 && errors.As(errs[0].Err, &all) {
		return all
	}
	return errs
}

// refusal is the response to what is no operation at all.
func refusal(ctx context.Context, exec graphql.GraphExecutor, code feed.Code, message string) *graphql.Response {
	return failure(ctx, exec, apierror.New(code, message))
}

// failure is the response of what failed before there was an operation, or beside it.
// What clients see of err is for the executor's error presenter to say.
func failure(ctx context.Context, exec graphql.GraphExecutor, err error) *graphql.Response {
	if !graphql.HasOperationContext(ctx) {
		// What looks at responses finds an operation, with nothing in it.
		ctx = graphql.WithOperationContext(ctx, &graphql.OperationContext{})
	}
	return exec.DispatchError(ctx, gqlerror.List{gqlerror.WrapIfUnwrapped(err)})
}

// panicked is the response of what has panicked outside of a resolver. The executor's
// recover function tells the operator.
func panicked(ctx context.Context, exec graphql.GraphExecutor, value any) *graphql.Response {
	type presenter interface {
		PresentRecoveredError(ctx context.Context, value any) error
	}
	if p, ok := exec.(presenter); ok {
		return failure(ctx, exec, p.PresentRecoveredError(ctx, value))
	}
	return refusal(ctx, exec, feed.CodeInternal, apierror.InternalMessage)
}

// responses runs an operation and yields its responses: one for a query or a mutation,
// which may take as long as the options say; any number for a subscription, until it or
// ctx ends. A response counts as written when yield returns ([AfterWrite]).
func (t *Transport) responses(ctx context.Context, exec graphql.GraphExecutor, oc *graphql.OperationContext) iter.Seq[*graphql.Response] {
	ctx, after := withAfterWrite(ctx)
	if oc.Operation.Operation == ast.Subscription {
		return func(yield func(*graphql.Response) bool) {
			defer after.written()
			next, ctx := exec.DispatchOperation(ctx, oc)
			for response := next(ctx); response != nil && yield(response); {
				after.written()
				response = next(ctx)
			}
		}
	}
	return func(yield func(*graphql.Response) bool) {
		defer after.written()
		ctx, cancel := t.Bounded(ctx)
		defer cancel()
		next, ctx := exec.DispatchOperation(ctx, oc)
		response := next(ctx)
		if response == nil {
			// The executor gives up without a word when the context is at its end.
			response = failure(ctx, exec, context.Cause(ctx))
			response.Data = json.RawMessage("null")
		}
		yield(response)
	}
}

// Bounded returns a context that ends when an operation, or an event of a subscription, has
// taken as long as it may: ctx, when that does so itself, as that of a request whose server
// knows how long it may take. The transport bounds operations itself. Of a subscription it
// cannot tell the wait for an event from the event, so whoever can bounds that.
func (t *Transport) Bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if by, ok := ctx.Deadline(); ok && time.Until(by) <= t.o.OperationWithin {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, t.o.OperationWithin)
}

// began says whether the operation of a response was begun: only then does it have data,
// which may be null.
func began(response *graphql.Response) bool { return response.Data != nil }

// status returns the HTTP status of a response. One whose operation did not begin for
// want of room is told by it whatever the media type, because proxies and clients know
// when to come again. Of all other refusals only the newer media type tells: clients of
// the older one take any status but 200 for a failure of the network.
func status(mediaType string, response *graphql.Response) int {
	if began(response) || len(response.Errors) == 0 {
		return http.StatusOK
	}
	for _, err := range response.Errors {
		switch apierror.CodeOf(err) {
		case apierror.RateLimited:
			return http.StatusTooManyRequests
		case feed.CodeUnavailable:
			return http.StatusServiceUnavailable
		}
	}
	if mediaType == mediaResponse {
		return http.StatusBadRequest
	}
	return http.StatusOK
}
