package resolvers

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// owner returns the author of a post, or the host of a session. A viewer who sees the post sees
// its author. An author who is not stored is a fault of the store.
func owner[ID fmt.Stringer](ctx context.Context, what string, id ID, user feed.UserID) (*feed.User, error) {
	u, err := loaders.From(ctx).User(ctx, user)
	if err == nil && u == nil {
		return nil, fmt.Errorf("%s %s is by user %d, who is not stored", what, id, user)
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
