package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// NewBoundedSchema returns the executable schema, which limits the data of a response to [MaxData].
func NewBoundedSchema(cfg Config) graphql.ExecutableSchema {
	return &boundedSchema{&executableSchema{
		SchemaData: cfg.Schema, Resolvers: cfg.Resolvers, Directives: cfg.Directives, ComplexityRoot: cfg.Complexity,
	}}
}

type boundedSchema struct{ *executableSchema }

// Exec implements [graphql.ExecutableSchema]. Unlike the generated one it supports no input objects in
// queries. More than [MaxData] bytes end with [ErrTooLong]. If fields of a query are deferred, its
// response has parts, as transport.InParts describes.
func (s *boundedSchema) Exec(ctx context.Context) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	switch oc.Operation.Operation {
	case ast.Query:
	case ast.Mutation:
		return s.mutation(ctx, oc)
	case ast.Subscription:
		return s.subscription(ctx, oc)
	default:
		return s.executableSchema.Exec(ctx)
	}
	ec := newExecutionContext(oc, s.executableSchema, nil)
	var r *response
	return func(ctx context.Context) *graphql.Response {
		if r != nil {
			return r.nextPart(ctx)
		}
		ctx, r = withResponse(ctx)
		out := appender{nil, r}
		ec._Query(ctx, oc.Operation.SelectionSet).MarshalGQL(&out)
		return r.firstPart(ctx, r.finish(ctx, out.b))
	}
}

// subscription executes a subscription like the generated code, and limits the data of each event.
func (s *boundedSchema) subscription(ctx context.Context, oc *graphql.OperationContext) graphql.ResponseHandler {
	ec := newExecutionContext(oc, s.executableSchema, nil)
	next := ec._Subscription(ctx, oc.Operation.SelectionSet)
	return func(ctx context.Context) *graphql.Response {
		ctx, r := withResponse(ctx)
		event := next(ctx)
		if event == nil {
			return nil
		}
		out := appender{nil, r}
		event.MarshalGQL(&out)
		return r.finish(ctx, out.b)
	}
}

// mutation executes a mutation like the generated code, and writes each field as far as it fits.
func (s *boundedSchema) mutation(ctx context.Context, oc *graphql.OperationContext) graphql.ResponseHandler {
	respond := s.executableSchema.Exec(ctx)
	resolve := oc.RootResolverMiddleware
	oc.RootResolverMiddleware = func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
		value := resolve(ctx, next)
		if value == graphql.Null {
			return value
		}
		return &bounded{value, responseFrom(ctx)}
	}
	return func(ctx context.Context) *graphql.Response {
		ctx, r := withResponse(ctx)
		response := respond(ctx)
		if response == nil {
			return nil
		}
		return r.finish(ctx, response.Data)
	}
}
