package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/graph/pagejson"
)

// NewBufferedSchema returns the executable schema. It writes the data of queries into buffers, to
// which the caller may return it once it is sent.
func NewBufferedSchema(cfg Config, buffers *pagejson.Buffers) graphql.ExecutableSchema {
	return &bufferedSchema{
		executableSchema: &executableSchema{SchemaData: cfg.Schema, Resolvers: cfg.Resolvers, Directives: cfg.Directives, ComplexityRoot: cfg.Complexity},
		buffers:          buffers,
	}
}

type bufferedSchema struct {
	*executableSchema
	buffers *pagejson.Buffers
}

// Exec implements [graphql.ExecutableSchema]. Unlike the generated one it supports neither input
// objects nor @defer in queries. More than [MaxData] bytes end with [ErrTooLong].
func (s *bufferedSchema) Exec(ctx context.Context) graphql.ResponseHandler {
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
	first := true
	return func(ctx context.Context) *graphql.Response {
		if !first {
			return nil
		}
		first = false
		ctx, r := withResponse(ctx)
		out := appender{s.buffers.Take(), r}
		ec._Query(ctx, oc.Operation.SelectionSet).MarshalGQL(&out)
		return r.finish(ctx, out.b)
	}
}

// subscription executes a subscription like the generated code, and limits the data of each event.
func (s *bufferedSchema) subscription(ctx context.Context, oc *graphql.OperationContext) graphql.ResponseHandler {
	ec := newExecutionContext(oc, s.executableSchema, nil)
	next := ec._Subscription(ctx, oc.Operation.SelectionSet)
	var data []byte // of the previous event, which is sent by now
	return func(ctx context.Context) *graphql.Response {
		ctx, r := withResponse(ctx)
		event := next(ctx)
		if event == nil {
			return nil
		}
		out := appender{data[:0], r}
		event.MarshalGQL(&out)
		data = out.b
		return r.finish(ctx, data)
	}
}

// mutation executes a mutation like the generated code, and writes each field as far as it fits.
func (s *bufferedSchema) mutation(ctx context.Context, oc *graphql.OperationContext) graphql.ResponseHandler {
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
