package graph

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// planMax is how many fields one plan may have. Fragments that spread each other come to more
// than any plan could hold, though the executor meets few of their fields: those are left to
// it.
const planMax = perFieldMax

// plan is what was selected of an object, with fragments expanded, fields merged, and
// @skip and @include obeyed.
type plan struct {
	fields []planned
}

// planned is one field of a plan.
type planned struct {
	// key is what stands before the value: the comma, the name in quotes, the colon.
	key string
	// code is by which the object's encoder knows the field.
	code int
	// below is the plan of the object in the field; nil for a value.
	below *plan
	// run is the run that begins with the field; nil when none does.
	run *run
}

// Plans keeps the plans of one document.
type Plans struct{ kept PerField[*plan] }

// of returns the plan of a field; nil when it has none.
func (p *Plans) of(oc *graphql.OperationContext, field graphql.CollectedField) *plan {
	return p.kept.Of(oc, field, func() (*plan, int) {
		made := newPlan(oc, field)
		return made, made.size()
	})
}

func (p *plan) size() int {
	if p == nil {
		return 0
	}
	n := len(p.fields)
	for _, f := range p.fields {
		n += f.below.size()
	}
	return n
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
	own := make([]bool, len(collected))
	for i, f := range collected {
		// The executor runs both of two such fields, and writes one.
		if _, twice := names[f.Alias]; twice {
			return nil
		}
		names[f.Alias] = struct{}{}
		one, ok := p.field(typ, f)
		own[i] = isOwn(typ, one.code)
		if !ok {
			return nil
		}
		if i > 0 {
			one.key = "," + one.key
		}
		out.fields[i] = one
	}
	findRuns(typ, out.fields, own)
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
