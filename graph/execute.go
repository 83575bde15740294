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
// leaves out for queries: they have no input objects, and @defer is not in the schema; and
// most ask for one page, to which it goes straight.
func (s *bufferedSchema) Exec(ctx context.Context) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	if oc.Operation.Operation != ast.Query {
		return s.executableSchema.Exec(ctx)
	}
	ec := newExecutionContext(oc, s.executableSchema, nil)
	first := true
	return func(ctx context.Context) *graphql.Response {
		if !first {
			return nil
		}
		first = false
		data, ok := ec.trunk(ctx, oc.Operation.SelectionSet, s.buffers.Take())
		if !ok {
			whole := ec._Query(ctx, oc.Operation.SelectionSet)
			out := appender{data}
			whole.MarshalGQL(&out)
			data = out.b
		}
		return &graphql.Response{Data: data}
	}
}
