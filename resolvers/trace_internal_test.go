package resolvers

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// subscription runs a subscription with n events through the middleware, and returns its response
// handler.
func subscription(ctx context.Context, r *Resolver, n int) graphql.ResponseHandler {
	ctx = graphql.WithOperationContext(ctx, &graphql.OperationContext{Operation: &ast.OperationDefinition{Operation: ast.Subscription}})
	next := r.observeSubscription(ctx, func(context.Context) graphql.ResponseHandler {
		return func(context.Context) *graphql.Response {
			if n--; n < 0 {
				return nil
			}
			return &graphql.Response{Data: []byte("{}")}
		}
	})
	return func(context.Context) *graphql.Response { return r.observeResponse(ctx, next) }
}

func TestTrace_SubscriberEndsWithEventsOrContext(t *testing.T) {
	running, events, ended := 0, 0, make(chan struct{}, 2)
	r := &Resolver{deps: Deps{Trace: Trace{
		SubscriptionBegan: func() func() {
			running++
			return func() { running--; ended <- struct{}{} }
		},
		EventSent:     func() { events++ },
		OperationDone: func(context.Context, Operation) { t.Error("OperationDone was called for an event") },
	}}}
	next := subscription(t.Context(), r, 2)
	for range 2 {
		next(t.Context())
	}
	if running != 1 || events != 2 {
		t.Errorf("%d run, with %d events, want 1 with 2", running, events)
	}
	next(t.Context())
	<-ended
	if running != 0 {
		t.Errorf("%d operations run after the last event", running)
	}

	ctx, leave := context.WithCancel(t.Context())
	subscription(ctx, r, 1)
	leave()
	<-ended
	if running != 0 {
		t.Errorf("%d operations run after the client left", running)
	}
}
