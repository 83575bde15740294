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
const (
	documentsMax = 1000
	documentMax  = 16 << 10
)

// documents keeps parsed documents by their text, with what is known of each. Long ones,
// which no honest client repeats, are parsed every time. It is the cache that the executor
// is given, which adds what it has validated.
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
	// memo belongs to whoever executes it.
	memo sync.Map
}

func newDocuments(schema *ast.Schema) documents {
	return documents{schema: schema, kept: lru.New[*document](documentsMax)}
}

// Get returns a document that is kept.
func (d documents) Get(ctx context.Context, text string) (*ast.QueryDocument, bool) {
	if known, ok := d.kept.Get(ctx, text); ok {
		return known.doc, true
	}
	return nil, false
}

// Add keeps a document unless its text is too long.
func (d documents) Add(ctx context.Context, text string, doc *ast.QueryDocument) {
	if len(text) <= documentMax {
		d.kept.Add(ctx, text, &document{doc: doc, size: newSurvey(doc).measure()})
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
// depend on who asks. It is nil when the document is not kept.
func Memo(oc *graphql.OperationContext) *sync.Map {
	state, ok := oc.Stats.GetExtension(extensionName).(*admitted)
	if !ok || state.document == nil {
		return nil
	}
	return &state.document.memo
}
