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
	"github.com/tideline-feeds/tideline/resolvers/apierror"
	"github.com/tideline-feeds/tideline/resolvers/guard"
)

// Trace is told what the API does: by metrics and the log of slow operations. A nil
// function is not called; a set one is called by whatever goroutine does the work and
// must return at once.
type Trace struct {
	// OperationDone: a query or a mutation was answered, or anything was refused.
	OperationDone func(ctx context.Context, o Operation)
	// Begin: a query or a mutation begins to be executed, in the context that is returned.
	// The function is called when it has been, with the code of its first error; empty when
	// there was none.
	Begin func(ctx context.Context, kind, name string) (context.Context, func(code string))
	// SubscriptionBegan: somebody subscribed. What it returns is called once, when that
	// has ended.
	SubscriptionBegan func() (ended func())
	// EventSent: a subscriber was handed an event.
	EventSent func()
	// LimitHit: the guard turned an operation away, by the limit of that name.
	LimitHit func(limit string)
	// Loaded: a loader read so many keys at once.
	Loaded func(loader string, keys int)
}

// Operation tells of an operation that is over. What it asked for and what was answered
// is not in it.
type Operation struct {
	// Kind is query, mutation or subscription; empty for what is none of these, such as a
	// document that cannot be parsed.
	Kind string
	// Name is what the client calls it; empty when it has no name. Clients may call
	// operations whatever they like, as often as they like something else.
	Name string
	// Code is extensions.code of the first error; empty when there was none. Refusals that
	// a payload tells of in userErrors are none.
	Code string
	// Took is the whole time from when the request began to be read. Parsing, Validation
	// and Execution are parts of it, 0 for what it did not come to.
	Took, Parsing, Validation, Execution time.Duration

	text string
}

// Document returns the SHA-256 of the document in lower-case hexadecimal: the id by which
// clients of persisted queries name it. It is empty when there was no document.
func (o Operation) Document() string {
	if o.text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(o.text))
	return hex.EncodeToString(sum[:])
}

// observeResponse tells the trace of a response.
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
	if trace.OperationDone != nil {
		trace.OperationDone(ctx, operationOf(oc, response, began, time.Now()))
	}
	return response
}

// operationOf puts together what is known of an operation whose response was being made
// from began to ended.
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

// between returns how long something took; 0 for what did not begin or did not end.
func between(began, ended time.Time) time.Duration {
	if began.IsZero() || ended.IsZero() {
		return 0
	}
	return max(0, ended.Sub(began))
}

// firstCode returns the code of the first error; INTERNAL for one that has none.
func firstCode(errs gqlerror.List) string {
	if len(errs) == 0 {
		return ""
	}
	return string(cmp.Or(apierror.CodeOf(errs[0]), feed.CodeInternal))
}

// observeExecution tells the trace of the execution of a query or a mutation.
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
			// The executor gives up without a word when the context is at its end.
			end(string(apierror.Timeout))
			return nil
		}
		end(firstCode(response.Errors))
		return response
	}
}

// observeSubscription tells the trace of a subscription, and of its end: when it has no
// more events, or its context ends, whichever is first.
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
