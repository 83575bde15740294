package feed

import "context"

// Follower changes whom a viewer follows.
type Follower struct {
	Follows   Follows
	Directory *Directory
	Queue     Queue
	Clock     Clock
	Policy    Policy
	Trace     Trace
}

// Follow makes viewer follow target and returns target. From the next read on
// target's contents stand in viewer's feed, also the earlier ones. Following twice
// changes nothing. Following oneself is [CodeInvalid], following too many
// [CodeFollowLimit], and a target who is not there or blocks viewer is
// [CodeNotFound].
func (f *Follower) Follow(ctx context.Context, viewer, target UserID) (*User, error) {
	if viewer == target {
		return nil, Errorf(CodeInvalid, "nobody can follow himself").At("userId")
	}
	return f.change(ctx, viewer, target, func(e Edge) bool { return !e.BlockedBy }, func() error {
		return f.Follows.Follow(ctx, viewer, target, Millis(f.Clock()), f.Policy.FollowLimit)
	})
}

// Unfollow ends it and returns target; from the next read on target's contents are
// gone from viewer's feed. Unfollowing whom one does not follow changes nothing. A
// target who is not there is [CodeNotFound], and so is one who blocks viewer, except
// that a follow which stands can be ended.
func (f *Follower) Unfollow(ctx context.Context, viewer, target UserID) (*User, error) {
	return f.change(ctx, viewer, target, func(e Edge) bool { return !e.BlockedBy || e.Follows }, func() error {
		return f.Follows.Unfollow(ctx, viewer, target)
	})
}

// change checks that target is there and that the edge to him allows it, applies
// the change, and has viewer's inbox brought up to his new version. Nothing depends
// on the latter: a read pulls whoever the inbox does not cover yet.
func (f *Follower) change(ctx context.Context, viewer, target UserID, allows func(Edge) bool, apply func() error) (*User, error) {
	users, err := f.Directory.judged(ctx, viewer, []UserID{target}, allows)
	if err != nil {
		return nil, err
	}
	if users[0] == nil {
		return nil, Errorf(CodeNotFound, "there is no such user").At("userId")
	}
	if err := apply(); err != nil {
		return nil, err
	}
	f.Trace.NoteEnqueue(f.Queue.Reconcile(ctx, viewer))
	return users[0], nil
}
