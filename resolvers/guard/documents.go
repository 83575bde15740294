package guard

import (
	"context"

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
