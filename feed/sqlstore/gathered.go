package sqlstore

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// gathered are the reads by primary key that every page makes. Those that go on at the
// same time, for whomever, share their statements.
type gathered struct {
	stamps       gather[feed.UserID, feed.Stamp]
	edges        gather[between, feed.Edge]
	posts        gather[feed.ContentID, *feed.Post]
	users        gather[feed.UserID, *feed.User]
	postCounters gather[feed.ContentID, feed.PostCounters]
	userCounters gather[feed.UserID, feed.UserCounters]
	reactions    gather[toContent, feed.ViewerReactions]
	standings    gather[feed.UserID, live.Standing]
	transitions  gather[after, []live.HostMark]
	sessions     gather[live.ID, *live.Session]
	followed     gather[following, bool]
}

// between names what stands between a viewer and another user.
type between struct{ viewer, other feed.UserID }

// toContent names what a viewer did with a content.
type toContent struct {
	viewer  feed.UserID
	content feed.ContentID
}

// gathering makes a store's reads be gathered.
func (s *Store) gathering() *Store {
	s.gathered = &gathered{}
	s.gathered.stamps.load = s.readStamps
	s.gathered.edges.load = s.readEdges
	s.gathered.posts.load = s.readPosts
	s.gathered.users.load = s.readUsers
	s.gathered.postCounters.load = s.readPostCounters
	s.gathered.userCounters.load = s.readUserCounters
	s.gathered.reactions.load = s.readReactions
	s.gathered.standings.load = s.readStandings
	s.gathered.transitions.load = s.readTransitions
	s.gathered.sessions.load = s.readSessions
	s.gathered.followed.load = s.readFollowed
	return s
}
