package resolvers

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers/guard"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
	"github.com/tideline-feeds/tideline/resolvers/transport"
)

// NewHandler returns the GraphQL endpoint, which is reached in all the ways that package
// transport speaks. Who asks, and under which request id, it takes from the request's
// context ([WithViewer], [WithRequestID]), or on a stream or a socket from what its
// transport authenticates. It answers TIMEOUT when the context's deadline passes, or the
// transport's for an operation.
//
// What a document may ask for, and who may ask for how much of it, d.Guard says; a body
// has 256 KiB at most.
func NewHandler(d Deps) http.Handler {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Transport == nil {
		d.Transport = transport.New(transport.Options{})
	}
	r := &Resolver{deps: d}
	p := presenter{log: d.Log}
	schema := graph.LoadSchema()
	g := guard.New(schema, d.guard())
	buffers := &graph.Buffers{}
	d.Transport.Recycle(buffers.Return)
	config := graph.Config{Schema: schema, Resolvers: r}
	executable := graph.NewExecutableSchema(config)
	if !d.Plain {
		executable = graph.NewBufferedSchema(config, buffers)
	}
	srv := handler.New(executable)
	if !d.Plain {
		srv.AroundFields(encodePages(graph.NewEncoder(r, buffers, d.Kept)))
	}
	srv.AddTransport(d.Transport)
	srv.SetQueryCache(g.Documents())
	srv.SetParserTokenLimit(g.Tokens())
	srv.SetErrorPresenter(p.present)
	srv.SetRecoverFunc(p.recovered)
	srv.AroundResponses(r.observeResponse)
	srv.AroundOperations(r.observeExecution)
	srv.AroundOperations(r.observeSubscription)
	srv.AroundResponses(r.respond(p))
	srv.AroundOperations(r.begin(p))
	srv.AroundRootFields(r.beforeMutation)
	srv.Use(g)
	if d.Introspection {
		srv.Use(extension.Introspection{})
	} else {
		srv.SetDisableSuggestion(true)
		srv.SetValidationRulesFn(terseRules)
	}
	return srv
}

// Schema returns the schema in the schema definition language, with all its
// descriptions.
func Schema() string { return graph.SDL() }

// begin gives every operation loaders of its own, and every event of a subscription.
func (r *Resolver) begin(p presenter) graphql.OperationMiddleware {
	return func(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
		if graphql.GetOperationContext(ctx).Operation.Operation == ast.Subscription {
			return beginSubscription(ctx, p, next)
		}
		return next(loaders.With(withKnown(ctx), r.loaders(ctx)))
	}
}

// beforeMutation lets only the signed-in change something, and gives every mutation
// fresh loaders: what an earlier one in the same operation loaded may have changed.
func (r *Resolver) beforeMutation(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	if graphql.GetOperationContext(ctx).Operation.Operation != ast.Mutation {
		return next(ctx)
	}
	if ViewerFrom(ctx) == 0 {
		refused := coded(string(feed.CodeUnauthenticated), "sign in to change something")
		refused.Path = ast.Path{ast.PathName(graphql.GetRootFieldContext(ctx).Field.Alias)}
		graphql.AddError(ctx, refused)
		return graphql.Null
	}
	return next(loaders.With(ctx, r.loaders(ctx)))
}
