package feed

import (
	"context"
	"math"
	"slices"
)

// examineInbox holds the viewer's inbox to the invariant, if a read would use it.
//
// As in a read, the inbox comes first and what must be in it after it. Whether a push
// is pending comes last: one that is done by then was done before the next look.
func (d *Doctor) examineInbox(ctx context.Context, e *exam) error {
	inbox, err := d.Inboxes.Read(ctx, e.viewer, Range{Above: Bottom, Below: Top, Limit: math.MaxInt32})
	if ctx.Err() == nil && CodeOf(err) == CodeInternal {
		// The store can be reached, and does not understand what it finds there.
		e.unreadable = true
		e.find(FindingUnreadable, 0)
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
		e.find(FindingHeaderAhead, 0)
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
	absent, err := d.notHeld(ctx, e, Share{})
	if len(absent) == 0 || err != nil {
		return err
	}
	// Among them are contents of those whom the inbox does not claim to cover: who was
	// followed since, and who is selective while it is cold. Whom no inbox covers is no
	// part of any share. Whether a read pulls them, who may be muted, does not matter.
	excused, err := d.notHeld(ctx, e, Share{Since: e.inbox.Version})
	if err != nil {
		return err
	}
	if !e.inbox.Warm(e.stamp.Now) {
		selective, err := d.notHeld(ctx, e, Share{Selective: true})
		if err != nil {
			return err
		}
		excused = append(excused, selective...)
	}
	var missing []ContentID
	for _, k := range without(absent, excused) {
		missing = append(missing, ContentID(k.ID))
	}
	return d.lacking(ctx, e, missing, FindingPendingEntry, FindingMissingEntry)
}

// notHeld lists the contents above the inbox's floor, by a share of those whom an inbox may
// cover, that it does not hold.
func (d *Doctor) notHeld(ctx context.Context, e *exam, s Share) ([]Key, error) {
	held := keySet(e.inbox.Keys)
	var absent []Key
	covered := NewListStream(func(ctx context.Context, r Range) ([]Key, error) {
		return d.Coverage.Covered(ctx, e.viewer, s, r)
	}, Range{Above: e.inbox.Floor, Below: Top, Limit: listMax})
	for {
		k, ok, err := covered.Next(ctx)
		if !ok || err != nil {
			return absent, err
		}
		if !held[k] {
			absent = append(absent, k)
		}
	}
}

// findForeign finds, among a run of the inbox's entries, those that have no business
// there. An entry by somebody whom the viewer follows has, also when the inbox does not
// cover him, and one of the viewer's own does no harm.
func (d *Doctor) findForeign(ctx context.Context, e *exam, keys []Key) error {
	ids := make([]ContentID, len(keys))
	for i, k := range keys {
		ids[i] = ContentID(k.ID)
	}
	posts, err := d.Posts.Posts(ctx, ids)
	if err != nil {
		return err
	}
	var standing []*Post
	for i, p := range posts {
		switch {
		case p == nil:
			e.find(FindingUnknownEntry, ids[i])
		case p.DeletedAt != 0:
			e.find(FindingDeletedEntry, ids[i])
		case p.PublishedAt != keys[i].TS:
			e.find(FindingMisdatedEntry, ids[i])
		case p.Author != e.viewer:
			standing = append(standing, p)
		}
	}
	return d.findUnfollowed(ctx, e, standing)
}

// findUnfollowed finds, among contents in the inbox, those by somebody whom the viewer
// does not follow, or never has.
func (d *Doctor) findUnfollowed(ctx context.Context, e *exam, posts []*Post) error {
	authors := make([]UserID, len(posts))
	for i, p := range posts {
		authors[i] = p.Author
	}
	edges, err := d.Relations.Edges(ctx, e.viewer, authors)
	if err != nil || !slices.ContainsFunc(edges, func(edge Edge) bool { return !edge.Follows }) {
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
			e.find(FindingUnfollowedEntry, p.ID)
		default:
			e.find(FindingForeignEntry, p.ID)
		}
	}
	return nil
}

func keySet(keys []Key) map[Key]bool {
	set := make(map[Key]bool, len(keys))
	for _, k := range keys {
		set[k] = true
	}
	return set
}
