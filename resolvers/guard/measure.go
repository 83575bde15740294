package guard

import (
	"math"

	"github.com/vektah/gqlparser/v2/ast"
)

// Endless is where numbers stop growing: what fragments multiply soon has more digits
// than an integer. It is far above every limit.
const Endless = math.MaxInt32

// Measure says how large a document is. See [Limits] for the meaning of each number.
type Measure struct {
	Name, Definitions, Selections, Directives, Aliases int

	// Comparisons is an upper bound of how many pairs validation compares: of fields and
	// their arguments when they have the same name in the response, wherever they stand;
	// of spreads with each other; and of sets of fields with fragments. That is done for
	// each operation. What each operation and each fragment reaches is walked through as
	// well, which counts as one comparison for each selection.
	Comparisons int

	RootFields, Depth int
	// Cost is an upper bound of how many objects an operation loads, and of how many it
	// writes: one for each object field, as often as the lists around it are long. A list's
	// length is its argument first or last, 20 without; the number of ids it is asked for; or
	// else ten. A page costs its length at least, since it is loaded whatever is selected of
	// it, and five at least, and each list of its entries too: an edge costs what is selected
	// of it, but one at least. A mutation costs ten, and newCount the hundred that it counts
	// to. A field of another value costs nothing, or one when it has an alias: with aliases a
	// long text can be had many times. __schema and __type cost a thousand with all below
	// them, and another thousand for each alias there.
	//
	// Arguments cost one for each kilobyte, as often as the field with them may run. A variable
	// counts as rounded up to a power of two.
	//
	// What the viewer did with an object comes with it. What is looked at and then left out,
	// because the viewer may not see it, does not count.
	Cost int

	// Introspects says whether the document asks for the schema anywhere.
	Introspects bool
}

// measure measures a document and the operation of it that is to run. The document need
// not be valid; when it has no such operation, that counts as empty.
func measure(schema *ast.Schema, doc *ast.QueryDocument, operation string, variables map[string]any) Measure {
	m := newSurvey(doc).measure()
	if op := doc.Operations.ForName(operation); op != nil {
		m = m.with(newPricing(schema, doc, op, variables).operation())
	}
	return m
}

// with returns the measure of a document with that of an operation.
func (m Measure) with(r reach) Measure {
	m.RootFields, m.Depth, m.Cost = r.fields, r.depth, plus(r.cost, r.each)
	if m.Cost < Endless {
		m.Cost /= unit
	}
	return m
}

func rootType(schema *ast.Schema, operation ast.Operation) *ast.Definition {
	switch operation {
	case ast.Mutation:
		return schema.Mutation
	case ast.Subscription:
		return schema.Subscription
	default:
		return schema.Query
	}
}

// survey goes once over all that a document says.
type survey struct {
	m                  Measure
	operations, spread int
	fragments, sets    int
	// same is, for each name in a response, the fields that have it.
	same map[string]crowd
}

// crowd is fields of which each is compared with each other. A field weighs one, and one
// more for each value in its arguments.
type crowd struct{ weight, squares int }

func (c crowd) with(weight int) crowd {
	return crowd{plus(c.weight, weight), plus(c.squares, times(weight, weight))}
}

// pairs returns how many comparisons that comes to: the sum, over all pairs, of the
// product of their weights.
func (c crowd) pairs() int { return (times(c.weight, c.weight) - c.squares) / 2 }

func newSurvey(doc *ast.QueryDocument) *survey {
	s := &survey{same: map[string]crowd{}, operations: len(doc.Operations), fragments: len(doc.Fragments)}
	for _, op := range doc.Operations {
		s.name(op.Name)
		s.directives(op.Directives)
		for _, v := range op.VariableDefinitions {
			s.name(v.Variable)
			s.name(v.Type.Name())
			s.value(v.DefaultValue)
			s.directives(v.Directives)
		}
		s.set(op.SelectionSet)
	}
	for _, f := range doc.Fragments {
		s.name(f.Name)
		s.name(f.TypeCondition)
		s.directives(f.Directives)
		s.set(f.SelectionSet)
	}
	return s
}

// measure returns what the survey has come to.
func (s *survey) measure() Measure {
	m := s.m
	m.Definitions = s.operations + s.fragments
	pairs := plus(crowd{s.spread, s.spread}.pairs(), times(s.sets, s.fragments))
	for _, fields := range s.same {
		pairs = plus(pairs, fields.pairs())
	}
	m.Comparisons = plus(times(pairs, s.operations), times(m.Selections, m.Definitions))
	return m
}

func (s *survey) set(set ast.SelectionSet) {
	s.sets++
	for _, sel := range set {
		s.m.Selections++
		switch sel := sel.(type) {
		case *ast.Field:
			s.field(sel)
		case *ast.InlineFragment:
			s.name(sel.TypeCondition)
			s.directives(sel.Directives)
			s.set(sel.SelectionSet)
		case *ast.FragmentSpread:
			s.spread++
			s.name(sel.Name)
			s.directives(sel.Directives)
		}
	}
}

func (s *survey) field(f *ast.Field) {
	s.name(f.Name)
	s.name(f.Alias)
	if f.Alias != f.Name {
		s.m.Aliases++
	}
	if isIntrospection(f) {
		s.m.Introspects = true
	}
	s.same[f.Alias] = s.same[f.Alias].with(1 + s.arguments(f.Arguments))
	s.directives(f.Directives)
	if len(f.SelectionSet) > 0 {
		s.set(f.SelectionSet)
	}
}

func (s *survey) directives(list ast.DirectiveList) {
	s.m.Directives += len(list)
	for _, d := range list {
		s.name(d.Name)
		s.arguments(d.Arguments)
	}
}

// arguments returns how many values there are in arguments.
func (s *survey) arguments(list ast.ArgumentList) int {
	values := 0
	for _, a := range list {
		s.name(a.Name)
		values += s.value(a.Value)
	}
	return values
}

func (s *survey) value(v *ast.Value) int {
	if v == nil {
		return 0
	}
	if v.Kind == ast.EnumValue || v.Kind == ast.Variable {
		s.name(v.Raw)
	}
	values := 1
	for _, child := range v.Children {
		s.name(child.Name)
		values += s.value(child.Value)
	}
	return values
}

func (s *survey) name(name string) { s.m.Name = max(s.m.Name, len(name)) }

// plus and times stop at [Endless]. Neither number may be negative or above it.
func plus(a, b int) int { return min(a+b, Endless) }

func times(a, b int) int { return min(a*b, Endless) }
