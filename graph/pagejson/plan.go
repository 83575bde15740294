package pagejson

import (
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// maxFields limits plans. Nested fragments can expand to more, of which the executor visits few.
const maxFields = maxCached

// plan is the selection of an object, with fragments expanded and directives applied.
type plan struct {
	fields []plannedField
	// last is the size of the last page in bytes; 0 before.
	last atomic.Int64
}

type plannedField struct {
	// key precedes the value: comma, quoted name, colon.
	key string
	// code identifies the field in the generated code of its object's type.
	code int
	// below is the plan of the field's object; nil for a scalar.
	below *plan
}

// Plans caches the plans of one document.
type Plans struct{ cache FieldCache[*plan] }

// of returns the plan of a field; nil if it has none.
func (p *Plans) of(oc *graphql.OperationContext, field graphql.CollectedField) *plan {
	return p.cache.Get(oc, field, func() (*plan, int) {
		p := planner{oc: oc, room: maxFields}
		made := p.plan(field.Definition.Type.Name(), field.Selections)
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

type planner struct {
	oc   *graphql.OperationContext
	room int
}

// The executor's own function collects the fields of the selection.
func (p *planner) plan(typ string, set ast.SelectionSet) *plan {
	types := implementors(typ)
	if types == nil {
		return nil
	}
	collected := graphql.CollectFields(p.oc, set, types)
	if p.room -= len(collected); p.room < 0 {
		return nil
	}
	out := &plan{fields: make([]plannedField, len(collected))}
	names := make(map[string]struct{}, len(collected))
	for i, f := range collected {
		// The executor resolves two fields of one name, and writes one.
		if _, twice := names[f.Alias]; twice {
			return nil
		}
		names[f.Alias] = struct{}{}
		field, ok := p.field(typ, f)
		if !ok {
			return nil
		}
		if i > 0 {
			field.key = "," + field.key
		}
		out.fields[i] = field
	}
	return out
}

// A page with deferred fields has no plan.
func (p *planner) field(typ string, f graphql.CollectedField) (plannedField, bool) {
	if f.IsDeferred() {
		return plannedField{}, false
	}
	code, below, ok := shape(typ, f.Name)
	field := plannedField{key: string(append(appendString(nil, f.Alias), ':')), code: code}
	if ok && below != "" {
		field.below = p.plan(below, f.Selections)
		ok = field.below != nil
	}
	return field, ok
}
