package guard

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
)

// documentMax limits the bytes of a cached text, 16 MiB in all; selectionsMax the selections of a
// cached document. A parsed selection takes about 240 bytes, so these take at most about 75 MB.
const (
	documentsMax  = 1000
	documentMax   = 16 << 10
	selectionsMax = 300
)

// documents caches valid documents by their text, for the guard and the executor. It does not cache
// large ones, which only attackers repeat.
//
// Clients have no quota. One that sends a thousand new documents displaces documents of others,
// which are then parsed and validated again: 0.2 ms for that of a page. The attacker pays as much
// for each document, within its budgets and its quarter of the slots.
type documents struct {
	schema *ast.Schema
	kept   *lru.LRU[*document]
}

type document struct {
	doc *ast.QueryDocument
	// size is the part of the measure that does not depend on operation and variables.
	size   Measure
	bytes  int // of memory
	prices priceList
	// whole is the same document without @defer, for responses in one part; nil if it has none.
	whole *document
	// inputs has an *inputs for each *ast.OperationDefinition.
	inputs sync.Map
	memo   sync.Map
}

func newDocument(doc *ast.QueryDocument, text string) *document {
	size := newDocumentCounter(doc).measure()
	return &document{doc: doc, size: size, bytes: size.memory(text)}
}

func (d *document) inputsOf(c *coercer, op *ast.OperationDefinition) *inputs {
	if known, ok := d.inputs.Load(op); ok {
		return known.(*inputs)
	}
	found := c.inputsOf(op)
	d.inputs.Store(op, found)
	return found
}

func newDocuments(schema *ast.Schema) documents {
	return documents{schema: schema, kept: lru.New[*document](documentsMax)}
}

// Get implements [graphql.Cache]. It prefers the document of the operation in ctx.
func (d documents) Get(ctx context.Context, text string) (*ast.QueryDocument, bool) {
	if state := admittedOf(OperationOf(ctx)); state != nil {
		return state.document.doc, true
	}
	if known, ok := d.kept.Get(ctx, text); ok {
		return known.doc, true
	}
	return nil, false
}

// Add implements [graphql.Cache].
func (d documents) Add(ctx context.Context, text string, doc *ast.QueryDocument) {
	d.keep(ctx, text, newDocument(doc, text))
}

func (d documents) keep(ctx context.Context, text string, valid *document) {
	selections := valid.size.Selections
	if valid.whole != nil {
		selections *= 2
	}
	if len(text) <= documentMax && selections <= selectionsMax {
		d.kept.Add(ctx, text, valid)
	}
}

func (d documents) measure(known *document, operation string, variables map[string]any) Measure {
	op := known.doc.Operations.ForName(operation)
	if op == nil {
		return known.size
	}
	m := known.size.with(known.prices.of(d.schema, known.doc, op, variables))
	if op.Operation == ast.Subscription {
		m.Idle = known.bytes
	}
	return m
}

// Memo returns a map for what other packages compute from the document of an operation; nil if no
// guard admitted it. The map lives as long as the cached document. Its values must not depend on
// the viewer.
func Memo(oc *graphql.OperationContext) *sync.Map {
	state := admittedOf(oc)
	if state == nil {
		return nil
	}
	return &state.document.memo
}
