package resolvers

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// owner returns the author of a visible post, or the host of a session. It fails if the store has
// lost them.
func owner[ID fmt.Stringer](ctx context.Context, what string, id ID, user feed.UserID) (*feed.User, error) {
	u, err := loaders.From(ctx).User(ctx, user)
	if err == nil && u == nil {
		return nil, fmt.Errorf("%s %s is by user %d, who is not stored", what, id, user)
	}
	return u, err
}

// account returns the account of the signed-in viewer, which the token may outlive. Of an absent
// viewer, it has no profile.
func (r *Resolver) account(ctx context.Context, viewer feed.UserID) (*feed.User, error) {
	u, err := loaders.From(ctx).User(ctx, viewer)
	if err == nil && u == nil {
		u, err = r.deps.Accounts.Absent(ctx, viewer)
	}
	if err == nil && u == nil {
		return nil, feed.Errorf(feed.CodeUnauthenticated, "the signed-in user has no account")
	}
	return u, err
}

func (r *Resolver) updateProfile(ctx context.Context, in graph.UpdateProfileInput) (*feed.User, error) {
	c, err := profileChange(in)
	if err != nil {
		return nil, err
	}
	return r.deps.Accounts.UpdateProfile(ctx, ViewerFrom(ctx), c)
}

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
		// Some clients send an empty text for an absent field, and would lose the picture.
		return c, feed.Errorf(feed.CodeInvalid, "an empty text is not a URL; use null to remove the picture").At("avatarUrl")
	}
	private, given := in.IsPrivate.ValueOK()
	if given && private == nil {
		return c, feed.Errorf(feed.CodeInvalid, "an account is private or not; leave the field out to keep it").At("isPrivate")
	}
	c.Private = private
	return c, nil
}

// clearedText converts an optional field. Null becomes the empty text.
func clearedText(in graphql.Omittable[*string]) *string {
	text, given := in.ValueOK()
	if given && text == nil {
		return new(string)
	}
	return text
}

// changedText converts an optional field that must not be null.
func changedText(field string, in graphql.Omittable[*string]) (*string, error) {
	text, given := in.ValueOK()
	if given && text == nil {
		return nil, feed.Errorf(feed.CodeInvalid, "the %s cannot be removed; leave it out to keep it", field).At(field)
	}
	return text, nil
}
