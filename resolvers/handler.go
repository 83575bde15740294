package resolvers

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/pagejson"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// NewHandler returns the GraphQL endpoint, for all protocols of package transport. It takes viewer
// and request id from the context ([WithViewer], [WithOrigin]), and for streams and sockets from
// the transport's authentication. At the deadline an operation ends with TIMEOUT.
func NewHandler(d Deps) http.Handler {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Transport == nil {
		d.Transport = transport.New(transport.Options{})
	}
	r := newResolver(d)
	p := presenter{log: d.Log}
	schema := graph.LoadSchema()
	if d.Subgraph != "" {
		schema = graph.LoadSubgraph()
	}
	g := guard.New(schema, d.guard(schema))
	d.Transport.ChargeMessages(g.Message)
	d.Transport.SizeOperations(guard.Kept)
	config := graph.Config{Schema: schema, Resolvers: r}
	executable := graph.NewExecutableSchema(config)
	if !d.Plain {
		executable = graph.NewBoundedSchema(config)
	}
	exec := executor.New(executable)
	around := graphql.FieldMiddleware(skipIfDone)
	if !d.Plain {
		encoded := pagejson.Resolvers{FeedConnection: r.FeedConnection(), LiveSession: r.LiveSession(), Post: r.Post(), User: r.User()}
		around = encodePages(pagejson.NewEncoder(encoded))
	}
	exec.AroundFields(r.refuseMutations(around))
	exec.SetQueryCache(g.Documents())
	exec.SetErrorPresenter(p.present)
	exec.SetRecoverFunc(p.recovered)
	exec.AroundResponses(r.observeResponse)
	exec.AroundResponses(r.reach(p))
	exec.AroundResponses(r.showAsOf(p))
	exec.AroundResponses(r.respond(p, g))
	exec.AroundResponses(r.showUpstream)
	exec.AroundOperations(r.begin(p))
	exec.AroundRootFields(r.beforeMutation)
	exec.Use(g)
	if d.Introspection {
		exec.Use(extension.Introspection{})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.Transport.Do(w, r, exec)
	})
}

// Schema returns the schema definition with all descriptions.
func Schema() string { return graph.SDL() }

// begin observes every operation, and gives it loaders; each event of a subscription gets its own.
// It is one function because the executor allocates two closures for each.
func (r *Resolver) begin(p presenter) graphql.OperationMiddleware {
	return func(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
		if kindOf(graphql.GetOperationContext(ctx)) == ast.Subscription {
			return r.observeSubscription(ctx, func(ctx context.Context) graphql.ResponseHandler {
				return beginSubscription(ctx, p, next)
			})
		}
		ctx = withAtLeast(ctx, graphql.GetOperationContext(ctx))
		return r.observeExecution(ctx, func(ctx context.Context) graphql.ResponseHandler {
			return next(loaders.With(r.withUpstreamNotes(withDocumentCache(ctx)), r.loaders(ctx)))
		})
	}
}

// beforeMutation refuses mutations of the anonymous viewer, except a service's for moderators. Each mutation gets new loaders, because
// earlier ones may have changed what was loaded.
func (r *Resolver) beforeMutation(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	if graphql.GetOperationContext(ctx).Operation.Operation != ast.Mutation {
		return next(ctx)
	}
	field := graphql.GetRootFieldContext(ctx).Field
	if v := viewerFrom(ctx); v.user == 0 && !(r.mutations[field.Name].moderates && v.moderates()) {
		refused := apierror.New(feed.CodeUnauthenticated, signInMessage(ctx, "sign in to make changes"))
		refused.Path = ast.Path{ast.PathName(field.Alias)}
		graphql.AddError(ctx, refused)
		return graphql.Null
	}
	return next(loaders.With(ctx, r.loaders(ctx)))
}
