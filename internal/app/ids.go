package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/tasks"
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

// namesTimeout is the maximum time to wait for external ids for operators.
const namesTimeout = time.Second

// publicIDs returns external ids for operators; none if the database does not answer.
func (st *stores) publicIDs(ctx context.Context, n feed.Named) feed.PublicIDs {
	ctx, cancel := context.WithTimeout(ctx, namesTimeout)
	defer cancel()
	public, err := n.Read(ctx, st.finder())
	if err != nil {
		return nil
	}
	return public
}

// loggedPost is a post in a log line, which has its public id.
type loggedPost struct {
	st *stores
	id feed.PostID
}

// LogValue implements [slog.LogValuer].
func (p loggedPost) LogValue() slog.Value {
	return slog.StringValue(p.st.publicIDs(context.Background(), feed.Named{Posts: []feed.PostID{p.id}}).Content(p.id))
}

// loggedUser is a user in a log line, which has their public id.
type loggedUser struct {
	st *stores
	id feed.UserID
}

// LogValue implements [slog.LogValuer].
func (u loggedUser) LogValue() slog.Value {
	return slog.StringValue(string(u.st.publicIDs(context.Background(), feed.Named{Users: []feed.UserID{u.id}}).User(u.id).Text()))
}

// taskNames names the objects of tasks.
func (st *stores) taskNames(ctx context.Context) tasks.Names {
	return tasks.Names{
		Post: func(id feed.PostID) string { return st.publicIDs(ctx, feed.Named{Posts: []feed.PostID{id}}).Name(id) },
		Users: func(ids ...feed.UserID) []feed.PublicID {
			public, out := st.publicIDs(ctx, feed.Named{Users: ids}), make([]feed.PublicID, len(ids))
			for i, id := range ids {
				out[i] = public.User(id)
			}
			return out
		},
	}
}
