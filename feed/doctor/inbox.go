package doctor

import (
	"context"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// examineInbox holds the viewer's inbox to the invariant, if a read would use it.
//
// As in a read, the inbox comes first and what must be in it after it. Whether a push
// is pending comes last: one that is done by then was done before the next look.
func (d *Doctor) examineInbox(ctx context.Context, e *exam) error {
	inbox, err := d.Inboxes.Read(ctx, e.viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: math.MaxInt32})
	if ctx.Err() == nil && feed.CodeOf(err) == feed.CodeInternal {
		// The store can be reached, and does not understand what it finds there.
		e.unreadable = true
		e.find(Unreadable, 0)
		return nil
	}
	if err != nil {
		return err
	}
	stamp, err := d.Relations.ViewerVersion(ctx, e.viewer)
	if err != nil {
		return err
	}
	e.inbox, e.stamp = inbox, stamp
	if inbox.Version > stamp.Version || inbox.Generation > stamp.Generation {
		e.find(HeaderAhead, 0)
	}
	if !inbox.Usable(stamp) {
		return nil
	}
	if err := d.findMissing(ctx, e); err != nil {
		return err
	}
	for keys := range slices.Chunk(inbox.Keys, listMax) {
		if err := d.findForeign(ctx, e, keys); err != nil {
			return err
		}
	}
	return nil
}

// findMissing finds the contents that the inbox must hold and does not.
func (d *Doctor) findMissing(ctx context.Context, e *exam) error {
	absent, err := d.notHeld(ctx, e, feed.FolloweeFilter{})
	if len(absent) == 0 || err != nil {
		return err
	}
	// Among them are contents of those whom the inbox does not claim to cover: who was
	// followed since, and who is selective while it is cold. Whom no inbox covers is no
	// part of any share. Whether a read pulls them, who may be muted, does not matter.
	excused, err := d.notHeld(ctx, e, feed.FolloweeFilter{Since: e.inbox.Version})
	if err != nil {
		return err
	}
	if !e.inbox.Warm(e.stamp.Now) {
		selective, err := d.notHeld(ctx, e, feed.FolloweeFilter{Selective: true})
		if err != nil {
			return err
		}
		excused = append(excused, selective...)
	}
	return d.lacking(ctx, e, without(absent, excused), PendingEntry, MissingEntry)
}

// notHeld lists the contents above the inbox's floor, by a share of those whom an inbox may
// cover, that it does not hold.
func (d *Doctor) notHeld(ctx context.Context, e *exam, s feed.FolloweeFilter) ([]feed.Key, error) {
	covered, err := feed.Take(ctx, feed.NewListStream(func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return d.Coverage.Covered(ctx, e.viewer, s, r)
	}, feed.Range{Above: e.inbox.Floor, Below: feed.Top, Limit: listMax}), math.MaxInt)
	return without(covered, e.inbox.Keys), err
}

// findForeign finds, among a run of the inbox's entries, those that have no business
// there. An entry by somebody whom the viewer follows has, also when the inbox does not
// cover him, and one of the viewer's own does no harm.
func (d *Doctor) findForeign(ctx context.Context, e *exam, keys []feed.Key) error {
	ids := contentIDs(keys)
	posts, err := d.Posts.Posts(ctx, ids)
	if err != nil {
		return err
	}
	var standing []*feed.Post
	for i, p := range posts {
		switch {
		case p == nil:
			e.find(UnknownEntry, ids[i])
		case p.DeletedAt != 0:
			e.find(DeletedEntry, ids[i])
		case p.PublishedAt != keys[i].TS:
			e.find(MisdatedEntry, ids[i])
		case p.Author != e.viewer:
			standing = append(standing, p)
		}
	}
	return d.findUnfollowed(ctx, e, standing)
}

// findUnfollowed finds, among contents in the inbox, those by somebody whom the viewer
// does not follow, or never has.
func (d *Doctor) findUnfollowed(ctx context.Context, e *exam, posts []*feed.Post) error {
	authors := make([]feed.UserID, len(posts))
	for i, p := range posts {
		authors[i] = p.Author
	}
	edges, err := d.Relations.Edges(ctx, e.viewer, authors)
	if err != nil || !slices.ContainsFunc(edges, func(edge feed.Edge) bool { return !edge.Follows }) {
		return err
	}
	left, err := d.Coverage.Unfollowed(ctx, e.viewer, 0)
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
