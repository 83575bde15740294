package resolvers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

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
