package graph

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"
)

// posts is the root of resolvers that read nothing for posts.
type posts struct{ ResolverRoot }

func (posts) Stored(object string) bool { return object == "Post" }

func TestStart_StoredFieldsRunAtOnce(t *testing.T) {
	ec := newExecutionContext(&graphql.OperationContext{}, &executableSchema{Resolvers: posts{}}, nil)
	for object, atOnce := range map[string]bool{"Post": true, "User": false} {
		out := graphql.NewFieldSet(make([]graphql.CollectedField, 1))
		ec.start(t.Context(), out, 0, object, func(context.Context) graphql.Marshaler { return graphql.True })
		if got := out.Values[0] != nil; got != atOnce {
			t.Errorf("a field of %s has run: %t", object, got)
		}
		out.Dispatch(t.Context())
		if out.Values[0] != graphql.True {
			t.Errorf("a field of %s is %v", object, out.Values[0])
		}
	}
}
