package people

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/texts"
	"github.com/tideline-feeds/tideline/internal/kit/expiring"
)

// Claims are what a verified token says about its holder.
type Claims struct {
	User feed.UserID
	// External is set only where ids are text.
	External feed.ExternalID
	// Handle, Name and AvatarURL may be empty or invalid; they only matter for a new user.
	Handle, Name, AvatarURL string
}

// Accounts creates, changes and deletes users. It must not be copied.
type Accounts struct {
	// Users must not read from a cache.
	Users    feed.Users
	Profiles feed.Profiles
	Inboxes  feed.Inboxes
	Evictor  feed.Evictor
	Clock    feed.Clock
	// If Policy.Owned has users, claims make placeholders without a profile.
	Policy feed.Policy
	// Recorder, unless nil, counts sign-ins as activity.
	Recorder *ActivityRecorder

	known expiring.Set[feed.UserID]
}

// knownFor is how long a user may read whose account another process has deleted.
const knownFor = time.Minute

// SignIn creates a user from the claims unless they exist, which counts as activity. A placeholder
// becomes that user. A handle that is taken or invalid ([texts.NewHandle]) becomes "user" and the
// id: a refusal would lock out a user of another system. A deleted account is
// [feed.ErrAccountDeleted].
func (a *Accounts) SignIn(ctx context.Context, c Claims) error {
	if a.known.Has(c.User, a.Clock()) {
		return nil
	}
	stored, err := a.Users.Users(ctx, []feed.UserID{c.User})
	if err != nil {
		return err
	}
	if stored[0] == nil {
		if err := a.make(ctx, c); err != nil {
			return err
		}
		a.Recorder.Record(ctx, c.User)
	}
	a.known.Put(c.User, a.Clock().Add(knownFor))
	return nil
}

func (a *Accounts) sourceOwned() bool { return a.Policy.Owned.Has(feed.RecordUser) }

func (a *Accounts) make(ctx context.Context, c Claims) error {
	u := feed.User{ID: c.User, External: c.External, CreatedAt: feed.Millis(a.Clock())}
	if a.sourceOwned() {
		_, err := a.Users.EnsureUser(ctx, &u)
		return err
	}
	u.Name, u.AvatarURL = c.Name, c.AvatarURL
	fallback := "user" + c.User.String()
	var fault string
	if u.Handle, fault = texts.NewHandle(c.Handle); fault != "" {
		u.Handle = fallback
	}
	if feed.ClientRules().Name(u.Name) != nil {
		u.Name = u.Handle
	}
	if !feed.IsHTTPSURL(u.AvatarURL) {
		u.AvatarURL = ""
	}
	// Another user may take a fallback as their handle, but cannot guess the last one.
	var err error
	for _, handle := range []string{u.Handle, fallback, fallback + "-" + strings.ToLower(rand.Text()[:8])} {
		u.Handle = handle
		if _, err = a.Users.EnsureUser(ctx, &u); feed.CodeOf(err) != feed.CodeConflict {
			break
		}
	}
	return err
}

// Absent returns what an absent viewer sees of themselves: no profile. It returns nil if viewer has
// no account, or if Tideline owns users.
func (a *Accounts) Absent(ctx context.Context, viewer feed.UserID) (*feed.User, error) {
	if !a.sourceOwned() {
		return nil, nil
	}
	u, err := a.Users.EnsureUser(ctx, &feed.User{ID: viewer, CreatedAt: feed.Millis(a.Clock())})
	if errors.Is(err, feed.ErrAccountDeleted) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return u.Withheld(), nil
}

// UpdateProfile changes viewer's profile and returns the result. A handle is normalised by
// [texts.NewHandle]; a name is a label ([texts.LabelFault]) of 1 to 200 code points; an avatar is
// an absolute https URL, or empty. An error names the field; a taken handle is [feed.CodeConflict].
func (a *Accounts) UpdateProfile(ctx context.Context, viewer feed.UserID, c feed.ProfileChange) (*feed.User, error) {
	if err := a.dropSameHandle(ctx, viewer, &c); err != nil {
		return nil, err
	}
	if err := a.Policy.CheckProfile(&c); err != nil {
		return nil, err
	}
	u, err := a.Profiles.UpdateProfile(ctx, viewer, c)
	a.Evictor.Evict(nil, []feed.UserID{viewer})
	return u, err
}

// dropSameHandle lets viewer keep a handle that is older than the rules for new ones.
func (a *Accounts) dropSameHandle(ctx context.Context, viewer feed.UserID, c *feed.ProfileChange) error {
	if c.Handle == nil {
		return nil
	}
	users, err := a.Users.Users(ctx, []feed.UserID{viewer})
	if err == nil && users[0] != nil && users[0].Handle == *c.Handle {
		c.Handle = nil
	}
	return err
}

// Delete deletes viewer's account; the next read lacks the user and their posts. confirmHandle must
// be their handle, in any case, or it is [feed.CodeInvalid].
func (a *Accounts) Delete(ctx context.Context, viewer feed.UserID, confirmHandle string) error {
	users, err := a.Users.Users(ctx, []feed.UserID{viewer})
	switch {
	case err != nil:
		return err
	case users[0] == nil:
		return feed.ErrAccountDeleted
	case feed.FoldHandle(confirmHandle) != feed.FoldHandle(users[0].Handle):
		return feed.Errorf(feed.CodeInvalid, "this is not the account's handle").At("confirmHandle")
	}
	err = a.Profiles.DeleteAccount(ctx, viewer, feed.Millis(a.Clock()))
	a.known.Drop(viewer)
	a.Evictor.Evict(nil, []feed.UserID{viewer})
	if err != nil {
		return err
	}
	// The account is deleted even if the inbox remains, which only takes space.
	_ = a.Inboxes.Remove(ctx, viewer)
	return nil
}

// Purge drops the data of deleted accounts, slice by slice.
func (a *Accounts) Purge(ctx context.Context) error {
	for {
		more, err := a.Profiles.PurgeDeleted(ctx, a.Policy.PurgeBatch)
		if err != nil || !more {
			return err
		}
	}
}
