package transport

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

const (
	// operationBytes is the memory that an idle operation keeps besides its document and request,
	// measured and rounded up.
	operationBytes = 8 << 10
	// freeBytes is what the operations of a connection may keep without counting as unsent. The number
	// of connections limits it. Two subscriptions with documents that others use too fit in.
	freeBytes = 16 << 10
)

// idle counts what the operations of a connection keep in the budget of unsent bytes. Its users
// serialize calls.
type idle struct{ kept int }

// keep counts an operation until release is called. evict ends the connection to make room for other
// clients; it must not block.
func (i *idle) keep(t *Transport, holder string, oc *graphql.OperationContext, evict func()) (release func()) {
	bytes := operationBytes + t.size(oc)
	i.kept += bytes
	counted := min(bytes, i.kept-freeBytes)
	if counted <= 0 {
		return func() { i.kept -= bytes }
	}
	forget := t.keep(holder, counted, evict)
	return func() {
		i.kept -= bytes
		forget()
	}
}

func isSubscription(oc *graphql.OperationContext) bool {
	return oc.Operation.Operation == ast.Subscription
}
