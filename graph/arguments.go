package graph

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// arguments keeps the arguments of the fields of one operation, which are the same each time
// that a field runs: below a list that is once for each element. The zero value is ready; it
// may be used by many goroutines. What is in it must not be changed.
type arguments struct {
	mu    sync.Mutex
	known map[*ast.Field]map[string]any
}

// of returns the arguments of a field: those that are kept, or what read returns.
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

// arguments returns the arguments of a field as its resolver takes them, which read makes of
// those that the document has. The generated code calls it each time that a field runs.
func (ec *executionContext) arguments(
	ctx context.Context, field graphql.CollectedField, read func(context.Context, map[string]any) (map[string]any, error),
) (map[string]any, error) {
	find := func() (map[string]any, error) { return read(ctx, field.ArgumentMap(ec.Variables)) }
	in := answerFrom(ctx)
	if in == nil {
		return find()
	}
	return in.arguments.of(field.Field, find)
}
