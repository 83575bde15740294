package people

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Follower changes whom a viewer follows.
type Follower struct {
	Follows   feed.Follows
	Directory *Directory
	Queue     feed.Queue
	Clock     feed.Clock
	Policy    feed.Policy
	Trace     feed.Trace
}

// Follow makes viewer follow target and returns target. From the next read on
// target's contents stand in viewer's feed, also the earlier ones. Following twice
// changes nothing. Following oneself is [feed.CodeInvalid], following too many
// [feed.CodeFollowLimit], and a target who is not there or blocks viewer is
// [feed.CodeNotFound].
func (f *Follower) Follow(ctx context.Context, viewer, target feed.UserID) (*feed.User, error) {
	if viewer == target {
		return nil, feed.Errorf(feed.CodeInvalid, "nobody can follow himself").At("userId")
	}
	return f.change(ctx, viewer, target, func(e feed.Edge) bool { return !e.BlockedBy }, func() error {
		return f.Follows.Follow(ctx, viewer, target, feed.Millis(f.Clock()), f.Policy.FollowLimit)
	})
}

// Unfollow ends it and returns target; from the next read on target's contents are
// gone from viewer's feed. Unfollowing whom one does not follow changes nothing. A
// target who is not there is [feed.CodeNotFound], and so is one who blocks viewer, except
// that a follow which stands can be ended.
func (f *Follower) Unfollow(ctx context.Context, viewer, target feed.UserID) (*feed.User, error) {
	return f.change(ctx, viewer, target, func(e feed.Edge) bool { return !e.BlockedBy || e.Follows }, func() error {
		return f.Follows.Unfollow(ctx, viewer, target)
	})
}

// change checks that target is there and that the edge to him allows it, applies
// the change, and has viewer's inbox brought up to his new version. Nothing depends
// on the latter: a read pulls whoever the inbox does not cover yet.
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
