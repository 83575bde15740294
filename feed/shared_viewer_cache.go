package feed

import (
	"context"
	"time"
)

// SharedViewerCache keeps cached viewer state next to the inboxes, for all processes. A read that
// fetches an inbox fetches the entry with it. The cache may lose an entry or return an old one at
// any time: an entry is valid only for the viewer version it holds. It is safe for concurrent
// use.
type SharedViewerCache interface {
	// ReadCached is [Inboxes.Read], and also returns the viewer's entry, nil if there is none.
	// The entry must not be changed.
	ReadCached(ctx context.Context, viewer UserID, r Range) (Inbox, []byte, error)
	// PutCached replaces the viewer's entry, whether there is an inbox or not. The entry expires
	// after keep, which is positive. [Inboxes.Remove] removes it.
	PutCached(ctx context.Context, viewer UserID, entry []byte, keep time.Duration) error
}
