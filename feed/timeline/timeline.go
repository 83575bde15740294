// Package timeline reads home feeds, exactly as docs/concepts.md defines them. A reader (read.go)
// judges posts and replaces hidden ones. Keys come from the inbox, merged with the outboxes that it
// does not cover, and below its floor from the reference query (home.go).
package timeline

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Timeline reads home feeds, also concurrently. Its fields are set before the first read.
type Timeline struct {
	Viewers feed.Viewers
	// Inboxes are those that Viewers reads.
	Inboxes feed.Inboxes
	// Outboxes and Reference list posts from the source of truth.
	Outboxes  feed.Outboxes
	Reference feed.Reference
	Specials  feed.SpecialFollows
	// Pending names authors with pending pushes. Fresh reads ([feed.WithFreshReads]) pull them, and
	// all reads if PullsPending is set. Other reads show posts by others once they are pushed.
	Pending      feed.PendingAuthors
	PullsPending bool
	// Places, if not nil, gives first pages their sync tokens.
	Places feed.Places
	// Queue takes requests for the upkeep of inboxes.
	Queue feed.UpkeepQueue
	// ReferenceLimit protects the database: while inboxes are unavailable, every read is a query.
	ReferenceLimit *feed.Semaphore
	Policy         feed.Policy
	Trace          feed.Trace
}

var errAnonymous = feed.Errorf(feed.CodeUnauthenticated, "sign in to read a home feed")

// Page returns one page of viewer's home feed, or of the feed of a list, which it does not judge. It returns
// [feed.CodeUnauthenticated] for the home feed of the anonymous viewer (0), and the errors of
// [feed.Policy.Window].
func (t *Timeline) Page(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.Page, error) {
	kind := q.Of.Kind()
	w, err := t.Policy.Window(kind, q)
	if err != nil {
		return nil, err
	}
	if viewer == 0 && kind == feed.FeedHome {
		return nil, errAnonymous
	}
	token, err := t.syncToken(ctx, viewer, w, q)
	if err != nil {
		return nil, err
	}
	rd := t.reader(viewer, w.Path(), q.Of)
	defer rd.close(ctx)
	run, err := feed.Paginate(ctx, w, rd.read)
	if err != nil {
		return nil, err
	}
	path, err := rd.pathOn(ctx)
	if err != nil {
		return nil, err
	}
	rd.trace()
	page := feed.NewPage(kind, run, path)
	page.SyncToken = token
	return page, nil
}

// syncToken returns the token of a first page. Call it before anything of the page is read. What
// the page lacks then has a later place: an arrival is logged after the push.
func (t *Timeline) syncToken(ctx context.Context, viewer feed.UserID, w feed.Window, q feed.PageQuery) (string, error) {
	if t.Places == nil || !w.FromTop() || q.Of.Kind() != feed.FeedHome {
		return "", nil
	}
	place, err := t.Places.Place(ctx)
	if err != nil {
		return "", err
	}
	return feed.SyncToken{Viewer: viewer, Of: q.Of, Filter: q.Filter, Place: place}.String(), nil
}

// NewCount counts entries of the authors that pass the filter above the cursor since, or all, up to
// Policy.CountMax.
func (t *Timeline) NewCount(ctx context.Context, viewer feed.UserID, since string, of feed.Authors, filter feed.Filter) (int, error) {
	r, path, err := t.Policy.Since(of.Kind(), since, filter)
	if err != nil {
		return 0, err
	}
	if viewer == 0 && of.Kind() == feed.FeedHome {
		return 0, errAnonymous
	}
	rd := t.reader(viewer, path, of)
	defer rd.close(ctx)
	posts, err := rd.read(ctx, r)
	return len(posts), err
}

// Posts returns one post for each id, nil if none is stored or viewer may not see it.
func (t *Timeline) Posts(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]*feed.Post, error) {
	state := t.Viewers.State(viewer)
	return feed.Judge(ctx, viewer, state, ids, feed.ScopePublic)
}

// Scan returns up to r.Limit posts within r that keep selects; fewer only if r has no more. No
// cursor ties it to earlier reads, so PullsPending must be set.
func (t *Timeline) Scan(ctx context.Context, viewer feed.UserID, r feed.Range, keep func(context.Context, []*feed.Post) ([]*feed.Post, error)) ([]*feed.Post, error) {
	rd := t.reader(viewer, feed.Path{}, feed.HomeAuthors)
	rd.keep = keep
	defer rd.close(ctx)
	posts, err := rd.home(ctx, r)
	if err == nil {
		rd.trace()
	}
	return posts, err
}
