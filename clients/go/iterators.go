package tideline

import (
	"context"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/Khan/genqlient/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// FeedOption configures [NewHome], [Client.Home] and [Client.Live].
type FeedOption func(*feedReader)

// PageSize is the number of entries of a page: 1 to 100, 20 by default.
func PageSize(n int) FeedOption { return func(r *feedReader) { r.size = n } }

// Kinds limits a home feed to kinds of posts; a live feed ignores it.
func Kinds(kinds ...PostKind) FeedOption { return func(r *feedReader) { r.kinds = kinds } }

// SpecialFollows limits a home feed to posts of special follows; a live feed ignores it.
func SpecialFollows() FeedOption { return func(r *feedReader) { r.special = new(true) } }

// Connection sets options of the connection, such as [WithToken].
func Connection(options ...Option) FeedOption {
	return func(r *feedReader) { r.connections = append(r.connections, options...) }
}

// RetryWait sets the wait before the first and the longest wait before a later attempt to connect
// again. The defaults are 250 ms and 30 s. Waits double, and each is shortened at random.
func RetryWait(first, most time.Duration) FeedOption {
	return func(r *feedReader) { r.first, r.most = first, most }
}

// feedReader reads a feed of the viewer.
type feedReader struct {
	connections []Option
	client      *Client
	size        int
	kinds       []PostKind
	special     *bool
	first, most time.Duration
}

func newFeedReader(base string, options []FeedOption) feedReader {
	r := feedReader{size: 20, first: 250 * time.Millisecond, most: 30 * time.Second}
	for _, choose := range options {
		choose(&r)
	}
	r.client = NewClient(base, r.connections...)
	return r
}

var errAnonymous = gqlerror.List{{Message: "the viewer is anonymous", Extensions: map[string]any{"code": "UNAUTHENTICATED"}}}

// pages yields all pages of a list, in order. An error ends them.
func pages[P Page[E], E any](read func(PageOption) (P, error)) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		for after := (*string)(nil); ; {
			page, err := read(After(after))
			if !yield(page, err) || err != nil {
				return
			}
			_, paging := page.list()
			if after = paging.EndCursor; !paging.HasNextPage || after == nil {
				return
			}
		}
	}
}

// changePage is a page of changes of a feed.
type changePage interface {
	GetSyncToken() string
	resets() bool
}

// changes yields the pages of changes after a sync token, as [Home.Changes] describes. request
// returns the subscription since a token, and page the page in the data of an event.
func changes[P changePage, Data any](
	ctx context.Context, r feedReader, since string, request func(since string) graphql.Request, page func(*Data) P,
) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		var none P
		for wait := r.first; ; {
			began := since
			more, err := receive(ctx, r.client, request(since), func(event *Data) bool {
				p := page(event)
				since = p.GetSyncToken()
				return yield(p, nil) && !p.resets()
			})
			switch {
			case !more:
				return
			case ctx.Err() != nil:
				yield(none, ctx.Err())
				return
			case final(err):
				yield(none, err)
				return
			case since != began:
				wait = r.first
			}
			select {
			case <-ctx.Done():
			case <-time.After(max(wait/2+rand.N(wait/2+1), retryAfter(err))):
			}
			wait = min(2*wait, r.most)
		}
	}
}

// receive yields the events of one connection. It returns false if the caller wants no more, and
// otherwise why the connection has ended.
func receive[Data any](ctx context.Context, c *Client, request graphql.Request, yield func(*Data) bool) (more bool, err error) {
	s, err := open(ctx, c.base, request, c.options)
	if err != nil {
		return true, err
	}
	defer func() { _ = s.Close() }()
	for {
		event, err := next[Data](s)
		if err != nil {
			return true, err
		}
		if !yield(event) {
			return false, nil
		}
	}
}

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
