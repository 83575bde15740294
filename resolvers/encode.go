package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/graph/pagejson"
	"github.com/tideline-feeds/tideline/resolvers/guard"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// documentCache caches the plans of a document's pages, and what to load for them.
type documentCache struct {
	plans pagejson.Plans
	needs pagejson.FieldCache[*pageNeeds]
}

type documentCacheKey struct{}

// withDocumentCache gives an operation the cache of its document. If the document itself is not
// cached, the operation gets a cache of its own.
func withDocumentCache(ctx context.Context) context.Context {
	own := &documentCache{}
	if memo := guard.Memo(graphql.GetOperationContext(ctx)); memo != nil {
		cached, ok := memo.Load(documentCacheKey{})
		if !ok {
			cached, _ = memo.LoadOrStore(documentCacheKey{}, own)
		}
		own, _ = cached.(*documentCache)
	}
	return context.WithValue(ctx, documentCacheKey{}, own)
}

// documentCacheFrom returns the cache of the document; nil in a subscription.
func documentCacheFrom(ctx context.Context) *documentCache {
	c, _ := ctx.Value(documentCacheKey{}).(*documentCache)
	return c
}

// whileWanted runs a field unless its context has ended: then no client waits for the response, and
// nothing below the field runs either.
func whileWanted(ctx context.Context, next graphql.Resolver) (any, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return next(ctx)
}

// encodePages has the encoder write pages. Their resolvers have loaded the selected fields, so that
// each field is a lookup in the loaders.
func encodePages(encoder *pagejson.Encoder) graphql.FieldMiddleware {
	return func(ctx context.Context, next graphql.Resolver) (any, error) {
		value, err := whileWanted(ctx, next)
		if err != nil || !pagejson.IsPage(value) {
			return value, err
		}
		cache := documentCacheFrom(ctx)
		if cache == nil {
			return value, nil
		}
		// Each field looks the loaders up in the context, so they go on top of it.
		encoded := encoder.Encode(loaders.With(ctx, loaders.From(ctx)), &cache.plans, value)
		switch {
		case encoded != nil:
			return encoded, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
		return value, nil
	}
}
