package feed

import (
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed/texts"
)

// Kind tells what a content is.
type Kind string

// The kinds of content. A comment answers another content, a repost shows one
// again, with or without words of its own.
const (
	KindPost    Kind = "POST"
	KindComment Kind = "COMMENT"
	KindRepost  Kind = "REPOST"
)

// AllKinds returns all of them. Whoever must know every kind asks here.
func AllKinds() Kinds { return Kinds{KindPost, KindComment, KindRepost} }

// Valid says whether k is one of the kinds.
func (k Kind) Valid() bool { return slices.Contains(AllKinds(), k) }

// Kinds is a set of kinds to narrow a feed to. The empty set means all kinds.
type Kinds []Kind

// Has says whether the set lets k through.
func (ks Kinds) Has(k Kind) bool {
	if len(ks) == 0 {
		return true
	}
	for _, have := range ks {
		if have == k {
			return true
		}
	}
	return false
}

// Post is one content. A *Post that came out of a port may be shared between
// requests and must not be changed.
type Post struct {
	ID     ContentID
	Author UserID
	Kind   Kind
	Text   string
	// Media are absolute https URLs; imported contents may carry relative
	// references.
	Media []string
	// ReplyTo is the content a comment answers, RepostOf the one a repost shows;
	// zero for none.
	ReplyTo  ContentID
	RepostOf ContentID
	// PublishedAt, EditedAt and DeletedAt are in milliseconds since the epoch;
	// EditedAt and DeletedAt are zero while it has not happened.
	PublishedAt int64
	EditedAt    int64
	DeletedAt   int64
}

// Mark says what the fan-out of an author has left out so far, and so which inboxes
// cover him. It is sticky: it only rises, and is committed before the first
// fan-out that leaves anybody out lists followers.
type Mark int

// The marks, from the lowest. The numbers are stored.
const (
	// MarkNone: every content was pushed to every follower, so every inbox covers
	// the author.
	MarkNone Mark = 0
	// MarkSelective: a content was pushed to active followers only, so warm inboxes
	// cover the author and cold ones do not.
	MarkSelective Mark = 1
	// MarkUnpushed: a content was not pushed, so no inbox covers the author.
	MarkUnpushed Mark = 2
)

// Key returns the content's place in feed order.
func (p *Post) Key() Key { return Key{TS: p.PublishedAt, ID: int64(p.ID)} }

// Malformed says what is wrong with the content by itself, whatever is stored: its
// kind is none, or does not go with what it answers or shows. It is empty when
// nothing is, and else words for whoever wrote a record of it.
func (p *Post) Malformed() string {
	switch {
	case !p.Kind.Valid():
		return fmt.Sprintf("%q is not a kind", p.Kind)
	case p.Kind == KindComment && p.ReplyTo == 0:
		return "a COMMENT needs replyTo"
	case p.Kind != KindComment && p.ReplyTo != 0:
		return fmt.Sprintf("a %s has no replyTo", p.Kind)
	case p.Kind == KindRepost && p.RepostOf == 0:
		return "a REPOST needs repostOf"
	case p.Kind != KindRepost && p.RepostOf != 0:
		return fmt.Sprintf("a %s has no repostOf", p.Kind)
	}
	return ""
}

// User is one account. A *User that came out of a port may be shared between
// requests and must not be changed.
type User struct {
	ID UserID
	// Handle is unique under [FoldHandle]; Name is what people see.
	Handle string
	Name   string
	// AvatarURL is empty when there is none.
	AvatarURL string
	// CreatedAt is in milliseconds since the epoch.
	CreatedAt int64
	// Mark is what the user's fan-out has left out so far.
	Mark Mark
}

// Withheld returns what a viewer sees of a user who blocks them, where the viewer's own list
// or relation still names the user: the ids and the creation time, which never change, and
// nothing that does.
func (u *User) Withheld() *User {
	return &User{ID: u.ID, CreatedAt: u.CreatedAt}
}

// Unavailable says whether the profile is withheld: a stored user has a handle or a name.
func (u *User) Unavailable() bool { return u.Handle == "" && u.Name == "" }

// Popular says whether the user is, or was, a big-V: somebody who has a mark.
func (u *User) Popular() bool { return u.Mark != MarkNone }

// FoldHandle returns the form under which a handle is unique and looked up: without regard
// to case and compatibility variants ([texts.Fold]). A text that is longer than any handle
// is returned as it is, which is the form of none.
func FoldHandle(handle string) string {
	if len(handle) > texts.HandleBytes {
		return handle
	}
	return texts.Fold(handle)
}

// HandleTaken is the refusal of a handle that is not available.
func HandleTaken(handle string) *Error {
	return Errorf(CodeConflict, "the handle %.40q is not available: it is taken, looks like another one, or was given up only recently", handle)
}

// PostCounters counts what others did with a content: likes and favorites that
// stand, comments and reposts that are not deleted.
type PostCounters struct {
	Likes, Comments, Reposts, Favorites int64
}

// UserCounters counts a user's followers, followees and contents that are not
// deleted.
type UserCounters struct {
	Followers, Following, Posts int64
}

// Reaction is one thing a user does with a content at most once.
type Reaction string

// The reactions.
const (
	ReactionLike     Reaction = "like"
	ReactionFavorite Reaction = "favorite"
)

// ViewerReactions says what one viewer did with one content.
type ViewerReactions struct {
	Liked, Favorited bool
}

// has says whether the viewer did r.
func (v ViewerReactions) has(r Reaction) bool {
	switch r {
	case ReactionLike:
		return v.Liked
	case ReactionFavorite:
		return v.Favorited
	}
	return false
}
