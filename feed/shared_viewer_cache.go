package feed

import (
	"context"
	"time"
)

// SharedViewerCache keeps what processes cache about viewers where all of them find it: beside
// the viewers' inboxes, so that a read which fetches an inbox fetches the entry with it. It may
// lose any entry, and return an old one, at any time: an entry holds only for the viewer
// version it was made under. It is used by many goroutines at once.
type SharedViewerCache interface {
	// ReadCached is [Inboxes.Read], and also returns the entry of the viewer that was put last;
	// nothing if there is none. The entry must not be changed.
	ReadCached(ctx context.Context, viewer UserID, r Range) (Inbox, []byte, error)
	// PutCached replaces the entry of a viewer, who need not have an inbox. It is kept for the
	// given time at most, which is positive. [Inboxes.Remove] drops it.
	PutCached(ctx context.Context, viewer UserID, entry []byte, keep time.Duration) error
}
