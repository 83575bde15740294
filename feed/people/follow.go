package people

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Follower changes the follows of viewers.
type Follower struct {
	Follows   feed.Follows
	Directory *Directory
	Queue     feed.Queue
	Clock     feed.Clock
	Policy    feed.Policy
	Trace     feed.Trace
}

// Follow makes viewer follow target and returns target. The next read of viewer's feed has
// target's posts, old ones too. Following twice changes nothing. Following oneself is
// [feed.CodeInvalid], too many follows are [feed.CodeFollowLimit], and a target who does not
// exist or blocks viewer is [feed.CodeNotFound].
func (f *Follower) Follow(ctx context.Context, viewer, target feed.UserID) (*feed.User, error) {
	if viewer == target {
		return nil, feed.Errorf(feed.CodeInvalid, "users cannot follow themselves").At("userId")
	}
	return f.change(ctx, viewer, target, func(e feed.Edge) bool { return !e.BlockedBy }, func() error {
		return f.Follows.Follow(ctx, viewer, target, feed.Millis(f.Clock()), f.Policy.FollowLimit)
	})
}

// Unfollow ends a follow and returns target; the next read of viewer's feed lacks target's posts.
// Without a follow it changes nothing. A target who does not exist is [feed.CodeNotFound], and so
// is one who blocks viewer, unless there is a follow to end.
func (f *Follower) Unfollow(ctx context.Context, viewer, target feed.UserID) (*feed.User, error) {
	return f.change(ctx, viewer, target, func(e feed.Edge) bool { return !e.BlockedBy || e.Follows }, func() error {
		return f.Follows.Unfollow(ctx, viewer, target)
	})
}

// change applies a change to the edge between viewer and target, if the edge allows it, and asks
// for a reconciliation of viewer's inbox. Until that has run, reads pull authors that the inbox
// does not cover.
func (f *Follower) change(ctx context.Context, viewer, target feed.UserID, allows func(feed.Edge) bool, apply func() error) (*feed.User, error) {
	user, err := f.Directory.target(ctx, viewer, target, allows)
	if err != nil {
		return nil, err
	}
	if err := apply(); err != nil {
		return nil, err
	}
	f.Trace.ReportEnqueue(f.Queue.Reconcile(ctx, viewer))
	return user, nil
}
