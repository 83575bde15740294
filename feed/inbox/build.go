package inbox

import (
	"context"
	"crypto/rand"

	"github.com/tideline-feeds/tideline/feed"
)

// Builder builds inboxes from the outboxes and keeps them complete. Its methods are idempotent and
// safe for concurrent calls, also for one viewer. The publisher commits a post and then lists
// followers and activity; a builder commits its own write (edge, lease, building header) and then
// reads outboxes. Whichever comes second sees the other: the builder the post, or the push the
// write.
type Builder struct {
	Inboxes   feed.Inboxes
	Relations feed.Relations
	Coverage  feed.Coverage
	Activity  feed.Activity
	// Posts must not read from a cache.
	Posts  feed.Posts
	Clock  feed.Clock
	Policy feed.Policy
	Trace  feed.Trace
}

// Build makes viewer's inbox, warm and complete, unless it is usable or being built. During a bulk
// load it does nothing. From the
// building header on, pushes apply to the new inbox. The viewer version is read before: the build
// may lack a newer edge, but then a read pulls its author.
func (b *Builder) Build(ctx context.Context, viewer feed.UserID) error {
	inbox, current, err := b.header(ctx, viewer)
	if err != nil || current.Loading || inbox.Usable(current) {
		return err
	}
	lease, err := b.Activity.Renew(ctx, viewer, b.Policy.ActiveFor)
	if err != nil {
		return err
	}
	now := b.Clock()
	mark := feed.BuildHeader{Token: rand.Text(), Generation: current.Generation, StartedAt: feed.Millis(now)}
	began, err := b.Inboxes.BeginBuild(ctx, viewer, mark, feed.Millis(now.Add(-b.Policy.BuildPatience)))
	if !began || err != nil {
		return err
	}
	keys, floor, err := b.covered(ctx, viewer, feed.FolloweeFilter{}, feed.Bottom)
	if err != nil {
		return err
	}
	build := feed.Build{Keys: keys, Floor: floor, Version: current.Version, WarmUntil: lease.Until}
	ready, err := b.Inboxes.FinishBuild(ctx, viewer, mark.Token, build)
	if ready && b.Trace.InboxBuilt != nil {
		b.Trace.InboxBuilt(viewer, len(keys))
	}
	return err
}

// header returns the header of viewer's inbox, and the viewer version read after it.
func (b *Builder) header(ctx context.Context, viewer feed.UserID) (feed.Inbox, feed.ViewerVersion, error) {
	inbox, err := b.Inboxes.Read(ctx, viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1})
	if err != nil {
		return feed.Inbox{}, feed.ViewerVersion{}, err
	}
	current, err := b.Relations.ViewerVersion(ctx, viewer)
	return inbox, current, err
}

// covered lists what an inbox must hold above a floor, up to the cap, and the resulting floor.
func (b *Builder) covered(ctx context.Context, viewer feed.UserID, s feed.FolloweeFilter, floor feed.Key) ([]feed.Key, feed.Key, error) {
	// One key more than the cap is the newest that must be left out.
	keys, err := b.Coverage.Covered(ctx, viewer, s, feed.Range{Above: floor, Below: feed.Top, Limit: b.Policy.InboxCap + 1})
	if err != nil {
		return nil, feed.Bottom, err
	}
	if len(keys) <= b.Policy.InboxCap {
		return keys, floor, nil
	}
	return keys[:b.Policy.InboxCap], keys[b.Policy.InboxCap], nil
}

// amendTries limits the tries if the inbox changes meanwhile. The next read asks for the rest.
const amendTries = 3

// amend applies the amendment that plan returns, if any. It builds an inbox that is not usable.
func (b *Builder) amend(ctx context.Context, viewer feed.UserID, plan func(feed.Inbox, feed.ViewerVersion) (*feed.Amendment, error)) error {
	for range amendTries {
		inbox, current, err := b.header(ctx, viewer)
		if err != nil {
			return err
		}
		if !inbox.Usable(current) {
			return b.Build(ctx, viewer)
		}
		a, err := plan(inbox, current)
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
