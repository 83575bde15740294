package feed

import "context"

// ViewerState is what one read of a feed needs to know about its viewer besides the inbox.
//
// A state is as current as reading the primary when it was opened: it includes every change
// that was committed, and whose call had returned, before. It may include later changes. Use
// it for one read, on one goroutine, and close it. Viewer 0 is the anonymous viewer, who
// follows nobody and has no posts.
//
// Where the answers come from is up to the implementation; the suites in feedtest hold every
// one to this comment.
type ViewerState interface {
	// Version returns the viewer's version. For a state that [Viewers.Inbox] opened it is at
	// least as late as the inbox was when it was read.
	Version(ctx context.Context) (ViewerVersion, error)
	// Edges returns one edge for each other user, in their order, as [Relations.Edges] does,
	// except that it may leave HidesFrom out.
	Edges(ctx context.Context, others []UserID) ([]Edge, error)
	// Pulled returns the authors that an inbox complete up to version since does not cover, as
	// [Relations.Pulled] does. The list must not be changed.
	Pulled(ctx context.Context, since int64, cold bool) ([]UserID, error)
	// Outbox lists the viewer's own posts within r, as [Outboxes.Outbox] does, except that it
	// may include kinds that r does not ask for. The list must not be changed.
	Outbox(ctx context.Context, r Range) ([]Key, error)
	// Posts returns one post for each id, as [Posts.Posts] does. Only the viewer's own posts
	// need be as current as the state; posts of others may come from a cache.
	Posts(ctx context.Context, ids []PostID) ([]*Post, error)
	// Close ends the read. It does not fail and does not wait for stores.
	Close(ctx context.Context)
}

// Viewers opens the states of viewers. It is used by many goroutines at once.
type Viewers interface {
	// State returns the state of a viewer for a read that uses no inbox.
	State(viewer UserID) ViewerState
	// Inbox reads the viewer's inbox within r, as [Inboxes.Read] does, and opens the state
	// after it, so that the state includes whatever the inbox was amended for. Path is what
	// served the earlier pages of the scroll. Those pages may have shown a change whose call
	// has not returned yet; if the path is bound, the state includes that change too.
	Inbox(ctx context.Context, viewer UserID, r Range, path Path) (Inbox, ViewerState, error)
}
