package inbox

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Reconcile brings viewer's inbox up to their relations version: it adds the posts of users
// followed since, and drops entries by users no longer followed, which only saves space. The
// amendment applies only to the version it was computed for. If an author is followed again
// meanwhile, it is refused, or the edge is newer than the version it writes: then reads pull the
// author until the next reconciliation. Selective authors are added to cold inboxes too. Otherwise
// a concurrent warm-up would claim authors that neither of the two has read.
func (b *Builder) Reconcile(ctx context.Context, viewer feed.UserID) error {
	return b.amend(ctx, viewer, func(inbox feed.Inbox, current feed.ViewerVersion) (*feed.Amendment, error) {
		if inbox.Version == current.Version {
			return nil, nil
		}
		keys, floor, err := b.covered(ctx, viewer, feed.FolloweeFilter{Since: inbox.Version}, inbox.Floor)
		if err != nil {
			return nil, err
		}
		gone, err := b.unfollowed(ctx, viewer, inbox.Version)
		if err != nil {
			return nil, err
		}
		return &feed.Amendment{Add: keys, Remove: gone, Floor: floor, NewVersion: current.Version}, nil
	})
}

func (b *Builder) unfollowed(ctx context.Context, viewer feed.UserID, since int64) ([]feed.Key, error) {
	authors, err := b.Coverage.Unfollowed(ctx, viewer, since)
	if len(authors) == 0 || err != nil {
		return nil, err
	}
	inbox, err := b.Inboxes.Read(ctx, viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: b.Policy.InboxCap})
	if err != nil {
		return nil, err
	}
	ids := make([]feed.PostID, len(inbox.Keys))
	for i, k := range inbox.Keys {
		ids[i] = feed.PostID(k.ID)
	}
	posts, err := b.Posts.Posts(ctx, ids)
	if err != nil {
		return nil, err
	}
	var gone []feed.Key
	for i, p := range posts {
		if p != nil && slices.Contains(authors, p.Author) {
			gone = append(gone, inbox.Keys[i])
		}
	}
	return gone, nil
}
