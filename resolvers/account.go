package resolvers

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// author returns who published a content. A content that is seen has an author that
// is shown, whatever he thinks of the viewer; one without is a broken store.
func author(ctx context.Context, p *feed.Post) (*feed.User, error) {
	u, err := loaders.From(ctx).User(ctx, p.Author)
	if err == nil && u == nil {
		return nil, fmt.Errorf("content %d is by user %d, who is not stored", p.ID, p.Author)
	}
	return u, err
}

// account returns the account of whoever is signed in. A token may outlive it.
func account(ctx context.Context, viewer feed.UserID) (*feed.User, error) {
	u, err := loaders.From(ctx).User(ctx, viewer)
	if err == nil && u == nil {
		return nil, feed.Errorf(feed.CodeUnauthenticated, "the signed-in user has no account here")
	}
	return u, err
}
