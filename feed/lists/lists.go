// Package lists reads outboxes and comments, many at once, exactly as docs/concepts.md defines
// them. A round reads the next keys of all incomplete lists in one read, and judges their posts
// together. A list is complete if it has as many visible posts as it wants, or no more keys. So the
// number of reads depends on how much is hidden, not on the number of lists.
package lists

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// Feeds reads outboxes and comments itself, home feeds and those of lists of authors through Home. Its fields are set once,
// before the first read. It is safe for concurrent use.
type Feeds struct {
	Home *timeline.Timeline
	// Changes reads what has changed in home feeds.
	Changes *delta.Reader
	// Lists lists posts from the source of truth.
	Lists feed.Lists
}

// Page returns one page of a feed as viewer sees it. A feed is empty if viewer may not see its
// owner. Errors are those of [timeline.Timeline.Page].
func (f *Feeds) Page(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, q feed.PageQuery) (*feed.Page, error) {
	if ref.Kind == ref.Of.Kind() {
		q.Of = ref.Of
		return f.Home.Page(ctx, viewer, q)
	}
	results, err := f.Pages(ctx, viewer, []feed.PageRequest{{Ref: ref, Query: q}})
	if err != nil {
		return nil, err
	}
	return results[0].Page, results[0].Err
}

// Pages returns one page per request for an outbox or comments, in their order, as [Feeds.Page]
// does. A refused request does not affect the others. An error means that a store failed.
func (f *Feeds) Pages(ctx context.Context, viewer feed.UserID, requests []feed.PageRequest) ([]feed.PageResult, error) {
	pages := make([]page, len(requests))
	b := f.batch(viewer)
	for i, request := range requests {
		pages[i].window, pages[i].err = f.Home.Policy.Window(request.Ref.Kind, request.Query)
		if pages[i].err != nil {
			continue
		}
		pages[i].ahead = b.add(request.Ref, pages[i].window.Ahead())
		if lookBack, ok := pages[i].window.LookBack(); ok {
			pages[i].lookBack = b.add(request.Ref, lookBack)
		}
	}
	if err := b.read(ctx); err != nil {
		return nil, err
	}
	results := make([]feed.PageResult, len(requests))
	for i, p := range pages {
		results[i] = p.result()
	}
	return results, nil
}

type page struct {
	window feed.Window
	err    error
	// lookBack is nil unless the query asks for it.
	ahead, lookBack *list
}

func (p page) result() feed.PageResult {
	if p.err != nil {
		return feed.PageResult{Err: p.err}
	}
	run := feed.NewRun(p.window, p.ahead.posts, p.lookBack.visible())
	return feed.PageResult{Page: feed.NewPage(p.ahead.ref.Kind, run, feed.Path{})}
}

// NewCount counts the entries of the feed, that pass the filter, above the cursor since, up to
// Policy.CountMax. An empty cursor counts all entries. For a home feed, since may be a sync token:
// then it counts as [delta.Reader.NewCount] does.
func (f *Feeds) NewCount(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, since string, filter feed.Filter) (int, error) {
	if ref.Kind == ref.Of.Kind() {
		if ref.Kind == feed.FeedHome && feed.IsSyncToken(since) {
			n, _, err := f.Changes.NewCount(ctx, viewer, feed.HomeChangeQuery{Since: since, Of: ref.Of, Filter: filter}, 0)
			return n, err
		}
		return f.Home.NewCount(ctx, viewer, since, ref.Of, filter)
	}
	r, _, err := f.Home.Policy.Since(ref.Kind, since, filter)
	if err != nil {
		return 0, err
	}
	b := f.batch(viewer)
	l := b.add(ref, r)
	err = b.read(ctx)
	return len(l.posts), err
}

// HomeChanges returns what has changed in the viewer's home feed since a sync token, as
// [delta.Reader.Changes] does.
func (f *Feeds) HomeChanges(ctx context.Context, viewer feed.UserID, q feed.HomeChangeQuery) (*feed.HomeChangePage, error) {
	return f.Changes.Changes(ctx, viewer, q)
}

// Posts returns one post for each id, nil if none is stored or viewer may not see it.
func (f *Feeds) Posts(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]*feed.Post, error) {
	return f.Home.Posts(ctx, viewer, ids)
}
