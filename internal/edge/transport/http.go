package transport

import (
	"context"
	"fmt"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
)

// retryAfter is in seconds, if there is no room. A stopping server is replaced within that time.
const retryAfter = "5"

// exchange is a request and its response.
type exchange struct {
	t         *Transport
	w         http.ResponseWriter
	r         *http.Request
	exec      graphql.GraphExecutor
	mediaType string
	inParts   bool   // a response with deferred fields has parts
	holder    string // for whose share the response counts
	after     *afterWrite
	evict     func() // ends a stream to make room for other clients
}

func (a exchange) serve() {
	ctx := graphql.StartOperationTrace(withHeader(a.r.Context(), a.w.Header()))
	defer a.recovered(ctx)
	a.w.Header().Add("Vary", "Accept")
	if headerSize(a.r.Header) > headerMax {
		a.refuse(ctx, http.StatusRequestHeaderFieldsTooLarge, feed.CodeBadInput, fmt.Sprintf("the header is larger than %d KiB", headerMax>>10))
		return
	}
	if a.r.Method == http.MethodPut {
		a.reserve()
		return
	}
	mediaType, inParts, ok := negotiate(a.r.Header.Values("Accept"))
	a.mediaType, a.inParts = mediaType, inParts
	if !ok {
		a.refuse(ctx, http.StatusNotAcceptable, feed.CodeBadInput, "the Accept header must allow "+mediaResponse+", "+mediaJSON+" or "+mediaEvents)
		return
	}
	if reservationToken(a.r) != "" {
		a.reserved(ctx)
		return
	}
	start := graphql.Now()
	params, status, err := readRequest(a.w, a.r)
	if err != nil {
		if status == http.StatusMethodNotAllowed {
			a.refuseMethod(ctx)
			return
		}
		a.refuse(ctx, status, feed.CodeBadInput, err.Error())
		return
	}
	params.ReadTime = graphql.TraceTiming{Start: start, End: graphql.Now()}
	a.execute(ctx, params)
}

func (a exchange) execute(ctx context.Context, params *graphql.RawParams) {
	if a.mediaType == mediaEvents || a.mediaType == mediaMultipart {
		a.stream(ctx, params)
		return
	}
	if a.inParts {
		ctx = withParts(ctx)
	}
	oc, refused := prepare(ctx, a.exec, params)
	switch {
	case refused != nil:
		a.write(status(a.mediaType, refused), refused)
	case oc.Operation.Operation == ast.Subscription:
		a.subscribe(ctx, oc, params)
	case a.r.Method == http.MethodGet && oc.Operation.Operation == ast.Mutation:
		a.refuseMutation(ctx)
	case a.inParts:
		a.writeParts(ctx, oc)
	default:
		ctx, a.after = withAfterWrite(ctx)
		for response := range a.t.responses(ctx, a.after, a.exec, oc) {
			a.write(status(a.mediaType, response), response)
		}
	}
}

// subscribe answers a subscription without a stream, which needs a callback.
func (a exchange) subscribe(ctx context.Context, oc *graphql.OperationContext, params *graphql.RawParams) {
	switch to, err := a.t.callbackOf(params); {
	case err != nil:
		a.refuse(ctx, http.StatusBadRequest, feed.CodeBadInput, err.Error())
	case to == nil || a.r.Method != http.MethodPost:
		a.refuse(ctx, http.StatusNotAcceptable, feed.CodeBadInput, "a subscription needs "+mediaEvents+" or a WebSocket")
	default:
		a.callBack(ctx, oc, to)
	}
}

func (a exchange) recovered(ctx context.Context) {
	if value := recover(); value != nil {
		a.mediaType = mediaJSON
		a.write(http.StatusInternalServerError, panicked(ctx, a.exec, value))
	}
}

// refuseMutation refuses a mutation by GET: browsers follow links with the user's cookies.
func (a exchange) refuseMutation(ctx context.Context) {
	a.w.Header().Set("Allow", "POST")
	a.refuse(ctx, http.StatusMethodNotAllowed, feed.CodeBadInput, "a GET request must be a query or a subscription")
}

func (a exchange) refuseMethod(ctx context.Context) {
	a.w.Header().Set("Allow", "DELETE, GET, POST, PUT")
	a.refuse(ctx, http.StatusMethodNotAllowed, feed.CodeBadInput, "the method must be GET or POST, or for a reserved stream PUT or DELETE")
}

func (a exchange) refuse(ctx context.Context, status int, code feed.Code, message string) {
	a.write(status, errorResponse(ctx, a.exec, code, message))
}
