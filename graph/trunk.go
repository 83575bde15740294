package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// trunk answers a query that asks for one page of the viewer's and nothing beside it, which
// most queries do: viewer, and in it homeFeed or liveFeed. It goes straight to that field and
// leaves it to the executor, which on its way there would make a set of fields, several
// contexts and closures for each of the two objects. It returns false for all other queries,
// and when there is no viewer, before anything was done.
func (ec *executionContext) trunk(ctx context.Context, set ast.SelectionSet, b []byte) ([]byte, bool) {
	root := graphql.CollectFields(ec.OperationContext, set, queryImplementors)
	if len(root) != 1 || root[0].Name != "viewer" {
		return b, false
	}
	fields := graphql.CollectFields(ec.OperationContext, root[0].Selections, viewerImplementors)
	if len(fields) != 1 {
		return b, false
	}
	page := ec.pageOfViewer(fields[0].Name)
	if page == nil {
		return b, false
	}
	viewer, err := ec.Resolvers.Query().Viewer(ctx)
	if err != nil || viewer == nil {
		return b, false
	}
	above := &graphql.FieldContext{Object: "Query"}
	field := &graphql.FieldContext{Object: "Query", Field: root[0], IsMethod: true, IsResolver: true, Result: viewer}
	value := page(graphql.WithFieldContext(graphql.WithFieldContext(ctx, above), field), fields[0], viewer)
	return appendTrunk(b, root[0].Alias, fields[0].Alias, value), true
}

// pageOfViewer returns what the executor does for a field of Viewer that is a page and is
// never null; nil for other fields.
func (ec *executionContext) pageOfViewer(name string) func(context.Context, graphql.CollectedField, *Viewer) graphql.Marshaler {
	switch name {
	case "homeFeed":
		return ec._Viewer_homeFeed
	case "liveFeed":
		return ec._Viewer_liveFeed
	}
	return nil
}

// appendTrunk writes the two objects around the value of a page. Where there is none, because
// of an error, the innermost object that may be null is.
func appendTrunk(b []byte, viewer, page string, value graphql.Marshaler) []byte {
	b = append(appendString(append(b, '{'), viewer), ':')
	if value == graphql.Null {
		return append(b, `null}`...)
	}
	b = append(appendString(append(b, '{'), page), ':')
	out := appender{b}
	value.MarshalGQL(&out)
	return append(out.b, '}', '}')
}

// appender is a writer at the end of a slice.
type appender struct{ b []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.b = append(a.b, p...)
	return len(p), nil
}
