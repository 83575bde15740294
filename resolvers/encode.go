package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers/guard"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// known is what has been found out about a document: how its pages are encoded, and what is
// to be loaded for them.
type known struct {
	plans graph.Plans
	needs graph.PerField[*pageNeeds]
}

type knownKey struct{}

// withKnown gives an operation what is known of its document: that is kept with the
// document, or else for the operation alone.
func withKnown(ctx context.Context) context.Context {
	own := &known{}
	if memo := guard.Memo(graphql.GetOperationContext(ctx)); memo != nil {
		kept, ok := memo.Load(knownKey{})
		if !ok {
			kept, _ = memo.LoadOrStore(knownKey{}, own)
		}
		own, _ = kept.(*known)
	}
	return context.WithValue(ctx, knownKey{}, own)
}

// knownFrom returns what is known of the document; nil in a subscription.
func knownFrom(ctx context.Context) *known {
	k, _ := ctx.Value(knownKey{}).(*known)
	return k
}

// whileWanted runs a field unless its context has ended: then no client waits for the response, and
// nothing below the field runs either.
func whileWanted(ctx context.Context, next graphql.Resolver) (any, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return next(ctx)
}

// encodePages has pages written by the encoder rather than field by field. Their resolvers
// have loaded all that was selected of them, so that each field is a look into the loaders.
func encodePages(encoder *graph.Encoder) graphql.FieldMiddleware {
	return func(ctx context.Context, next graphql.Resolver) (any, error) {
		value, err := whileWanted(ctx, next)
		if err != nil || !graph.IsPage(value) {
			return value, err
		}
		k := knownFrom(ctx)
		if k == nil {
			return value, nil
		}
		// Each field asks the context for the loaders, so they are put on top of it.
		encoded := encoder.Encode(loaders.With(ctx, loaders.From(ctx)), &k.plans, value)
		switch {
		case encoded != nil:
			return encoded, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
		return value, nil
	}
}
