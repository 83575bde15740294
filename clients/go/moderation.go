package tideline

import (
	"context"
	"time"
)

// TakeDownPost hides a post from all but its author, who reads the reason. The methods in this file need the
// token of a moderator, or of a service without a user that it acts for.
func (c *Client) TakeDownPost(ctx context.Context, post ID, reason string) (*Content, error) {
	got, err := TakeDownPost(ctx, c, TakeDownPostInput{PostId: post, Reason: reason})
	if err != nil {
		return nil, err
	}
	return changedPost(got.TakeDownPost)
}

// RestorePost shows a post again that a moderator has taken down.
func (c *Client) RestorePost(ctx context.Context, post ID) (*Content, error) {
	got, err := RestorePost(ctx, c, PostIdInput{PostId: post})
	if err != nil {
		return nil, err
	}
	return changedPost(got.RestorePost)
}

// SuspendUser hides the posts and live sessions of a user, and refuses their changes, until a time; nil for no
// end.
func (c *Client) SuspendUser(ctx context.Context, user ID, reason string, until *time.Time) (*Profile, error) {
	got, err := SuspendUser(ctx, c, SuspendUserInput{UserId: user, Reason: reason, Until: until})
	if err != nil {
		return nil, err
	}
	return changedUser(got.SuspendUser)
}

// RestoreUser ends the suspension of a user by a moderator.
func (c *Client) RestoreUser(ctx context.Context, user ID) (*Profile, error) {
	got, err := RestoreUser(ctx, c, UserIdInput{UserId: user})
	if err != nil {
		return nil, err
	}
	return changedUser(got.RestoreUser)
}

// ModerationLog returns a page of the takedowns and suspensions, newest first: those of a subject, or all if
// it is nil.
func (c *Client) ModerationLog(ctx context.Context, subject *ModerationSubject, options ...PageOption) (*ModerationPage, error) {
	p := choose(options)
	got, err := ReadModerationLog(ctx, c, subject, p.first, p.after)
	if err != nil {
		return nil, err
	}
	return &got.ModerationLog, nil
}
