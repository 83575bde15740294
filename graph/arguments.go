package graph

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// arguments caches the arguments of an operation's fields, which are the same for each element of a
// list. It is safe for concurrent use. Callers must not change cached arguments.
type arguments struct {
	mu    sync.Mutex
	known map[*ast.Field]map[string]any
}

func (a *arguments) of(field *ast.Field, read func() (map[string]any, error)) (map[string]any, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known, ok := a.known[field]; ok {
		return known, nil
	}
	found, err := read()
	if err != nil {
		return nil, err
	}
	if a.known == nil {
		a.known = map[*ast.Field]map[string]any{}
	}
	a.known[field] = found
	return found, nil
}

// arguments returns the arguments of a field as its resolver takes them, for the generated code.
func (ec *executionContext) arguments(
	ctx context.Context, field graphql.CollectedField, read func(context.Context, map[string]any) (map[string]any, error),
) (map[string]any, error) {
	find := func() (map[string]any, error) { return read(ctx, field.ArgumentMap(ec.Variables)) }
	r := responseFrom(ctx)
	if r == nil {
		return find()
	}
	return r.arguments.of(field.Field, find)
}
