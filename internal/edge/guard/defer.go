package guard

import (
	"context"
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

const deferName = "defer"

// labelMax is in bytes: each part of a response repeats a label. Clients make them of the names of
// an operation and a fragment.
const labelMax = 128

// variant returns the document to execute: without @defer if the response has one part. Only those
// of queries have several, because mutations run one after the other.
func (g *Guard) variant(ctx context.Context, d *document, operation string) *document {
	op := d.doc.Operations.ForName(operation)
	if d.whole == nil || op != nil && op.Operation == ast.Query && g.o.InParts(ctx) {
		return d
	}
	return d.whole
}

// splitDefer checks the labels of a valid document, and adds the document without @defer.
func (g *Guard) splitDefer(d *document, text string) *gqlerror.Error {
	labels, deferred := map[string]bool{}, false
	var refused *gqlerror.Error
	eachFragment(d.doc, func(list *ast.DirectiveList) {
		if put := list.ForName(deferName); put != nil {
			deferred = true
			if refused == nil {
				refused = checkLabel(put, labels)
			}
		}
	})
	if !deferred || refused != nil {
		return refused
	}
	// Validation completes the syntax tree, so each of the two needs its own.
	doc, refused := g.parse(text)
	if refused == nil {
		refused = g.check(doc)
	}
	if refused != nil {
		return refused
	}
	eachFragment(doc, func(list *ast.DirectiveList) {
		for i, directive := range *list {
			if directive.Name == deferName {
				*list = append((*list)[:i:i], (*list)[i+1:]...)
				return
			}
		}
	})
	d.whole = newDocument(doc, text)
	return nil
}

// checkLabel applies the rules of the draft: a label is a constant, and occurs once.
func checkLabel(put *ast.Directive, labels map[string]bool) *gqlerror.Error {
	label := put.Arguments.ForName("label")
	switch {
	case label == nil || label.Value.Kind == ast.NullValue:
		return nil
	case label.Value.Kind == ast.Variable:
		return labelFault(put, "must not be a variable")
	case len(label.Value.Raw) > labelMax:
		return labelFault(put, fmt.Sprintf("must have at most %d bytes", labelMax))
	case labels[label.Value.Raw]:
		return labelFault(put, "must be unique in the document")
	}
	labels[label.Value.Raw] = true
	return nil
}

func labelFault(put *ast.Directive, must string) *gqlerror.Error {
	refused := apierror.New(apierror.ValidationFailed, "the label of @defer "+must)
	if put.Position != nil {
		refused.Locations = []gqlerror.Location{{Line: put.Position.Line, Column: put.Position.Column}}
	}
	return refused
}

// eachFragment calls do for the directives of each inline fragment and spread of a document.
func eachFragment(doc *ast.QueryDocument, do func(*ast.DirectiveList)) {
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, sel := range set {
			switch sel := sel.(type) {
			case *ast.Field:
				walk(sel.SelectionSet)
			case *ast.InlineFragment:
				do(&sel.Directives)
				walk(sel.SelectionSet)
			case *ast.FragmentSpread:
				do(&sel.Directives)
			}
		}
	}
	for _, op := range doc.Operations {
		walk(op.SelectionSet)
	}
	for _, f := range doc.Fragments {
		walk(f.SelectionSet)
	}
}
