package people

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// Claims are what a verified token says about its holder.
type Claims struct {
	User feed.UserID
	// Handle, Name and AvatarURL may be empty or unfit; they only matter to a user
	// who is made.
	Handle, Name, AvatarURL string
}

// Accounts makes users at their first request, and changes and deletes them. Its
// exported fields are set once, before the first call; it must not be copied.
type Accounts struct {
	// Users must not answer from a cache.
	Users    feed.Users
	Profiles feed.Profiles
	Inboxes  feed.Inboxes
	Evictor  feed.Evictor
	Clock    feed.Clock
	Policy   feed.Policy
	// Recorder, where it is set, counts sign-ins as activity.
	Recorder *ActivityRecorder

	// known are the users who need not be looked up.
	known expiring
}

// knownFor is how long one is remembered: the longest that a process lets
// somebody go on reading whose account another process has deleted. The stores
// refuse what he would change.
const knownFor = time.Minute

// SignIn makes the holder of the claims a user unless they are one. A handle that cannot
// be a new one ([texts.NewHandle]) or is not available is replaced by "user" and the id:
// a refused sign-in would lock out a user that another system has let in. The holder of a
// deleted account is not let in: [feed.ErrAccountDeleted]. A sign-in that makes the user counts as
// activity.
func (a *Accounts) SignIn(ctx context.Context, c Claims) error {
	if a.known.has(c.User, a.Clock()) {
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
	a.known.put(c.User, a.Clock().Add(knownFor))
	return nil
}

func (a *Accounts) make(ctx context.Context, c Claims) error {
	fallback := "user" + c.User.String()
	u := feed.User{ID: c.User, Name: c.Name, AvatarURL: c.AvatarURL, CreatedAt: feed.Millis(a.Clock())}
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
	// Anybody may take somebody's fallback for his handle, but not guess the last one.
	var err error
	for _, handle := range []string{u.Handle, fallback, fallback + "-" + strings.ToLower(rand.Text()[:8])} {
		u.Handle = handle
		if _, err = a.Users.EnsureUser(ctx, &u); feed.CodeOf(err) != feed.CodeConflict {
			break
		}
	}
	return err
}

// UpdateProfile changes viewer's profile and returns the result. A handle must be fit for
// a new one and is stored as [texts.NewHandle] returns it; a name is a label
// ([texts.LabelFault]) of 1 to 200 code points; an avatar is an absolute https URL, or
// empty for none. What is wrong is a refusal that names the field, and a handle that is
// not available is [feed.CodeConflict].
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

// dropSameHandle takes a handle out of a change that is the one viewer has: it may be older
// than the rules for new ones, and stays as it is.
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

// Delete deletes viewer's account. From the next read on nobody finds him or
// anything that he published; counters follow soon ([Accounts.Purge]). confirmHandle
// must be his handle, in any case, or it is [feed.CodeInvalid].
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
	a.known.drop(viewer)
	a.Evictor.Evict(nil, []feed.UserID{viewer})
	if err != nil {
		return err
	}
	// Nobody reads his inbox any more. One that cannot be removed takes space, and
	// that is no reason to say that the account still stands.
	_ = a.Inboxes.Remove(ctx, viewer)
	return nil
}

// Purge takes away, slice by slice, what deleted accounts have left. It is called
// again and again, by every worker; what it does not get done, the next call does.
func (a *Accounts) Purge(ctx context.Context) error {
	for {
		more, err := a.Profiles.PurgeDeleted(ctx, a.Policy.PurgeBatch)
		if err != nil || !more {
			return err
		}
	}
}
