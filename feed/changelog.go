package feed

import (
	"context"
	"time"
)

// StampLease is how long after it began a poll of the [ChangeLog] may be relied on. A change of
// a viewer's version waits for as long between its commit and its return, if processes rely on
// polls. So it is part of what programs that share a database agree on: one that waits less
// than another one leases shows stale feeds. Ten milliseconds are about what such a change
// takes by itself, and a poll takes one or two of them on a busy machine.
const StampLease = 10 * time.Millisecond

// HoldFor is how long polls may be relied on after [ChangeLog.Hold].
const HoldFor = 20 * time.Second

// ChangesKeptFor is how long a [ChangeLog] can tell what has changed since a position.
const ChangesKeptFor = time.Minute

// ChangeLog tells whose stamps have changed. It is part of the source of truth.
type ChangeLog interface {
	// Look looks at all stamps, as of one moment after it was called. The look tells what
	// has changed since the one whose position is given; nothing of that when it is empty.
	Look(ctx context.Context, since string) (Look, error)
	// Hold has writers wait. From its return on, and for [HoldFor] and longer, whatever
	// changes a stamp, or finds that it need not, returns [StampLease] or more after what it
	// relies on was committed.
	Hold(ctx context.Context) error
}

// Look is what one look at all stamps finds.
type Look struct {
	// Position is where the next look goes on.
	Position string
	// Changed are those whose [Stamp.Version] or [Stamp.Own] has changed since the position
	// that was given, and perhaps others, in no order. When they cannot be told, because
	// there was no position, it is of another server or they are too many, Whole is false.
	Changed []UserID
	Whole   bool
	Sight
}

// Sight is what is the same for all viewers at one moment.
type Sight struct {
	// Generation, Marks and Now are those of every [Stamp].
	Generation, Marks, Now int64
	// Transitions is the number of the last transition of a live session.
	Transitions int64
	// Leaving says that some account is deleted whose relations are still to be ended.
	Leaving bool
}
