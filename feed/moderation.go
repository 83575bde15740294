package feed

import (
	"context"
	"unicode/utf8"
)

// HiddenFor says who has taken down a post or suspended a user: each lifts only what it has set. The
// numbers are stored.
type HiddenFor int

// A record is of the source that owns the type. A moderator of Tideline decides whatever a source says.
const (
	HiddenForRecord HiddenFor = 1 << iota
	HiddenForModerator
)

// WithoutModerators returns the record as it is without what only the database that it comes from may say: who
// has hidden its object.
func (r Record) WithoutModerators() Record {
	switch {
	case r.Post != nil && r.Post.TakenDown&HiddenForModerator != 0:
		post := *r.Post
		post.TakenDown &^= HiddenForModerator
		r.Post = &post
	case r.User != nil && r.User.Suspended&HiddenForModerator != 0:
		user := *r.User
		user.Suspended &^= HiddenForModerator
		r.User = &user
	}
	return r
}

// ByRecord returns h as a record leaves it that says is.
func (h HiddenFor) ByRecord(is HiddenFor) HiddenFor { return h&^HiddenForRecord | is&HiddenForRecord }

// Subject is what a sanction hides: a post, or all posts and live sessions of a user. One of the two is set.
type Subject struct {
	Post PostID
	User UserID
}

// NotFound returns the error for a subject that is not stored.
func (s Subject) NotFound() *Error {
	if s.Post != 0 {
		return Errorf(CodeNotFound, "there is no such post").At("postId")
	}
	return Errorf(CodeNotFound, "there is no such user").At("userId")
}

// Sanction is the takedown of a post or the suspension of a user by a moderator. Times are in milliseconds
// since the epoch.
type Sanction struct {
	// Number is drawn by the store.
	Number int64
	Subject
	Reason string
	// By is the identity behind the moderator's token; "import" for a sanction of an export.
	By string
	At int64
	// Until is when the store lifts a suspension by itself, 0 for never.
	Until int64
	// LiftedAt is 0 as long as the sanction is in force. LiftedBy is empty if Until has passed.
	LiftedAt int64
	LiftedBy string
}

// Moderated is what an export keeps of a sanction in force. It is zero for none.
type Moderated struct {
	Reason string
	At     int64
}

func (m Moderated) check(r Rules, now int64) error {
	if m == (Moderated{}) {
		return nil
	}
	if err := r.CheckSanction(&Sanction{Reason: m.Reason, At: m.At}); err != nil {
		return Errorf(CodeInvalid, "%s", err).At("moderated")
	}
	return r.Past("moderated", m.At, now)
}

// Key returns the place in the moderation log.
func (s *Sanction) Key() Key { return Key{TS: s.At, ID: s.Number} }

// ReasonMax is the length of a sanction's reason in code points: a paragraph, which its author reads.
const ReasonMax = 500

// ImportedSanction is By of sanctions that an import has restored.
const ImportedSanction = "import"

// CheckSanction refuses a reason that is empty or too long, and an end that is not in the future.
func (r Rules) CheckSanction(s *Sanction) error {
	switch n := utf8.RuneCountInString(s.Reason); {
	case n == 0 || !IsPlain(s.Reason):
		return Errorf(CodeInvalid, "give a reason: a plain text, which the author reads").At("reason")
	case n > ReasonMax:
		return Errorf(CodeTooLong, "the reason has %d characters; the maximum is %d", n, ReasonMax).At("reason")
	case s.Until != 0 && s.Until <= s.At:
		return Errorf(CodeInvalid, "the suspension must end in the future").At("until")
	}
	return nil
}

// Moderation stores sanctions. What they hide is hidden from all but its author by every read that begins
// after the commit; the users who see less get no new versions. Sanctions stay when their subject is deleted,
// becomes absent or returns.
type Moderation interface {
	// Impose stores a sanction in force at s.At. One with the same reason and end changes nothing, another one
	// lifts that in force. It returns [CodeNotFound] for a subject that was never stored.
	Impose(ctx context.Context, s Sanction) error
	// Lift lifts the sanction in force, if there is one.
	Lift(ctx context.Context, of Subject, at int64, by string) error
	// LiftDue lifts up to limit suspensions that end by now. It returns whether there may be more.
	LiftDue(ctx context.Context, now int64, limit int) (more bool, err error)
	// InForce returns the sanctions in force on subjects, in no order.
	InForce(ctx context.Context, of []Subject) ([]Sanction, error)
	// Sanctions lists the sanctions on a subject, of all if it is zero, by [Sanction.Key] within a range, in
	// its direction.
	Sanctions(ctx context.Context, of Subject, r Range) ([]Sanction, error)
	// StoredUser returns a user, also an absent one and what is left of a deleted account; nil if none is stored.
	StoredUser(ctx context.Context, id UserID) (*User, error)
}

// Moderated returns the row of the change log for a subject, whose user is the author of a post. It is not
// hidden any more unless hidden.
func (s Subject) Moderated(user UserID, hidden bool) Change {
	c := Change{Kind: ChangeSuspended, User: user, Post: s.Post, Other: NarrowedFor(user, hidden, !hidden)}
	if s.Post != 0 {
		c.Kind = ChangeTakenDown
	}
	return c
}

// Turns reports whether a subject that was hidden for some reasons and is for others now has become hidden, or
// shown again.
func (h HiddenFor) Turns(before HiddenFor) bool { return (h != 0) != (before != 0) }
