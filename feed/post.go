package feed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Post is one post of any kind. A *Post from a port may be shared and must not be changed.
type Post struct {
	ID PostID
	// External is set only where ids are text.
	External ExternalID
	Author   UserID
	Kind     Kind
	Text     string
	// Media are absolute https URLs. Imported posts may have relative references.
	Media []string
	// OtherMedia says whether the post has media besides these, such as in the system that owns posts.
	OtherMedia OtherMedia
	Custom     CustomFields
	// Language is a BCP 47 tag as its author wrote it; empty if it is not known.
	Language string
	// ReplyTo is the post that a comment answers, RepostOf the original of a repost; 0 for none.
	ReplyTo  PostID
	RepostOf PostID
	// Audience is who the post is for. AudienceAuthor is the user whose followers AudienceFollowers
	// means: the author, but for a comment or repost the audience author of the post that it answers or
	// shares. It is 0 if that post has never been stored; AudienceFollowers is then the author alone.
	Audience       PostAudience
	AudienceAuthor UserID
	// Times are in milliseconds since the epoch; 0 for not edited and not deleted.
	PublishedAt int64
	EditedAt    int64
	DeletedAt   int64
	// TakenDown is 0 for a post that is not taken down. One that is only its author may see.
	TakenDown HiddenFor
	// Accounts is what [Posts] returns about the accounts of the author and audience author. It is no
	// part of records.
	Accounts PostAccounts
	// Replay is set for the replay of a live session, which no exclusive list hides.
	Replay bool
}

// PostAudience says who a post is for. The numbers are stored.
type PostAudience int

// AudienceFollowers is the followers of [Post.AudienceAuthor], and the author. AudienceOfParent is that
// of the post that a comment or repost answers or shares, and as long as that has not been stored, the
// author alone. AudienceUnknown is in records only, and makes them unclear ([Record.Unclear]).
const (
	AudiencePublic    PostAudience = 0
	AudienceFollowers PostAudience = 1
	AudienceOfParent  PostAudience = 2
	AudienceUnknown   PostAudience = 3
)

// HiddenAsUnclear is the DeletedAt of a post whose last record was unclear. It is hidden until a record
// says who it is for, also one with the same version, so that a corrected mapping can make the record
// again.
const HiddenAsUnclear int64 = 1

// UnknownAudience says why such a record is bad.
const UnknownAudience = `the field "audience" must be PUBLIC or FOLLOWERS; the post is hidden until a record says so`

// String returns the name in records and in the API; empty for others.
func (a PostAudience) String() string {
	switch a {
	case AudiencePublic:
		return "PUBLIC"
	case AudienceFollowers:
		return "FOLLOWERS"
	}
	return ""
}

// IsNode marks posts as objects with a global id in the API.
func (*Post) IsNode() {}

// ShownAudience returns the audience for the API. AudienceOfParent is for the author alone, and shown as
// AudienceFollowers.
func (p *Post) ShownAudience() PostAudience { return min(p.Audience, AudienceFollowers) }

// ParseAudience returns the audience of a name.
func ParseAudience(name string) (a PostAudience, ok bool) {
	for _, a := range []PostAudience{AudiencePublic, AudienceFollowers} {
		if a.String() == name {
			return a, true
		}
	}
	return AudienceUnknown, false
}

// Narrows reports whether the post may be for fewer viewers than it was before.
func (p *Post) Narrows(before *Post) bool {
	return p.Audience != AudiencePublic && (p.Audience != before.Audience || p.AudienceAuthor != before.AudienceAuthor)
}

// Parent returns the post that a comment answers or a repost shares; 0 for a post of its own.
func (p *Post) Parent() PostID { return cmp.Or(p.ReplyTo, p.RepostOf) }

// PostAccounts is a set of facts about the accounts of a post's author and audience author, as of the
// read of the post.
type PostAccounts int

// The facts about the audience author are for posts by others. Gone says that they are absent or their
// account is deleted: then they have no followers. Only authors see their posts while they are suspended.
const (
	AuthorPrivate PostAccounts = 1 << iota
	AudienceAuthorPrivate
	AudienceAuthorGone
	AuthorSuspended
)

// Has reports whether a fact is in the set.
func (a PostAccounts) Has(fact PostAccounts) bool { return a&fact != 0 }

// withAccounts returns the post with other facts about its accounts; nil for none.
func (p *Post) withAccounts(a PostAccounts) *Post {
	if p == nil || p.Accounts == a {
		return p
	}
	changed := *p
	changed.Accounts = a
	return &changed
}

// HasMedia reports whether the post has media, here or elsewhere.
func (p *Post) HasMedia() bool { return p.OtherMedia == SomeOtherMedia || len(p.Media) > 0 }

// OtherMedia says whether a post has media that Tideline does not store. The numbers are stored.
type OtherMedia int

// A repost without media of its own has other media if its original had any when it was published.
const (
	NoOtherMedia   OtherMedia = 0
	SomeOtherMedia OtherMedia = 1
)

// LanguageOrNone returns the language for the API.
func (p *Post) LanguageOrNone() *string {
	if p.Language == "" {
		return nil
	}
	return &p.Language
}

// CustomFields is a JSON object with fields of the application, without white space around values;
// empty for none. Its numbers have the digits that they came with.
type CustomFields string

// CustomMax is the maximum length of custom fields in bytes.
const CustomMax = 8 << 10

// NewCustomFields returns the custom fields in a JSON text; none for null and for an object without
// fields. The error is [CodeInvalid] for any other text, and [CodeTooLong] beyond [CustomMax].
func NewCustomFields(text []byte) (CustomFields, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return "", Errorf(CodeInvalid, "it is not JSON")
	}
	c := CustomFields(compact.String())
	if c == "null" || c == "{}" {
		return "", nil
	}
	return c, c.Check()
}

// Check returns [CodeInvalid] for anything but an object, and [CodeTooLong] beyond [CustomMax].
func (c CustomFields) Check() error {
	switch {
	case c == "":
		return nil
	case len(c) > CustomMax:
		return Errorf(CodeTooLong, "custom fields have %d bytes without white space; the maximum is %d", len(c), CustomMax)
	case c[0] != '{' || !json.Valid([]byte(c)):
		return Errorf(CodeInvalid, "custom fields must be a JSON object")
	}
	return nil
}

func (c CustomFields) check() error {
	var refused *Error
	if err := c.Check(); errors.As(err, &refused) {
		return refused.At("custom")
	}
	return nil
}

// AuthorAbsent is the DeletedAt of a post whose author is absent. It is hidden, but not deleted.
const AuthorAbsent int64 = -1

// IsDeleted reports whether the post, or its author's account, is deleted.
func (p *Post) IsDeleted() bool { return p.DeletedAt > 0 }

// CoverageFlag says what the fan-outs of an author have left out since it was lowered ([Flags]). A
// raise is committed before the first fan-out that leaves out followers lists them.
type CoverageFlag int

// The flags, in rising order. The numbers are stored. Every inbox covers FlagNone.
const (
	FlagNone CoverageFlag = 0
	// FlagSelective: some post went to active followers only. Only warm inboxes cover the author.
	FlagSelective CoverageFlag = 1
	// FlagUnpushed: some post was not pushed. No inbox covers the author.
	FlagUnpushed CoverageFlag = 2
)

// String returns a word for operators and metrics.
func (f CoverageFlag) String() string {
	switch f {
	case FlagSelective:
		return "selective"
	case FlagUnpushed:
		return "unpushed"
	}
	return "none"
}

// Key returns the post's place in feed order.
func (p *Post) Key() Key { return Key{TS: p.PublishedAt, ID: int64(p.ID)} }

// Misplaced says why the references of a post do not fit its kind; empty if they do.
func (p *Post) Misplaced() string {
	switch {
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

func (r Rules) malformed(p *Post) string {
	misplaced := p.Misplaced()
	switch {
	case !p.Kind.Valid():
		return fmt.Sprintf("%q is not a kind", p.Kind)
	case misplaced != "" && !r.AnyPlace:
		return misplaced
	case p.Audience == AudienceUnknown:
		return UnknownAudience
	case p.Kind == KindPost && p.Audience == AudienceOfParent:
		return fmt.Sprintf("a %s has an audience of its own", p.Kind)
	case p.Kind == KindPost && p.AudienceAuthor != 0 && p.AudienceAuthor != p.Author:
		return fmt.Sprintf("the audienceAuthor of a %s is its author", p.Kind)
	}
	return ""
}

func (r Rules) checkPost(p *Post, now int64) error {
	deletedAt := p.DeletedAt
	if deletedAt == HiddenAsUnclear {
		deletedAt = 0 // it is no time
	}
	if reason := r.malformed(p); reason != "" {
		return Errorf(CodeInvalid, "%s", reason)
	}
	mayBeEmpty := r.NoTexts || p.HasMedia() || p.RepostOf != 0 || p.DeletedAt != 0 || r.AnyPlace && p.Kind == KindRepost
	return cmp.Or(
		r.Text(p.Text, mayBeEmpty),
		r.Media(p.Media),
		p.Custom.check(),
		r.Language(languageOfRecord(p)),
		r.Past("publishedAt", p.PublishedAt, now),
		r.Past("editedAt", p.EditedAt, now),
		r.Past("deletedAt", p.DeletedAt, now),
		r.inOrder("publishedAt", p.PublishedAt, "editedAt", p.EditedAt),
		r.inOrder("publishedAt", p.PublishedAt, "deletedAt", deletedAt))
}

// PostFields returns the fields of posts, in the order of records.
func PostFields() []Field[Post] {
	return []Field[Post]{
		fieldOf("kind", func(p *Post) *Kind { return &p.Kind }).fixed().required(),
		fieldOf("text", func(p *Post) *string { return &p.Text }).content().required(),
		textsOf("media", func(p *Post) *[]string { return &p.Media }).content(),
		otherMediaField().Field,
		fieldOf("custom", func(p *Post) *CustomFields { return &p.Custom }).content(),
		languageField().Field,
		fieldOf("replyTo", func(p *Post) *PostID { return &p.ReplyTo }).fixed(),
		fieldOf("repostOf", func(p *Post) *PostID { return &p.RepostOf }).fixed(),
		audienceField(),
		audienceAuthorField(),
		fieldOf("publishedAt", func(p *Post) *int64 { return &p.PublishedAt }).holding(FormMoment).fixed().required(),
		fieldOf("editedAt", func(p *Post) *int64 { return &p.EditedAt }).holding(FormMoment).content(),
		fieldOf("deletedAt", func(p *Post) *int64 { return &p.DeletedAt }).holding(FormEvent),
		takenDownField(),
	}
}

// DifferentPost compares all fields but the author. If either post is deleted, content is ignored.
func DifferentPost(stored, r *Post) Difference {
	deleted := stored.DeletedAt != 0 || r.DeletedAt != 0
	return different(PostFields(), stored, r, func(f Field[Post]) bool { return !f.Content || !deleted })
}

// UpdatedPost returns stored with r's fields, except the content of a deleted post. It returns
// [CodeInvalid] if a fixed field differs.
func UpdatedPost(stored, r *Post, d Difference) (*Post, error) {
	updated := *stored
	for _, f := range PostFields() {
		switch {
		case f.Fixed && slices.Contains(d.Fields, f.Name):
			return nil, Errorf(CodeInvalid, "this field of post %s cannot change", PublicID(r.PublicID())).At(f.Name)
		case !f.Content || r.DeletedAt == 0:
			f.Set(&updated, r)
		}
	}
	return &updated, nil
}

// PostRecord returns what an [Exporter] emits: of a deleted post no content.
func PostRecord(p *Post) Record {
	c := *p
	if c.DeletedAt == 0 {
		return Record{Post: &c}
	}
	for _, f := range PostFields() {
		if f.Content {
			f.Set(&c, &Post{})
		}
	}
	return Record{Post: &c}
}

// PostCounters counts reactions to a post, and its comments and reposts that are not deleted.
type PostCounters struct {
	Likes, Comments, Reposts, Favorites int64
}

// UserCounters counts a user's followers, followees, and posts that are not deleted.
type UserCounters struct {
	Followers, Following, Posts int64
}

// Reaction is a reaction of a user to a post, at most one of each.
type Reaction string

// The reactions.
const (
	ReactionLike     Reaction = "like"
	ReactionFavorite Reaction = "favorite"
)

// Valid reports whether r is one of the reactions.
func (r Reaction) Valid() bool { return r == ReactionLike || r == ReactionFavorite }

// ViewerReactions are the reactions of one viewer to one post.
type ViewerReactions struct {
	Liked, Favorited bool
}

// Has reports whether the viewer has reacted with r.
func (v ViewerReactions) Has(r Reaction) bool {
	switch r {
	case ReactionLike:
		return v.Liked
	case ReactionFavorite:
		return v.Favorited
	}
	return false
}
