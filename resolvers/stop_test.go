package resolvers_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers"
)

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
