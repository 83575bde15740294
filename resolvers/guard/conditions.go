package guard

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// nullCondition refuses an operation that @skip or @include is to go by a variable of which
// nothing says whether it is true. By the types that cannot be, but a variable with a default
// may stand where null may not and be given as null all the same: validation lets it through,
// and the executor panics when it comes to the field, behind mutations that were carried out.
// The document must be valid, and variables as the executor has them.
func nullCondition(op *ast.OperationDefinition, variables map[string]any) *gqlerror.Error {
	var null []string
	for _, v := range op.VariableDefinitions {
		if v.Type.NamedType == "Boolean" && !v.Type.NonNull && variables[v.Variable] == nil {
			null = append(null, v.Variable)
		}
	}
	if null == nil {
		return nil
	}
	c := conditions{null: null, seen: map[*ast.FragmentDefinition]bool{}}
	if name, found := c.set(op.SelectionSet); found {
		return refusal(codeValidation, fmt.Sprintf("variable $%s is null, and @skip or @include needs true or false of it", name))
	}
	return nil
}

// conditions looks for variables that are null where a condition is, through each fragment
// once.
type conditions struct {
	null []string
	seen map[*ast.FragmentDefinition]bool
}

// set returns the first such variable in a set of fields, and whether there is one.
func (c *conditions) set(set ast.SelectionSet) (string, bool) {
	for _, sel := range set {
		var directives ast.DirectiveList
		var below ast.SelectionSet
		switch sel := sel.(type) {
		case *ast.Field:
			directives, below = sel.Directives, sel.SelectionSet
		case *ast.InlineFragment:
			directives, below = sel.Directives, sel.SelectionSet
		case *ast.FragmentSpread:
			directives = sel.Directives
			if !c.seen[sel.Definition] {
				c.seen[sel.Definition] = true
				below = sel.Definition.SelectionSet
			}
		}
		if name, found := c.in(directives); found {
			return name, true
		}
		if name, found := c.set(below); found {
			return name, true
		}
	}
	return "", false
}

// in does it for the directives of a selection. Only @skip and @include stand in an operation
// that is valid, and all that they have is the condition.
func (c *conditions) in(directives ast.DirectiveList) (string, bool) {
	for _, d := range directives {
		for _, a := range d.Arguments {
			if a.Value.Kind == ast.Variable && slices.Contains(c.null, a.Value.Raw) {
				return a.Value.Raw, true
			}
		}
	}
	return "", false
}
