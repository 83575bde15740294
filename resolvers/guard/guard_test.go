package guard

import (
	"context"
	"fmt"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/graph"
)

// running returns the context of an admitted operation.
func running(t *testing.T, operation ast.Operation) context.Context {
	t.Helper()
	oc := &graphql.OperationContext{Operation: &ast.OperationDefinition{Operation: operation}}
	oc.Stats.SetExtension(extensionName, &admitted{cost: 1, limit: 2, left: -1})
	ctx := graphql.WithResponseContext(t.Context(), graphql.DefaultErrorPresenter, graphql.DefaultRecover)
	return graphql.WithOperationContext(ctx, oc)
}

// noError ends a test that cannot go on.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantEqual compares what a test got; the format says what it is.
func wantEqual[T any](t testing.TB, want, got T, format string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", fmt.Sprintf(format, args...), diff)
	}
}

// A subscription lasts for hours and mostly waits.
func TestGuard_SubscriptionsHoldNoSlots(t *testing.T) {
	g := New(graph.LoadSchema(), Options{OperationsMax: 1})
	inner := func(context.Context) *graphql.Response { return &graphql.Response{Data: []byte(`{}`)} }
	subscription, query := running(t, ast.Subscription), running(t, ast.Query)
	var subscribed, queried *graphql.Response
	g.InterceptResponse(running(t, ast.Query), func(context.Context) *graphql.Response {
		subscribed, queried = g.InterceptResponse(subscription, inner), g.InterceptResponse(query, inner)
		return &graphql.Response{}
	})
	if subscribed.Data == nil || len(subscribed.Errors) > 0 {
		t.Errorf("while a query runs, a subscription returns %+v", subscribed)
	}
	if queried.Data != nil || len(queried.Errors) != 1 || queried.Extensions["cost"] == nil {
		t.Errorf("while a query runs, another returns %+v", queried)
	}
	if got := g.InterceptResponse(running(t, ast.Query), inner); got.Data == nil {
		t.Errorf("after both, a third returns %+v", got)
	}
}

func TestGuard_PassesResponsesWithoutOperation(t *testing.T) {
	g := New(graph.LoadSchema(), Options{OperationsMax: 1})
	for name, ctx := range map[string]context.Context{
		"none":       t.Context(),
		"not judged": graphql.WithOperationContext(t.Context(), &graphql.OperationContext{}),
	} {
		want := &graphql.Response{}
		if got := g.InterceptResponse(ctx, func(context.Context) *graphql.Response { return want }); got != want || got.Extensions != nil {
			t.Errorf("%s: the response is %+v", name, got)
		}
	}
}
