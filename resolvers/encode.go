package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers/guard"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

type plansKey struct{}

// withPlans gives an operation the plans of its document: those that are kept with it, or
// else some of its own.
func withPlans(ctx context.Context) context.Context {
	plans := &graph.Plans{}
	if memo := guard.Memo(graphql.GetOperationContext(ctx)); memo != nil {
		kept, ok := memo.Load(plansKey{})
		if !ok {
			kept, _ = memo.LoadOrStore(plansKey{}, plans)
		}
		plans, _ = kept.(*graph.Plans)
	}
	return context.WithValue(ctx, plansKey{}, plans)
}

// encodePages has pages written by the encoder rather than field by field. Their resolvers
// have loaded all that was selected of them, so that each field is a look into the loaders.
func encodePages(encoder *graph.Encoder) graphql.FieldMiddleware {
	return func(ctx context.Context, next graphql.Resolver) (any, error) {
		value, err := next(ctx)
		if err != nil || !graph.IsPage(value) {
			return value, err
		}
		plans, ok := ctx.Value(plansKey{}).(*graph.Plans)
		if !ok {
			return value, nil
		}
		// Each field asks the context for the loaders, so they are put on top of it.
		encoded := encoder.Encode(loaders.With(ctx, loaders.From(ctx)), plans, value)
		if encoded == nil {
			return value, nil
		}
		return encoded, nil
	}
}

// planPages gives queries and mutations their plans. The events of a subscription are single
// edges, which need none.
func planPages(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	if graphql.GetOperationContext(ctx).Operation.Operation == ast.Subscription {
		return next(ctx)
	}
	return next(withPlans(ctx))
}
