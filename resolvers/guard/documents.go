package guard

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
)

// documentsMax is how many documents are kept, parsed, and how many texts by their hash.
// documentMax is the bytes of the longest: together they bound the texts to 16 MiB.
// selectionsMax is the selections of the largest: one takes about 240 bytes when parsed, so
// that they bound the parsed documents to some 75 MB.
const (
	documentsMax  = 1000
	documentMax   = 16 << 10
	selectionsMax = 300
)

// documents keeps valid documents by their text, with what is known of each. Long and large
// ones, which no honest client repeats, are parsed every time.
//
// Clients have no share of their own. One that sends a thousand new documents drives out
// those that others use less often than it takes to send them. Each of these is then parsed
// and validated again, as if nothing were kept: 0.2 ms for a page's. The client itself has
// the server do as much for each document it sends, within its budgets and its quarter of
// the slots, so driving others' out gains it nothing.
//
// It is the cache that the executor
// is given, which finds in it the document that the guard has validated for its request.
type documents struct {
	schema *ast.Schema
	kept   *lru.LRU[*document]
}

// document is one that is valid, and what has been found out about it so far.
type document struct {
	doc *ast.QueryDocument
	// size is what is measured whatever its operation and variables.
	size Measure
	// prices are what its operations came to.
	prices priceList
	// inputs are what its operations take: an *inputs by the *ast.OperationDefinition.
	inputs sync.Map
	// memo belongs to whoever executes it.
	memo sync.Map
}

func newDocument(doc *ast.QueryDocument) *document {
	return &document{doc: doc, size: newSurvey(doc).measure()}
}

// inputsOf returns what an operation of the document takes.
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

// Get returns the document of the operation that ctx belongs to, or one that is kept.
func (d documents) Get(ctx context.Context, text string) (*ast.QueryDocument, bool) {
	if state := admittedOf(OperationOf(ctx)); state != nil {
		return state.document.doc, true
	}
	if known, ok := d.kept.Get(ctx, text); ok {
		return known.doc, true
	}
	return nil, false
}

// Add keeps a document unless it is too long or too large.
func (d documents) Add(ctx context.Context, text string, doc *ast.QueryDocument) {
	d.keep(ctx, text, newDocument(doc))
}

func (d documents) keep(ctx context.Context, text string, valid *document) {
	if len(text) <= documentMax && valid.size.Selections <= selectionsMax {
		d.kept.Add(ctx, text, valid)
	}
}

// measure returns the measure of an operation of a document.
func (d documents) measure(known *document, operation string, variables map[string]any) Measure {
	op := known.doc.Operations.ForName(operation)
	if op == nil {
		return known.size
	}
	return known.size.with(known.prices.of(d.schema, known.doc, op, variables))
}

// Memo returns a place for what whoever executes operations has found out about the
// document of one. It lasts as long as the document is kept, and what is in it must not
// depend on who asks. It is nil for an operation that no guard has admitted.
func Memo(oc *graphql.OperationContext) *sync.Map {
	state := admittedOf(oc)
	if state == nil {
		return nil
	}
	return &state.document.memo
}
