package guard

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// pricesMax is how many prices are kept for a document: an application asks with a few
// lengths of pages.
const pricesMax = 16

// priceList keeps what the operations of a document come to. Of the variables only lengths
// count, so that requests of one kind have one price, and it is looked up and not worked
// out again for each of them.
type priceList struct {
	mu   sync.RWMutex
	kept []price
}

// price is what an operation comes to when lengths are as they were.
type price struct {
	op      *ast.OperationDefinition
	lengths []length
	reach   reach
}

// length is what a variable said that a price depends on.
type length struct {
	variable string
	kind     lengthKind
	n        int
	given    bool
}

// lengthKind says what of a variable counts.
type lengthKind byte

const (
	// lengthNumber is its number, where that is the length of a page.
	lengthNumber lengthKind = iota
	// lengthItems is the number of its items.
	lengthItems
	// lengthBytes is its size, rounded up to a power of two: so texts and cursors of about the
	// same size have one price.
	lengthBytes
)

// of returns what an operation of the document comes to.
func (l *priceList) of(schema *ast.Schema, doc *ast.QueryDocument, op *ast.OperationDefinition, variables map[string]any) reach {
	p := pricing{op: op, variables: variables}
	if known, ok := l.find(&p); ok {
		return known
	}
	whole := newPricing(schema, doc, op, variables)
	found := whole.operation()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) >= pricesMax {
		// Whoever asks with all lengths there are pays for it himself.
		l.kept = l.kept[:0]
	}
	l.kept = append(l.kept, price{op: op, lengths: whole.lengths, reach: found})
	return found
}

// find returns a price that is kept, for the operation and the variables of p.
func (l *priceList) find(p *pricing) (reach, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, known := range l.kept {
		if known.op == p.op && p.hasLengths(known.lengths) {
			return known.reach, true
		}
	}
	return reach{}, false
}

// hasLengths says whether the variables say the same again.
func (p *pricing) hasLengths(lengths []length) bool {
	for _, l := range lengths {
		if p.length(l.variable, l.kind) != l {
			return false
		}
	}
	return true
}

// length returns what a variable says.
func (p *pricing) length(variable string, kind lengthKind) length {
	l := length{variable: variable, kind: kind}
	switch kind {
	case lengthBytes:
		l.n, l.given = roundUp(p.size(variable)), true
	case lengthItems:
		l.n, l.given = listed(p.value(variable)), true
	default:
		l.n, l.given = whole(p.value(variable))
	}
	return l
}

// note remembers what a variable says, and returns it.
func (p *pricing) note(variable string, kind lengthKind) length {
	l := p.length(variable, kind)
	if !slices.Contains(p.lengths, l) {
		p.lengths = append(p.lengths, l)
	}
	return l
}

// size returns the size of a variable, which is worked out once.
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

// roundUp returns the smallest power of two that is not below n.
func roundUp(n int) int {
	if n <= 1 {
		return n
	}
	return min(1<<bits.Len(uint(n-1)), Endless)
}
