package feed

import (
	"cmp"
	"iter"
	"time"

	"github.com/tideline-feeds/tideline/feed/texts"
)

// User is one account. A *User from a port may be shared and must not be changed.
type User struct {
	ID UserID
	// External is set only where ids are text.
	External ExternalID
	// Handle is unique under [FoldHandle], except of a source's users ([FirstWithHandle]). Name is what
	// people see.
	Handle    string
	Name      string
	AvatarURL string
	Custom    CustomFields
	CreatedAt int64
	// Private says that only followers may see the user's posts and live sessions.
	Private bool
	// Suspended is 0 for a user who is not suspended. The posts and live sessions of one who is only the
	// user may see.
	Suspended HiddenFor
	// Flag says what the user's fan-outs have left out so far.
	Flag CoverageFlag
	// ProfileWithheld is set by [User.Withheld] only.
	ProfileWithheld bool
}

// IsNode marks users as objects with a global id in the API.
func (*User) IsNode() {}

// Withheld returns what a viewer sees of a user who blocks them: ids and time of creation.
func (u *User) Withheld() *User {
	return &User{ID: u.ID, External: u.External, CreatedAt: u.CreatedAt, ProfileWithheld: true}
}

// Unavailable reports whether the profile is withheld.
func (u *User) Unavailable() bool { return u.ProfileWithheld }

// ShowsPosts reports whether the user's privacy, suspension and blocks let a viewer see the user's posts. It
// leaves hides to the posts, because viewers must not learn of them.
func (u *User) ShowsPosts(viewer UserID, e Edge) bool {
	return u.ID == viewer || !e.Blocks && !e.BlockedBy && u.Suspended == 0 && (!u.Private || e.Follows)
}

// HasProfile reports whether the user has a handle or a name. Placeholders have neither.
func (u *User) HasProfile() bool { return u.Handle != "" || u.Name != "" }

// Popular reports whether the user has a coverage flag, which is that of a popular author.
func (u *User) Popular() bool { return u.Flag != FlagNone }

// FoldHandle returns the form for comparisons ([texts.Fold]). Too long texts match no handle.
func FoldHandle(handle string) string {
	if len(handle) > texts.HandleBytes {
		return handle
	}
	return texts.Fold(handle)
}

// FirstWithHandle returns the result of a look-up by handle among present users, or nil. Users of a source
// may have handles that are the same under [FoldHandle]. It is the user who was created first, and of those
// the one with the smallest id, as a number or by the bytes of a text. So the result depends on the states
// of users alone, not on the order in which these arrived.
func FirstWithHandle(users iter.Seq[*User], handle string) (first *User) {
	fold := FoldHandle(handle)
	for u := range users {
		if u.Handle != "" && FoldHandle(u.Handle) == fold && (first == nil || u.precedes(first)) {
			first = u
		}
	}
	return first
}

func (u *User) precedes(other *User) bool {
	return cmp.Or(cmp.Compare(u.CreatedAt, other.CreatedAt), cmp.Compare(u.External, other.External), cmp.Compare(u.ID, other.ID)) < 0
}

// HandleTaken returns the error for a handle that is not available.
func HandleTaken(handle string) *Error {
	return Errorf(CodeConflict, "the handle %.40q is not available: it is taken, looks like another handle, or was given up recently", handle)
}

// UserRecord is one imported user.
type UserRecord struct {
	User
	LastSeenAt int64
	// DeletedAt leaves only id and times: the id stays taken, and answered posts have an author.
	DeletedAt int64
	// Absent says that the user is not shown: they have not arrived ([UsersExplicit]), or were taken
	// back by the source that owns users.
	Absent bool
	// AwaitedAt is when a record or request first named a user without a record; 0 for others.
	AwaitedAt int64
	// ErasedAt is set in records only. For a source that owns users, it deletes the account, and
	// DeletedAt only takes the user back. Otherwise both delete the account.
	ErasedAt int64
}

// Awaited reports whether the user is a placeholder: named, but without a record of their own. Whether
// a placeholder is absent is for the [UserMode] to say.
func (u *UserRecord) Awaited() bool { return u.AwaitedAt != 0 }

// ProfileChange changes the fields of a profile that are not nil.
type ProfileChange struct {
	Handle, Name *string
	// An empty AvatarURL removes the avatar.
	AvatarURL *string
	// Private may change twice within [PrivacyChangesIn].
	Private *bool
}

// PrivacyChangesIn is the time in which an account may become private or public twice.
const PrivacyChangesIn = 24 * time.Hour

type profileText struct {
	name   string
	of     func(*User) *string
	change func(*ProfileChange) *string
	check  func(r Rules, text string) error
}

func profileTexts() []profileText {
	return []profileText{
		{
			"name", func(u *User) *string { return &u.Name }, func(c *ProfileChange) *string { return c.Name },
			Rules.Name,
		},
		{
			"avatarUrl", func(u *User) *string { return &u.AvatarURL }, func(c *ProfileChange) *string { return c.AvatarURL },
			func(r Rules, text string) error { return r.optionalURL("avatarUrl", text) },
		},
	}
}

// Apply changes u.
func (c *ProfileChange) Apply(u *User) {
	if c.Handle != nil {
		u.Handle = *c.Handle
	}
	for _, t := range profileTexts() {
		if text := t.change(c); text != nil {
			*t.of(u) = *text
		}
	}
	if c.Private != nil {
		u.Private = *c.Private
	}
}

// CheckProfile refuses an invalid change and normalizes its handle ([texts.NewHandle]).
func (r Rules) CheckProfile(c *ProfileChange) error {
	if c.Handle != nil {
		handle, fault := texts.NewHandle(*c.Handle)
		if fault != "" {
			return Errorf(CodeInvalid, "a handle %s", fault).At("handle")
		}
		c.Handle = &handle
	}
	for _, t := range profileTexts() {
		if text := t.change(c); text != nil {
			if err := t.check(r, *text); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r Rules) checkUser(u *UserRecord, now int64) error {
	switch {
	case u.Absent && !r.NoHandles:
		return Errorf(CodeInvalid, "only where a source owns users can a user be absent").At("absent")
	case u.Awaited() && !r.NoHandles:
		return Errorf(CodeInvalid, "only where a source owns users can a user be awaited").At("awaitedAt")
	}
	if u.DeletedAt != 0 {
		return cmp.Or(
			r.Past("createdAt", u.CreatedAt, now),
			r.Past("deletedAt", u.DeletedAt, now),
			r.inOrder("createdAt", u.CreatedAt, "deletedAt", u.DeletedAt))
	}
	if u.Handle != "" || !r.NoHandles {
		if err := checkHandle(u.Handle); err != nil {
			return err
		}
	}
	for _, t := range profileTexts() {
		if err := t.check(r, *t.of(&u.User)); err != nil {
			return err
		}
	}
	return cmp.Or(
		u.Custom.check(),
		r.Past("createdAt", u.CreatedAt, now),
		r.Past("lastSeenAt", u.LastSeenAt, now),
		r.Past("awaitedAt", u.AwaitedAt, now))
}

// DifferentUser compares all but lastSeenAt, which only rises. If r is deleted, only that counts.
func DifferentUser(stored, r *UserRecord) Difference {
	if r.DeletedAt != 0 {
		return differing(field{"deletedAt", stored.DeletedAt == 0})
	}
	fields := []field{{"handle", stored.Handle != r.Handle}}
	for _, t := range profileTexts() {
		fields = append(fields, field{t.name, *t.of(&stored.User) != *t.of(&r.User)})
	}
	return differing(append(fields,
		field{"custom", stored.Custom != r.Custom}, field{"createdAt", stored.CreatedAt != r.CreatedAt},
		field{"private", stored.Private != r.Private},
		field{"suspended", stored.Suspended.ByRecord(r.Suspended) != stored.Suspended})...)
}
