package feed

import (
	"context"
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
	// Posts returns one post per id, as [Posts.Posts] does. The viewer's own posts are as current as the
	// state, and so are deletions and absences, which hide posts. All else may come from a cache.
	Posts(ctx context.Context, ids []PostID) ([]*Post, error)
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

// SurveyInTurn is a [Surveyor] for stores where concurrent reads gain nothing.
type SurveyInTurn struct {
	Relations Relations
	Outboxes  Outboxes
}

// Survey implements [Surveyor].
func (s SurveyInTurn) Survey(ctx context.Context, viewer UserID, since int64, cold bool, own int) (out Survey, err error) {
	if out.Version, err = s.Relations.ViewerVersion(ctx, viewer); err != nil {
		return Survey{}, err
	}
	if out.Pulled, err = s.Relations.Pulled(ctx, viewer, Completeness{out.Version.Generation, since, cold}); err != nil {
		return Survey{}, err
	}
	if out.Own, err = s.Outboxes.Outbox(ctx, viewer, []UserID{viewer}, Range{Above: Bottom, Below: Top, Limit: own}); err != nil {
		return Survey{}, err
	}
	return out, nil
}
