package inbox

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Reconcile brings viewer's inbox up to his present relations version: it adds what
// those have published whom he has followed since, and drops the entries by those whom
// he has stopped following.
//
// All changes since the inbox's version are done at once, and the last state of every
// edge is what counts, so any number of follows and unfollows merge into one
// amendment. That takes effect only on the version it was made for; so when a purge
// comes late, after its author was followed again, either it is refused, or the edge
// is newer than the version it writes, and the next reconciliation adds what it
// dropped. Until then a read pulls that author. Purging is hygiene in any case: no
// feed shows an author who is not followed.
//
// Selective authors are added to cold inboxes too. Otherwise an inbox that is warmed
// up meanwhile would claim authors whom neither of the two has read.
func (b *Builder) Reconcile(ctx context.Context, viewer feed.UserID) error {
	return b.amend(ctx, viewer, func(inbox feed.Inbox, stamp feed.ViewerVersion) (*feed.Amendment, error) {
		if inbox.Version == stamp.Version {
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
		return &feed.Amendment{Add: keys, Remove: gone, Floor: floor, NewVersion: stamp.Version}, nil
	})
}

// unfollowed lists the entries of viewer's inbox by those whom he has stopped
// following since a version.
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
