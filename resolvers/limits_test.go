package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/resolvers"
)

// nested returns a query whose deepest field has the given depth.
func nested(depth int) string {
	return `{ node(id: "x") { ... on Post { ` + strings.Repeat("replyTo { ", depth-2) + "id" + strings.Repeat(" }", depth-2) + ` } } }`
}

func TestLimits_RefuseWhatIsBeyond(t *testing.T) {
	w := newWorld(t)
	aliased := func(n int) string { return each(n, func(i int) string { return fmt.Sprintf("a%d: __typename", i) }) }
	throughFragments := `{ node(id: "x") { ...a } } fragment a on Post { replyTo { %s } } fragment b on Post { ` +
		strings.Repeat("replyTo { ", 12) + "id" + strings.Repeat(" }", 12) + " }"
	// Each level doubles the paths through fragments, so a walk of every path would not end.
	doubling := `{ node(id: "x") { ...f0 } } fragment f40 on Post { id }` + each(40, func(i int) string {
		return fmt.Sprintf(" fragment f%d on Post { ...f%d ... on Post { ...f%d } }", i, i+1, i+1)
	})
	for _, c := range []struct{ name, query, code string }{
		{"15 levels", nested(15), ""},
		{"16 levels", nested(16), tooComplex},
		{"15 levels through fragments", fmt.Sprintf(throughFragments, "...b"), ""},
		{"16 levels through fragments", fmt.Sprintf(throughFragments, "replyTo { ...b }"), tooComplex},
		{"fragments that double 40 times", doubling, ""},
		{"200 aliases", `{ viewer {` + aliased(200) + `} }`, ""},
		{"200 aliases, some in a fragment", `{ viewer {` + aliased(100) + ` ...f ...f } } fragment f on Viewer {` + aliased(100) + `}`, ""},
		{"201 aliases", `{ viewer { user {` + aliased(201) + `} } }`, tooComplex},
		{"201 aliases, some in a fragment", `{ viewer {` + aliased(101) + ` ...f } } fragment f on Viewer {` + aliased(100) + `}`, tooComplex},
		{"2,002 tokens", "{ " + repeat(2000, "__typename") + "}", notParsed},
		{"a document too long for the cache", benName + " #" + strings.Repeat("x", 20<<10), ""},
	} {
		if got := w.ask(1, c.query, nil).codes(); strings.Join(got, " ") != c.code {
			t.Errorf("%s: the codes are %v, want %q", c.name, got, c.code)
		}
	}
}

// Ten aliases on each level would make 10^12 selections. The limit of the cost refuses this
// document, so the test raises it.
func TestPage_RepeatedSelectionsReadOnce(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) {
		d.Guard.Limits = guard.DefaultLimits()
		d.Guard.Limits.Cost = guard.MaxCount
	})
	w.post(1, 1)
	var query strings.Builder
	query.WriteString("{ viewer { homeFeed { nodes { ...f0 } } } }")
	const levels = 11
	for i := range levels {
		fmt.Fprintf(&query, " fragment f%d on Post {", i)
		for alias := range 10 {
			fmt.Fprintf(&query, " a%d: replyTo { ...f%d }", alias, i+1)
		}
		query.WriteString(" }")
	}
	fmt.Fprintf(&query, " fragment f%d on Post { id }", levels)
	w.must(1, query.String(), nil)
}

func TestIntrospection_IsAnOption(t *testing.T) {
	const query = `{ ...s } fragment s on Query { __schema { queryType { name } } }`
	newWorld(t).wantCode(notValid, 1, query, nil)
	on := newWorld(t, func(d *resolvers.Deps) { d.Introspection = true })
	wantEqual(t, "Query", on.must(1, query, nil).at(t, "__schema.queryType.name"), "the name with introspection")
}

// Suggestions would reveal the schema.
func TestSuggestions_NeedIntrospection(t *testing.T) {
	off, on := newWorld(t), newWorld(t, func(d *resolvers.Deps) { d.Introspection = true })
	for _, query := range []string{
		`{ viewr { user { id } } }`,
		`{ user(handl: "x") { id } }`,
		`{ node(id: "x") { ...f } } fragment f on Pots { id }`,
		`{ user(handle: "x") { posts(kinds: [POTS]) { nodes { id } } } }`,
		`{ viewer }`,
	} {
		if got := off.ask(1, query, nil); len(got.Errors) == 0 || strings.Contains(fmt.Sprint(got.Errors), "Did you mean") {
			t.Errorf("without introspection %s returns %+v", query, got.Errors)
		}
		if got := on.ask(1, query, nil); !strings.Contains(fmt.Sprint(got.Errors), "Did you mean") {
			t.Errorf("with introspection %s returns %+v", query, got.Errors)
		}
	}
}

// The cost is at least the number of objects that are read for pages and counts, and of objects and
// aliased values that are written.
func TestCost_BoundsReadsAndWrites(t *testing.T) {
	w := oddWorld(t, without(99))
	loaded := &atomic.Int64{}
	w.deps.Timeline = loadingTimeline{timelineHook{w.deps.Timeline, func(p *feed.Page) { loaded.Add(read(p.Entries, p.HasNext || p.HasPrevious)) }}, loaded}
	w.deps.Directory = directoryHook{w.deps.Directory, func(p *feed.UserPage) { loaded.Add(read(p.Entries, p.HasNext || p.HasPrevious)) }}
	w.deps.Live = loadingLive{w.deps.Live, loaded}
	w.handler = signedIn(resolvers.NewHandler(w.deps))
	rapid.Check(t, func(t *rapid.T) {
		d := documents{t: t, schema: graph.LoadSchema(), arguments: arguments}
		query := d.draw(pages)
		loaded.Store(0)
		rec := w.sendBody(1, request(query, d.variables()))
		var body struct {
			Data       map[string]any
			Errors     []any
			Extensions struct{ Cost struct{ Requested int } }
		}
		if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil || len(body.Errors) > 0 {
			t.Fatalf("%s returns %s", query, rec.Body)
		}
		cost := body.Extensions.Cost.Requested
		if n := int(loaded.Load()); n > cost {
			t.Errorf("%s costs %d and loads %d", query, cost, n)
		}
		n := 0
		for key, value := range body.Data {
			n += written(key, value)
		}
		if n > cost {
			t.Errorf("%s costs %d and writes %d: %s", query, cost, n, rec.Body)
		}
	})
}

// written returns the number of objects in a value, and of values with an alias, which [documents]
// marks. An edge counts as one with its node.
func written(key string, value any) int {
	n := 0
	if strings.TrimPrefix(key, "a_") == "customFields" {
		value = nil // a scalar
	}
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			if _, isObject := v.(map[string]any); isObject {
				n += written(key, v)
			}
		}
	case map[string]any:
		for key, v := range value {
			n += written(key, v)
		}
		if strings.TrimPrefix(key, "a_") == "edges" {
			return max(1, n)
		}
		return 1 + n
	default:
		if strings.HasPrefix(key, "a_") {
			return 1
		}
	}
	return n
}

// read returns the number of entries that were read for a page, which includes the next one.
func read[T any](entries []T, more bool) int64 {
	if more {
		return int64(len(entries) + 1)
	}
	return int64(len(entries))
}

type loadingTimeline struct {
	timelineHook
	loaded *atomic.Int64
}

func (l loadingTimeline) NewCount(ctx context.Context, viewer feed.UserID, f feed.FeedRef, since string, filter feed.Filter) (int, error) {
	n, err := l.Timeline.NewCount(ctx, viewer, f, since, filter)
	l.loaded.Add(int64(n))
	return n, err
}

type loadingLive struct {
	resolvers.Live
	loaded *atomic.Int64
}

func (l loadingLive) note(page *live.Page, err error) (*live.Page, error) {
	if err == nil {
		l.loaded.Add(read(page.Entries, page.HasNext))
	}
	return page, err
}

func (l loadingLive) Page(ctx context.Context, viewer feed.UserID, q live.Query) (*live.Page, error) {
	return l.note(l.Live.Page(ctx, viewer, q))
}

func (l loadingLive) OfHost(ctx context.Context, viewer, host feed.UserID, q live.Query) (*live.Page, error) {
	return l.note(l.Live.OfHost(ctx, viewer, host, q))
}

// lastPage cancels the operation when a number of pages has been requested, like a client that
// leaves.
type lastPage struct {
	resolvers.Directory
	cancel context.CancelFunc
	until  int64
	pages  atomic.Int64
}

func (l *lastPage) Followers(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	if l.pages.Add(1) == l.until {
		l.cancel()
	}
	return l.Directory.Followers(ctx, viewer, user, q)
}

// askUntil asks as viewer 1 in a context.
func (w *world) askUntil(ctx context.Context, query string, variables map[string]any, headers ...string) *httptest.ResponseRecorder {
	return w.send(bodyRequest(ctx, 1, request(query, variables), headers...))
}

// manyPages selects 1,300 pages: thirteen for each of a hundred users.
func manyPages() (query string, variables map[string]any) {
	query = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on User { ` + each(13, func(i int) string {
		return fmt.Sprintf(`p%d: followers(first: 0) { pageInfo { hasNextPage } }`, i)
	}) + `} } }`
	return query, map[string]any{"ids": slices.Repeat([]string{userID(1)}, 100)}
}

func TestExecutor_StopsWhenItsContextEnds(t *testing.T) {
	for name, plain := range map[string]bool{"with the encoder": false, "field by field": true} {
		ctx, cancel := context.WithCancel(t.Context())
		last := &lastPage{cancel: cancel, until: 3}
		w := newWorld(t, func(d *resolvers.Deps) {
			d.Plain = plain
			last.Directory, d.Directory = d.Directory, last
		})
		query, variables := manyPages()
		got := decoded(t, w.askUntil(ctx, query, variables))
		// Fields of one object run concurrently, so some have begun.
		if n := last.pages.Load(); n > 100 {
			t.Errorf("%s: %d of 1,300 pages were read", name, n)
		}
		if len(got.codes()) == 0 || slices.ContainsFunc(got.codes(), func(c string) bool { return c != "UNAVAILABLE" }) {
			t.Errorf("%s returns the codes %v", name, got.codes())
		}
	}
}

// A client that leaves in the middle of a part gets no further ones, and what they defer is not read.
func TestDefer_StopsWhenTheClientLeaves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	last := &lastPage{cancel: cancel, until: 103}
	w := newWorld(t, func(d *resolvers.Deps) { last.Directory, d.Directory = d.Directory, last })
	const page = `p: followers(first: 0) { pageInfo { hasNextPage } } `
	query := `query($ids: [ID!]!) { nodes(ids: $ids) { ... on User { ` + page + each(9, func(i int) string {
		return fmt.Sprintf(`... @defer(label: "%d") { p%d: followers(first: 0) { pageInfo { hasNextPage } } }`, i, i)
	}) + `} } }`
	rec := w.askUntil(ctx, query, map[string]any{"ids": slices.Repeat([]string{userID(1)}, 100)}, "Accept", acceptParts)
	if n := last.pages.Load(); n < last.until || n > 300 {
		t.Errorf("%d of 1,000 pages were read: %.300s", n, rec.Body)
	}
}

// The operation is cancelled when the page has been read, before it is written.
func TestEncoder_StopsWhenItsContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := newWorld(t, func(d *resolvers.Deps) { d.Timeline = timelineHook{d.Timeline, func(*feed.Page) { cancel() }} })
	for id := range feed.PostID(100) {
		w.post(id+1, 1)
	}
	rec := w.askUntil(ctx, `{ viewer { homeFeed(first: 100) { nodes { text kind publishedAt } } } }`, nil)
	if got := decoded(t, rec); len(got.codes()) != 1 || got.codes()[0] != "UNAVAILABLE" || strings.Contains(rec.Body.String(), "text 1") {
		t.Errorf("the response is %.300s", rec.Body)
	}
}

// readCounters cancels the operation when counters have been read.
type readCounters struct {
	feed.Counters
	cancel context.CancelFunc
}

func (r readCounters) UserCounters(ctx context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	counters, err := r.Counters.UserCounters(ctx, ids)
	r.cancel()
	return counters, err
}

func TestExecutor_StopsWithFewErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := newWorld(t, func(d *resolvers.Deps) { d.Counters = readCounters{d.Counters, cancel} })
	rec := w.askUntil(ctx, `query($ids: [ID!]!) { nodes(ids: $ids) { ... on User {`+
		each(90, func(i int) string { return fmt.Sprintf(`n%d: counters { posts }`, i) })+`} } }`,
		map[string]any{"ids": slices.Repeat([]string{userID(1)}, 100)})
	got := decoded(t, rec)
	if n := len(got.codes()); n != 101 || !strings.HasPrefix(got.Errors[n-1].Message, "8900 more errors are not listed") {
		t.Errorf("there are %d errors in %d bytes", n, rec.Body.Len())
	}
}

// narrow is a listener whose connections have small send buffers, as for a distant client. The
// loopback device would buffer megabytes.
type narrow struct{ net.Listener }

func (n narrow) Accept() (net.Conn, error) {
	conn, err := n.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		err = tcp.SetWriteBuffer(64 << 10)
	}
	return conn, err
}

// Two slots of eight are those of one address.
func TestSlowReaders_HoldTheirSlots(t *testing.T) {
	w := longWorld(t, func(d *resolvers.Deps) {
		d.Transport = transport.New(transport.Options{Holder: resolvers.AddressFrom})
		d.Guard.OperationsMax, d.Guard.Holder = 8, resolvers.AddressFrom
	})
	server := httptest.NewUnstartedServer(w.handler)
	server.Listener = narrow{server.Listener}
	server.Start()
	t.Cleanup(server.Close)
	ask := func(address string) (status int, text io.Reader) { // for 3 MB
		body := strings.NewReader(request(`{ user(handle: "ben") { posts(first: 100) { nodes { text } } } }`, nil))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/graphql", body)
		noError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Address", address)
		response, err := server.Client().Do(r)
		noError(t, err)
		t.Cleanup(func() { _ = response.Body.Close() })
		return response.StatusCode, response.Body
	}
	_, first := ask("slow")
	_, second := ask("slow")
	status, _ := ask("slow")
	wantEqual(t, http.StatusTooManyRequests, status, "the status of a third operation of the address")
	status, _ = ask("another")
	wantEqual(t, http.StatusOK, status, "the status of another address")
	for _, text := range []io.Reader{first, second} {
		_, err := io.Copy(io.Discard, text)
		noError(t, err)
	}
	// Slots are released after the last byte is written, when the client may already have it.
	until(func() bool {
		status, _ := ask("slow")
		return status == http.StatusOK
	})
}

func TestSubscription_BoundsTheDataOfAnEvent(t *testing.T) {
	w := longWorld(t)
	s := w.subscribed(1, `node { author {`+named(2, `posts(first: 100) { nodes { text } }`)+` } }`)
	w.announce(2, 1)
	got, _ := s.next()
	if !cmp.Equal(got.codes(), []string{"QUERY_TOO_COMPLEX"}) || got.Data != nil {
		t.Errorf("an event of 6 MB is %.300s", fmt.Sprint(got))
	}
}
