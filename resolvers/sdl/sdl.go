// Package sdl writes the schema definition for programs that estimate costs before they send a
// request, and for routers of Apollo Federation.
package sdl

import (
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
)

// costDirectives are those of Apollo, with the meaning of IBM's cost specification.
const costDirectives = `directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR

directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION

`

// WithCosts returns the public schema definition with the costs that the guard charges.
func WithCosts() string {
	schema := graph.LoadSchema()
	addCosts(schema)
	return costDirectives + graph.Print(schema)
}

func addCosts(schema *ast.Schema) {
	for _, d := range schema.Types {
		if d.BuiltIn || d.Kind != ast.Object {
			continue
		}
		for _, f := range d.Fields {
			if isVisible(f) {
				f.Directives = append(f.Directives, costsOf(schema, d, f)...)
			}
		}
	}
}

func isVisible(f *ast.FieldDefinition) bool { return !strings.HasPrefix(f.Name, "__") }

// costsOf returns the directives of a field. A weight of 1 for objects and 0 for values is that of
// fields without a directive.
func costsOf(schema *ast.Schema, parent *ast.Definition, f *ast.FieldDefinition) ast.DirectiveList {
	cost := guard.CostOf(schema, parent, f)
	var out ast.DirectiveList
	if isObject := schema.Types[f.Type.Name()].IsCompositeType(); isObject && cost.Weight != 1 || !isObject && cost.Weight != 0 {
		out = append(out, directive("cost", argument("weight", number(cost.Weight))))
	}
	if !cost.IsList {
		return out
	}
	arguments := ast.ArgumentList{argument("assumedSize", number(cost.Assumed))}
	if len(cost.Slicing) > 0 {
		no := &ast.Value{Kind: ast.BooleanValue, Raw: "false"}
		arguments = append(arguments, argument("slicingArguments", texts(cost.Slicing)), argument("requireOneSlicingArgument", no))
	}
	if len(cost.Sized) > 0 {
		arguments = append(arguments, argument("sizedFields", texts(cost.Sized)))
	}
	return append(out, directive("listSize", arguments...))
}

func directive(name string, arguments ...*ast.Argument) *ast.Directive {
	return &ast.Directive{Name: name, Arguments: arguments}
}

func argument(name string, value *ast.Value) *ast.Argument {
	return &ast.Argument{Name: name, Value: value}
}

func number(n int) *ast.Value { return &ast.Value{Kind: ast.IntValue, Raw: strconv.Itoa(n)} }

func text(s string) *ast.Value { return &ast.Value{Kind: ast.StringValue, Raw: s} }

func texts(list []string) *ast.Value {
	v := &ast.Value{Kind: ast.ListValue}
	for _, s := range list {
		v.Children = append(v.Children, &ast.ChildValue{Value: text(s)})
	}
	return v
}
