package guard

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// unit is the cost of loading an object, in fractions: bytes of arguments. Reading and copying a
// kilobyte takes about as long as loading an object.
const unit = 1 << 10

// Costs of fields that load more than the object they return.
const (
	// mutationCost is for a transaction and the tasks that it starts.
	mutationCost = 10
	// changesCost is for the rows of the change log and the posts that they name, up to 500.
	changesCost = 50
	// slotCost times listDefault is for a call of another service, which takes as long as loading 25 objects.
	slotCost = 3
	// introspectionCost is for the description of the schema, which takes a few milliseconds. It is
	// charged again for each alias in it, because only aliases repeat a part.
	introspectionCost = 1000
)

// entitiesArgument has the references of _entities.
const entitiesArgument = "representations"

// entitiesMax is how many of them a field accepts; its resolver refuses more.
const entitiesMax = 1000

// Assumed lengths of lists.
const (
	// pageDefault and pageMax are those of the schema; resolvers refuse longer pages.
	pageDefault = 20
	pageMax     = 100
	// countMax is where newCount and unread stop, which load what they count.
	countMax = 100
	// pageCost is the minimum cost of a page, each a subquery: its arguments, cursor and buffer
	// take five times as long as an object.
	pageCost = 5
	// listDefault is at least the length of any list without an argument for it: slots have 10.
	listDefault = 10
)

// totals are the totals of a selection set, with fragments expanded.
type totals struct {
	// fields is the number of fields in the set itself, and depth how deep they nest.
	fields, depth int
	// references is the number of references to entities.
	references int
	// cost is the cost of the set, in fractions of a unit. In a connection, each is the cost of one
	// entry; 0 if no list of entries is selected.
	cost, each int
	// slotPages is the number of pages on which slots are selected, and slotPagesEach that below one entry.
	slotPages, slotPagesEach int
}

// pricing walks one operation. It remembers the totals of each fragment: otherwise it would walk
// fragments once for every path through them, exponentially often. A fragment in a cycle counts as
// empty; validation refuses it.
type pricing struct {
	schema    *ast.Schema
	fragments map[string]*ast.FragmentDefinition
	known     map[string]totals
	op        *ast.OperationDefinition
	variables map[string]any
	lengths   []length
	sizes     map[string]int
}

func newPricing(schema *ast.Schema, doc *ast.QueryDocument, op *ast.OperationDefinition, variables map[string]any) *pricing {
	p := &pricing{
		schema: schema, op: op, variables: variables,
		fragments: make(map[string]*ast.FragmentDefinition, len(doc.Fragments)),
		known:     make(map[string]totals, len(doc.Fragments)),
	}
	for _, f := range doc.Fragments {
		p.fragments[f.Name] = f
	}
	return p
}

func (p *pricing) operation() totals {
	return p.set(rootType(p.schema, p.op.Operation), p.op.SelectionSet)
}

// set returns the totals of a selection set on parent, which is nil if it is unknown.
func (p *pricing) set(parent *ast.Definition, set ast.SelectionSet) totals {
	var sum totals
	for _, sel := range set {
		var one totals
		switch sel := sel.(type) {
		case *ast.Field:
			one = p.field(parent, sel)
		case *ast.InlineFragment:
			on := parent
			if sel.TypeCondition != "" {
				on = p.schema.Types[sel.TypeCondition]
			}
			one = p.set(on, sel.SelectionSet)
			one.cost = plus(one.cost, deferCost(sel.Directives))
		case *ast.FragmentSpread:
			one = p.fragment(sel.Name)
			one.cost = plus(one.cost, deferCost(sel.Directives))
		}
		sum.fields = plus(sum.fields, one.fields)
		sum.cost = plus(sum.cost, one.cost)
		sum.each = plus(sum.each, one.each)
		sum.slotPages = plus(sum.slotPages, one.slotPages)
		sum.slotPagesEach = plus(sum.slotPagesEach, one.slotPagesEach)
		sum.depth = max(sum.depth, one.depth)
		sum.references = plus(sum.references, one.references)
	}
	return sum
}

// deferCost is the cost of sending a fragment apart, which takes about as long as loading an object.
func deferCost(list ast.DirectiveList) int {
	if list.ForName(deferName) == nil {
		return 0
	}
	return unit
}

func (p *pricing) fragment(name string) totals {
	if known, ok := p.known[name]; ok {
		return known
	}
	p.known[name] = totals{}
	if f := p.fragments[name]; f != nil {
		p.known[name] = p.set(p.schema.Types[f.TypeCondition], f.SelectionSet)
	}
	return p.known[name]
}

func (p *pricing) field(parent *ast.Definition, f *ast.Field) totals {
	var def *ast.FieldDefinition
	if parent != nil {
		def = parent.Fields.ForName(f.Name)
	}
	if def == nil {
		// This is __typename, or a field that validation will refuse.
		below := p.set(nil, f.SelectionSet)
		return totals{fields: 1, depth: plus(1, below.depth), cost: plus(valueCost(0, f), p.arguments(f))}
	}
	typ := p.schema.Types[def.Type.Name()]
	below := p.set(typ, f.SelectionSet)
	one := totals{fields: 1, depth: plus(1, below.depth)}
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
		one.cost = valueCost(weight(p.schema, parent, def), f)
	default:
		one.cost, one.each = p.object(parent, def, f, below)
		if one.slotPages = 1; !isSlots(def) {
			one.slotPages, one.slotPagesEach = p.spread(parent, def, f, below.slotPages, below.slotPagesEach)
		}
	}
	one.cost = plus(one.cost, p.arguments(f))
	if given := f.Arguments.ForName(entitiesArgument); given != nil {
		one.references = min(p.items(given.Value), entitiesMax)
	}
	return one
}

// valueCost returns the cost of a scalar field with a weight.
func valueCost(weight int, f *ast.Field) int {
	switch {
	case weight > 0:
		return weight * unit
	case f.Alias == f.Name:
		return 0
	}
	return unit
}

// object returns the cost of an object field; below are the totals of its selections. An entry of a
// page costs at least one for each list that shows it, and a page at least [pageCost], because the
// page is loaded, judged and written whatever is selected.
func (p *pricing) object(parent *ast.Definition, def *ast.FieldDefinition, f *ast.Field, below totals) (cost, each int) {
	once := plus(weight(p.schema, parent, def)*unit, below.cost)
	least := 0
	switch {
	case isPage(def.Type.Name()):
		least = plus(once, pageCost*unit)
	case isEntries(parent, def):
		once = max(unit, once)
	}
	cost, each = p.spread(parent, def, f, once, max(unit, below.each))
	return max(least, cost), each
}

// spread multiplies the count of an object by the length of its list, and in a page that of each entry. It
// returns the count of the field, or of each entry if the field is a list of them.
func (p *pricing) spread(parent *ast.Definition, def *ast.FieldDefinition, f *ast.Field, once, each int) (all, ofEntry int) {
	switch {
	case isPage(def.Type.Name()):
		return plus(once, times(p.page(f), each)), 0
	case isEntries(parent, def):
		return 0, once
	case def.Type.Elem != nil:
		return times(p.listLength(def, f), once), 0
	}
	return once, 0
}

func isIntrospection(f *ast.Field) bool { return f.Name == "__schema" || f.Name == "__type" }

func (p *pricing) page(f *ast.Field) int {
	if ids := f.Arguments.ForName("databaseIds"); ids != nil && p.items(ids.Value) > 1 {
		return min(p.items(ids.Value), pageMax)
	}
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

// listLength returns the length of a list that is not a page: that of a list in its arguments, if
// any. A list that is longer than resolvers accept counts as a page of maximum length, except that
// of references to entities, which may be longer than a page.
func (p *pricing) listLength(def *ast.FieldDefinition, f *ast.Field) int {
	for _, a := range def.Arguments {
		if given := f.Arguments.ForName(a.Name); a.Type.Elem != nil && given != nil {
			if a.Name == entitiesArgument {
				return min(p.items(given.Value), MaxCount)
			}
			return min(p.items(given.Value), pageMax)
		}
	}
	return assumedLength(def.Type.Name())
}

// assumedLength returns the length of a list of a type without one in its arguments.
func assumedLength(typ string) int {
	if typ == "AuthorList" { // of which a user has as many
		return pageMax
	}
	return listDefault
}

func (p *pricing) items(v *ast.Value) int {
	switch v.Kind {
	case ast.Variable:
		return p.note(v.Raw, lengthItems).n
	case ast.ListValue:
		return len(v.Children)
	}
	return 1
}

func listLen(value any) int {
	if list, ok := value.([]any); ok {
		return len(list)
	}
	return 1
}

func (p *pricing) number(a *ast.Argument) (int, bool) {
	if a == nil {
		return 0, false
	}
	if a.Value.Kind == ast.Variable {
		l := p.note(a.Value.Raw, lengthNumber)
		return l.n, l.given
	}
	return clampedInt(plain(a.Value))
}

func (p *pricing) value(variable string) any {
	if value, given := p.variables[variable]; given {
		return value
	}
	if def := p.op.VariableDefinitions.ForName(variable); def != nil && def.DefaultValue != nil {
		return plain(def.DefaultValue)
	}
	return nil
}

// clampedInt returns a number from 0 to [pageMax]; false for null. Values that are not numbers
// count as pageMax; validation refuses them.
func clampedInt(value any) (int, bool) {
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
