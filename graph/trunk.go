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
	root, ok := ec.only(set, queryImplementors)
	if !ok || root.Name != "viewer" {
		return b, false
	}
	inner, ok := ec.only(root.Selections, viewerImplementors)
	if !ok {
		return b, false
	}
	page := ec.pageOfViewer(inner.Name)
	if page == nil {
		return b, false
	}
	viewer, err := ec.Resolvers.Query().Viewer(ctx)
	if err != nil || viewer == nil {
		return b, false
	}
	field := &graphql.FieldContext{Object: "Query", Field: root, IsMethod: true, IsResolver: true, Result: viewer}
	value := page(graphql.WithFieldContext(ctx, field), inner, viewer)
	return appendTrunk(b, root.Alias, inner.Alias, value, answerFrom(ctx)), true
}

// only returns the one field that a set selects of an object; false when there are others. One
// that stands there by itself needs nothing of what it takes to collect several.
func (ec *executionContext) only(set ast.SelectionSet, types []string) (graphql.CollectedField, bool) {
	if len(set) == 1 {
		if f, ok := set[0].(*ast.Field); ok && len(f.Directives) == 0 {
			return graphql.CollectedField{Field: f, Selections: f.SelectionSet, IsNonDeferrable: true}, true
		}
	}
	fields := graphql.CollectFields(ec.OperationContext, set, types)
	if len(fields) != 1 {
		return graphql.CollectedField{}, false
	}
	return fields[0], true
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
func appendTrunk(b []byte, viewer, page string, value graphql.Marshaler, in *answer) []byte {
	b = append(appendString(append(b, '{'), viewer), ':')
	if value == graphql.Null {
		return append(b, `null}`...)
	}
	b = append(appendString(append(b, '{'), page), ':')
	out := appender{b, in}
	value.MarshalGQL(&out)
	return append(out.b, '}', '}')
}
