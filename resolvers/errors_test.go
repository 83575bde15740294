package resolvers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/resolvers"
)

// broken fails every page with err, or panics with it.
type broken struct {
	resolvers.Timeline
	err   error
	panic bool
}

func (b broken) Page(context.Context, feed.UserID, feed.FeedRef, feed.PageQuery) (*feed.Page, error) {
	if b.panic {
		panic(b.err)
	}
	return nil, b.err
}

func (b broken) Posts(context.Context, feed.UserID, []feed.PostID) ([]*feed.Post, error) {
	if b.panic {
		panic(b.err)
	}
	return nil, b.err
}

func withTimeline(tl broken) func(*resolvers.Deps) {
	return func(d *resolvers.Deps) {
		tl.Timeline = d.Timeline
		d.Timeline = tl
	}
}

const anyPage = `{ viewer { homeFeed { nodes { id } } } }`

var errSecret = errors.New("pq: password of tideline at 10.0.0.7")

func TestErrors_HaveCodesAndHideCauses(t *testing.T) {
	for _, c := range []struct {
		name          string
		err           error
		code, message string
		logged        bool
	}{
		{"a bad argument", feed.Errorf(feed.CodeBadInput, "too many"), "BAD_USER_INPUT", "too many", false},
		{"a bad cursor", feed.Errorf(feed.CodeBadCursor, "unreadable"), "BAD_CURSOR", "unreadable", false},
		{"nobody signed in", feed.Errorf(feed.CodeUnauthenticated, "sign in"), "UNAUTHENTICATED", "sign in", false},
		{"a store that is away", feed.Unavailable("the database", errSecret), "UNAVAILABLE", "the database cannot be reached", true},
		{"a refused read", feed.Errorf(feed.CodeNotFound, "not there"), "NOT_FOUND", "not there", false},
		{"a forbidden read", feed.Errorf(feed.CodeForbidden, "not yours"), "FORBIDDEN", "not yours", false},
		{"a refusal without a code of its own", feed.Errorf(feed.CodeTooLong, "too long"), "BAD_USER_INPUT", "too long", false},
		{"a wrapped error of the domain", fmt.Errorf("read: %w", feed.Errorf(feed.CodeBadCursor, "unreadable")), "BAD_CURSOR", "unreadable", false},
		{"an internal error of the domain", &feed.Error{Code: feed.CodeInternal, Message: "secret", Err: errSecret}, "INTERNAL", "internal error", true},
		{"a foreign error", errSecret, "INTERNAL", "internal error", true},
		{"a deadline", fmt.Errorf("read: %w", context.DeadlineExceeded), "TIMEOUT", "the request took too long", false},
		{"a deadline met by a store", feed.Unavailable("the database", context.DeadlineExceeded), "TIMEOUT", "the request took too long", false},
		{"a client that went away", context.Canceled, "UNAVAILABLE", "the request was cancelled", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, withTimeline(broken{err: c.err}))
			got := w.ask(1, anyPage, nil)
			wantEqual(t, []string{c.code}, got.codes(), "the codes")
			e := got.Errors[0]
			wantEqual(t, []any{c.message, "request-1", []any{"viewer", "homeFeed"}}, []any{e.Message, e.Extensions.RequestID, e.Path}, "message, request and path")
			wantEqual(t, c.logged, w.log.Len() > 0, "whether the cause is logged, in %q", w.log)
			if c.logged {
				w.wantLogged(errSecret.Error(), "request-1")
			}
		})
	}
}

// wantLogged checks that the log has all parts.
func (w *world) wantLogged(parts ...string) {
	w.t.Helper()
	for _, part := range parts {
		if log := w.log.String(); !strings.Contains(log, part) {
			w.t.Errorf("the log lacks %q: %s", part, log)
		}
	}
}

// Batches run on their own goroutines, where a panic would end the process.
func TestPanic_IsLoggedAndHidden(t *testing.T) {
	const publish = `mutation($id: ID!) { publishPost(input: {text: "x", repostOf: $id}) { post { repostOf { id } } } }`
	for query, place := range map[string]string{anyPage: "viewer.homeFeed", publish: "errors_test.go"} {
		w := newWorld(t, withTimeline(broken{err: errSecret, panic: true}))
		w.post(1, 2)
		got := w.ask(1, query, map[string]any{"id": postID(1)})
		wantEqual(t, []string{"INTERNAL"}, got.codes(), "the codes of a panic in %s", query)
		wantEqual(t, "internal error", got.Errors[0].Message, "the message of a panic in %s", query)
		w.wantLogged(errSecret.Error(), "errors_test.go", place)
		wantEqual(t, 1, strings.Count(w.log.String(), "\n"), "the lines of the log %s", w.log)
	}
}

// Here the charging for an operation panics.
func TestPanic_BeforeExecutionIsLoggedAndHidden(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) {
		d.Guard.Rates = []guard.Rate{{Name: "viewer", Quota: 1, Window: time.Minute, Key: func(context.Context) string { panic(errSecret) }}}
	})
	rec := w.sendBody(1, `{"query":"{ __typename }"}`)
	wantEqual(t, []string{"INTERNAL"}, decoded(t, rec).codes(), "the codes with status %d", rec.Code)
	if rec.Code != http.StatusInternalServerError || strings.Contains(rec.Body.String(), errSecret.Error()) || rec.Header().Get("Content-Type") != older {
		t.Errorf("the response is %d with the header %v and the body %s", rec.Code, rec.Header(), rec.Body)
	}
	w.wantLogged(errSecret.Error(), "request-1", "errors_test.go")
}

// lost is a store that has lost all its users.
type lost struct{ *sqlstore.Store }

func (lost) Authors(_ context.Context, _ feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	return make([]*feed.User, len(ids)), nil
}

func TestErrors_HavePathsInLists(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Users = lost{} })
	w.post(1, 2)
	got := w.ask(1, `{ nodes(ids: ["`+postID(1)+`"]) { ... on Post { author { id } } } }`, nil)
	wantEqual(t, []string{"INTERNAL"}, got.codes(), "the codes of a post without an author")
	wantEqual(t, []any{"nodes", 0.0, "author"}, got.Errors[0].Path, "the path of the author")
	w.wantLogged("user 2")
}

func TestErrors_LogIsOptional(t *testing.T) {
	w := newWorld(t, withTimeline(broken{err: errSecret}), func(d *resolvers.Deps) { d.Log = nil })
	w.wantCode("INTERNAL", 1, anyPage, nil)
}

func TestCatalogue_HasEveryUserErrorCode(t *testing.T) {
	var declared, listed []string
	for _, value := range graph.LoadSchema().Types["UserErrorCode"].EnumValues {
		declared = append(declared, value.Name)
	}
	for _, entry := range apierror.Catalogue() {
		if entry.InPayloads {
			listed = append(listed, string(entry.Code))
		}
	}
	slices.Sort(declared)
	slices.Sort(listed)
	wantEqual(t, declared, listed, "the catalogue differs from UserErrorCode")
}

// Requests share cached documents and their errors.
func TestErrors_RequestIDIsNotShared(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{"first", "second"} {
		rec := w.sendBody(1, `{"query":"{ nothing }"}`, "X-Request", id)
		if got := decoded(t, rec); len(got.Errors) != 1 || got.Errors[0].Extensions.RequestID != id {
			t.Errorf("the response to request %s is %s", id, rec.Body)
		}
	}
}

// longWorld has a hundred posts by Ben, and Ann follows Ben. They take three megabytes in a response:
// the longest text takes thirty kilobytes if all its characters are escaped. One post has as many
// such comments.
func longWorld(t *testing.T, changes ...func(*resolvers.Deps)) *world {
	w := newWorld(t, changes...)
	w.follow(1, 2)
	long := func(p *feed.Post) { p.Text = strings.Repeat("x", 30_000) }
	for id := feed.PostID(1); id <= 100; id++ {
		w.post(id, 2, long)
		w.post(id+100, 3, long, replyTo(1))
	}
	return w
}

// named repeats a field under n names.
func named(n int, field string) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, " n%d: %s", i, field)
	}
	return text.String()
}

// largeQueries are documents for each way in which a response is written. %s is replaced by fields that
// take three megabytes each.
func largeQueries() map[string]struct{ query, field string } {
	const like = `likePost(input: {postId: $id})`
	return map[string]struct{ query, field string }{
		"a page":                     {`{ viewer { homeFeed(first: 100) {%s } } }`, `nodes { text }`},
		"a page of values":           {`{ viewer { homeFeed(first: 100) { nodes {%s } } } }`, `text`},
		"lists in a page":            {`{ viewer { homeFeed(first: 100) { newCount(since: "") %s } } }`, `edges { node { text } }`},
		"pages":                      {`{ viewer {%s } }`, `homeFeed(first: 100) { nodes { text } }`},
		"pages of several objects":   {`{ user(handle: "ben") { name %s } }`, `posts(first: 100) { nodes { text } }`},
		"pages in another object":    {`query($id: ID!) { node(id: $id) { ... on Post {%s } } }`, `comments(first: 100) { nodes { text } }`},
		"objects field by field":     {`query($ids: [ID!]!) {%s }`, `nodes(ids: $ids) { ... on Post { text } }`},
		"values field by field":      {`query($ids: [ID!]!) { nodes(ids: $ids) { ... on Post {%s } } }`, `text`},
		"a mutation":                 {`mutation($id: ID!) { ` + like + ` { post { author {%s } } } }`, `posts(first: 100) { nodes { text } }`},
		"lists in a mutation":        {`mutation($id: ID!) { ` + like + ` { post { comments(first: 100) { newCount(since: "") %s } } } }`, `nodes { text }`},
		"one mutation after another": {`mutation($id: ID!) {%s }`, like + ` { post { comments(first: 100) { nodes { text } } } }`},
	}
}

// A response is either complete or has no data, and the server does not produce more than it may
// send.
func TestResponse_HasASizeLimit(t *testing.T) {
	w := longWorld(t)
	w.keepPosts()
	ids := make([]string, 100)
	for i := range ids {
		ids[i] = postID(feed.PostID(i + 1))
	}
	variables := map[string]any{"id": ids[0], "ids": ids}
	for name, a := range largeQueries() {
		if got := w.ask(1, fmt.Sprintf(a.query, named(1, a.field)), variables); len(got.Errors) > 0 {
			t.Errorf("%s: a response of 3 MB has the errors %+v", name, got.Errors)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := w.ask(1, fmt.Sprintf(a.query, named(29, a.field)), variables)
		runtime.ReadMemStats(&after)
		if !cmp.Equal(got.codes(), []string{"QUERY_TOO_COMPLEX"}) || got.Data != nil {
			t.Errorf("%s: instead of 87 MB the response is %.300s", name, fmt.Sprint(got))
		}
		// A slice that grows to its end is allocated about five times over.
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 50 {
			t.Errorf("%s: the refused response allocated %d MB", name, made)
		}
	}
}

const likeByID = `mutation($id: ID!, $text: String) { likePost(input: {postId: $id, clientMutationId: $text}) {%s } }`

func TestMutation_CommitsDespiteLongResponse(t *testing.T) {
	w := longWorld(t)
	query := fmt.Sprintf(likeByID, ` post { author {`+named(2, `posts(first: 100) { nodes { text } }`)+` } }`)
	got := w.ask(1, query, map[string]any{"id": postID(1)})
	if !cmp.Equal(got.codes(), []string{"QUERY_TOO_COMPLEX"}) || got.Data != nil {
		t.Errorf("instead of 6 MB the response is %.300s", fmt.Sprint(got))
	}
	if liked := w.must(1, `query($id: ID!) { node(id: $id) { ... on Post { viewerHasLiked } } }`, map[string]any{"id": postID(1)}).at(t, "node.viewerHasLiked"); liked != true {
		t.Error("the like is undone because the response is too long")
	}
}

// A payload may repeat a text under as many aliases as allowed, so texts are bounded before
// execution.
func TestMutation_RefusesLongTextsItWouldRepeat(t *testing.T) {
	w := longWorld(t)
	query := fmt.Sprintf(likeByID, named(90, `clientMutationId`))
	got := w.ask(1, query, map[string]any{"id": postID(1), "text": strings.Repeat("x", 200_000)})
	if !cmp.Equal(got.codes(), []string{"BAD_USER_INPUT"}) || got.Data != nil {
		t.Errorf("the response to 90 aliases of a text of 200 KB is %.300s", fmt.Sprint(got))
	}
	if liked := w.must(1, `query($id: ID!) { node(id: $id) { ... on Post { viewerHasLiked } } }`, map[string]any{"id": postID(1)}).at(t, "node.viewerHasLiked"); liked != false {
		t.Error("the mutation ran")
	}
}

// The response shows that the operation ran: it has data, which is null, and status 200.
func TestResponse_TooLongIsStillAResponse(t *testing.T) {
	w := longWorld(t)
	rec := w.sendBody(1, `{"query":"{ viewer { homeFeed(first: 100) {`+named(2, `nodes { text }`)+` } } }"}`, "Accept", mediaResponse)
	if rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), `"data":null`) {
		t.Errorf("the response is %d %.300s", rec.Code, rec.Body)
	}
}

func TestResponse_CountsRewrittenPagesOnce(t *testing.T) {
	missing := feed.UserID(0)
	w := longWorld(t, func(d *resolvers.Deps) {
		same := &shelf{posts: map[feed.PostID]*feed.Post{}, users: map[feed.UserID]*feed.User{}}
		d.Users = faulty{d.Users.(countedUsers), same, func(ids []feed.UserID, users []*feed.User) error { return without(missing)(ids, users) }}
	})
	missing = 2
	got := w.ask(1, `{ viewer { homeFeed(first: 100) {`+named(1, `nodes { text }`)+` last: nodes { author { name } } } } }`, nil)
	for _, code := range got.codes() {
		if code != "INTERNAL" {
			t.Errorf("with an author missing the codes are %v", got.codes())
		}
	}
	if len(got.codes()) == 0 {
		t.Error("a missing author causes no error")
	}
}

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
