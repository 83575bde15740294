package feed

import "context"

// Moderator changes whom a viewer mutes, hides from and blocks.
type Moderator struct {
	Relater   Relater
	Directory *Directory
	Clock     Clock
}

// Relate makes viewer mute, hide from or block target, or, when on is false, ends
// it, and returns target. It shows in viewer's next read. Doing either twice changes
// nothing. Doing it to oneself is [CodeInvalid]; a target who is not there or blocks
// viewer is [CodeNotFound], except that whatever stands can be ended.
func (m *Moderator) Relate(ctx context.Context, viewer UserID, kind RelationKind, target UserID, on bool) (*User, error) {
	if viewer == target {
		return nil, Errorf(CodeInvalid, "nobody can %s himself", kind).At("userId")
	}
	users, err := m.Directory.judged(ctx, viewer, []UserID{target}, func(e Edge) bool {
		return !e.BlockedBy || !on && does(e, kind)
	})
	if err != nil {
		return nil, err
	}
	if users[0] == nil {
		return nil, Errorf(CodeNotFound, "there is no such user").At("userId")
	}
	if on {
		err = m.Relater.Relate(ctx, RelationRecord{Kind: kind, User: viewer, Target: target, CreatedAt: Millis(m.Clock())})
	} else {
		err = m.Relater.Unrelate(ctx, kind, viewer, target)
	}
	if err != nil {
		return nil, err
	}
	return users[0], nil
}

// does reports whether the viewer does that to the other.
func does(e Edge, kind RelationKind) bool {
	switch kind {
	case RelationMute:
		return e.Mutes
	case RelationHide:
		return e.HidesFrom
	case RelationBlock:
		return e.Blocks
	}
	return false
}
