package examine

import (
	"context"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// examineInbox checks the viewer's inbox against the invariant, if a read would use it.
//
// As in a read, the inbox is read first, and what it must hold afterwards. Pending pushes are
// read last: one that is done by then was done before the next round.
func (x *Examiner) examineInbox(ctx context.Context, e *exam) error {
	inbox, state, err := x.Viewers.Inbox(ctx, e.viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: math.MaxInt32}, feed.Path{})
	if ctx.Err() == nil && feed.CodeOf(err) == feed.CodeInternal {
		// The store can be reached, but its data is malformed.
		e.unreadable = true
		e.find(Unreadable, 0)
		return nil
	}
	if err != nil {
		return err
	}
	current, err := state.Version(ctx)
	if err != nil {
		return err
	}
	e.inbox, e.current = inbox, current
	if inbox.Version > current.Version || inbox.Generation > current.Generation {
		e.find(HeaderAhead, 0)
	}
	if !inbox.Usable(current) {
		return nil
	}
	if err := x.findMissing(ctx, e); err != nil {
		return err
	}
	for keys := range slices.Chunk(inbox.Keys, listMax) {
		if err := x.findForeign(ctx, e, state, keys); err != nil {
			return err
		}
	}
	return nil
}

// findMissing finds posts that the inbox must hold and does not.
func (x *Examiner) findMissing(ctx context.Context, e *exam) error {
	absent, err := x.notHeld(ctx, e, feed.FolloweeFilter{})
	if len(absent) == 0 || err != nil {
		return err
	}
	// The inbox does not claim to cover users followed since its version, nor selective authors
	// while it is cold. Unpushed authors are in no share. Mutes do not matter.
	excused, err := x.notHeld(ctx, e, feed.FolloweeFilter{Since: e.inbox.Version})
	if err != nil {
		return err
	}
	if !e.inbox.Warm(e.current.Now) {
		selective, err := x.notHeld(ctx, e, feed.FolloweeFilter{Selective: true})
		if err != nil {
			return err
		}
		excused = append(excused, selective...)
	}
	return x.lacking(ctx, e, without(absent, excused), PendingEntry, MissingEntry)
}

// notHeld lists the keys above the inbox's floor, by a share of the authors that an inbox may
// cover, that it does not hold.
func (x *Examiner) notHeld(ctx context.Context, e *exam, s feed.FolloweeFilter) ([]feed.Key, error) {
	covered, err := take(ctx, e.inbox.Floor, math.MaxInt, func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return x.Coverage.Covered(ctx, e.viewer, s, r)
	})
	return without(covered, e.inbox.Keys), err
}

// findForeign finds entries that do not belong in the inbox. An entry by a followed author
// belongs there, covered or not, and the viewer's own entries do no harm.
func (x *Examiner) findForeign(ctx context.Context, e *exam, state feed.ViewerState, keys []feed.Key) error {
	ids := postIDs(keys)
	posts, err := x.Posts.Posts(ctx, ids)
	if err != nil {
		return err
	}
	var present []*feed.Post
	for i, p := range posts {
		switch {
		case p == nil:
			e.find(UnknownEntry, ids[i])
		case p.IsDeleted():
			e.find(DeletedEntry, ids[i])
		case p.PublishedAt != keys[i].TS:
			e.find(MisdatedEntry, ids[i])
		case p.Author != e.viewer:
			present = append(present, p)
		}
	}
	return x.findUnfollowed(ctx, e, state, present)
}

// findUnfollowed finds entries by authors that the viewer does not follow, or never has.
func (x *Examiner) findUnfollowed(ctx context.Context, e *exam, state feed.ViewerState, posts []*feed.Post) error {
	authors := make([]feed.UserID, len(posts))
	for i, p := range posts {
		authors[i] = p.Author
	}
	edges, err := state.Edges(ctx, authors)
	if err != nil || !slices.ContainsFunc(edges, func(edge feed.Edge) bool { return !edge.Follows }) {
		return err
	}
	left, err := x.Coverage.Unfollowed(ctx, e.viewer, 0)
	if err != nil {
		return err
	}
	for i, p := range posts {
		switch {
		case edges[i].Follows:
		case slices.Contains(left, p.Author):
			e.find(UnfollowedEntry, p.ID)
		default:
			e.find(ForeignEntry, p.ID)
		}
	}
	return nil
}
