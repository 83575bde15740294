package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/graph/pagejson"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

type documentCache struct {
	plans pagejson.Plans
	needs pagejson.FieldCache[*pageNeeds]
}

type documentCacheKey struct{}

// withDocumentCache returns a context with the cache of the operation's document; a new one if the
// document is not cached.
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

// skipIfDone skips a field and everything below it if its context is done: no client waits.
func skipIfDone(ctx context.Context, next graphql.Resolver) (any, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return next(ctx)
}

// encodePages lets the encoder write pages, whose resolvers have loaded the selected fields.
func encodePages(encoder *pagejson.Encoder) graphql.FieldMiddleware {
	return func(ctx context.Context, next graphql.Resolver) (any, error) {
		value, err := skipIfDone(ctx, next)
		if err != nil || !pagejson.IsPage(value) {
			return value, err
		}
		cache := documentCacheFrom(ctx)
		if cache == nil {
			return value, nil
		}
		// Each field looks up the loaders, so they come first in the context.
		encoded := encoder.Encode(loaders.With(whileEncoding(ctx), loaders.From(ctx)), &cache.plans, value)
		switch {
		case encoded != nil:
			return encoded, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
		return value, nil
	}
}
