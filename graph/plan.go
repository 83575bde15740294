package graph

import (
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// planMax is how many fields one plan may have, and all plans that are kept for a document
// together. A screen has some fifty. Fragments that spread each other come to more than any
// plan could hold, though the executor meets few of their fields: those are left to it.
const planMax = 1000

// plan is what was selected of an object, with fragments expanded, fields merged, and
// @skip and @include obeyed.
type plan struct{ fields []planned }

// planned is one field of a plan.
type planned struct {
	// key is what stands before the value: the comma, the name in quotes, the colon.
	key string
	// code is by which the object's encoder knows the field.
	code int
	// below is the plan of the object in the field; nil for a value.
	below *plan
}

// Plans keeps the plans of one document, for as long as it is kept itself: the same field
// of the same document is planned once, and not once for each request. It may be used by
// many goroutines; the zero value is ready. A nil one keeps nothing.
type Plans struct {
	mu   sync.RWMutex
	kept map[planKey]keptPlan
	// fields is how many there are in all plans that are kept.
	fields int
}

// planKey is what a plan depends on besides the sets of its field.
type planKey struct {
	operation *ast.OperationDefinition
	field     *ast.Field
	// flags are the values of the operation's variables that @skip and @include may name.
	flags string
}

// keptPlan is a plan, nil for what cannot be planned, and the selections it was made for:
// when a field stands in a document several times, which of them are merged depends on the
// flags around them.
type keptPlan struct {
	selections ast.SelectionSet
	plan       *plan
}

// of returns the plan of a field; nil when it has none.
func (p *Plans) of(oc *graphql.OperationContext, field graphql.CollectedField) *plan {
	if p == nil {
		return newPlan(oc, field)
	}
	key := planKey{operation: oc.Operation, field: field.Field, flags: flags(oc)}
	p.mu.RLock()
	kept, ok := p.kept[key]
	p.mu.RUnlock()
	if ok && slices.Equal(kept.selections, field.Selections) {
		return kept.plan
	}
	made := newPlan(oc, field)
	if !ok {
		p.keep(key, keptPlan{field.Selections, made})
	}
	return made
}

// keep keeps a plan while there is room.
func (p *Plans) keep(key planKey, made keptPlan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := 1 + len(made.selections)
	if made.plan != nil {
		size += made.plan.size()
	}
	if _, twice := p.kept[key]; twice || p.fields+size > planMax {
		return
	}
	if p.kept == nil {
		p.kept = map[planKey]keptPlan{}
	}
	p.kept[key] = made
	p.fields += size
}

func (p *plan) size() int {
	n := len(p.fields)
	for _, f := range p.fields {
		if f.below != nil {
			n += f.below.size()
		}
	}
	return n
}

// flags returns the values of an operation's Boolean variables, a letter for each.
func flags(oc *graphql.OperationContext) string {
	var out []byte
	for _, v := range oc.Operation.VariableDefinitions {
		if v.Type.NamedType != "Boolean" {
			continue
		}
		switch oc.Variables[v.Variable] {
		case true:
			out = append(out, 't')
		case false:
			out = append(out, 'f')
		default:
			out = append(out, '?')
		}
	}
	return string(out)
}

// newPlan plans a field; nil when that is not possible.
func newPlan(oc *graphql.OperationContext, field graphql.CollectedField) *plan {
	p := planner{oc: oc, room: planMax}
	return p.plan(field.Definition.Type.Name(), field.Selections)
}

// planner makes one plan.
type planner struct {
	oc   *graphql.OperationContext
	room int
}

// plan plans what is selected of a type. Which fields these are, in which order, and what
// is selected of them in turn, the executor's own function says.
func (p *planner) plan(typ string, set ast.SelectionSet) *plan {
	types := satisfied(typ)
	if types == nil {
		return nil
	}
	collected := graphql.CollectFields(p.oc, set, types)
	if p.room -= len(collected); p.room < 0 {
		return nil
	}
	out := &plan{fields: make([]planned, len(collected))}
	names := make(map[string]struct{}, len(collected))
	for i, f := range collected {
		// The executor runs both of two such fields, and writes one.
		if _, twice := names[f.Alias]; twice {
			return nil
		}
		names[f.Alias] = struct{}{}
		one, ok := p.field(typ, f)
		if !ok {
			return nil
		}
		if i > 0 {
			one.key = "," + one.key
		}
		out.fields[i] = one
	}
	return out
}

func (p *planner) field(typ string, f graphql.CollectedField) (planned, bool) {
	code, below, ok := shape(typ, f.Name)
	one := planned{key: string(append(appendString(nil, f.Alias), ':')), code: code}
	if ok && below != "" {
		one.below = p.plan(below, f.Selections)
		ok = one.below != nil
	}
	return one, ok
}
