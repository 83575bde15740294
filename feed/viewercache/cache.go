// Package viewercache caches viewer states: edges to other users, authors to pull, and the viewers'
// own posts.
//
// Every read reads the viewer version from the primary. An entry holds the version that was read
// before it, and is used only under the same version. Every change of what is cached raises a
// number of the version in its own transaction. So there are no evictions, and no message has to
// arrive (docs/caching.md).
package viewercache

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// Cache opens viewer states from what is cached. Its fields are set once, before the first
// read.
type Cache struct {
	// Direct reads what is not cached. Its outboxes must be those of posts, which
	// [feed.ViewerVersion.Own] counts.
	Direct *timeline.Direct
	// Surveyor combines the first reads for a viewer who is not cached.
	Surveyor feed.Surveyor
	Local    Local
	Trace    feed.Trace
}

// Local keeps the entries of viewers in the process. It may drop any of them at any time. It is
// safe for concurrent use.
type Local interface {
	// Get returns the entry of viewer, nil if there is none.
	Get(viewer feed.UserID) *Entry
	// Put replaces the entry of viewer, which must not change afterwards.
	Put(viewer feed.UserID, e *Entry)
}

var _ feed.Viewers = (*Cache)(nil)

// State implements [feed.Viewers].
func (c *Cache) State(viewer feed.UserID) feed.ViewerState {
	if viewer == 0 {
		return c.Direct.State(viewer)
	}
	return &state{c: c, viewer: viewer, local: func() *Entry { return c.Local.Get(viewer) }}
}

// Inbox implements [feed.Viewers].
func (c *Cache) Inbox(ctx context.Context, viewer feed.UserID, r feed.Range, path feed.Path) (feed.Inbox, feed.ViewerState, error) {
	local := c.Local.Get(viewer)
	inbox, err := c.Direct.Inboxes.Read(ctx, viewer, r)
	if err != nil {
		return inbox, nil, err
	}
	s := &state{c: c, viewer: viewer, local: func() *Entry { return local }}
	if inbox.State == feed.InboxReady {
		// Nearly all inboxes that are read are warm.
		likely := path.Through(&inbox, inbox.WarmUntil-1)
		s.survey = &pulledAuthors{since: likely.Version, cold: likely.Cold}
	}
	return inbox, s, nil
}
