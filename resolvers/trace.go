package resolvers

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
)

// Trace observes the API. Its functions may be nil, are called concurrently, and must not block.
type Trace struct {
	// OperationDone is called after each query, with all its parts, mutation and refusal.
	OperationDone func(ctx context.Context, o Operation)
	// Begin is called before a query or a mutation, which runs in the returned context. The
	// returned function is called afterwards with the code of the first error; empty for none.
	Begin func(ctx context.Context, kind, name string) (context.Context, func(code string))
	// SubscriptionBegan is called for each subscription, and the returned function once at its end.
	SubscriptionBegan func() (ended func())
	// EventSent is called for each event that a subscriber gets.
	EventSent func()
	// LimitHit is called for each refused operation with the name of the limit.
	LimitHit func(limit string)
	// Loaded is called for each bulk read with the loader's name and the number of keys.
	Loaded func(loader string, keys int)
}

// Operation describes an operation that has ended, without its input and output.
type Operation struct {
	// Kind is query, mutation or subscription; empty if the document has no operation.
	Kind string
	// Name is the client's name of the operation, which may be any text.
	Name string
	// Code is that of the first error; empty for none. userErrors do not count.
	Code string
	// Took is the time since the request began to arrive. The others are parts of it; 0 if skipped.
	Took, Parsing, Validation, Execution time.Duration

	text string
}

// Document returns the SHA-256 of the document in lower-case hexadecimal; empty without a document.
func (o Operation) Document() string {
	if o.text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(o.text))
	return hex.EncodeToString(sum[:])
}

func (r *Resolver) observeResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	began := time.Now()
	response := next(ctx)
	if response == nil {
		return nil
	}
	oc := guard.OperationOf(ctx)
	trace := r.deps.Trace
	if kindOf(oc) == ast.Subscription && response.Data != nil {
		if trace.EventSent != nil {
			trace.EventSent()
		}
		return response
	}
	if response.HasNext != nil {
		if *response.HasNext {
			return response
		}
		began = oc.Stats.Validation.End // with the first part
	}
	if trace.OperationDone != nil {
		trace.OperationDone(ctx, operationOf(oc, response, began, time.Now()))
	}
	return response
}

// operationOf describes an operation whose response was made between two times.
func operationOf(oc *graphql.OperationContext, response *graphql.Response, began, ended time.Time) Operation {
	o := Operation{
		Kind: string(kindOf(oc)), Code: firstCode(response.Errors), text: oc.RawQuery,
		Took:    between(oc.Stats.OperationStart, ended),
		Parsing: between(oc.Stats.Parsing.Start, oc.Stats.Parsing.End), Validation: between(oc.Stats.Validation.Start, oc.Stats.Validation.End),
	}
	if oc.Operation != nil {
		o.Name = oc.Operation.Name
	}
	if response.Data != nil {
		o.Execution = ended.Sub(began)
	}
	return o
}

func kindOf(oc *graphql.OperationContext) ast.Operation {
	if oc.Operation == nil {
		return ""
	}
	return oc.Operation.Operation
}

// between returns a duration; 0 if it has no beginning or end.
func between(began, ended time.Time) time.Duration {
	if began.IsZero() || ended.IsZero() {
		return 0
	}
	return max(0, ended.Sub(began))
}

// firstCode returns the code of the first error; INTERNAL if it has none.
func firstCode(errs gqlerror.List) string {
	if len(errs) == 0 {
		return ""
	}
	return string(cmp.Or(apierror.CodeOf(errs[0]), feed.CodeInternal))
}

func (r *Resolver) observeExecution(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	if r.deps.Trace.Begin == nil {
		return next(ctx)
	}
	oc := graphql.GetOperationContext(ctx)
	ctx, end := r.deps.Trace.Begin(ctx, string(kindOf(oc)), oc.Operation.Name)
	respond := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		response := respond(ctx)
		if response == nil {
			// The executor returns nil if ctx is done.
			end(string(apierror.Timeout))
			return nil
		}
		if response.HasNext == nil || !*response.HasNext {
			end(firstCode(response.Errors))
		}
		return response
	}
}

func (r *Resolver) observeSubscription(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	began := r.deps.Trace.SubscriptionBegan
	if began == nil {
		return next(ctx)
	}
	end := sync.OnceFunc(began())
	context.AfterFunc(ctx, end)
	respond := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		response := respond(ctx)
		if response == nil {
			end()
		}
		return response
	}
}
