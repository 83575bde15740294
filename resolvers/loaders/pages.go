package loaders

import (
	"context"
	"math"

	"github.com/tideline-feeds/tideline/feed"
)

// pagesMax is the number of pages at which a batch starts at once. The largest page has 100 posts
// with two lists each: comments, and posts of the author.
const pagesMax = 2 * capacity

// pageKey identifies a page of an outbox or of comments, and what is wanted of its posts.
type pageKey struct {
	ref feed.FeedRef
	// first and last are [notGiven] if they are absent.
	first, last   int
	after, before string
	filter        feed.Filter
	behind        bool
	want          *PostWant
	slots         bool
}

// placedPage is a page, and the call for its slots; nil if they are not wanted.
type placedPage struct {
	feed.PageResult
	placing *Placing
}

func newPageKey(r feed.PageRequest, want *PostWant, slots bool) pageKey {
	return pageKey{
		ref: r.Ref, first: givenSize(r.Query.First), last: givenSize(r.Query.Last), after: r.Query.After, before: r.Query.Before,
		filter: r.Query.Filter, behind: r.Query.LookBack, want: want, slots: slots,
	}
}

// notGiven is outside the range of Int.
const notGiven = math.MinInt

func givenSize(n *int) int {
	if n == nil {
		return notGiven
	}
	return *n
}

func (k pageKey) request() feed.PageRequest {
	q := feed.PageQuery{After: k.after, Before: k.before, LookBack: k.behind, Filter: k.filter}
	if k.first != notGiven {
		q.First = &k.first
	}
	if k.last != notGiven {
		q.Last = &k.last
	}
	return feed.PageRequest{Ref: k.ref, Query: q}
}

// Page returns a page of an outbox or of comments, and hydrates its posts. Unless alone, it waits
// for other pages to share reads with. Placing is nil if no slots are wanted, or the page is empty.
func (l *Loaders) Page(ctx context.Context, r feed.PageRequest, want *PostWant, slots, alone bool) (*feed.Page, *Placing, error) {
	key := newPageKey(r, want, slots)
	if alone {
		if err := l.pages.prime(ctx, []pageKey{key}); err != nil {
			return nil, nil, err
		}
	}
	result, err := l.pages.load(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	return result.Page, result.placing, result.Err
}

func readPages(ctx context.Context, of *Loaders, keys []pageKey) ([]placedPage, error) {
	pages := make([]placedPage, len(keys))
	return pages, of.Refill(func() error { return readPagesOnce(ctx, of, keys, pages) })
}

// readPagesOnce sets the pages. It asks for slots unless an earlier read did.
func readPagesOnce(ctx context.Context, of *Loaders, keys []pageKey, pages []placedPage) error {
	requests := make([]feed.PageRequest, len(keys))
	for i, k := range keys {
		requests[i] = k.request()
	}
	results, err := of.deps.Posts.Pages(ctx, of.viewer, requests)
	if err != nil {
		return err
	}
	var level []wanted
	for i, r := range results {
		pages[i].PageResult = r
		if r.Page == nil || len(r.Page.Entries) == 0 {
			continue
		}
		posts := postsOf(r.Page)
		if keys[i].slots && pages[i].placing == nil {
			pages[i].placing = of.Place(ctx, keys[i].ref, posts)
		}
		if keys[i].want != nil {
			level = append(level, wanted{posts, keys[i].want})
		}
	}
	// Fields whose values are missing load them and report the error. If it failed all pages, the
	// response would depend on which ones share a batch.
	if err := of.hydrate(ctx, level); err != nil && ctx.Err() != nil {
		return err
	}
	return nil
}

func postsOf(p *feed.Page) []*feed.Post {
	posts := make([]*feed.Post, len(p.Entries))
	for i, e := range p.Entries {
		posts[i] = e.Post
	}
	return posts
}
