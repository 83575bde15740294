package apply

import (
	"strings"
	"unicode/utf8"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Objects are the stored objects that a batch names. What is not stored has no entry.
type Objects struct {
	// Mode is that of users; it may be empty if all users that the batch names are stored.
	Mode feed.UserMode
	// PrivatePlaceholders says that users without a record are private. It is read with Mode.
	PrivatePlaceholders bool
	// Users includes absent users and deleted accounts.
	Users map[feed.UserID]*feed.UserRecord
	// Handles are the owners of handles, by [feed.FoldHandle].
	Handles map[string]feed.UserID
	Posts   map[feed.PostID]Post
	// Edges are by their record without a time.
	Follows   map[feed.FollowRecord]feed.StoredEdge
	Requests  map[feed.FollowRecord]feed.StoredEdge
	Reactions map[feed.ReactionRecord]feed.StoredEdge
	Relations map[feed.RelationRecord]feed.StoredEdge
	Sessions  map[int64]*live.Session
	Counters  map[feed.Object]*feed.CountersRecord
	// Lists are those of authors, and ListMembers their members, also of lists that are not stored.
	Lists       map[feed.ListID]List
	ListMembers map[feed.ListMemberRecord]feed.StoredEdge
	// Listed are the numbers of lists by owner, and Sizes those of members by list.
	Listed map[feed.UserID]int
	Sizes  map[feed.ListID]int64
	// Open are the numbers of upcoming and live sessions by host.
	Open map[feed.UserID]int
	// Versions are those of records of objects that a source owns, stored or not.
	Versions map[feed.Object]feed.ObjectVersion
	// Ended are the edges that a record of a source has ended and whose version is kept, stored or not.
	Ended map[feed.Object]feed.StoredEdge
}

// Post is a post with the length of the chain of reposts that it begins.
type Post struct {
	*feed.Post
	RepostDepth int
}

// Names are the keys of the objects in a batch.
type Names struct {
	Users map[feed.UserID]bool
	// Handles are those that only one user may have.
	Handles   map[string]bool
	Posts     map[feed.PostID]bool
	Follows   []*feed.FollowRecord
	Reactions []*feed.ReactionRecord
	Relations []*feed.RelationRecord
	Sessions  map[int64]bool
	Hosts     map[feed.UserID]bool
	Lists     map[feed.ListID]bool
	Owners    map[feed.UserID]bool
	Members   []*feed.ListMemberRecord
	// CountedUsers and CountedPosts are those whose counters the batch has.
	CountedUsers map[feed.UserID]bool
	CountedPosts map[feed.PostID]bool
	// Versioned are the objects of the records that have a version, end an edge or complete one.
	Versioned map[feed.Object]bool
}

// named leaves out reactions and relations of kinds that do not exist, which no statement could
// contain.
func named(batch []feed.Record) Names {
	n := Names{
		Users: map[feed.UserID]bool{}, Handles: map[string]bool{}, Posts: map[feed.PostID]bool{},
		Sessions: map[int64]bool{}, Hosts: map[feed.UserID]bool{}, Lists: map[feed.ListID]bool{}, Owners: map[feed.UserID]bool{}, Versioned: map[feed.Object]bool{},
		CountedUsers: map[feed.UserID]bool{}, CountedPosts: map[feed.PostID]bool{},
	}
	for i := range batch {
		n.add(&batch[i])
	}
	delete(n.Users, 0)
	delete(n.Posts, 0)
	delete(n.CountedUsers, 0)
	delete(n.CountedPosts, 0)
	return n
}

func (n *Names) add(r *feed.Record) {
	if r.Version != (feed.ObjectVersion{}) || isEdge(r) && (r.EndedAt != 0 || r.Partial != nil) {
		n.Versioned[r.Object()] = true
	}
	switch {
	case r.User != nil:
		n.Users[r.User.ID] = true
		// A handle that no database can hold is that of a user who is gone.
		if h := r.User.Handle; utf8.ValidString(h) && !strings.Contains(h, "\x00") {
			n.Handles[feed.FoldHandle(h)] = true
		}
	case r.Follow != nil:
		n.Users[r.Follow.Follower], n.Users[r.Follow.Followee] = true, true
		n.Follows = append(n.Follows, new(followKey(r.Follow)))
	case r.Post != nil:
		n.Users[r.Post.Author], n.Users[r.Post.AudienceAuthor] = true, true
		n.Posts[r.Post.ID], n.Posts[r.Post.ReplyTo], n.Posts[r.Post.RepostOf] = true, true, true
	case r.Reaction != nil && r.Reaction.Reaction.Valid():
		n.Users[r.Reaction.User], n.Posts[r.Reaction.Post] = true, true
		n.Reactions = append(n.Reactions, r.Reaction)
	case r.Relation != nil && r.Relation.Kind.Valid():
		n.Users[r.Relation.User], n.Users[r.Relation.Target] = true, true
		n.Relations = append(n.Relations, r.Relation)
	case r.Live != nil:
		n.Users[r.Live.Host], n.Hosts[r.Live.Host], n.Sessions[r.Live.ID] = true, true, true
	case r.List != nil:
		n.Users[r.List.Owner], n.Owners[r.List.Owner], n.Lists[r.List.ID] = true, true, true
	case r.ListMember != nil:
		n.Users[r.ListMember.User], n.Lists[r.ListMember.List] = true, true
		n.Members = append(n.Members, r.ListMember)
	case r.Seen != nil:
		n.Users[r.Seen.User] = true
	case r.Counters != nil:
		n.Users[r.Counters.User], n.CountedUsers[r.Counters.User], n.CountedPosts[r.Counters.Post] = true, true, true
	}
}

func isEdge(r *feed.Record) bool {
	return r.Follow != nil || r.Relation != nil || r.Reaction != nil || r.ListMember != nil
}
