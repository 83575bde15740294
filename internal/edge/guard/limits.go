package guard

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// Limits bounds one document; validating it within all limits takes a few milliseconds. RootFields,
// Depth, Cost and SlotPages apply to the operation; the others to the whole document, including unused parts,
// because validation checks those too.
type Limits struct {
	// Bytes limits the text: comments and long names, which errors repeat, are few tokens.
	Bytes int
	// Tokens limits the parser's tokens. A query for every field of the schema has a few hundred.
	Tokens int
	// Name limits the bytes of a name or an enum value. The longest in the schema has about twenty;
	// clients generate longer ones from paths.
	Name int
	// Definitions limits operations plus fragments. Validation walks all that each one reaches.
	Definitions int
	// Selections limits fields, inline fragments and spreads.
	Selections int
	// Directives limits uses of @skip, @include and @defer.
	Directives int
	// Aliases limits renamed fields, which alone can load the same page twice. Screens need ten.
	Aliases int
	// Comparisons limits the work of validation, which compares every two fields with the same
	// response name. A document with a thousand fields and fifteen names has 30,000.
	Comparisons int

	// RootFields limits the top-level fields, with fragments expanded.
	RootFields int
	// Depth limits the nesting of fields, except below __schema and __type. From the viewer down to
	// the follower count of a commenter on a reposted post are eleven levels.
	Depth int
	// Cost limits what an operation may load. A page of twenty posts with authors and counters
	// costs 62. A page of a hundred, with twenty comments each and all authors, costs 4,302.
	Cost int
	// References limits the references to entities. Each takes about 25 µs to resolve, far longer than
	// an object of a page, and a router sends those of a type in one field.
	References int
	// SlotPages limits the pages on which slots are selected: each is a call of another service.
	SlotPages int
	// Idle limits the bytes that a subscription keeps between events: those of its parsed document,
	// and of the URL and header of its request. One for a screen, with a hundred fields, has 30,000.
	Idle int
}

// DefaultLimits returns the default limits.
func DefaultLimits() Limits {
	return Limits{
		Bytes: 64 << 10, Tokens: 2000, Name: 128,
		Definitions: 50, Selections: 1000, Directives: 50, Aliases: 200, Comparisons: 100_000,
		RootFields: 30, Depth: 15, Cost: 10_000, References: entitiesMax, SlotPages: 3, Idle: 48 << 10,
	}
}

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
		{"references to entities", m.References, l.References},
		{"pages with slots", m.SlotPages, l.SlotPages},
		{"bytes of memory to keep for a subscription", m.Idle, l.Idle},
	} {
		if bound.is > bound.most {
			return apierror.New(apierror.TooComplex, fmt.Sprintf("the operation has %s %s; at most %d are allowed", count(bound.is), bound.what, bound.most))
		}
	}
	return nil
}

func count(n int) string {
	if n >= MaxCount {
		return "countless"
	}
	return fmt.Sprint(n)
}
