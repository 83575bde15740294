package feed

import "context"

// FollowOptions are what a follower has chosen for a follow or for a request, a bit for each. The numbers are
// stored. No other user can see them.
type FollowOptions uint8

// The options. A special follow is in the special feed. The others take the author's reposts or comments out
// of the follower's home feed.
const (
	FollowSpecial FollowOptions = 1 << iota
	FollowHidesReposts
	FollowHidesReplies
)

// FollowOptionName is an option with its name in records.
type FollowOptionName struct {
	Name   string
	Option FollowOptions
}

// FollowOptionNames returns all options.
func FollowOptionNames() []FollowOptionName {
	return []FollowOptionName{{"special", FollowSpecial}, {"hideReposts", FollowHidesReposts}, {"hideReplies", FollowHidesReplies}}
}

// SpecialFollowsMax is the most special follows of a user, requests included. A special feed merges the
// outboxes of all.
const SpecialFollowsMax = 200

// Has reports whether all options of o2 are chosen.
func (o FollowOptions) Has(o2 FollowOptions) bool { return o&o2 == o2 }

// Hides reports whether the options take posts of a kind out of home feeds.
func (o FollowOptions) Hides(k Kind) bool {
	return k == KindRepost && o.Has(FollowHidesReposts) || k == KindComment && o.Has(FollowHidesReplies)
}

// FollowChoice sets some options: those of Named are chosen if they are in On too. A new follow has no others.
type FollowChoice struct{ Named, On FollowOptions }

// Choose adds an option to the choice, unless on is nil.
func (c *FollowChoice) Choose(o FollowOptions, on *bool) {
	if on == nil {
		return
	}
	if c.Named |= o; *on {
		c.On |= o
	}
}

// Of returns what is chosen after the choice, given what was chosen before it.
func (c FollowChoice) Of(before FollowOptions) FollowOptions { return before&^c.Named | c.On&c.Named }

// OptionsChange is the row for changed options of a follow.
func OptionsChange(follower, followee UserID, before, after FollowOptions) Change {
	return Change{Kind: ChangeOptions, User: follower, Other: followee, Post: PostID(before ^ after)}
}

// Authors says whose posts a feed is made of: a set of the viewer's follows, or the members of a list.
type Authors int64

const (
	// HomeAuthors are the viewer and all users they follow.
	HomeAuthors Authors = 0
	// SpecialAuthors are those that the viewer follows with [FollowSpecial].
	SpecialAuthors Authors = -1
)

// MembersOf returns the members of a list.
func MembersOf(list ListID) Authors { return Authors(list) }

// List returns the list of [MembersOf]; 0 for follows.
func (a Authors) List() ListID { return max(0, ListID(a)) }

// Kind returns the kind of feed that the authors make.
func (a Authors) Kind() FeedKind {
	if a.List() != 0 {
		return FeedAuthorList
	}
	return FeedHome
}

// Scope returns the scope in which the posts of the authors are judged.
func (a Authors) Scope() Scope {
	switch {
	case a.List() != 0:
		return ScopeListed
	case a == SpecialAuthors:
		return ScopeSpecial
	}
	return ScopeHome
}

// Follows changes follow edges. Each change raises the follower's version and stores it as the
// version of the edge, in one transaction, and keeps the counters of both users exact.
//
// Here, and in all ports that change something, an absent user counts as not stored. Calls that
// undo something take absent users too.
type Follows interface {
	// Follow makes follower follow followee since at, or asks to if the account of followee is private.
	// It returns [CodeFollowLimit] if follower would follow, or have asked to follow, more than limit
	// users, however many calls run at once; [CodeNotFound] if either user is not stored, and
	// [CodeConflict] for a request while one of the two blocks the other. Following or asking again changes
	// only the options of choice, but makes a request to an account that is public by now a follow. More than
	// [SpecialFollowsMax] special follows are [CodeFollowLimit], too.
	Follow(ctx context.Context, follower, followee UserID, at int64, limit int, choice FollowChoice) error
	// UpdateFollow changes options of a follow or of a request. It returns [CodeNotFound] if there is neither,
	// and [CodeFollowLimit] for too many special follows.
	UpdateFollow(ctx context.Context, follower, followee UserID, choice FollowChoice) error
	// Unfollow removes the edge, or the request, with its options. It changes nothing if there is neither.
	Unfollow(ctx context.Context, follower, followee UserID) error
}

// SpecialFollows lists the special follows of viewers.
type SpecialFollows interface {
	// SpecialFollows returns, in no order, the users that viewer follows with [FollowSpecial], from the primary.
	SpecialFollows(ctx context.Context, viewer UserID) ([]UserID, error)
}

// FollowRecord is one imported follow edge. If it is Requested, it is no follow but a request ([FollowRequests]),
// which begins at CreatedAt.
type FollowRecord struct {
	Follower, Followee UserID
	CreatedAt          int64
	Requested          bool
	Options            FollowChoice
}
