package feed

import (
	"context"
	"crypto/rand"
)

// Builder makes inboxes out of the outboxes.
type Builder struct {
	Inboxes   Inboxes
	Relations Relations
	Reference Reference
	Clock     Clock
	Policy    Policy
	Trace     Trace
}

// Build makes viewer's inbox complete up to his present relations version, unless
// it is already, or another build of it is under way.
//
// The building mark is written before the outboxes are read, and from then on
// pushes apply to the new inbox. So a content committed while the build runs is
// either in what the build reads, or its push comes later and finds the mark. The
// stamp is read before both: edges that are newer than it may be in the build or
// not, and a read pulls their authors in either case.
func (b *Builder) Build(ctx context.Context, viewer UserID) error {
	inbox, err := b.Inboxes.Read(ctx, viewer, Range{Above: Bottom, Below: Top, Limit: 1})
	if err != nil {
		return err
	}
	stamp, err := b.Relations.Stamp(ctx, viewer)
	if err != nil || inbox.current(stamp) {
		return err
	}
	now := b.Clock()
	mark := BuildMark{Token: rand.Text(), Generation: stamp.Generation, StartedAt: Millis(now)}
	began, err := b.Inboxes.BeginBuild(ctx, viewer, mark, Millis(now.Add(-b.Policy.BuildPatience)))
	if !began || err != nil {
		return err
	}
	// One key more than fits is the newest that must be left out: the floor.
	keys, err := b.Reference.Covered(ctx, viewer, Range{Above: Bottom, Below: Top, Limit: b.Policy.InboxCap + 1})
	if err != nil {
		return err
	}
	build := Build{Keys: keys, Version: stamp.Version}
	if len(keys) > b.Policy.InboxCap {
		build.Keys, build.Floor = keys[:b.Policy.InboxCap], keys[b.Policy.InboxCap]
	}
	ready, err := b.Inboxes.FinishBuild(ctx, viewer, mark.Token, build)
	if ready {
		b.Trace.inboxBuilt(viewer, len(build.Keys))
	}
	return err
}
