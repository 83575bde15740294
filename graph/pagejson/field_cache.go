package pagejson

import (
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// maxCached is in fields of one document; a screen has fifty. A thousand full caches take 50 MB.
const maxCached = 1000

// FieldCache caches values that follow from the selection of a field, as long as its document is
// cached. The zero value is ready; nil caches nothing. It is safe for concurrent use.
type FieldCache[V any] struct {
	mu     sync.RWMutex
	values map[fieldKey]fieldValue[V]
	size   int
}

// fieldKey identifies a field, up to its selections.
type fieldKey struct {
	operation *ast.OperationDefinition
	field     *ast.Field
	// flags are the values of the operation's variables that @skip and @include may use.
	flags string
}

// fieldValue has the selections of its value. If a document has a field several times, the merged
// selections depend on the flags around each.
type fieldValue[V any] struct {
	selections ast.SelectionSet
	value      V
}

// Get returns the cached value of a field, or computes it with its size in fields.
func (c *FieldCache[V]) Get(oc *graphql.OperationContext, field graphql.CollectedField, compute func() (value V, size int)) V {
	if c == nil {
		value, _ := compute()
		return value
	}
	key := fieldKey{operation: oc.Operation, field: field.Field, flags: flags(oc)}
	c.mu.RLock()
	cached, ok := c.values[key]
	c.mu.RUnlock()
	if ok && slices.Equal(cached.selections, field.Selections) {
		return cached.value
	}
	value, size := compute()
	if !ok {
		c.put(key, fieldValue[V]{field.Selections, value}, 1+len(field.Selections)+size)
	}
	return value
}

func (c *FieldCache[V]) put(key fieldKey, value fieldValue[V], size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.values[key]; ok || c.size+size > maxCached {
		return
	}
	if c.values == nil {
		c.values = map[fieldKey]fieldValue[V]{}
	}
	c.values[key] = value
	c.size += size
}

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
