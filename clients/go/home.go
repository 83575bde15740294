package tideline

import (
	"context"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/Khan/genqlient/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Home reads the home feed of the viewer. Create one with [NewHome]. It is safe for concurrent use.
type Home struct {
	base        string
	connections []Option
	client      graphql.Client
	size        int
	kinds       []PostKind
	first, most time.Duration
}

// HomeOption configures [NewHome].
type HomeOption func(*Home)

// PageSize is the number of posts of a page: 1 to 100, 20 by default.
func PageSize(n int) HomeOption { return func(h *Home) { h.size = n } }

// Kinds limits the feed to kinds of posts.
func Kinds(kinds ...PostKind) HomeOption { return func(h *Home) { h.kinds = kinds } }

// Connection sets options of the connection, such as [WithToken].
func Connection(options ...Option) HomeOption {
	return func(h *Home) { h.connections = append(h.connections, options...) }
}

// RetryWait sets the wait before the first and the longest wait before a later attempt to connect
// again. The defaults are 250 ms and 30 s. Waits double, and each is shortened at random.
func RetryWait(first, most time.Duration) HomeOption {
	return func(h *Home) { h.first, h.most = first, most }
}

// NewHome returns the home feed of the viewer at a base URL.
func NewHome(base string, options ...HomeOption) *Home {
	h := &Home{base: base, size: 20, first: 250 * time.Millisecond, most: 30 * time.Second}
	for _, choose := range options {
		choose(h)
	}
	h.client = New(base, h.connections...)
	return h
}

var errAnonymous = gqlerror.List{{Message: "the viewer is anonymous", Extensions: map[string]any{"code": "UNAUTHENTICATED"}}}

// Pages returns the pages of the feed, newest first. An error ends them.
func (h *Home) Pages(ctx context.Context) iter.Seq2[*ContentPage, error] {
	return func(yield func(*ContentPage, error) bool) {
		var after *string
		for {
			found, err := HomeFeed(ctx, h.client, h.size, after, h.kinds)
			if err == nil && found.Viewer == nil {
				err = errAnonymous
			}
			if err != nil {
				yield(nil, err)
				return
			}
			page := found.Viewer.HomeFeed
			after = page.PageInfo.EndCursor
			if !yield(&page, nil) || !page.PageInfo.HasNextPage || after == nil {
				return
			}
		}
	}
}

// Changes returns the changes of the feed since a sync token, as they happen, until ctx ends. It
// connects again as often as necessary, and misses none.
//
// The last page is one with a RESET: then drop all posts and begin with [Home.Pages]. An error that
// no later attempt can avoid, such as UNAUTHENTICATED, or that of ctx also ends them.
func (h *Home) Changes(ctx context.Context, since string) iter.Seq2[*ChangePage, error] {
	return func(yield func(*ChangePage, error) bool) {
		for wait := h.first; ; {
			began := since
			more, err := h.receive(ctx, &since, yield)
			switch {
			case !more:
				return
			case ctx.Err() != nil:
				yield(nil, ctx.Err())
				return
			case final(err):
				yield(nil, err)
				return
			case since != began:
				wait = h.first
			}
			select {
			case <-ctx.Done():
			case <-time.After(max(wait/2+rand.N(wait/2+1), retryAfter(err))):
			}
			wait = min(2*wait, h.most)
		}
	}
}

// receive yields the pages of one connection and moves the token on. It returns false if the caller
// wants no more, and otherwise why the connection has ended.
func (h *Home) receive(ctx context.Context, since *string, yield func(*ChangePage, error) bool) (more bool, err error) {
	s, err := open(ctx, h.base, graphql.Request{
		Query: homeChangeEvents_Operation, OpName: "homeChangeEvents",
		Variables: &__homeChangeEventsInput{Since: *since, Kinds: h.kinds},
	}, h.connections)
	if err != nil {
		return true, err
	}
	defer func() { _ = s.Close() }()
	for {
		event, err := next[homeChangeEventsResponse](s)
		if err != nil {
			return true, err
		}
		page := event.HomeChanges
		*since = page.SyncToken
		if !yield(&page, nil) || slices.ContainsFunc(page.Changes, isReset) {
			return false, nil
		}
	}
}

func isReset(c Change) bool { return c.Kind == HomeChangeKindReset }

// final reports whether the same request would fail again.
func final(err error) bool {
	switch CodeOf(err) {
	case "", "UNAVAILABLE", "RATE_LIMITED", "TIMEOUT", "INTERNAL":
		return false
	}
	return !errors.Is(err, io.EOF)
}

// retryAfter returns how long a refused client must wait.
func retryAfter(err error) time.Duration {
	var list gqlerror.List
	var refused *graphql.HTTPError
	if errors.As(err, &refused) {
		list = refused.Response.Errors
	} else if !errors.As(err, &list) {
		return 0
	}
	for _, e := range list {
		if seconds, ok := e.Extensions["retryAfter"].(float64); ok {
			return time.Duration(seconds * float64(time.Second))
		}
	}
	return 0
}
