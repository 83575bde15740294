package inbox

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// WarmUp records that viewer is active, and makes their inbox cover selective authors until the new
// lease ends. A warm inbox only needs the new end, since the old lease was still in force at the
// commit. Otherwise pushes may be missed up to the commit, so the outboxes of selective authors are
// read after it.
func (b *Builder) WarmUp(ctx context.Context, viewer feed.UserID) error {
	return b.amend(ctx, viewer, func(inbox feed.Inbox, _ feed.ViewerVersion) (*feed.Amendment, error) {
		lease, err := b.Activity.Renew(ctx, viewer, b.Policy.ActiveFor)
		if err != nil {
			return nil, err
		}
		a := &feed.Amendment{NewVersion: inbox.Version, WarmUntil: lease.Until, Floor: inbox.Floor}
		if inbox.Warm(lease.Now) {
			// While the token is the same, no other process takes back the warmth.
			return a, nil
		}
		a.Add, a.Floor, err = b.covered(ctx, viewer, feed.FolloweeFilter{Selective: true}, inbox.Floor)
		return a, err
	})
}
