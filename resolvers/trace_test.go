package resolvers_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers"
)

// traced returns an API that records what it reports to its trace.
func traced(t *testing.T) (w *world, operations *[]resolvers.Operation, others map[string]int) {
	t.Helper()
	operations, others = new([]resolvers.Operation), map[string]int{}
	var mu sync.Mutex
	count := func(what string, n int) {
		mu.Lock()
		defer mu.Unlock()
		others[what] += n
	}
	w = newWorld(t, func(d *resolvers.Deps) {
		d.Trace = resolvers.Trace{
			OperationDone: func(ctx context.Context, o resolvers.Operation) {
				if resolvers.RequestIDFrom(ctx) == "" {
					t.Errorf("the context of %+v is not the request's", o)
				}
				*operations = append(*operations, o)
			},
			LimitHit: func(limit string) { count("limit "+limit, 1) },
			Loaded:   count,
		}
	})
	return w, operations, others
}

func TestTrace_ReportsEveryOperation(t *testing.T) {
	w, got, _ := traced(t)
	w.ask(1, `query Name { user(handle: "ben") { name } }`, nil)
	w.ask(1, `mutation { publishPost(input: {text: ""}) { userErrors { code } } }`, nil)
	w.ask(0, `mutation Like { likePost(input: {postId: "x"}) { clientMutationId } }`, nil)
	w.ask(1, `query Bad { user(handle: "ben") { posts(after: "x") { nodes { id } } } }`, nil)
	w.ask(1, `{ nothing }`, nil)
	w.ask(1, `{`, nil)
	w.ask(1, nested(16), nil)
	want := []resolvers.Operation{
		{Kind: "query", Name: "Name"},
		{Kind: "mutation"},
		{Kind: "mutation", Name: "Like", Code: string(feed.CodeUnauthenticated)},
		{Kind: "query", Name: "Bad", Code: string(feed.CodeBadCursor)},
		{Code: "GRAPHQL_VALIDATION_FAILED"},
		{Code: "GRAPHQL_PARSE_FAILED"},
		{Code: "QUERY_TOO_COMPLEX"},
	}
	ignored := cmpopts.IgnoreFields(resolvers.Operation{}, "Took", "Parsing", "Validation", "Execution")
	if diff := cmp.Diff(want, *got, ignored, cmpopts.IgnoreUnexported(resolvers.Operation{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i, o := range *got {
		if executed := i < 4; executed != (o.Execution > 0) || o.Took < o.Parsing+o.Validation+o.Execution || o.Took == 0 {
			t.Errorf("operation %d took %v, of which parsing %v, validation %v, execution %v", i, o.Took, o.Parsing, o.Validation, o.Execution)
		}
	}
}

// Clients name persisted queries by the same hash.
func TestTrace_IdentifiesDocumentsByHash(t *testing.T) {
	w, got, _ := traced(t)
	w.ask(1, benName, nil)
	wantEqual(t, hashOf(benName), (*got)[0].Document(), "the hash of the document")
	wantEqual(t, "", (resolvers.Operation{}).Document(), "the hash of no document")
}

func TestTrace_ReportsBulkReadsAndLimits(t *testing.T) {
	w, _, got := traced(t)
	w.follow(1, 2)
	w.post(1, 2)
	w.post(2, 1)
	w.ask(1, `{ viewer { homeFeed { nodes { author { handle } viewerHasLiked } } } }`, nil)
	w.ask(1, nested(16), nil)
	want := map[string]int{"users": 2, "reactions": 2, "limit document": 1}
	wantEqual(t, want, got, "what was loaded and refused")
}

func TestTrace_SubscriberEndsWithEventsOrClient(t *testing.T) {
	var running, events, done atomic.Int64
	w := newWorld(t, func(d *resolvers.Deps) {
		d.Trace = resolvers.Trace{
			SubscriptionBegan: func() func() {
				running.Add(1)
				return func() { running.Add(-1) }
			},
			EventSent:     func() { events.Add(1) },
			OperationDone: func(context.Context, resolvers.Operation) { done.Add(1) },
		}
	})
	w.follow(1, 2)
	w.post(1, 2)
	left, ended := w.subscribed(1, `cursor`), w.subscribed(1, `cursor`)
	w.announce(2, 1)
	left.next()
	ended.next()
	until(func() bool { return events.Load() == 2 })
	wantEqual(t, []int64{2, 0}, []int64{running.Load(), done.Load()}, "the running subscriptions, and the operations that are done")
	left.cancel()
	until(func() bool { return running.Load() == 1 })
	noError(t, w.store.NewEpoch(t.Context()))
	w.catchUp()
	until(func() bool { return running.Load() == 0 })
}
