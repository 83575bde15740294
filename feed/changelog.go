package feed

import (
	"context"
	"time"
)

// ChangesKeptFor is how far back a [ChangeLog] knows changes.
const ChangesKeptFor = time.Minute

// ChangeLog reports which viewer versions have changed. It is part of the source of truth.
type ChangeLog interface {
	// Poll returns the viewers whose version has changed since the position of an earlier poll,
	// and the common version, all as of one moment after the call. An empty position names no
	// viewers.
	Poll(ctx context.Context, since string) (Poll, error)
}

// Poll is the result of one poll of the change log.
type Poll struct {
	Position string
	// Changed may name others too. Whole is false if the list may lack viewers.
	Changed []UserID
	Whole   bool
	CommonVersion
}

// CommonVersion is the part of a version that all viewers share, at one moment.
type CommonVersion struct {
	Generation, Flags, Now int64
	// Transitions is the number of the last transition of a live session.
	Transitions int64
	// Leaving says that the relations of a deleted account have not all been removed yet.
	Leaving bool
}
