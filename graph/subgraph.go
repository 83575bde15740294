package graph

import (
	"context"

	"github.com/tideline-feeds/tideline/graph/model"
)

// SubgraphResolver resolves the fields of Query that routers of a federation call. The resolver of
// Query implements it, too.
type SubgraphResolver interface {
	// Entities returns one object per reference, nil if the viewer sees none.
	Entities(ctx context.Context, references []map[string]any) ([]model.Node, error)
	// Service returns this service.
	Service() model.Service
}

func (ec *executionContext) subgraph() SubgraphResolver {
	return ec.Resolvers.Query().(SubgraphResolver) //nolint:forcetypeassert // see above
}

// gqlgen's code calls these two functions, which its plugin for federations would generate.

//nolint:revive,staticcheck // the name is gqlgen's
func (ec *executionContext) __resolve_entities(ctx context.Context, references []map[string]any) ([]model.Node, error) {
	return ec.subgraph().Entities(ctx, references)
}

//nolint:revive,staticcheck,unparam // the name and the result are gqlgen's
func (ec *executionContext) __resolve__service(context.Context) (model.Service, error) {
	return ec.subgraph().Service(), nil
}
