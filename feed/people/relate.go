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

// Relate makes viewer mute, hide from or block target, or ends that if on is false, and returns
// target. Repeated, it changes nothing. Doing it to oneself is [feed.CodeInvalid]; a target who is
// missing, or blocks viewer with nothing to end, is [feed.CodeNotFound].
func (r *Relations) Relate(ctx context.Context, viewer feed.UserID, kind feed.RelationKind, target feed.UserID, on bool) (*feed.User, error) {
	if viewer == target {
		return nil, feed.Errorf(feed.CodeInvalid, "users cannot %s themselves", kind).At("userId")
	}
	user, err := r.Directory.target(ctx, viewer, target, func(e feed.Edge) bool {
		return !e.BlockedBy || !on && does(e, kind)
	})
	if err != nil {
		return nil, err
	}
	if on {
		err = r.Relater.Relate(ctx, feed.RelationRecord{Kind: kind, User: viewer, Target: target, CreatedAt: feed.Millis(r.Clock())})
	} else {
		err = r.Relater.Unrelate(ctx, kind, viewer, target)
	}
	if err != nil {
		return nil, err
	}
	return user, nil
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
