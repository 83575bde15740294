package guard

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

func TestDocuments_CacheNoLargeOnes(t *testing.T) {
	d := newDocuments(&ast.Schema{})
	for _, c := range []struct {
		text string
		kept bool
	}{
		{"{" + strings.Repeat(" a", selectionsMax) + "}", true},
		{"{" + strings.Repeat(" a", selectionsMax+1) + "}", false},
		{"{ a }" + strings.Repeat(" ", documentMax-5), true},
		{"{ a }" + strings.Repeat(" ", documentMax-4), false},
	} {
		doc, err := parser.ParseQuery(&ast.Source{Input: c.text})
		noError(t, err)
		d.Add(t.Context(), c.text, doc)
		if _, kept := d.Get(t.Context(), c.text); kept != c.kept {
			t.Errorf("a document of %d bytes begins with %.20q; it is cached: %t", len(c.text), c.text, kept)
		}
	}
}
