package guard

import (
	"context"
	"errors"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/tideline-feeds/tideline/internal/edge/apierror"
	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

func (g *Guard) open(ctx context.Context, state *admitted, text string) *gqlerror.Error {
	if known, ok := g.documents.kept.Get(ctx, text); ok {
		state.document = known
		return nil
	}
	state.parsing.Start = graphql.Now()
	doc, refused := g.parse(text)
	if refused != nil {
		return refused
	}
	state.parsing.End = graphql.Now()
	state.document, state.isNew = newDocument(doc, text), true
	return nil
}

func (g *Guard) parse(text string) (*ast.QueryDocument, *gqlerror.Error) {
	if most := g.o.Limits.Bytes; len(text) > most {
		return nil, apierror.New(apierror.TooComplex, fmt.Sprintf("the document has %d bytes; at most %d are allowed", len(text), most))
	}
	if err := wellformed.Document(text); err != nil {
		return nil, apierror.New(apierror.ParseFailed, "the document has "+err.Error())
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, g.o.Limits.Tokens)
	var syntax *gqlerror.Error
	switch {
	case err == nil:
		return doc, nil
	case errors.As(err, &syntax):
		apierror.SetCode(syntax, apierror.ParseFailed)
		return nil, syntax
	}
	return nil, apierror.New(apierror.ParseFailed, "the document cannot be parsed")
}

// validate validates and caches a new document, and stores its text if its hash was sent with it.
// The error wraps a [gqlerror.List] of all faults.
func (g *Guard) validate(ctx context.Context, state *admitted, text string) *gqlerror.Error {
	if state.isNew {
		state.validation.Start = graphql.Now()
		if refused := g.check(state.document.doc); refused != nil {
			return refused
		}
		if refused := g.splitDefer(state.document, text); refused != nil {
			return refused
		}
		g.documents.keep(ctx, text, state.document)
		state.validation.End = graphql.Now()
	}
	if state.keep != "" {
		g.texts.add(ctx, state.keep, text)
	}
	return nil
}

func (g *Guard) check(doc *ast.QueryDocument) *gqlerror.Error {
	if len(doc.Operations) == 0 {
		return apierror.New(apierror.ValidationFailed, "the document has no operation")
	}
	problems := validator.ValidateWithRules(g.schema, doc, g.o.Rules)
	if len(problems) == 0 {
		return nil
	}
	for _, problem := range problems {
		apierror.SetCode(problem, apierror.ValidationFailed)
	}
	refused := apierror.New(apierror.ValidationFailed, problems[0].Message)
	refused.Err = problems
	return refused
}

// If the request names no operation of the document, the executor refuses it.
func (g *Guard) coerce(oc *graphql.OperationContext, state *admitted, params *graphql.RawParams) *gqlerror.Error {
	op := state.document.doc.Operations.ForName(params.OperationName)
	if op == nil {
		return nil
	}
	in := state.document.inputsOf(g.inputs, op)
	refused := in.refused
	if refused == nil {
		params.Variables, refused = g.inputs.variables(op, in, params.Variables)
	}
	if refused != nil {
		// For observers of the response.
		oc.RawQuery, oc.Operation = params.Query, op
	}
	return refused
}
