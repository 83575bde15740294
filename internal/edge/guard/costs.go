package guard

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Cost is the cost of a field, in the terms of the cost directives of GraphQL: the guard charges
// the weight and what is selected below, times the length of the list.
//
// Besides, an entry of a page costs at least 1, a page at least 5, an aliased scalar 1, and a
// kilobyte of arguments 1 ([Measure]).
type Cost struct {
	// Weight is the cost of an object or a value, without what is selected of it.
	Weight int
	// IsList reports whether the field is a list of objects or a page. A list of entries of a page is
	// none: its length is that of the page.
	IsList bool
	// Assumed is the length of the list if no argument gives it. A list with one element for each
	// id in an argument has that length, and this is the maximum.
	Assumed int
	// Slicing are the arguments that give the length of a page.
	Slicing []string
	// Sized are the fields of the page that have this length; none if the field is a list.
	Sized []string
}

// CostOf returns the cost of a field of a type. Introspection is not covered.
func CostOf(schema *ast.Schema, parent *ast.Definition, f *ast.FieldDefinition) Cost {
	typ := schema.Types[f.Type.Name()]
	cost := Cost{Weight: weight(schema, parent, f)}
	switch {
	case !typ.IsCompositeType():
	case isPage(typ.Name):
		cost.IsList, cost.Assumed, cost.Slicing = true, pageDefault, slicing(f)
		for _, field := range typ.Fields {
			if below := schema.Types[field.Type.Name()]; isEntries(typ, field) && below.IsCompositeType() {
				cost.Sized = append(cost.Sized, field.Name)
			}
		}
	case f.Type.Elem != nil && !isEntries(parent, f):
		cost.IsList, cost.Assumed = true, assumedLength(typ.Name)
		if slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.Elem != nil }) {
			cost.Assumed = pageMax
		}
	}
	return cost
}

// weight returns the cost of one object or value without its fields: none for an edge or a change
// next to its node, one for PageInfo, because the read looks beyond the page.
func weight(schema *ast.Schema, parent *ast.Definition, f *ast.FieldDefinition) int {
	typ := schema.Types[f.Type.Name()]
	switch {
	case typ == nil || !typ.IsCompositeType():
		if len(f.Arguments) > 0 || f.Name == "unread" { // only newCount has arguments, and unread counts like it
			return countMax
		}
		return 0
	case parent == schema.Mutation:
		return mutationCost
	case strings.HasSuffix(typ.Name, "Edge") && (isPage(parent.Name) || isChange(parent.Name)):
		return 0
	case isChange(typ.Name):
		return 0
	case isSlots(f):
		return slotCost
	case isChangePage(typ.Name):
		return changesCost
	}
	return 1
}

// slicing returns the arguments of a page that give its length.
func slicing(f *ast.FieldDefinition) []string {
	var names []string
	for _, name := range []string{"first", "last"} {
		if f.Arguments.ForName(name) != nil {
			names = append(names, name)
		}
	}
	return names
}

// isEntries reports whether a field of parent is a list of the entries of a page.
func isEntries(parent *ast.Definition, f *ast.FieldDefinition) bool {
	return f.Type.Elem != nil && isPage(parent.Name) && !isSlots(f)
}

func isSlots(f *ast.FieldDefinition) bool { return f.Type.Name() == "Slot" }

func isChange(name string) bool { return name == "HomeChange" || name == "LiveChange" }

func isChangePage(name string) bool { return name == "HomeChangePage" || name == "LiveChangePage" }

// isPage reports whether a type is a page of entries. By the Relay specification, the names of all
// connections end like this.
func isPage(name string) bool { return strings.HasSuffix(name, "Connection") || isChangePage(name) }
