package inbox

import (
	"context"
	"crypto/rand"

	"github.com/tideline-feeds/tideline/feed"
)

// Builder makes inboxes out of the outboxes, and keeps them complete while their
// viewers' relations and habits change. Its methods may run any number of times, also
// at once and for the same viewer: each does what is left to do.
//
// What keeps them right is the order of writes. The publisher commits a content and
// then lists followers and activity; a builder commits its own mark (building header,
// lease; an edge is committed before it hears of it) and then reads outboxes. So of a
// content and a mark, whichever comes second sees the other: the content is in what
// the builder reads, or its push finds the mark.
type Builder struct {
	Inboxes   feed.Inboxes
	Relations feed.Relations
	Coverage  feed.Coverage
	Activity  feed.Activity
	// Posts must not answer from a cache.
	Posts  feed.Posts
	Clock  feed.Clock
	Policy feed.Policy
	Trace  feed.Trace
}

// Build makes viewer's inbox, warm and complete up to his present relations version,
// unless he has one that can be used or another build of it is under way.
//
// Lease and building mark come before the outboxes are read, and from then on pushes
// apply to the new inbox. The stamp is read before both: edges that are newer than it
// may be in the build or not, and a read pulls their authors in either case.
func (b *Builder) Build(ctx context.Context, viewer feed.UserID) error {
	inbox, stamp, err := b.look(ctx, viewer)
	if err != nil || inbox.Usable(stamp) {
		return err
	}
	lease, err := b.Activity.Renew(ctx, viewer, b.Policy.ActiveFor)
	if err != nil {
		return err
	}
	now := b.Clock()
	mark := feed.BuildHeader{Token: rand.Text(), Generation: stamp.Generation, StartedAt: feed.Millis(now)}
	began, err := b.Inboxes.BeginBuild(ctx, viewer, mark, feed.Millis(now.Add(-b.Policy.BuildPatience)))
	if !began || err != nil {
		return err
	}
	keys, floor, err := b.covered(ctx, viewer, feed.FolloweeFilter{}, feed.Bottom)
	if err != nil {
		return err
	}
	build := feed.Build{Keys: keys, Floor: floor, Version: stamp.Version, WarmUntil: lease.Until}
	ready, err := b.Inboxes.FinishBuild(ctx, viewer, mark.Token, build)
	if ready && b.Trace.InboxBuilt != nil {
		b.Trace.InboxBuilt(viewer, len(keys))
	}
	return err
}

// look reads the header of viewer's inbox, and after it his stamp.
func (b *Builder) look(ctx context.Context, viewer feed.UserID) (feed.Inbox, feed.ViewerVersion, error) {
	inbox, err := b.Inboxes.Read(ctx, viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1})
	if err != nil {
		return feed.Inbox{}, feed.ViewerVersion{}, err
	}
	stamp, err := b.Relations.ViewerVersion(ctx, viewer)
	return inbox, stamp, err
}

// covered lists what an inbox with the given floor must hold of a share of the
// viewer's followees, as much of it as fits, and the floor that this leaves.
func (b *Builder) covered(ctx context.Context, viewer feed.UserID, s feed.FolloweeFilter, floor feed.Key) ([]feed.Key, feed.Key, error) {
	// One key more than fits is the newest that must be left out.
	keys, err := b.Coverage.Covered(ctx, viewer, s, feed.Range{Above: floor, Below: feed.Top, Limit: b.Policy.InboxCap + 1})
	if err != nil {
		return nil, feed.Bottom, err
	}
	if len(keys) <= b.Policy.InboxCap {
		return keys, floor, nil
	}
	return keys[:b.Policy.InboxCap], keys[b.Policy.InboxCap], nil
}

// amendTries is how often an amendment is worked out anew because the inbox was
// changed meanwhile. Whoever changed it did a part of the work, and what then is left
// the next read asks for.
const amendTries = 3

// amend brings a usable inbox up to date by what plan works out for it. There is
// nothing to do when plan returns nil, and without a usable inbox it is built instead.
func (b *Builder) amend(ctx context.Context, viewer feed.UserID, plan func(feed.Inbox, feed.ViewerVersion) (*feed.Amendment, error)) error {
	for range amendTries {
		inbox, stamp, err := b.look(ctx, viewer)
		if err != nil {
			return err
		}
		if !inbox.Usable(stamp) {
			return b.Build(ctx, viewer)
		}
		a, err := plan(inbox, stamp)
		if a == nil || err != nil {
			return err
		}
		a.Token, a.Version = inbox.Token, inbox.Version
		if done, err := b.Inboxes.Amend(ctx, viewer, *a); done || err != nil {
			return err
		}
	}
	return nil
}
