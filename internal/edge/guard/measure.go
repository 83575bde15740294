package guard

import (
	"math"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// MaxCount is where numbers saturate, because fragments can multiply them beyond any integer.
const MaxCount = math.MaxInt32

// Measure is the size of a document. [Limits] explains each number.
type Measure struct {
	Name, Definitions, Selections, Directives, Aliases int

	// Comparisons is an upper bound of the pairs that validation compares for each operation:
	// fields with the same response name, and their arguments; spreads with each other; and
	// selection sets with fragments. Each selection that an operation or fragment reaches counts as
	// one.
	Comparisons int

	RootFields, Depth int
	// Cost is an upper bound of the objects that an operation loads or writes: one for each object
	// field, times the lengths of the lists around it. The length of a list is its argument first
	// or last, 20 without; the number of ids given; or 10. A page costs at least its length, and at
	// least 5. Each list of its entries costs that again: an edge costs its selections, but at
	// least 1. A mutation costs 10, newCount and unread 100, because they count to 100, and slots 30. A scalar field
	// costs nothing, or 1 under an alias, because aliases can repeat a long text. __schema and
	// __type cost 1,000 with everything below, and each alias in them another 1,000. A fragment with
	// @defer costs 1 more in each object.
	//
	// Arguments cost 1 for each kilobyte, each time their field runs. The size of a variable is
	// rounded up to a power of two. Objects that the viewer may not see are not counted.
	Cost int

	// References is the number of references to entities in all fields together, of which a field
	// counts at most as many as it accepts.
	References int

	// SlotPages is the number of pages on which slots are selected, those of lists included.
	SlotPages int

	// Introspects reports whether the document uses introspection.
	Introspects bool

	// Nodes counts the parts of the document that take memory once it is parsed: selections, values
	// and directives, and operations, fragments and variables twice.
	Nodes int
	// Idle is the memory that a subscription keeps between events, in bytes: the parsed document,
	// and the URL and header of its request. It is 0 for other operations.
	Idle int
}

// measure measures a document, which may be invalid, and one of its operations, if it has it.
func measure(schema *ast.Schema, doc *ast.QueryDocument, operation string, variables map[string]any) Measure {
	m := newDocumentCounter(doc).measure()
	if op := doc.Operations.ForName(operation); op != nil {
		m = m.with(newPricing(schema, doc, op, variables).operation())
	}
	return m
}

func (m Measure) with(r totals) Measure {
	m.RootFields, m.Depth, m.References, m.Cost = r.fields, r.depth, r.references, plus(r.cost, r.each)
	m.SlotPages = plus(r.slotPages, r.slotPagesEach)
	if m.Cost < MaxCount {
		m.Cost /= unit
	}
	return m
}

const typename = "__typename"

// Memory in bytes of what the parser keeps, measured and rounded up.
const (
	nodeBytes    = 256
	commentBytes = 100
)

// memory returns the bytes that a document with a text keeps.
func (m Measure) memory(text string) int {
	bytes := len(text) + nodeBytes*m.Nodes + commentBytes*strings.Count(text, "#")
	if strings.Contains(text, deferName) {
		bytes *= 2 // there is a second document without it
	}
	return bytes
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

type documentCounter struct {
	m                  Measure
	operations, spread int
	fragments, sets    int
	// same has the weights of the fields with each response name.
	same map[string]fieldWeights
}

// fieldWeights sums the weights of fields that are compared with each other. A field weighs one,
// plus one for each value in its arguments.
type fieldWeights struct{ weight, squares int }

func (c fieldWeights) with(weight int) fieldWeights {
	return fieldWeights{plus(c.weight, weight), plus(c.squares, times(weight, weight))}
}

// pairs returns the sum, over all pairs of fields, of the product of their weights.
func (c fieldWeights) pairs() int { return (times(c.weight, c.weight) - c.squares) / 2 }

func newDocumentCounter(doc *ast.QueryDocument) *documentCounter {
	s := &documentCounter{same: map[string]fieldWeights{}, operations: len(doc.Operations), fragments: len(doc.Fragments)}
	s.m.Nodes = 2 * (s.operations + s.fragments)
	for _, op := range doc.Operations {
		s.name(op.Name)
		s.directives(op.Directives)
		for _, v := range op.VariableDefinitions {
			s.m.Nodes += 2
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

func (s *documentCounter) measure() Measure {
	m := s.m
	m.Definitions = s.operations + s.fragments
	pairs := plus(fieldWeights{s.spread, s.spread}.pairs(), times(s.sets, s.fragments))
	for _, fields := range s.same {
		pairs = plus(pairs, fields.pairs())
	}
	m.Comparisons = plus(times(pairs, s.operations), times(m.Selections, m.Definitions))
	return m
}

func (s *documentCounter) set(set ast.SelectionSet) {
	s.sets++
	for _, sel := range set {
		s.m.Selections++
		s.m.Nodes++
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

func (s *documentCounter) field(f *ast.Field) {
	s.name(f.Name)
	s.name(f.Alias)
	if f.Alias != f.Name {
		s.m.Aliases++
	}
	if isIntrospection(f) {
		s.m.Introspects = true
	}
	if f.Name == typename {
		s.m.Nodes++ // validation makes a definition for each
	}
	s.same[f.Alias] = s.same[f.Alias].with(1 + s.arguments(f.Arguments))
	s.directives(f.Directives)
	if len(f.SelectionSet) > 0 {
		s.set(f.SelectionSet)
	}
}

func (s *documentCounter) directives(list ast.DirectiveList) {
	s.m.Directives += len(list)
	s.m.Nodes += len(list)
	for _, d := range list {
		s.name(d.Name)
		s.arguments(d.Arguments)
	}
}

func (s *documentCounter) arguments(list ast.ArgumentList) int {
	values := 0
	for _, a := range list {
		s.name(a.Name)
		values += s.value(a.Value)
	}
	return values
}

func (s *documentCounter) value(v *ast.Value) int {
	if v == nil {
		return 0
	}
	if v.Kind == ast.EnumValue || v.Kind == ast.Variable {
		s.name(v.Raw)
	}
	values := 1
	s.m.Nodes++
	for _, child := range v.Children {
		s.name(child.Name)
		values += s.value(child.Value)
	}
	return values
}

func (s *documentCounter) name(name string) { s.m.Name = max(s.m.Name, len(name)) }

// plus and times saturate at [MaxCount]. Their arguments must not be negative or larger.
func plus(a, b int) int { return min(a+b, MaxCount) }

func times(a, b int) int { return min(a*b, MaxCount) }
