package transport

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
)

// comeAgain is the Retry-After, in seconds, of who finds no room: enough for a stopping
// server to be replaced.
const comeAgain = "5"

// answer is one response in the making.
type answer struct {
	t         *Transport
	w         http.ResponseWriter
	r         *http.Request
	exec      graphql.GraphExecutor
	mediaType string
	address   string // where the request comes from
}

// serve answers a request by HTTP, as the GraphQL over HTTP specification says.
func (a answer) serve() {
	ctx := graphql.StartOperationTrace(withHeader(a.r.Context(), a.w.Header()))
	defer a.recovered(ctx)
	a.w.Header().Add("Vary", "Accept")
	mediaType, ok := negotiate(a.r.Header.Values("Accept"))
	a.mediaType = mediaType
	if !ok {
		a.refuse(ctx, http.StatusNotAcceptable, feed.CodeBadInput, "the response is "+mediaResponse+", "+mediaJSON+" or "+mediaEvents)
		return
	}
	start := graphql.Now()
	params, status, err := a.t.readRequest(a.w, a.r)
	if err != nil {
		if status == http.StatusMethodNotAllowed {
			a.w.Header().Set("Allow", "GET, POST")
		}
		a.refuse(ctx, status, feed.CodeBadInput, err.Error())
		return
	}
	params.ReadTime = graphql.TraceTiming{Start: start, End: graphql.Now()}
	a.execute(ctx, params)
}

func (a answer) execute(ctx context.Context, params *graphql.RawParams) {
	if a.mediaType == mediaEvents {
		a.stream(ctx, params)
		return
	}
	oc, refused := prepare(ctx, a.exec, params)
	switch {
	case refused != nil:
		a.write(status(a.mediaType, refused), refused)
	case oc.Operation.Operation == ast.Subscription:
		a.refuse(ctx, http.StatusNotAcceptable, feed.CodeBadInput, "a subscription is answered as "+mediaEvents+", or over a WebSocket")
	case a.r.Method == http.MethodGet && oc.Operation.Operation == ast.Mutation:
		a.refuseMutation(ctx)
	default:
		for response := range a.t.responses(ctx, a.exec, oc) {
			a.write(status(a.mediaType, response), response)
		}
	}
}

// recovered answers a request that has panicked before its answer began.
func (a answer) recovered(ctx context.Context) {
	if value := recover(); value != nil {
		a.mediaType = mediaJSON
		a.write(http.StatusInternalServerError, panicked(ctx, a.exec, value))
	}
}

// refuseMutation answers a GET request that would change something: browsers send those
// along links, with the user's cookies.
func (a answer) refuseMutation(ctx context.Context) {
	a.w.Header().Set("Allow", "POST")
	a.refuse(ctx, http.StatusMethodNotAllowed, feed.CodeBadInput, "a GET request can only be a query or a subscription")
}

// refuse answers a request that is not GraphQL, or that there is no room for.
func (a answer) refuse(ctx context.Context, status int, code feed.Code, message string) {
	a.write(status, refusal(ctx, a.exec, code, message))
}
