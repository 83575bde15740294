package inbox

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// WarmUp notes that viewer is active and makes his inbox cover selective authors for
// as long as the lease lasts that this gives him.
//
// While the inbox is warm, the lease that ends was in force when the new one was
// committed, so no push to active followers has passed the viewer by: writing the new
// end into the header is all there is to do. Otherwise pushes may have, up to the
// commit of the lease and no further; so what selective authors have published is
// read after it. Whatever the header says meanwhile, recording activity alone warms
// nothing.
func (b *Builder) WarmUp(ctx context.Context, viewer feed.UserID) error {
	return b.amend(ctx, viewer, func(inbox feed.Inbox, _ feed.ViewerVersion) (*feed.Amendment, error) {
		lease, err := b.Activity.Renew(ctx, viewer, b.Policy.ActiveFor)
		if err != nil {
			return nil, err
		}
		a := &feed.Amendment{NewVersion: inbox.Version, WarmUntil: lease.Until, Floor: inbox.Floor}
		if inbox.Warm(lease.Now) {
			// While the token is the same nobody takes back what the header said of
			// its warmth, so this needs no look at the time of writing.
			return a, nil
		}
		a.Add, a.Floor, err = b.covered(ctx, viewer, feed.FolloweeFilter{Selective: true}, inbox.Floor)
		return a, err
	})
}
