package resolvers_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
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

// oneFanout has one fan-out, of post 7: two of five slices are done after two seconds.
type oneFanout struct{}

func (oneFanout) Progress(_ context.Context, post feed.PostID) (*fanout.Progress, error) {
	if post != 7 {
		return nil, feed.Errorf(feed.CodeNotFound, "post %d is not stored", post)
	}
	return &fanout.Progress{
		FanoutState: feed.FanoutState{
			Post: 7, Planned: true, Slices: 5, Done: 2, Running: 1, Reached: 2000, Last: 4321, Attempts: 4, Dispatches: 1,
			Open: []feed.OpenSlice{{Task: 2, First: 2001, Last: 3000, Progress: 2000, Running: true, DueAt: epoch + 4000, Attempt: 2}},
		},
		Stored: true, Published: time.UnixMilli(epoch), Followers: 1 << 40, At: time.UnixMilli(epoch + 2000),
		Took: 2 * time.Second, Rate: 1, Left: 3 * time.Second, State: "running",
	}, nil
}

func (oneFanout) Slowest(context.Context) ([]feed.SlowFanout, error) {
	return []feed.SlowFanout{{Post: 7, BeganAt: epoch, MovedAt: epoch + 1500, Slices: 5, Done: 2}}, nil
}

// askAdmin sends a document as an administrator.
func (w *world) askAdmin(document string) result {
	w.t.Helper()
	return decoded(w.t, w.sendBody(1, request(document, nil), "X-Admin", "yes"))
}

func TestFanouts_ShowAdministratorsTheProgress(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Fanouts = oneFanout{} })
	got := w.askAdmin(`{
		fanout(contentId: "7") {
			contentId state ended followers selective slices slicesDone slicesRunning highestId lastId attempts dispatches
			publishedAt seconds slicesPerSecond secondsLeft openSlices { task firstId lastId servedTo attempts waits }
		}
		unknown: fanout(contentId: "8") { state }
		slowestFanouts { contentId plannedAt seconds slices slicesDone }
	}`)
	want := value(`{
		"fanout":{"contentId":"7","state":"running","ended":false,"followers":2147483647,"selective":false,
			"slices":5,"slicesDone":2,"slicesRunning":1,"highestId":"2000","lastId":"4321","attempts":4,"dispatches":1,
			"publishedAt":"2026-05-04T12:00:00.000Z","seconds":2,"slicesPerSecond":1,"secondsLeft":3,
			"openSlices":[{"task":2,"firstId":"2001","lastId":"3000","servedTo":"2000","attempts":2,"waits":"a worker has it for 2s at least"}]},
		"unknown":null,
		"slowestFanouts":[{"contentId":"7","plannedAt":"2026-05-04T12:00:00.000Z","seconds":1.5,"slices":5,"slicesDone":2}]}`)
	wantEqual(t, want, any(got.Data), "the data beside the errors %v", got.Errors)
	wantEqual(t, []string{badInput}, w.askAdmin(`{ fanout(contentId: "x") { state } }`).codes(), "the codes for no number")
}
