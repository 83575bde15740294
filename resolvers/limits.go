package resolvers

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

const (
	// tokenMax is the number of tokens a document may have. Validation compares fields
	// pairwise, so its time grows with the square of this; a query for everything the
	// schema has takes a few hundred.
	tokenMax = 2000
	// depthMax is how deep fields may be nested. From the viewer down to the number of
	// followers of who commented on a reposted content of his home feed are eleven.
	depthMax = 15
	// aliasMax is how many fields of a document may have an alias. Only with one can a
	// field, and the page behind it, be asked for again, so it also bounds how many
	// fields an operation begins with. A screen needs some ten.
	aliasMax = 200
	// documentsMax is how many parsed documents are kept, and documentMax the bytes of
	// the longest that is: together they bound the cache's texts to 16 MiB.
	documentsMax = 1000
	documentMax  = 16 << 10
)

// documents keeps parsed documents by their text. Long ones, which no honest client
// repeats, are parsed every time.
type documents struct {
	graphql.Cache[*ast.QueryDocument]
}

func newDocuments() documents {
	return documents{lru.New[*ast.QueryDocument](documentsMax)}
}

// Add keeps a document unless its text is too long.
func (d documents) Add(ctx context.Context, text string, doc *ast.QueryDocument) {
	if len(text) <= documentMax {
		d.Cache.Add(ctx, text, doc)
	}
}

// terseRules are the validation rules without "did you mean": for servers that do
// not answer introspection, where suggestions would give the schema away name by name.
func terseRules() *rules.Rules {
	r := rules.NewDefaultRules()
	r.ReplaceRule(rules.KnownArgumentNamesRule.Name, rules.KnownArgumentNamesRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.KnownTypeNamesRule.Name, rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.ScalarLeafsRule.Name, rules.ScalarLeafsRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc)
	return r
}

// shapeLimit refuses operations that nest too deep or have too many aliases, and
// introspection where it is off. It looks at an operation before it runs, once through
// every fragment.
type shapeLimit struct {
	introspection bool
}

// ExtensionName names the extension to the executor.
func (shapeLimit) ExtensionName() string { return "ShapeLimit" }

// Validate accepts every schema.
func (shapeLimit) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext changes nothing; it is where the executor lets an extension
// refuse an operation.
func (l shapeLimit) MutateOperationContext(_ context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	m := measure{fragments: make(map[string]int, len(oc.Doc.Fragments))}
	if depth := m.depth(oc.Operation.SelectionSet); depth > depthMax {
		return coded(codeTooComplex, fmt.Sprintf("the operation nests %d fields deep; at most %d are allowed", depth, depthMax))
	}
	if m.aliases > aliasMax {
		return coded(codeTooComplex, fmt.Sprintf("the operation has %d aliases; at most %d are allowed", m.aliases, aliasMax))
	}
	if m.introspects && !l.introspection {
		return coded(codeValidation, "introspection is switched off; the schema can be had at /schema.graphql")
	}
	return nil
}

// measure walks an operation. It remembers the depth of every fragment, because
// fragments that spread each other would otherwise be walked again for every path
// through them: exponentially often.
type measure struct {
	fragments   map[string]int
	aliases     int
	introspects bool
}

// depth returns how many fields stand inside each other at most. What is below
// __schema and __type does not count: validation bounds it.
func (m *measure) depth(set ast.SelectionSet) int {
	deepest := 0
	for _, sel := range set {
		depth := 0
		switch sel := sel.(type) {
		case *ast.Field:
			depth = 1 + m.below(sel)
			if sel.Alias != sel.Name {
				m.aliases++
			}
		case *ast.InlineFragment:
			depth = m.depth(sel.SelectionSet)
		case *ast.FragmentSpread:
			depth = m.fragment(sel)
		}
		deepest = max(deepest, depth)
	}
	return deepest
}

func (m *measure) below(f *ast.Field) int {
	if f.Name == "__schema" || f.Name == "__type" {
		m.introspects = true
		return 0
	}
	return m.depth(f.SelectionSet)
}

func (m *measure) fragment(spread *ast.FragmentSpread) int {
	depth, known := m.fragments[spread.Name]
	if !known {
		depth = m.depth(spread.Definition.SelectionSet)
		m.fragments[spread.Name] = depth
	}
	return depth
}
