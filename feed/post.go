package feed

import (
	"fmt"
	"slices"
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
	ID     PostID
	Author UserID
	Kind   Kind
	Text   string
	// Media are absolute https URLs; imported contents may carry relative
	// references.
	Media []string
	// ReplyTo is the content a comment answers, RepostOf the one a repost shows;
	// zero for none.
	ReplyTo  PostID
	RepostOf PostID
	// PublishedAt, EditedAt and DeletedAt are in milliseconds since the epoch;
	// EditedAt and DeletedAt are zero while it has not happened.
	PublishedAt int64
	EditedAt    int64
	DeletedAt   int64
}

// Mark says what the fan-out of an author has left out so far, and so which inboxes
// cover him. It is sticky: it only rises, and is committed before the first
// fan-out that leaves anybody out lists followers.
type CoverageFlag int

// The marks, from the lowest. The numbers are stored.
const (
	// FlagNone: every content was pushed to every follower, so every inbox covers
	// the author.
	FlagNone CoverageFlag = 0
	// FlagSelective: a content was pushed to active followers only, so warm inboxes
	// cover the author and cold ones do not.
	FlagSelective CoverageFlag = 1
	// FlagUnpushed: a content was not pushed, so no inbox covers the author.
	FlagUnpushed CoverageFlag = 2
)

// Key returns the content's place in feed order.
func (p *Post) Key() Key { return Key{TS: p.PublishedAt, ID: int64(p.ID)} }

// malformed says what is wrong with the content by itself, whatever is stored: its
// kind is none, or does not go with what it answers or shows. It is empty when
// nothing is, and else words for whoever wrote a record of it.
func (p *Post) malformed() string {
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

func (r Rules) checkPost(p *Post, now int64) error {
	if reason := p.malformed(); reason != "" {
		return Errorf(CodeInvalid, "%s", reason)
	}
	// A deleted post stands for its place between others: it needs no text.
	mayBeEmpty := len(p.Media) > 0 || p.RepostOf != 0 || p.DeletedAt != 0
	return firstError(
		r.Text(p.Text, mayBeEmpty),
		r.Media(p.Media),
		r.Past("publishedAt", p.PublishedAt, now),
		r.Past("editedAt", p.EditedAt, now),
		r.Past("deletedAt", p.DeletedAt, now),
		r.inOrder("publishedAt", p.PublishedAt, "editedAt", p.EditedAt),
		r.inOrder("publishedAt", p.PublishedAt, "deletedAt", p.DeletedAt))
}

// DifferentPost compares a record with the stored post of its id. The author is not
// compared: a record with another one is bad. Of a deleted post only its place counts.
func DifferentPost(stored, r *Post) Difference {
	deleted := stored.DeletedAt != 0 || r.DeletedAt != 0
	return differing(
		field{"kind", stored.Kind != r.Kind},
		field{"text", !deleted && stored.Text != r.Text},
		field{"media", !deleted && !slices.Equal(stored.Media, r.Media)},
		field{"replyTo", stored.ReplyTo != r.ReplyTo},
		field{"repostOf", stored.RepostOf != r.RepostOf},
		field{"publishedAt", stored.PublishedAt != r.PublishedAt},
		field{"editedAt", !deleted && stored.EditedAt != r.EditedAt},
		field{"deletedAt", stored.DeletedAt != r.DeletedAt})
}

// UpdatedPost returns the stored post with the content of a record of its id, which differs
// in d. A post keeps its kind, place and references: a record with others is
// [CodeInvalid]. What is deleted keeps its text.
func UpdatedPost(stored, r *Post, d Difference) (*Post, error) {
	for _, kept := range []string{"kind", "replyTo", "repostOf", "publishedAt"} {
		if slices.Contains(d.Fields, kept) {
			return nil, Errorf(CodeInvalid, "post %d keeps what it was published with", r.ID).At(kept)
		}
	}
	updated := *stored
	updated.DeletedAt = r.DeletedAt
	if r.DeletedAt == 0 {
		updated.Text, updated.Media, updated.EditedAt = r.Text, r.Media, r.EditedAt
	}
	return &updated, nil
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

// Valid reports whether r is one of the reactions.
func (r Reaction) Valid() bool { return r == ReactionLike || r == ReactionFavorite }

// ViewerReactions says what one viewer did with one content.
type ViewerReactions struct {
	Liked, Favorited bool
}

// Has reports whether the viewer did r.
func (v ViewerReactions) Has(r Reaction) bool {
	switch r {
	case ReactionLike:
		return v.Liked
	case ReactionFavorite:
		return v.Favorited
	}
	return false
}
