package app

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// direct reads viewer states from the stores.
func (st *stores) direct(c caches, inboxes feed.Inboxes) *timeline.Direct {
	d := &timeline.Direct{Inboxes: inboxes, Relations: st.sql, Outboxes: st.sql, Posts: c.posts, Primary: st.sql}
	if c.uncached {
		d.Posts = st.sql
	}
	return d
}

// uncached reads viewer states without inboxes from the source of truth.
func (st *stores) uncached() *timeline.Direct {
	return &timeline.Direct{Relations: st.sql, Outboxes: st.sql, Posts: st.sql, Primary: st.sql}
}

// viewers returns the viewer cache for home feeds, or direct if the cache is disabled.
func (st *stores) viewers(c caches, direct *timeline.Direct, trace feed.Trace) feed.Viewers {
	local := c.localViewers()
	if !c.viewerCache || local == nil {
		return direct
	}
	return &viewercache.Cache{Direct: direct, Surveyor: st.sql, Local: local, Trace: trace}
}
