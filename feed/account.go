package feed

import (
	"context"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Claims are what a verified token says about its holder.
type Claims struct {
	User UserID
	// Handle, Name and AvatarURL may be empty or unfit; they only matter to a user
	// who is made.
	Handle, Name, AvatarURL string
}

// Accounts makes users at their first request. The zero value is not usable; make
// one with [NewAccounts].
type Accounts struct {
	users Users
	clock Clock

	mu    sync.Mutex
	known map[UserID]struct{}
}

// NewAccounts returns accounts kept in users.
func NewAccounts(users Users, clock Clock) *Accounts {
	return &Accounts{users: users, clock: clock, known: map[UserID]struct{}{}}
}

// knownMax bounds how many ids are remembered as stored: some megabytes. When it is
// reached the memory starts over, which costs a look-up per user.
const knownMax = 200_000

// handleMax and nameMax bound handles and names, in code points.
const (
	handleMax = 64
	nameMax   = 200
)

// SignIn makes the holder of the claims a user unless he is one. A handle that is
// unfit or taken is replaced by "user" and the id, since refusing the sign-in would
// lock out somebody whom another system has let in.
func (a *Accounts) SignIn(ctx context.Context, c Claims) error {
	if a.isKnown(c.User) {
		return nil
	}
	stored, err := a.users.Users(ctx, []UserID{c.User})
	if err != nil {
		return err
	}
	if stored[0] == nil {
		if err := a.make(ctx, c); err != nil {
			return err
		}
	}
	a.remember(c.User)
	return nil
}

func (a *Accounts) make(ctx context.Context, c Claims) error {
	fallback := "user" + c.User.String()
	u := User{ID: c.User, Handle: c.Handle, Name: c.Name, AvatarURL: c.AvatarURL, CreatedAt: Millis(a.clock())}
	if !ValidHandle(u.Handle) {
		u.Handle = fallback
	}
	if strings.TrimSpace(u.Name) == "" || utf8.RuneCountInString(u.Name) > nameMax || !plain(u.Name) {
		u.Name = u.Handle
	}
	if !httpsURL(u.AvatarURL) {
		u.AvatarURL = ""
	}
	_, err := a.users.EnsureUser(ctx, &u)
	if CodeOf(err) == CodeConflict && u.Handle != fallback {
		u.Handle = fallback
		_, err = a.users.EnsureUser(ctx, &u)
	}
	return err
}

func (a *Accounts) isKnown(id UserID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.known[id]
	return ok
}

func (a *Accounts) remember(id UserID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) >= knownMax {
		clear(a.known)
	}
	a.known[id] = struct{}{}
}

// ValidHandle says whether s may be a handle: 1 to 64 code points of valid UTF-8,
// without spaces, control characters, @ and /.
func ValidHandle(s string) bool {
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '@' || r == '/' }
	return s != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= handleMax && !strings.ContainsFunc(s, odd)
}
