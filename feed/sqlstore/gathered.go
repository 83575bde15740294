package sqlstore

import "github.com/tideline-feeds/tideline/feed"

// gathered are the reads by primary key that every page makes. Those that go on at the
// same time, for whomever, share their statements.
type gathered struct {
	stamps       *gather[feed.UserID, feed.Stamp]
	edges        *gather[between, feed.Edge]
	posts        *gather[feed.ContentID, *feed.Post]
	users        *gather[feed.UserID, *feed.User]
	postCounters *gather[feed.ContentID, feed.PostCounters]
	userCounters *gather[feed.UserID, feed.UserCounters]
	reactions    *gather[toContent, feed.ViewerReactions]
	// errands are the other short ones; nil where nothing is won by sharing a round trip.
	errands *errands
}

// between names what stands between a viewer and another user.
type between struct{ viewer, other feed.UserID }

// toContent names what a viewer did with a content.
type toContent struct {
	viewer  feed.UserID
	content feed.ContentID
}

// pageLanes is how many trips are under way at once. A second one keeps a slow trip from
// holding up everybody; with more, fewer reads meet in one.
const pageLanes = 2

// gathering makes a store's reads be gathered. On PostgreSQL all kinds share their lanes,
// in the order in which a page asks for them, so that a trip takes along what others ask for
// at other stages; on SQLite, where a trip would only be longer for it, each has its own.
func (s *Store) gathering() *Store {
	shared := &lanes{run: s.together, width: pageLanes}
	on := func() *lanes {
		if s.d.isPostgres() {
			return shared
		}
		return &lanes{run: s.inTurn, width: pageLanes}
	}
	s.gathered = &gathered{
		stamps:       newGather(on(), s.askStamps),
		posts:        newGather(on(), s.askPosts),
		edges:        newGather(on(), s.askEdges),
		users:        newGather(on(), s.askUsers),
		postCounters: newGather(on(), s.askPostCounters),
		userCounters: newGather(on(), s.askUserCounters),
		reactions:    newGather(on(), s.askReactions),
	}
	if s.d.isPostgres() {
		s.gathered.errands = &errands{lanes: shared}
		shared.queues = append(shared.queues, s.gathered.errands)
	}
	return s
}
