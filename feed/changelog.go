package feed

import (
	"context"
	"time"
)

// ChangesKeptFor is how long a [ChangeLog] can tell what has changed since a position.
const ChangesKeptFor = time.Minute

// ChangeLog tells which viewer versions have changed. It is part of the source of truth.
type ChangeLog interface {
	// Poll reads what all viewer versions have become, as of one moment after it was called. It
	// names what has changed since the position of an earlier poll; nothing if since is empty.
	Poll(ctx context.Context, since string) (Poll, error)
}

// Poll is what one poll of the change log finds.
type Poll struct {
	// Position is where the next poll continues.
	Position string
	// Changed are the viewers whose [ViewerVersion.Version] or [ViewerVersion.Own] has changed
	// since the position that was given, and perhaps others, in no order. Whole is false if they
	// cannot be told, because there was no position, it is of another server, or they are too
	// many.
	Changed []UserID
	Whole   bool
	CommonVersion
}

// CommonVersion is what is the same for all viewers at one moment.
type CommonVersion struct {
	// Generation, Marks and Now are those of every [ViewerVersion].
	Generation, Flags, Now int64
	// Transitions is the number of the last transition of a live session.
	Transitions int64
	// Leaving says that an account is deleted whose relations are still to be ended.
	Leaving bool
}
