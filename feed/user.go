package feed

import "github.com/tideline-feeds/tideline/feed/texts"

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
	Flag CoverageFlag
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
func (u *User) Popular() bool { return u.Flag != FlagNone }

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

// UserRecord is one imported user.
type UserRecord struct {
	User
	// LastSeenAt is 0 when it is not known.
	LastSeenAt int64
	// DeletedAt is 0 unless the account was deleted. Of such a user id and creation
	// are all that counts: he is there so that his id stays taken, and his deleted
	// contents, which others have answered, have an author.
	DeletedAt int64
}

// ProfileChange is a change of a profile. A field that is nil stays as it is.
type ProfileChange struct {
	Handle, Name *string
	// AvatarURL is empty to have none.
	AvatarURL *string
}

// profileText is a text of a profile, other than the handle.
type profileText struct {
	// name is that of the field of a record and of a mutation.
	name   string
	of     func(*User) *string
	change func(*ProfileChange) *string
	// check returns nil, or a refusal.
	check func(r Rules, text string) error
}

// profileTexts are all of them: what is compared, checked and changed goes by this list.
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

// Apply makes the change to a user.
func (c *ProfileChange) Apply(u *User) {
	if c.Handle != nil {
		u.Handle = *c.Handle
	}
	for _, t := range profileTexts() {
		if text := t.change(c); text != nil {
			*t.of(u) = *text
		}
	}
}

// CheckProfile refuses a change of a profile that cannot be made, whatever is stored, and brings
// its handle into the form in which it is stored ([texts.NewHandle]).
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
	if u.DeletedAt != 0 {
		// Only the id and the two times of a deleted account are stored.
		return firstError(
			r.Past("createdAt", u.CreatedAt, now),
			r.Past("deletedAt", u.DeletedAt, now),
			r.inOrder("createdAt", u.CreatedAt, "deletedAt", u.DeletedAt))
	}
	if err := checkHandle(u.Handle); err != nil {
		return err
	}
	for _, t := range profileTexts() {
		if err := t.check(r, *t.of(&u.User)); err != nil {
			return err
		}
	}
	return firstError(
		r.Past("createdAt", u.CreatedAt, now),
		r.Past("lastSeenAt", u.LastSeenAt, now))
}

// DifferentUser compares a record with the stored user of its id, whose account is not
// deleted unless the record says so, too. lastSeenAt never differs: a later one is taken
// over, and an earlier one is past.
func DifferentUser(stored, r *UserRecord) Difference {
	if r.DeletedAt != 0 {
		return differing(field{"deletedAt", stored.DeletedAt == 0})
	}
	fields := []field{{"handle", stored.Handle != r.Handle}}
	for _, t := range profileTexts() {
		fields = append(fields, field{t.name, *t.of(&stored.User) != *t.of(&r.User)})
	}
	return differing(append(fields, field{"createdAt", stored.CreatedAt != r.CreatedAt})...)
}
