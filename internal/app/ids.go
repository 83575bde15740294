package app

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/records"
)

// idsCached is the number of external ids whose numbers a process holds, about 20 MB.
const idsCached = 50_000

// openIDs puts a cache in front of the numbers of external ids, where ids are text.
func (st *stores) openIDs() {
	if st.sql.TextIDs() {
		st.ids = lrucache.NewIDs(st.sql, idsCached, time.Now)
	}
}

// format is that of the lines of records.
func (st *stores) format() records.Format {
	if st.ids == nil {
		return records.Format{}
	}
	return records.Format{IDs: st.ids}
}

// subjects reads the ids of users in tokens; nil where ids are numbers. A user who is not stored
// yet gets a number.
func (st *stores) subjects() gateway.Subjects {
	if st.ids == nil {
		return nil
	}
	return func(ctx context.Context, id feed.ExternalID) (feed.UserID, error) {
		drawn, err := st.ids.DrawIDs(ctx, feed.UserIDs, []feed.NumberedID{{ID: id}})
		if err != nil {
			return 0, err
		}
		return feed.UserID(drawn[0]), nil
	}
}

// finder finds the numbers of ids in requests; nil where ids are numbers. It draws none.
func (st *stores) finder() feed.IDFinder {
	if st.ids == nil {
		return nil
	}
	return st.ids
}
