package people

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Relations changes the mutes, hides and blocks of viewers.
type Relations struct {
	Relater   feed.Relater
	Directory *Directory
	Clock     feed.Clock
}

// Mute makes viewer mute target until a time, in milliseconds since the epoch; 0 for ever. Repeated, it sets the
// end. A time that is not in the future is [feed.CodeInvalid]. Other errors are those of [Relations.Relate].
func (r *Relations) Mute(ctx context.Context, viewer, target feed.UserID, until int64) (*feed.User, error) {
	now := feed.Millis(r.Clock())
	if until != 0 && until <= now {
		return nil, feed.Errorf(feed.CodeInvalid, "the mute must end in the future").At("until")
	}
	return r.set(ctx, feed.RelationRecord{Kind: feed.RelationMute, User: viewer, Target: target, CreatedAt: now, Until: until}, true)
}

// Relate makes viewer mute, hide from or block target, or ends that if on is false, and returns
// target. Repeated, it changes nothing. Doing it to oneself is [feed.CodeInvalid]; a target who is
// missing, or blocks viewer with nothing to end, is [feed.CodeNotFound].
func (r *Relations) Relate(ctx context.Context, viewer feed.UserID, kind feed.RelationKind, target feed.UserID, on bool) (*feed.User, error) {
	return r.set(ctx, feed.RelationRecord{Kind: kind, User: viewer, Target: target, CreatedAt: feed.Millis(r.Clock())}, on)
}

func (r *Relations) set(ctx context.Context, is feed.RelationRecord, on bool) (*feed.User, error) {
	if is.User == is.Target {
		return nil, feed.Errorf(feed.CodeInvalid, "users cannot %s themselves", is.Kind).At("userId")
	}
	user, err := r.Directory.target(ctx, is.User, is.Target, func(e feed.Edge) bool {
		return !e.BlockedBy || !on && does(e, is.Kind)
	})
	if err != nil {
		return nil, err
	}
	if on {
		err = r.Relater.Relate(ctx, is)
	} else {
		err = r.Relater.Unrelate(ctx, is.Kind, is.User, is.Target)
	}
	if err != nil {
		return nil, err
	}
	return user, nil
}

// endedAtOnce is how many mutes a call of the store ends, each in a transaction of its own.
const endedAtOnce = 100

// EndMutes ends the mutes whose time has come.
func (r *Relations) EndMutes(ctx context.Context) error {
	return whileMore(func() (bool, error) { return r.Relater.EndMutes(ctx, feed.Millis(r.Clock()), endedAtOnce) })
}

func does(e feed.Edge, kind feed.RelationKind) bool {
	switch kind {
	case feed.RelationMute:
		return e.Mutes
	case feed.RelationHide:
		return e.HidesFrom
	case feed.RelationBlock:
		return e.Blocks
	}
	return false
}
