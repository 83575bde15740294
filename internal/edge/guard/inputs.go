package guard

import (
	"encoding/json"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// inputs is what an operation of a valid document takes from its requests. It does not change.
type inputs struct {
	// refused is the error of a literal that cannot be coerced: no request can run the operation.
	refused *gqlerror.Error
	uses    []use
}

// use is a place that takes the value of a variable.
type use struct {
	variable string
	name     string
	typ      *ast.Type
}

func (c *coercer) inputsOf(op *ast.OperationDefinition) *inputs {
	w := inputWalk{coercer: c, seen: map[*ast.FragmentDefinition]bool{}}
	for _, v := range op.VariableDefinitions {
		if v.DefaultValue != nil {
			w.argument("the default of $"+v.Variable, "", v.Type, v.DefaultValue)
		}
	}
	w.set(op.SelectionSet)
	return &w.found
}

type inputWalk struct {
	*coercer
	seen  map[*ast.FragmentDefinition]bool
	found inputs
}

func (w *inputWalk) set(set ast.SelectionSet) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			w.arguments(sel.Name, sel.Definition.Arguments, sel.Arguments)
			w.directives(sel.Directives)
			w.set(sel.SelectionSet)
		case *ast.InlineFragment:
			w.directives(sel.Directives)
			w.set(sel.SelectionSet)
		case *ast.FragmentSpread:
			w.directives(sel.Directives)
			if !w.seen[sel.Definition] {
				w.seen[sel.Definition] = true
				w.set(sel.Definition.SelectionSet)
			}
		}
	}
}

func (w *inputWalk) directives(list ast.DirectiveList) {
	for _, d := range list {
		w.arguments("@"+d.Name, d.Definition.Arguments, d.Arguments)
	}
}

func (w *inputWalk) arguments(of string, defs ast.ArgumentDefinitionList, given ast.ArgumentList) {
	for _, a := range given {
		w.argument("argument "+a.Name+" of "+of, a.Name, defs.ForName(a.Name).Type, a.Value)
	}
}

// argument records the variables in a value, and the first literal that cannot be coerced.
func (w *inputWalk) argument(place, name string, typ *ast.Type, v *ast.Value) {
	if f := w.literal(typ, name, v); f != nil && w.found.refused == nil {
		w.found.refused = f.of(place, v.Position)
	}
}

// literal checks a value of the document, whose kind validation has checked except for scalars.
func (w *inputWalk) literal(typ *ast.Type, name string, v *ast.Value) *fault {
	switch {
	case v.Kind == ast.Variable:
		w.found.uses = append(w.found.uses, use{v.Raw, name, typ})
		return nil
	case typ.Elem != nil && v.Kind == ast.ListValue:
		return w.elements(typ.Elem, name, v.Children)
	case typ.Elem != nil:
		return w.literal(typ.Elem, name, v)
	case w.schema.Types[typ.NamedType].Kind == ast.InputObject && v.Kind == ast.ObjectValue:
		return w.fields(w.schema.Types[typ.NamedType], v.Children)
	}
	_, f := w.value(typ, name, plain(v))
	return f
}

func (w *inputWalk) elements(elem *ast.Type, name string, values ast.ChildValueList) *fault {
	bound := w.bounds[name]
	if bound.Items > 0 && len(values) > bound.Items {
		return bound.tooMany(len(values))
	}
	for i, child := range values {
		if f := w.literal(elem, name, child.Value); f != nil {
			return f.in(index(i))
		}
	}
	return nil
}

func (w *inputWalk) fields(def *ast.Definition, values ast.ChildValueList) *fault {
	for _, child := range values {
		field := def.Fields.ForName(child.Name)
		if field == nil {
			return unknownField(def, child.Name)
		}
		if f := w.literal(field.Type, child.Name, child.Value); f != nil {
			return f.in("." + child.Name)
		}
	}
	return nil
}

// word is a literal without quotes, which only enums accept.
type word string

// plain returns a literal without variables as a JSON decoder would.
func plain(v *ast.Value) any {
	switch v.Kind {
	case ast.NullValue:
		return nil
	case ast.IntValue, ast.FloatValue:
		return json.Number(v.Raw)
	case ast.BooleanValue:
		return v.Raw == "true"
	case ast.EnumValue:
		return word(v.Raw)
	case ast.ListValue:
		list := make([]any, len(v.Children))
		for i, child := range v.Children {
			list[i] = plain(child.Value)
		}
		return list
	case ast.ObjectValue:
		object := make(map[string]any, len(v.Children))
		for _, child := range v.Children {
			object[child.Name] = plain(child.Value)
		}
		return object
	default:
		return v.Raw
	}
}

// variables coerces the variables that the operation declares.
func (c *coercer) variables(op *ast.OperationDefinition, in *inputs, given map[string]any) (map[string]any, *gqlerror.Error) {
	out := make(map[string]any, len(op.VariableDefinitions))
	for _, v := range op.VariableDefinitions {
		value, isGiven, f := c.variable(v, given)
		if f != nil {
			return nil, f.of("variable $"+v.Variable, v.Position)
		}
		if isGiven {
			out[v.Variable] = value
		}
	}
	for _, u := range in.uses {
		value, isGiven := out[u.variable]
		if f := c.used(u, value, isGiven); f != nil {
			return nil, f.of("variable $"+u.variable, op.VariableDefinitions.ForName(u.variable).Position)
		}
	}
	return out, nil
}

func (c *coercer) variable(v *ast.VariableDefinition, given map[string]any) (any, bool, *fault) {
	value, isGiven := given[v.Variable]
	if isGiven {
		coerced, f := c.value(v.Type, "", value)
		return coerced, true, f
	}
	if v.DefaultValue == nil {
		if v.Type.NonNull {
			return nil, false, missing(v.Type)
		}
		return nil, false, nil
	}
	coerced, f := c.value(v.Type, "", plain(v.DefaultValue))
	return coerced, true, f
}

// used checks the value of a variable in one of its places. A nullable variable with a default may
// be used where null is not allowed, but the request may still set it to null.
func (c *coercer) used(u use, value any, isGiven bool) *fault {
	if isGiven && value == nil && u.typ.NonNull {
		return &fault{is: "is null", why: u.name + " takes " + u.typ.String(), code: apierror.ValidationFailed}
	}
	return c.bounds[u.name].check(value)
}
