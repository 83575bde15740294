package feed

import (
	"context"
	"time"
)

// ViewerState is what one read of a feed needs to know about its viewer besides the inbox.
//
// A state is as current as reading the primary when the state was opened: it includes every
// change whose call had returned by then, and may include later ones. Use it for one read, on one
// goroutine, and close it. Viewer 0 is the anonymous viewer, who follows no users and has no
// posts.
//
// Implementations may cache. The suites in feedtest hold each of them to this comment.
type ViewerState interface {
	// Version returns the viewer's version. For a state opened by [Viewers.Inbox], it is not
	// older than the inbox that was read.
	Version(ctx context.Context) (ViewerVersion, error)
	// Edges returns one edge per other user, as [Relations.Edges] does, but may leave HidesFrom
	// out.
	Edges(ctx context.Context, others []UserID) ([]Edge, error)
	// Pulled returns the authors of [Relations.Pulled] for an inbox of the generation of Version,
	// which is complete up to version since. The list must not be changed.
	Pulled(ctx context.Context, since int64, cold bool) ([]UserID, error)
	// Outbox lists the viewer's own posts, as [Outboxes.Outbox] does, but may include posts that
	// do not pass r.Filter. The list must not be changed.
	Outbox(ctx context.Context, r Range) ([]Key, error)
	// Posts returns one post per id, as [Posts.Posts] does. Only the viewer's own posts must be
	// as current as the state; others may come from a cache.
	Posts(ctx context.Context, ids []PostID) ([]*Post, error)
	// Close ends the read. It cannot fail and does not wait for stores.
	Close(ctx context.Context)
}

// Viewers opens viewer states. It is safe for concurrent use.
type Viewers interface {
	// State returns the state of a viewer for a read without an inbox.
	State(viewer UserID) ViewerState
	// Inbox reads the viewer's inbox within r, as [Inboxes.Read] does, and opens the state after
	// it, so that the state includes all changes that the inbox was amended for. path is that of
	// the scroll. If it is bound, the state also includes changes that the earlier pages may have
	// shown before their call returned.
	Inbox(ctx context.Context, viewer UserID, r Range, path Path) (Inbox, ViewerState, error)
}

// SharedViewerCache keeps cached viewer state next to the inboxes, for all processes. A read that
// fetches an inbox fetches the entry with it. The cache may lose an entry or return an old one at
// any time: an entry is valid only for the viewer version it holds. It is safe for concurrent
// use.
type SharedViewerCache interface {
	// ReadCached is [Inboxes.Read], and also returns the viewer's entry, nil if there is none.
	// The entry must not be changed.
	ReadCached(ctx context.Context, viewer UserID, r Range) (Inbox, []byte, error)
	// PutCached replaces the viewer's entry, whether there is an inbox or not. The entry expires
	// after keep, which is positive. [Inboxes.Remove] removes it.
	PutCached(ctx context.Context, viewer UserID, entry []byte, keep time.Duration) error
}
