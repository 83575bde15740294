package inbox

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// WarmUp records that viewer is active, and makes their inbox cover selective authors until the
// new lease ends.
//
// If the inbox is warm, the old lease was in force when the new one was committed, so no push was
// missed and the header only needs the new end. Otherwise pushes may have been missed up to the
// commit of the lease, so the outboxes of selective authors are read after it. Renewing the lease
// alone never warms an inbox.
func (b *Builder) WarmUp(ctx context.Context, viewer feed.UserID) error {
	return b.amend(ctx, viewer, func(inbox feed.Inbox, _ feed.ViewerVersion) (*feed.Amendment, error) {
		lease, err := b.Activity.Renew(ctx, viewer, b.Policy.ActiveFor)
		if err != nil {
			return nil, err
		}
		a := &feed.Amendment{NewVersion: inbox.Version, WarmUntil: lease.Until, Floor: inbox.Floor}
		if inbox.Warm(lease.Now) {
			// While the token is the same, no other process takes back the warmth in the header,
			// so the write needs no check.
			return a, nil
		}
		a.Add, a.Floor, err = b.covered(ctx, viewer, feed.FolloweeFilter{Selective: true}, inbox.Floor)
		return a, err
	})
}
