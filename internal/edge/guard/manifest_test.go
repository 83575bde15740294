package guard

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/graph"
)

const trustedQuery = `query Name($handle: String!) { user(handle: $handle) { name } }`

// manifest renders texts by id.
func manifest(t *testing.T, entries map[string]string) string {
	t.Helper()
	b, err := json.Marshal(entries)
	noError(t, err)
	return string(b)
}

func readManifest(text string) (Manifest, error) {
	return ReadManifest(strings.NewReader(text), graph.LoadSchema(), DefaultLimits())
}

func TestManifest_ReadsBothForms(t *testing.T) {
	const other = `{ viewer { user { name } } }`
	listed, err := json.Marshal(map[string]any{
		"format": "apollo-persisted-query-manifest", "version": 1,
		"operations": []map[string]string{
			{"id": hash(trustedQuery), "body": trustedQuery, "name": "Name", "type": "query"},
			{"id": "other", "body": other, "name": "Other", "type": "query"},
		},
	})
	noError(t, err)
	for name, text := range map[string]string{
		"by id":     manifest(t, map[string]string{"sha256:" + hash(trustedQuery): trustedQuery, "other": other}),
		"by bare":   manifest(t, map[string]string{hash(trustedQuery): trustedQuery, "other": other}),
		"in Apollo": string(listed),
	} {
		m, err := readManifest(text)
		if err != nil || m.Len() != 2 {
			t.Fatalf("%s: %d documents, %v", name, m.Len(), err)
		}
		for id, want := range map[string]string{"sha256:" + hash(trustedQuery): trustedQuery, hash(trustedQuery): trustedQuery, "other": other} {
			if got, ok := m.text(bareID(id)); !ok || got != want {
				t.Errorf("%s: %s is %q", name, id, got)
			}
		}
		if !m.has(other) || m.has(other+" ") {
			t.Errorf("%s: a document is not found by its text", name)
		}
	}
}

// A faulty manifest stops the start of the server.
func TestManifest_RejectsFaults(t *testing.T) {
	entry := func(id, text string) string { return manifest(t, map[string]string{id: text}) }
	deep := `{ node(id: "x") { ... on Post { ` + strings.Repeat("replyTo { ", 20) + "id" + strings.Repeat(" }", 20) + ` } } }`
	for text, want := range map[string]string{
		`[]`:                                    "not a JSON object",
		`{`:                                     "not a JSON object",
		`{}`:                                    "no documents",
		`{"a": 5}`:                              `"a" is not a string`,
		`{"operations": []}`:                    "apollo-persisted-query-manifest",
		entry("", trustedQuery):                 "id is empty",
		entry("sha256:abc", trustedQuery):       "not the hash",
		entry(hash("x"), trustedQuery):          "not the hash",
		entry("a", `{ viewer {`):                "Expected Name",
		entry("a", `{ nothing }`):               "nothing",
		entry("a", `fragment f on Post { id }`): "no operation",
		entry("a", deep):                        "inside each other",
		entry("a", `{ viewer { user { name } } }#`+strings.Repeat("x", 70_000)):                  "bytes",
		`{"format": "apollo-persisted-query-manifest", "version": 1, "operations": []}`:          "no documents",
		`{"format": "apollo-persisted-query-manifest", "version": 2, "operations": []}`:          "version 1",
		`{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": 1}]}`: "strings id and body",
	} {
		if _, err := readManifest(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100s: %v, want something about %q", text, err, want)
		}
	}
}

// The cost depends on variables. A manifest may contain a document that is cheap enough with some.
func TestManifest_IgnoresVariablesOfLimits(t *testing.T) {
	const text = `query($n: Int!, $ids: [ID!]!) { nodes(ids: $ids) { ... on User { posts(first: $n) { nodes { comments(first: $n) { nodes { author { name } } } } } } } }`
	if _, err := readManifest(manifest(t, map[string]string{"a": text})); err != nil {
		t.Error(err)
	}
}

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
