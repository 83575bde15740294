package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// NewBufferedSchema is the executable schema whose queries are answered in buffers. Whoever
// has sent such an answer off may return its data to them.
func NewBufferedSchema(cfg Config, buffers *Buffers) graphql.ExecutableSchema {
	return &bufferedSchema{
		executableSchema: &executableSchema{SchemaData: cfg.Schema, Resolvers: cfg.Resolvers, Directives: cfg.Directives, ComplexityRoot: cfg.Complexity},
		buffers:          buffers,
	}
}

type bufferedSchema struct {
	*executableSchema
	buffers *Buffers
}

// Exec implements [graphql.ExecutableSchema]. It differs from the generated one in what it
// leaves out for queries: they have no input objects, and @defer is not in the schema. Data has a
// bound, beyond which an operation or an event ends with [ErrTooLong].
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
		ctx, in := withAnswer(ctx)
		out := appender{s.buffers.Take(), in}
		ec._Query(ctx, oc.Operation.SelectionSet).MarshalGQL(&out)
		return in.response(ctx, out.b)
	}
}

// subscription executes a subscription as the generated code does, and bounds the data of
// each event.
func (s *bufferedSchema) subscription(ctx context.Context, oc *graphql.OperationContext) graphql.ResponseHandler {
	ec := newExecutionContext(oc, s.executableSchema, nil)
	next := ec._Subscription(ctx, oc.Operation.SelectionSet)
	var data []byte // of the event before, which is written by now
	return func(ctx context.Context) *graphql.Response {
		ctx, in := withAnswer(ctx)
		event := next(ctx)
		if event == nil {
			return nil
		}
		out := appender{data[:0], in}
		event.MarshalGQL(&out)
		data = out.b
		return in.response(ctx, data)
	}
}

// mutation executes a mutation as the generated code does, which writes the value of each of
// its fields as far as there is room for it.
func (s *bufferedSchema) mutation(ctx context.Context, oc *graphql.OperationContext) graphql.ResponseHandler {
	respond := s.executableSchema.Exec(ctx)
	resolve := oc.RootResolverMiddleware
	oc.RootResolverMiddleware = func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
		value := resolve(ctx, next)
		if value == graphql.Null {
			return value
		}
		return &bounded{value, answerFrom(ctx)}
	}
	return func(ctx context.Context) *graphql.Response {
		ctx, in := withAnswer(ctx)
		response := respond(ctx)
		if response == nil {
			return nil
		}
		return in.response(ctx, response.Data)
	}
}
