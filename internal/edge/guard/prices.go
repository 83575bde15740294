package guard

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// pricesMax is the number of cached prices of a document. An application uses few page lengths.
const pricesMax = 16

// priceList caches the totals of a document's operations by the lengths of variables only.
type priceList struct {
	mu   sync.RWMutex
	kept []price
}

type price struct {
	op      *ast.OperationDefinition
	lengths []length
	totals  totals
}

// length is what a price depends on in a variable.
type length struct {
	variable string
	kind     lengthKind
	n        int
	given    bool
}

type lengthKind byte

const (
	// lengthNumber is its value, for the length of a page.
	lengthNumber lengthKind = iota
	// lengthItems is the number of its elements.
	lengthItems
	// lengthBytes is its size, rounded up to a power of two, so that similar texts share a price.
	lengthBytes
)

func (l *priceList) of(schema *ast.Schema, doc *ast.QueryDocument, op *ast.OperationDefinition, variables map[string]any) totals {
	p := pricing{op: op, variables: variables}
	if known, ok := l.find(&p); ok {
		return known
	}
	uncached := newPricing(schema, doc, op, variables)
	found := uncached.operation()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) >= pricesMax {
		// A client that uses every length there is pays for the work itself.
		l.kept = l.kept[:0]
	}
	l.kept = append(l.kept, price{op: op, lengths: uncached.lengths, totals: found})
	return found
}

func (l *priceList) find(p *pricing) (totals, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, known := range l.kept {
		if known.op == p.op && p.hasLengths(known.lengths) {
			return known.totals, true
		}
	}
	return totals{}, false
}

func (p *pricing) hasLengths(lengths []length) bool {
	for _, l := range lengths {
		if p.length(l.variable, l.kind) != l {
			return false
		}
	}
	return true
}

func (p *pricing) length(variable string, kind lengthKind) length {
	l := length{variable: variable, kind: kind}
	switch kind {
	case lengthBytes:
		l.n, l.given = roundUp(p.size(variable)), true
	case lengthItems:
		l.n, l.given = listLen(p.value(variable)), true
	default:
		l.n, l.given = clampedInt(p.value(variable))
	}
	return l
}

func (p *pricing) note(variable string, kind lengthKind) length {
	l := p.length(variable, kind)
	if !slices.Contains(p.lengths, l) {
		p.lengths = append(p.lengths, l)
	}
	return l
}

func (p *pricing) size(variable string) int {
	if n, known := p.sizes[variable]; known {
		return n
	}
	if p.sizes == nil {
		p.sizes = map[string]int{}
	}
	p.sizes[variable] = sizeOf(p.value(variable))
	return p.sizes[variable]
}

func roundUp(n int) int {
	if n <= 1 {
		return n
	}
	return min(1<<bits.Len(uint(n-1)), MaxCount)
}
