package feedtest

import (
	"context"
	"fmt"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lists"
	"github.com/tideline-feeds/tideline/feed/people"
)

// Reader reads what scripts expect. Scripts change the service itself, and read it as the viewers
// of a layer above do.
type Reader interface {
	FeedReader
	PeopleReader
	CounterReader
}

// FeedReader reads feeds and posts as viewer may see them. Scripts use the ids and texts of the posts.
type FeedReader interface {
	// Page returns a page of a feed.
	Page(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, q feed.PageQuery) (*feed.Page, error)
	// NewCount returns the number of entries above a cursor.
	NewCount(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, since string, kinds feed.Kinds) (int, error)
	// Posts returns one post for each id, nil if viewer may not see it.
	Posts(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]*feed.Post, error)
}

// PeopleReader reads lists of users as viewer may see them. Scripts use the ids of the users.
type PeopleReader interface {
	// Followers and Following return a page of a user's followers or followees.
	Followers(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error)
	Following(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error)
}

// CounterReader reads counters, which are the same for all viewers.
type CounterReader interface {
	// PostCounters returns the counters of one post per id.
	PostCounters(ctx context.Context, ids []feed.PostID) ([]feed.PostCounters, error)
	// UserCounters returns the counters of one user per id.
	UserCounters(ctx context.Context, ids []feed.UserID) ([]feed.UserCounters, error)
}

// ownReader reads the service itself. It compares each page with one that is read without a viewer
// cache.
type ownReader struct {
	*lists.Feeds
	*people.Directory
	feed.Counters

	cached, uncached *lists.Feeds
}

func newOwnReader(s *Service) Reader {
	// The reads without a cache do not change the service.
	uncached := *s.Uncached
	uncached.Queue, uncached.Trace = feed.NoUpkeep{}, feed.Trace{}
	return &ownReader{
		Feeds: s.Feeds(s.Timeline), Directory: s.Directory, Counters: s.Counters, cached: s.Feeds(s.Cached), uncached: s.Feeds(&uncached),
	}
}

// Page implements [FeedReader].
func (r *ownReader) Page(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, q feed.PageQuery) (*feed.Page, error) {
	uncached, err := r.uncached.Page(ctx, viewer, ref, q)
	if err != nil {
		return nil, err
	}
	cached, err := r.cached.Page(ctx, viewer, ref, q)
	if diff := cmp.Diff(uncached, cached); err == nil && diff != "" {
		err = fmt.Errorf("the pages without and with a viewer cache differ (-without +with):\n%s", diff)
	}
	return cached, err
}
