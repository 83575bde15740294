package people

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Follower changes the follows of viewers.
type Follower struct {
	Follows   feed.Follows
	Requests  feed.FollowRequests
	Directory *Directory
	Clock     feed.Clock
	Policy    feed.Policy
}

// Follow makes viewer follow target and returns target; the next read has target's posts. If the account
// is private, viewer asks to follow instead. Repeated, it changes only the options of choice. Following
// oneself is [feed.CodeInvalid], too many follows and requests, or special ones, are [feed.CodeFollowLimit],
// and a target who is missing or blocks viewer is [feed.CodeNotFound].
func (f *Follower) Follow(ctx context.Context, viewer, target feed.UserID, choice feed.FollowChoice) (*feed.User, error) {
	if viewer == target {
		return nil, feed.Errorf(feed.CodeInvalid, "users cannot follow themselves").At("userId")
	}
	return f.change(ctx, viewer, target, func(e feed.Edge) bool { return !e.BlockedBy }, func() error {
		return f.Follows.Follow(ctx, viewer, target, feed.Millis(f.Clock()), f.Policy.FollowLimit, choice)
	})
}

// Update changes options of viewer's follow of target, or of the request, and returns target; the next read
// honours them. Without either it is [feed.CodeNotFound]; too many special follows are [feed.CodeFollowLimit].
func (f *Follower) Update(ctx context.Context, viewer, target feed.UserID, choice feed.FollowChoice) (*feed.User, error) {
	return f.change(ctx, viewer, target, func(e feed.Edge) bool { return !e.BlockedBy || e.Follows }, func() error {
		return f.Follows.UpdateFollow(ctx, viewer, target, choice)
	})
}

// Unfollow ends a follow or a request, if any, and returns target; the next read lacks target's posts. A
// target who is missing, or blocks viewer without a follow to end, is [feed.CodeNotFound].
func (f *Follower) Unfollow(ctx context.Context, viewer, target feed.UserID) (*feed.User, error) {
	return f.change(ctx, viewer, target, func(e feed.Edge) bool { return !e.BlockedBy || e.Follows }, func() error {
		return f.Follows.Unfollow(ctx, viewer, target)
	})
}

// change leaves the inbox to the next read, which pulls authors that the inbox does not cover, and
// requests one reconciliation for all changes since the last one.
func (f *Follower) change(ctx context.Context, viewer, target feed.UserID, allows func(feed.Edge) bool, apply func() error) (*feed.User, error) {
	user, err := f.Directory.target(ctx, viewer, target, allows)
	if err != nil {
		return nil, err
	}
	if err := apply(); err != nil {
		return nil, err
	}
	return user, nil
}

// Accept makes target, who has asked to, follow viewer, and returns target. Without a request it
// is [feed.CodeNotFound]; of a follower it changes nothing.
func (f *Follower) Accept(ctx context.Context, viewer, target feed.UserID) (*feed.User, error) {
	return f.changeFollower(ctx, viewer, target, func() error {
		return f.Requests.AcceptFollow(ctx, viewer, target, feed.Millis(f.Clock()))
	})
}

// Reject ends the request of target to follow viewer, if any, and returns target.
func (f *Follower) Reject(ctx context.Context, viewer, target feed.UserID) (*feed.User, error) {
	return f.changeFollower(ctx, viewer, target, func() error { return f.Requests.RejectFollow(ctx, viewer, target) })
}

// Remove ends the follow of viewer by target, if any, and returns target, whose next read lacks what viewer
// shows to followers only.
func (f *Follower) Remove(ctx context.Context, viewer, target feed.UserID) (*feed.User, error) {
	return f.changeFollower(ctx, viewer, target, func() error { return f.Follows.Unfollow(ctx, target, viewer) })
}

// changeFollower changes what target has with viewer. A target who blocks viewer is [feed.CodeNotFound],
// unless they are in viewer's list of followers.
func (f *Follower) changeFollower(ctx context.Context, viewer, target feed.UserID, apply func() error) (*feed.User, error) {
	edges, err := f.Directory.Relations.Edges(ctx, target, []feed.UserID{viewer})
	if err != nil {
		return nil, err
	}
	return f.change(ctx, viewer, target, func(e feed.Edge) bool { return !e.BlockedBy || edges[0].Follows }, apply)
}
