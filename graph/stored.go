package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// StoredFields is implemented by a [ResolverRoot] whose resolvers of some fields read nothing. The
// executor calls them one after the other; it starts a goroutine for each other resolver.
type StoredFields interface {
	// Stored reports whether the contents, profile or times of an object of a type are stored in it.
	Stored(object string) bool
}

// start starts the field at index i of an object, for the generated code.
func (ec *executionContext) start(
	ctx context.Context, out *graphql.FieldSet, i int, object string, field func(context.Context) graphql.Marshaler,
) {
	if r, ok := ec.Resolvers.(StoredFields); ok && r.Stored(object) {
		out.Values[i] = field(ctx)
		return
	}
	out.Concurrently(i, field)
}
