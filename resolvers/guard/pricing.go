package guard

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// unit is what loading an object costs, in the fractions that pricing counts in: one for each
// byte of an argument each time a field with it runs. Reading and copying a kilobyte takes
// about as long as loading an object.
const unit = 1 << 10

// What things cost that load more, or less, than the object they return.
const (
	// mutationCost is for a transaction, and for what it sets going.
	mutationCost = 10
	// introspectionCost is for the description of the schema, all of which takes some
	// milliseconds, and again for each field of it under another name: only so can anything
	// in it be had more than once.
	introspectionCost = 1000
)

// How long lists are taken to be.
const (
	// pageDefault and pageMax are the contract's; resolvers refuse longer pages.
	pageDefault = 20
	pageMax     = 100
	// countMax is the contract's too: newCount loads what it counts, and counts so far.
	countMax = 100
	// pageCost is what a page costs at least, an empty one too: it has arguments, a cursor and a
	// buffer, which take five times as long as an object. Pages that are read together share
	// statements, but each is still a subquery and a list to judge.
	pageCost = 5
	// listDefault is above what lists without an argument for their length have, such as
	// the reasons for which a mutation was refused.
	listDefault = 10
)

// reach is what a set of fields comes to with all fragments expanded.
type reach struct {
	// fields are those of the set itself, and depth how deep they nest.
	fields, depth int
	// cost is that of the set once, in fractions of a unit; each, in a connection, that of one
	// entry of its page: nothing where no list of entries was selected.
	cost, each int
}

// pricing walks through one operation. It remembers the reach of every fragment, because
// fragments that spread each other would otherwise be walked again for every path
// through them: exponentially often. One whose walk has not ended yet, which only a cycle
// meets, counts as empty; validation refuses it.
type pricing struct {
	schema    *ast.Schema
	fragments map[string]*ast.FragmentDefinition
	known     map[string]reach
	op        *ast.OperationDefinition
	variables map[string]any
	// lengths are what variables said that the price depends on.
	lengths []length
	// sizes are the sizes of variables that were asked for.
	sizes map[string]int
}

func newPricing(schema *ast.Schema, doc *ast.QueryDocument, op *ast.OperationDefinition, variables map[string]any) *pricing {
	p := &pricing{
		schema: schema, op: op, variables: variables,
		fragments: make(map[string]*ast.FragmentDefinition, len(doc.Fragments)),
		known:     make(map[string]reach, len(doc.Fragments)),
	}
	for _, f := range doc.Fragments {
		p.fragments[f.Name] = f
	}
	return p
}

// operation returns the reach of the operation.
func (p *pricing) operation() reach {
	return p.set(rootType(p.schema, p.op.Operation), p.op.SelectionSet)
}

// set returns the reach of a set of fields on parent, which is nil when it is not known.
func (p *pricing) set(parent *ast.Definition, set ast.SelectionSet) reach {
	var sum reach
	for _, sel := range set {
		var one reach
		switch sel := sel.(type) {
		case *ast.Field:
			one = p.field(parent, sel)
		case *ast.InlineFragment:
			on := parent
			if sel.TypeCondition != "" {
				on = p.schema.Types[sel.TypeCondition]
			}
			one = p.set(on, sel.SelectionSet)
		case *ast.FragmentSpread:
			one = p.fragment(sel.Name)
		}
		sum.fields = plus(sum.fields, one.fields)
		sum.cost = plus(sum.cost, one.cost)
		sum.each = plus(sum.each, one.each)
		sum.depth = max(sum.depth, one.depth)
	}
	return sum
}

func (p *pricing) fragment(name string) reach {
	if known, ok := p.known[name]; ok {
		return known
	}
	p.known[name] = reach{}
	if f := p.fragments[name]; f != nil {
		p.known[name] = p.set(p.schema.Types[f.TypeCondition], f.SelectionSet)
	}
	return p.known[name]
}

func (p *pricing) field(parent *ast.Definition, f *ast.Field) reach {
	var def *ast.FieldDefinition
	if parent != nil {
		def = parent.Fields.ForName(f.Name)
	}
	if def == nil {
		// __typename, or a field that validation will refuse.
		below := p.set(nil, f.SelectionSet)
		return reach{fields: 1, depth: plus(1, below.depth), cost: plus(valueCost(nil, f), p.arguments(f))}
	}
	typ := p.schema.Types[def.Type.Name()]
	below := p.set(typ, f.SelectionSet)
	one := reach{fields: 1, depth: plus(1, below.depth)}
	switch {
	case strings.HasPrefix(def.Type.Name(), "__"), strings.HasPrefix(parent.Name, "__"):
		one.cost = below.cost
		if isIntrospection(f) {
			one.cost, one.depth = plus(introspectionCost*unit, one.cost), 1
		}
		if f.Alias != f.Name {
			one.cost = plus(introspectionCost*unit, one.cost)
		}
	case typ == nil || !typ.IsCompositeType():
		one.cost = valueCost(def.Arguments, f)
	default:
		one.cost, one.each = p.object(parent, def, f, below)
	}
	one.cost = plus(one.cost, p.arguments(f))
	return one
}

// valueCost returns what a field of a value costs: nothing when it comes with its object,
// which it does once. One that takes arguments does not: newCount is the only one there is,
// and another would have to be looked at before it may cost less.
func valueCost(arguments ast.ArgumentDefinitionList, f *ast.Field) int {
	switch {
	case len(arguments) > 0:
		return countMax * unit
	case f.Alias == f.Name:
		return 0
	}
	return unit
}

// object returns what a field costs that returns an object or a list of them, and what
// below was selected of it. A page is loaded and judged whatever is selected of it, and each
// list of its entries is written however little is selected of them: an entry costs one at
// least, and one more for each further list; and a page costs [pageCost] at least.
func (p *pricing) object(parent *ast.Definition, def *ast.FieldDefinition, f *ast.Field, below reach) (cost, each int) {
	own := p.own(parent, def)
	once := plus(own, below.cost)
	switch {
	case isConnection(def.Type.Name()):
		return plus(once, max(pageCost*unit, times(p.page(f), max(unit, below.each)))), 0
	case def.Type.Elem != nil && isConnection(parent.Name):
		return 0, max(unit, once)
	case def.Type.Elem != nil:
		return times(p.listLength(def, f), once), 0
	}
	return once, 0
}

// own returns what one object costs by itself. An edge is nothing beside the node in it. The
// place of a page costs one, since what stands behind the page has to be read for it.
func (p *pricing) own(parent *ast.Definition, def *ast.FieldDefinition) int {
	switch {
	case parent == p.schema.Mutation:
		return mutationCost * unit
	case strings.HasSuffix(def.Type.Name(), "Edge") && isConnection(parent.Name):
		return 0
	}
	return unit
}

// isIntrospection says whether a field describes the schema.
func isIntrospection(f *ast.Field) bool { return f.Name == "__schema" || f.Name == "__type" }

// isConnection says whether a type is a page of a list: all whose names end so are, by
// the cursor connections specification.
func isConnection(name string) bool { return strings.HasSuffix(name, "Connection") }

// page returns how many entries a page has at most.
func (p *pricing) page(f *ast.Field) int {
	size, given := 0, false
	for _, name := range []string{"first", "last"} {
		if n, ok := p.number(f.Arguments.ForName(name)); ok {
			size, given = max(size, n), true
		}
	}
	if !given {
		return pageDefault
	}
	return min(size, pageMax)
}

// listLength returns how long a list is that is no page: as long as the list it is asked for
// with, if there is one.
func (p *pricing) listLength(def *ast.FieldDefinition, f *ast.Field) int {
	for _, a := range def.Arguments {
		if given := f.Arguments.ForName(a.Name); a.Type.Elem != nil && given != nil {
			return min(p.items(given.Value), pageMax)
		}
	}
	return listDefault
}

// items returns how many elements a value has; what is no list counts as a list of one.
func (p *pricing) items(v *ast.Value) int {
	switch v.Kind {
	case ast.Variable:
		return p.note(v.Raw, lengthItems).n
	case ast.ListValue:
		return len(v.Children)
	}
	return 1
}

// listed returns how many elements the value of a variable has.
func listed(value any) int {
	if list, ok := value.([]any); ok {
		return len(list)
	}
	return 1
}

// number returns what an argument says that is an Int; false when it is absent or null,
// and [pageMax] for what is no number: validation refuses that.
func (p *pricing) number(a *ast.Argument) (int, bool) {
	if a == nil {
		return 0, false
	}
	if a.Value.Kind == ast.Variable {
		l := p.note(a.Value.Raw, lengthNumber)
		return l.n, l.given
	}
	return whole(plain(a.Value))
}

// value returns the value of a variable as JSON has it: the given one, or its default, or nil.
func (p *pricing) value(variable string) any {
	if value, given := p.variables[variable]; given {
		return value
	}
	if def := p.op.VariableDefinitions.ForName(variable); def != nil && def.DefaultValue != nil {
		return plain(def.DefaultValue)
	}
	return nil
}

// whole reads a number as JSON has it.
func whole(value any) (int, bool) {
	switch n := value.(type) {
	case nil:
		return 0, false
	case json.Number:
		f, err := strconv.ParseFloat(n.String(), 64)
		if err != nil {
			return pageMax, true
		}
		return int(max(0, min(f, pageMax))), true
	case float64:
		return int(max(0, min(n, pageMax))), true
	}
	return pageMax, true
}
