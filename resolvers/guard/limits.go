package guard

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

// Limits bound what one document may ask for. A document that keeps to all of them is
// validated, and refused if need be, within some milliseconds. Those that are not said
// to be of an operation are of the whole document, with what its operation does not use:
// validation looks at that too.
type Limits struct {
	// Bytes of the text. Comments and long names are all that makes it longer than its
	// tokens say, and each name is repeated in the error about it.
	Bytes int
	// Tokens of the text, as the parser counts them. A query for everything the schema
	// has takes a few hundred.
	Tokens int
	// Name is the number of bytes in a name or an enum's value. The longest in the schema
	// has some twenty; a client generates longer ones of its own from paths.
	Name int
	// Definitions are operations and fragments together. Validation walks again through
	// all that each of them reaches.
	Definitions int
	// Selections are fields, inline fragments and spreads.
	Selections int
	// Directives: only @skip and @include may stand in a document.
	Directives int
	// Aliases are fields under another name. Only with one can a field, and the page
	// behind it, be asked for again. A screen needs some ten.
	Aliases int
	// Comparisons bounds the work of validation, which compares each field with every
	// other of the same name in the response; see [Measure]. A document with a thousand
	// fields that have some fifteen names comes to 30,000.
	Comparisons int

	// RootFields with which an operation begins, fragments expanded.
	RootFields int
	// Depth is how deep an operation nests fields. From the viewer down to the number of
	// followers of who commented on a reposted content of his home feed are eleven. What
	// is below __schema and __type does not count: validation bounds it.
	Depth int
	// Cost is what an operation may load; see [Measure]. A page of twenty contents of the
	// home feed with authors and counters costs 62; one of a hundred with twenty comments
	// each, and the authors of all, 4,302.
	Cost int
}

// DefaultLimits returns the limits that a server has unless it is told otherwise.
func DefaultLimits() Limits {
	return Limits{
		Bytes: 64 << 10, Tokens: 2000, Name: 128,
		Definitions: 50, Selections: 1000, Directives: 50, Aliases: 200, Comparisons: 100_000,
		RootFields: 30, Depth: 15, Cost: 10_000,
	}
}

// check refuses a document that was measured and goes beyond a limit. It names the first
// that is: the number there is, and the number allowed.
func (l Limits) check(m Measure) *gqlerror.Error {
	for _, bound := range []struct {
		what     string
		is, most int
	}{
		{"bytes in a name", m.Name, l.Name},
		{"operations and fragments", m.Definitions, l.Definitions},
		{"selections", m.Selections, l.Selections},
		{"directives", m.Directives, l.Directives},
		{"aliases", m.Aliases, l.Aliases},
		{"comparisons of fields to validate", m.Comparisons, l.Comparisons},
		{"fields at the root", m.RootFields, l.RootFields},
		{"fields inside each other", m.Depth, l.Depth},
		{"objects to load and kilobytes of arguments to read", m.Cost, l.Cost},
	} {
		if bound.is > bound.most {
			return apierror.New(apierror.TooComplex, fmt.Sprintf("the operation has %s %s; at most %d are allowed", count(bound.is), bound.what, bound.most))
		}
	}
	return nil
}

// count renders a number that may have stopped growing.
func count(n int) string {
	if n >= Endless {
		return "countless"
	}
	return fmt.Sprint(n)
}
