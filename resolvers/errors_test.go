package resolvers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
	"github.com/tideline-feeds/tideline/resolvers/guard"
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
type lost struct{ *memstore.Store }

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
