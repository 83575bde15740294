// Package timeline reads home feeds, exactly as the feed contract (docs/concepts.md) defines them.
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

// Timeline reads home feeds. Its fields are set once, before the first read; it is then used by
// many goroutines at once.
type Timeline struct {
	// Viewers opens what a read needs to know about its viewer.
	Viewers feed.Viewers
	// Inboxes are those that Viewers reads.
	Inboxes feed.Inboxes
	// Outboxes and Reference list posts from the source of truth.
	Outboxes  feed.Outboxes
	Reference feed.Reference
	// Unsettled names authors to pull because a push of theirs is pending. [IgnorePending] names
	// none: others' posts then show once pushed.
	Pending feed.PendingAuthors
	// Queue takes requests for the upkeep of inboxes.
	Queue feed.UpkeepQueue
	// ReferenceLimit limits concurrent reference queries, to protect the database: while inboxes
	// are unavailable, every read is one.
	ReferenceLimit *feed.Semaphore
	Policy         feed.Policy
	Trace          feed.Trace
}

// errAnonymous says that the anonymous viewer (0) has no home feed.
var errAnonymous = feed.Errorf(feed.CodeUnauthenticated, "sign in to read a home feed")

// Page returns one page of viewer's home feed. The anonymous viewer (0) has none:
// [feed.CodeUnauthenticated]. Bad sizes are [feed.CodeBadInput], bad cursors
// [feed.CodeBadCursor].
func (t *Timeline) Page(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.Page, error) {
	w, err := t.Policy.Window(feed.FeedHome, q)
	if err != nil {
		return nil, err
	}
	if viewer == 0 {
		return nil, errAnonymous
	}
	rd := t.reader(viewer, w.Path())
	defer rd.close(ctx)
	run, err := feed.Paginate(ctx, w, rd.home)
	if err != nil {
		return nil, err
	}
	path, err := rd.pathOn(ctx)
	if err != nil {
		return nil, err
	}
	rd.trace()
	return feed.NewPage(feed.FeedHome, run, path), nil
}

// NewCount returns how many entries of viewer's home feed, of the given kinds, are above the
// cursor since, counted up to Policy.CountMax. An empty cursor counts all entries.
func (t *Timeline) NewCount(ctx context.Context, viewer feed.UserID, since string, kinds feed.Kinds) (int, error) {
	r, path, err := t.Policy.Since(feed.FeedHome, since, kinds)
	if err != nil {
		return 0, err
	}
	if viewer == 0 {
		return 0, errAnonymous
	}
	rd := t.reader(viewer, path)
	defer rd.close(ctx)
	posts, err := rd.home(ctx, r)
	return len(posts), err
}

// Posts returns one post for each id, nil if none is stored or viewer may not see it.
func (t *Timeline) Posts(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]*feed.Post, error) {
	state := t.Viewers.State(viewer)
	defer state.Close(ctx)
	return feed.Judge(ctx, viewer, state, ids, feed.ScopePublic)
}

// Scan returns up to r.Limit posts of viewer's home feed within r, in its direction, of those
// that keep lets through; fewer only if r has no more. No cursor binds it to what was read
// before, so Unsettled must name all authors with pending pushes.
func (t *Timeline) Scan(ctx context.Context, viewer feed.UserID, r feed.Range, keep func(context.Context, []*feed.Post) ([]*feed.Post, error)) ([]*feed.Post, error) {
	rd := t.reader(viewer, feed.Path{})
	rd.keep = keep
	defer rd.close(ctx)
	posts, err := rd.home(ctx, r)
	if err == nil {
		rd.trace()
	}
	return posts, err
}

// IgnorePending is a [feed.PendingAuthors] that names no authors.
type IgnorePending struct{}

// PendingAuthors implements [feed.PendingAuthors].
func (IgnorePending) PendingAuthors(context.Context, feed.UserID) ([]feed.UserID, error) {
	return nil, nil
}
