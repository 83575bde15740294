package resolvers

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
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

// updateProfile changes what the input names of the viewer's profile.
func (r *Resolver) updateProfile(ctx context.Context, in graph.UpdateProfileInput) (*feed.User, error) {
	c, err := profileChange(in)
	if err != nil {
		return nil, err
	}
	return r.deps.Accounts.UpdateProfile(ctx, ViewerFrom(ctx), c)
}

// profileChange reads an input. A field that was left out stays nil, which changes
// nothing; to the domain the empty avatar is none.
func profileChange(in graph.UpdateProfileInput) (feed.ProfileChange, error) {
	var c feed.ProfileChange
	var err error
	if c.Handle, err = changedText("handle", in.Handle); err != nil {
		return c, err
	}
	if c.Name, err = changedText("name", in.Name); err != nil {
		return c, err
	}
	c.AvatarURL = clearedText(in.AvatarURL)
	if avatar := in.AvatarURL.Value(); avatar != nil && *avatar == "" {
		// A client that fills in what was left out, as some do, would lose the picture.
		return c, feed.Errorf(feed.CodeInvalid, "an empty text is no URL; null takes the picture away").At("avatarUrl")
	}
	return c, nil
}

// clearedText reads a field that may be left out; null is the empty text.
func clearedText(in graphql.Omittable[*string]) *string {
	text, given := in.ValueOK()
	if given && text == nil {
		return new(string)
	}
	return text
}

// changedText reads a field that may be left out but must not be null.
func changedText(field string, in graphql.Omittable[*string]) (*string, error) {
	text, given := in.ValueOK()
	if given && text == nil {
		return nil, feed.Errorf(feed.CodeInvalid, "the %s cannot be taken away; leave it out to keep it", field).At(field)
	}
	return text, nil
}
