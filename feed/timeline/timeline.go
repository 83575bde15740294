// Package timeline reads feeds, exactly as the feed contract (docs/concepts.md) defines them.
//
// Read it from here on: [Timeline.Page] checks the query; a reader (read.go) lists the keys of
// the feed, judges the posts behind them, and refills what the predicate hid. A home feed is
// the inbox merged with the outboxes that the inbox does not cover, and below the inbox's floor
// the reference query (home.go). [Direct] says where the facts about the viewer come from.
package timeline

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Timeline reads feeds. Its fields are set once, before the first read; it is then used by
// many goroutines at once.
type Timeline struct {
	// Viewers opens what a read needs to know about its viewer.
	Viewers feed.Viewers
	// Inboxes are those that Viewers reads.
	Inboxes feed.Inboxes
	// Outboxes and Reference list posts from the source of truth.
	Outboxes  feed.Outboxes
	Reference feed.Reference
	// Unsettled names authors to pull because a push of theirs is pending. [Lagging] names
	// none: others' posts then show once pushed.
	Unsettled feed.Unsettled
	// Queue takes requests for the upkeep of inboxes.
	Queue feed.UpkeepQueue
	// ReferenceLimit limits concurrent reference queries, to protect the database: while inboxes
	// are unavailable, every read is one.
	ReferenceLimit *feed.Semaphore
	Policy         feed.Policy
	Trace          feed.Trace
}

// Page returns one page of a feed as viewer may see it. The anonymous viewer (0) has no home
// feed: [feed.CodeUnauthenticated]. A feed whose owner the viewer may not see is empty. Bad
// sizes are [feed.CodeBadInput], bad cursors [feed.CodeBadCursor].
func (t *Timeline) Page(ctx context.Context, viewer feed.UserID, f feed.FeedRef, q feed.PageQuery) (*feed.Page, error) {
	w, err := t.Policy.Window(f.Kind, q)
	if err != nil {
		return nil, err
	}
	rd := t.reader(viewer, f, w.Path())
	defer rd.close(ctx)
	if err := rd.open(ctx); err != nil {
		return nil, err
	}
	run, err := feed.Paginate(ctx, w, rd.read)
	if err != nil {
		return nil, err
	}
	path, err := rd.pathOn(ctx)
	if err != nil {
		return nil, err
	}
	if f.Kind == feed.FeedHome {
		rd.trace()
	}
	page := &feed.Page{HasNext: run.HasNext, HasPrevious: run.HasPrevious, Entries: make([]feed.Entry, len(run.Items))}
	for i, p := range run.Items {
		page.Entries[i] = feed.Entry{Cursor: feed.Cursor{Kind: f.Kind, Key: p.Key(), Path: path}.String(), Post: p}
	}
	return page, nil
}

// NewCount returns how many entries of the feed, of the given kinds, are above the cursor
// since, counted up to Policy.CountMax. An empty cursor counts all entries.
func (t *Timeline) NewCount(ctx context.Context, viewer feed.UserID, f feed.FeedRef, since string, kinds feed.Kinds) (int, error) {
	var at feed.Cursor
	if since != "" {
		var err error
		if at, err = feed.ParseCursor(since, f.Kind); err != nil {
			return 0, err
		}
	}
	rd := t.reader(viewer, f, at.Path)
	defer rd.close(ctx)
	if err := rd.open(ctx); err != nil {
		return 0, err
	}
	r := feed.Range{Above: at.Key, Below: feed.Top, Ascending: true, Kinds: kinds}
	posts, err := rd.read(ctx, r, t.Policy.CountMax)
	return len(posts), err
}

// Posts returns one post for each id, nil if none is stored or viewer may not see it.
func (t *Timeline) Posts(ctx context.Context, viewer feed.UserID, ids []feed.ContentID) ([]*feed.Post, error) {
	state := t.Viewers.State(viewer)
	defer state.Close(ctx)
	return feed.Judge(ctx, viewer, state, ids, feed.ScopePublic)
}

// Scan returns up to r.Limit posts of viewer's home feed within r, in its direction, of those
// that keep lets through; fewer only if r has no more. No cursor binds it to what was read
// before, so Unsettled must name all authors with pending pushes.
func (t *Timeline) Scan(ctx context.Context, viewer feed.UserID, r feed.Range, keep func(context.Context, []*feed.Post) ([]*feed.Post, error)) ([]*feed.Post, error) {
	rd := t.reader(viewer, feed.HomeRef(), feed.Path{})
	rd.keep = keep
	defer rd.close(ctx)
	posts, err := rd.read(ctx, r, r.Limit)
	if err == nil {
		rd.trace()
	}
	return posts, err
}

// Lagging is a [feed.Unsettled] that names no authors.
type Lagging struct{}

// Unsettled implements [feed.Unsettled].
func (Lagging) Unsettled(context.Context, feed.UserID) ([]feed.UserID, error) { return nil, nil }
