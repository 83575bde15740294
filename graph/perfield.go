package graph

import (
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// perFieldMax is the size of all that is kept of one document, in fields or what is as large:
// a screen has some fifty. With a thousand documents that comes to 50 MB at the very worst.
const perFieldMax = 1000

// PerField keeps what follows from what a document selects of a field, for as long as the
// document is kept itself: it is found out once, and not with each request. It may be used
// by many goroutines; the zero value is ready, and a nil one keeps nothing.
type PerField[V any] struct {
	mu   sync.RWMutex
	kept map[fieldKey]keptField[V]
	size int
}

// fieldKey is what a value depends on besides the sets of its field.
type fieldKey struct {
	operation *ast.OperationDefinition
	field     *ast.Field
	// flags are the values of the operation's variables that @skip and @include may name.
	flags string
}

// keptField is a value and the selections that it was made of: when a field stands in a
// document several times, which of them are merged depends on the flags around them.
type keptField[V any] struct {
	selections ast.SelectionSet
	value      V
}

// Of returns the value for a field: one that is kept, or what find returns, with its size.
func (p *PerField[V]) Of(oc *graphql.OperationContext, field graphql.CollectedField, find func() (value V, size int)) V {
	if p == nil {
		value, _ := find()
		return value
	}
	key := fieldKey{operation: oc.Operation, field: field.Field, flags: flags(oc)}
	p.mu.RLock()
	kept, ok := p.kept[key]
	p.mu.RUnlock()
	if ok && slices.Equal(kept.selections, field.Selections) {
		return kept.value
	}
	value, size := find()
	if !ok {
		p.keep(key, keptField[V]{field.Selections, value}, 1+len(field.Selections)+size)
	}
	return value
}

// keep keeps a value while there is room.
func (p *PerField[V]) keep(key fieldKey, made keptField[V], size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, twice := p.kept[key]; twice || p.size+size > perFieldMax {
		return
	}
	if p.kept == nil {
		p.kept = map[fieldKey]keptField[V]{}
	}
	p.kept[key] = made
	p.size += size
}

// flags returns the values of an operation's Boolean variables, a letter for each.
func flags(oc *graphql.OperationContext) string {
	var out []byte
	for _, v := range oc.Operation.VariableDefinitions {
		if v.Type.NamedType != "Boolean" {
			continue
		}
		switch oc.Variables[v.Variable] {
		case true:
			out = append(out, 't')
		case false:
			out = append(out, 'f')
		default:
			out = append(out, '?')
		}
	}
	return string(out)
}
