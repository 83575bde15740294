package tideline

import (
	"context"
	"time"
)

// Like likes a post.
func (c *Client) Like(ctx context.Context, post ID) (*Content, error) {
	got, err := LikePost(ctx, c, PostIdInput{PostId: post})
	if err != nil {
		return nil, err
	}
	return changedPost(got.LikePost)
}

// Unlike takes a like back.
func (c *Client) Unlike(ctx context.Context, post ID) (*Content, error) {
	got, err := UnlikePost(ctx, c, PostIdInput{PostId: post})
	if err != nil {
		return nil, err
	}
	return changedPost(got.UnlikePost)
}

// Favorite adds a post to the viewer's favorites.
func (c *Client) Favorite(ctx context.Context, post ID) (*Content, error) {
	got, err := FavoritePost(ctx, c, PostIdInput{PostId: post})
	if err != nil {
		return nil, err
	}
	return changedPost(got.FavoritePost)
}

// Unfavorite removes a post from the viewer's favorites.
func (c *Client) Unfavorite(ctx context.Context, post ID) (*Content, error) {
	got, err := UnfavoritePost(ctx, c, PostIdInput{PostId: post})
	if err != nil {
		return nil, err
	}
	return changedPost(got.UnfavoritePost)
}

// FollowOption sets an option of a follow. Options that are not given stay as they are; a new follow
// has none.
type FollowOption func(*followChoice)

type followChoice struct{ special, hideReposts, hideReplies *bool }

// Special says whether the user's posts are in the feed of special follows, too.
func Special(on bool) FollowOption { return func(c *followChoice) { c.special = &on } }

// HideReposts says whether the user's reposts are left out of the viewer's home feed.
func HideReposts(on bool) FollowOption { return func(c *followChoice) { c.hideReposts = &on } }

// HideReplies says whether the user's comments are left out of the viewer's home feed.
func HideReplies(on bool) FollowOption { return func(c *followChoice) { c.hideReplies = &on } }

func chooseFollow(options []FollowOption) (c followChoice) {
	for _, option := range options {
		option(&c)
	}
	return c
}

// Follow follows a user, or asks to if the user's account is private.
func (c *Client) Follow(ctx context.Context, user ID, options ...FollowOption) (*Profile, error) {
	o := chooseFollow(options)
	got, err := FollowUser(ctx, c, UserIdInput{UserId: user}, o.special, o.hideReposts, o.hideReplies)
	if err != nil {
		return nil, err
	}
	return changedUser(got.FollowUser)
}

// UpdateFollow changes options of a follow, or of a request to.
func (c *Client) UpdateFollow(ctx context.Context, user ID, options ...FollowOption) (*Profile, error) {
	o := chooseFollow(options)
	got, err := UpdateFollow(ctx, c, UserIdInput{UserId: user}, o.special, o.hideReposts, o.hideReplies)
	if err != nil {
		return nil, err
	}
	return changedUser(got.UpdateFollow)
}

// Unfollow stops following a user, or withdraws the request to.
func (c *Client) Unfollow(ctx context.Context, user ID) (*Profile, error) {
	got, err := UnfollowUser(ctx, c, UserIdInput{UserId: user})
	if err != nil {
		return nil, err
	}
	return changedUser(got.UnfollowUser)
}

// AcceptFollow accepts a user's request to follow the viewer.
func (c *Client) AcceptFollow(ctx context.Context, user ID) (*Profile, error) {
	got, err := AcceptFollow(ctx, c, UserIdInput{UserId: user})
	if err != nil {
		return nil, err
	}
	return changedUser(got.AcceptFollow)
}

// RejectFollow ends a user's request to follow the viewer.
func (c *Client) RejectFollow(ctx context.Context, user ID) (*Profile, error) {
	got, err := RejectFollow(ctx, c, UserIdInput{UserId: user})
	if err != nil {
		return nil, err
	}
	return changedUser(got.RejectFollow)
}

// RemoveFollower ends a user's follow of the viewer.
func (c *Client) RemoveFollower(ctx context.Context, user ID) (*Profile, error) {
	got, err := RemoveFollower(ctx, c, UserIdInput{UserId: user})
	if err != nil {
		return nil, err
	}
	return changedUser(got.RemoveFollower)
}

// Mute mutes a user.
func (c *Client) Mute(ctx context.Context, user ID) (*Profile, error) {
	return c.mute(ctx, user, nil)
}

// MuteUntil mutes a user until a time, at which the mute ends by itself.
func (c *Client) MuteUntil(ctx context.Context, user ID, until time.Time) (*Profile, error) {
	return c.mute(ctx, user, &until)
}

func (c *Client) mute(ctx context.Context, user ID, until *time.Time) (*Profile, error) {
	got, err := MuteUser(ctx, c, UserIdInput{UserId: user}, until)
	if err != nil {
		return nil, err
	}
	return changedUser(got.MuteUser)
}

// Unmute stops muting a user.
func (c *Client) Unmute(ctx context.Context, user ID) (*Profile, error) {
	got, err := UnmuteUser(ctx, c, UserIdInput{UserId: user})
	if err != nil {
		return nil, err
	}
	return changedUser(got.UnmuteUser)
}

// HideFrom hides the viewer's posts from a user.
func (c *Client) HideFrom(ctx context.Context, user ID) (*Profile, error) {
	got, err := HideFromUser(ctx, c, UserIdInput{UserId: user})
	if err != nil {
		return nil, err
	}
	return changedUser(got.HideFromUser)
}

// UnhideFrom stops hiding from a user.
func (c *Client) UnhideFrom(ctx context.Context, user ID) (*Profile, error) {
	got, err := UnhideFromUser(ctx, c, UserIdInput{UserId: user})
	if err != nil {
		return nil, err
	}
	return changedUser(got.UnhideFromUser)
}

// Block blocks a user.
func (c *Client) Block(ctx context.Context, user ID) (*Profile, error) {
	got, err := BlockUser(ctx, c, UserIdInput{UserId: user})
	if err != nil {
		return nil, err
	}
	return changedUser(got.BlockUser)
}

// Unblock stops blocking a user.
func (c *Client) Unblock(ctx context.Context, user ID) (*Profile, error) {
	got, err := UnblockUser(ctx, c, UserIdInput{UserId: user})
	if err != nil {
		return nil, err
	}
	return changedUser(got.UnblockUser)
}

func changedPost(c PostChange) (*Content, error) { return c.Post, Refused(c.UserErrors) }

func changedUser(c UserChange) (*Profile, error) { return c.User, Refused(c.UserErrors) }
