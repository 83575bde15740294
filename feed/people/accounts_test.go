package people_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// evictedUsers notes the users who were evicted.
type evictedUsers struct{ users []feed.UserID }

func (e *evictedUsers) Evict(_ []feed.PostID, users []feed.UserID) {
	e.users = append(e.users, users...)
}

// accounts returns the accounts of the service.
func accounts(v fixture.Service) *people.Accounts {
	return &people.Accounts{
		Users: v.Backend.Users, Profiles: v.Profiles, Inboxes: v.Backend.Inboxes, Evictor: &evictedUsers{}, Clock: v.Clock.Now, Policy: v.Policy,
	}
}

// renames gives a user a new handle.
func renames(v fixture.Service, a *people.Accounts, user feed.UserID, handle string) {
	v.Helper()
	fixture.Got(a.UpdateProfile(v.Context(), user, feed.ProfileChange{Handle: &handle})).Must(v)
}

// newAccounts returns a service and its accounts.
func newAccounts(t *testing.T) (fixture.Service, *people.Accounts) {
	t.Helper()
	v := fixture.New(t)
	return v, accounts(v)
}

// evicts fails the test unless just these users were evicted.
func evicts(v fixture.Service, a *people.Accounts, want ...feed.UserID) {
	v.Helper()
	fixture.Same(v, "the users evicted", slices.Compact(a.Evictor.(*evictedUsers).users), want...) //nolint:forcetypeassert // accounts sets this type
}

func TestUpdateProfile_ChangesFieldsAndEvicts(t *testing.T) {
	v, a := newAccounts(t)
	for _, c := range []struct {
		change               feed.ProfileChange
		handle, name, avatar string
	}{
		{feed.ProfileChange{}, "user1", "User 1", ""},
		{feed.ProfileChange{Handle: new(strings.Repeat("ä", 64))}, strings.Repeat("ä", 64), "User 1", ""},
		{feed.ProfileChange{Handle: new("Ann.Smith")}, "Ann.Smith", "User 1", ""},
		{feed.ProfileChange{Name: new(strings.Repeat("ä", 200))}, "Ann.Smith", strings.Repeat("ä", 200), ""},
		{feed.ProfileChange{Name: new("Ann")}, "Ann.Smith", "Ann", ""},
		{feed.ProfileChange{AvatarURL: new("https://tide.example/a.png")}, "Ann.Smith", "Ann", "https://tide.example/a.png"},
		{feed.ProfileChange{AvatarURL: new("")}, "Ann.Smith", "Ann", ""},
	} {
		u := fixture.Got(a.UpdateProfile(t.Context(), ann, c.change)).Must(t)
		fixture.Same(t, "handle, name, avatar", []string{u.Handle, u.Name, u.AvatarURL}, c.handle, c.name, c.avatar)
	}
	evicts(v, a, ann)
}

func TestUpdateProfile_NamesInvalidField(t *testing.T) {
	v, a := newAccounts(t)
	for _, c := range []struct {
		change feed.ProfileChange
		code   feed.Code
		field  string
	}{
		{feed.ProfileChange{Handle: new("")}, feed.CodeInvalid, "handle"},
		{feed.ProfileChange{Handle: new("deleted/2")}, feed.CodeInvalid, "handle"},
		{feed.ProfileChange{Handle: new(strings.Repeat("a", 65))}, feed.CodeInvalid, "handle"},
		{feed.ProfileChange{Handle: new("USER2")}, feed.CodeConflict, "handle"},
		{feed.ProfileChange{Handle: new("us\u0435r3")}, feed.CodeInvalid, "handle"},
		{feed.ProfileChange{Name: new(" ")}, feed.CodeInvalid, "name"},
		{feed.ProfileChange{Name: new("Ann\nSmith")}, feed.CodeInvalid, "name"},
		{feed.ProfileChange{Name: new(strings.Repeat("a", 201))}, feed.CodeTooLong, "name"},
		{feed.ProfileChange{AvatarURL: new("http://tide.example/a.png")}, feed.CodeInvalid, "avatarUrl"},
		{feed.ProfileChange{AvatarURL: new("https://tide.example/" + strings.Repeat("a", v.Policy.URLMax))}, feed.CodeTooLong, "avatarUrl"},
	} {
		fixture.Got(a.UpdateProfile(t.Context(), ann, c.change)).Refused(v, c.code, c.field)
	}
	users := fixture.Got(v.Backend.Users.Users(t.Context(), []feed.UserID{ann})).Must(t)
	fixture.Same(t, "the profile", []string{users[0].Handle, users[0].Name}, "user1", "User 1")
	fixture.Got(a.UpdateProfile(t.Context(), 99, feed.ProfileChange{Name: new("Ann")})).Refused(v, feed.CodeNotFound)
}

func TestDelete_EvictsAndEndsTheSession(t *testing.T) {
	v, a := newAccounts(t)
	v.Must(a.SignIn(t.Context(), people.Claims{User: star}))
	v.Follow(star, ann)
	v.Post(star, 1)
	v.WorkAll()
	v.BuildInbox(star)
	v.Must(a.Delete(t.Context(), star, "USER4"))
	for range 2 {
		fixture.Same(t, "who is found", search(v, ann, "user4"))
		fixture.Fails(t, a.SignIn(t.Context(), people.Claims{User: star, Handle: "star"}), feed.ErrAccountDeleted)
		v.Must(a.Purge(t.Context()))
		v.WorkAll()
	}
	evicts(v, a, star)
	fixture.Is(t, "the inbox", v.Header(star).State, feed.InboxAbsent)
	fixture.Fails(t, a.Delete(t.Context(), star, ""), feed.ErrAccountDeleted)
}

func TestDelete_RequiresOwnHandle(t *testing.T) {
	v, a := newAccounts(t)
	for _, handle := range []string{"", "user2", "user1 ", "@user1"} {
		v.Refused(a.Delete(t.Context(), ann, handle), feed.CodeInvalid, "confirmHandle")
	}
	evicts(v, a)
	fixture.Same(t, "who is found", search(v, anonymous, "user1"), ann)
}

func TestDelete_WorksWithoutInboxes(t *testing.T) {
	v, a := newAccounts(t)
	v.Flaky.Down = true
	a.Inboxes = v.Flaky
	v.Must(a.Delete(t.Context(), ann, "user1"))
	fixture.Same(t, "who is found", search(v, anonymous, "user1"))
}

// Another process deletes the account, and this one gets no message.
func TestSignIn_NoticesDeletionWithinAMinute(t *testing.T) {
	v, a := newAccounts(t)
	v.Must(a.SignIn(t.Context(), people.Claims{User: ann}))
	v.Must(v.Profiles.DeleteAccount(t.Context(), ann, 1))
	v.Clock.Advance(time.Minute)
	fixture.Fails(t, a.SignIn(t.Context(), people.Claims{User: ann}), feed.ErrAccountDeleted)
}

func TestSignIn_WorksWithTakenFallbackHandle(t *testing.T) {
	v, a := newAccounts(t)
	renames(v, a, ann, "user77")
	u := signedIn(v, a, people.Claims{User: 77, Handle: "user77"})
	if !strings.HasPrefix(u.Handle, "user77-") || texts.HandleFault(u.Handle) != "" {
		t.Errorf("the handle is %q", u.Handle)
	}
}

// slices of a purge that fail leave the rest to the next call.
type failingPurge struct {
	feed.Profiles
	failAt, calls int
	limits        []int
}

func (f *failingPurge) PurgeDeleted(_ context.Context, limit int) (bool, error) {
	f.calls++
	f.limits = append(f.limits, limit)
	if f.calls == f.failAt {
		return true, feed.Unavailable("the database", nil)
	}
	return f.calls < 4, nil
}

func TestPurge_RunsUntilDoneOrFailure(t *testing.T) {
	v, a := newAccounts(t)
	p := &failingPurge{failAt: 2}
	a.Profiles = p
	v.Refused(a.Purge(t.Context()), feed.CodeUnavailable)
	v.Must(a.Purge(t.Context()))
	fixture.Same(t, "the slices", p.limits, v.Policy.PurgeBatch, v.Policy.PurgeBatch, v.Policy.PurgeBatch, v.Policy.PurgeBatch)
}

// Every way to a handle that imitates another user's ends in a refusal or in a placeholder.
func TestAccounts_KeepImitationsAway(t *testing.T) {
	v, a := newAccounts(t)
	renames(v, a, star, "alice")
	for i, imitation := range []string{
		"al\u200bice", "\u202ealice", "al\u00adice", "\u0430lice", "\uff41lice", "\uff41\uff4c\uff49\uff43\uff45", "alice\u3164",
		"\u2800", "\u200b", "..", ".", "alice.", "<script>", "aIice", "a1ice", "al\u0131ce", "\u0430\u04cf\u0456\u0441\u0435", "ALICE",
		"\U0001d41alice", "\u24d0lice", "alice\u0332", "al\u0130ce", "ali\u03f2e", "alice\ufe0f", "alice\U000e0061", "alice ", "alice\n", "\u13aalice",
	} {
		id := feed.UserID(7000 + i)
		u := signedIn(v, a, people.Claims{User: id, Handle: imitation})
		fixture.Same(t, "the handle of who claims "+imitation, []string{u.Handle}, "user"+id.String())
		if _, err := a.UpdateProfile(t.Context(), id, feed.ProfileChange{Handle: &imitation}); feed.CodeOf(err) != feed.CodeInvalid && feed.CodeOf(err) != feed.CodeConflict {
			t.Errorf("%+q is taken as a new handle: %v", imitation, err)
		}
	}
	fixture.Same(t, "the owner", []feed.UserID{byHandle(v, anonymous, "\uff21\uff2c\uff29\uff23\uff25")}, star)
}

// byHandle returns the user that the viewer finds by a handle; 0 for none.
func byHandle(v fixture.Service, viewer feed.UserID, handle string) feed.UserID {
	v.Helper()
	if u := fixture.Got(v.Directory.UserByHandle(v.Context(), viewer, handle)).Must(v); u != nil {
		return u.ID
	}
	return 0
}

func TestUserByHandle_FoldsWhatIsAskedFor(t *testing.T) {
	v, a := newAccounts(t)
	renames(v, a, ann, "Stra\u00dfe")
	for _, handle := range []string{"stra\u00dfe", "STRASSE", "\uff33trasse"} {
		fixture.Same(t, "the owner of "+handle, []feed.UserID{byHandle(v, anonymous, handle)}, ann)
	}
	for _, handle := range []string{"", "stra\u200bsse", "@strasse", "strasse ", string(make([]byte, 1<<20))} {
		fixture.Same(t, "the owner of another", []feed.UserID{byHandle(v, anonymous, handle)}, 0)
	}
	fixture.Same(t, "who is found", search(v, anonymous, "STRASS"), ann)
	v.Must(a.Delete(t.Context(), ann, "strasse"))
}

func TestUpdateProfile_KeepsAnOldHandle(t *testing.T) {
	v, a := newAccounts(t)
	old := feed.UserRecord{User: feed.User{ID: 500, Handle: "\u0430lice", Name: "Old"}}
	fixture.Got(v.Import(t.Context(), []feed.Record{{User: &old}})).Must(t)
	u := fixture.Got(a.UpdateProfile(t.Context(), 500, feed.ProfileChange{Handle: new("\u0430lice"), Name: new("New")})).Must(t)
	fixture.Same(t, "handle and name", []string{u.Handle, u.Name}, "\u0430lice", "New")
	fixture.Got(a.UpdateProfile(t.Context(), 500, feed.ProfileChange{Handle: new("\u0410lice")})).Refused(v, feed.CodeInvalid, "handle")
}

// A handle that was given up is not available to other users for thirty days.
func TestPurgeRows_DropsHeldHandles(t *testing.T) {
	v, a := newAccounts(t)
	renames(v, a, star, "alice")
	v.Must(a.Delete(t.Context(), star, "alice"))
	take := func(handle string) error {
		_, err := a.UpdateProfile(t.Context(), ann, feed.ProfileChange{Handle: &handle})
		return err
	}
	for _, wait := range []time.Duration{0, v.Policy.HandlesHeldFor - time.Second} {
		v.Clock.Advance(wait)
		v.Must(v.Maintenance.PurgeRows(t.Context()))
		v.Refused(take("alice"), feed.CodeConflict, "handle")
		v.Refused(take("a1ice"), feed.CodeConflict, "handle")
	}
	v.Clock.Advance(2 * time.Second)
	v.Must(v.Maintenance.PurgeRows(t.Context()))
	v.Must(take("alice"))
}

// signedIn signs a user in and returns them.
func signedIn(v fixture.Service, a *people.Accounts, c people.Claims) *feed.User {
	v.Helper()
	v.Must(a.SignIn(v.Context(), c))
	return fixture.Got(v.Backend.Users.Users(v.Context(), []feed.UserID{c.User})).Must(v)[0]
}

func TestSignIn_ReplacesInvalidClaims(t *testing.T) {
	const fallback = "user77"
	long := strings.Repeat("ä", 64)
	for name, c := range map[string]struct {
		claims               people.Claims
		handle, name, avatar string
	}{
		"everything fits":           {people.Claims{Handle: "Ann.A", Name: "Ann", AvatarURL: "https://t.example/a"}, "Ann.A", "Ann", "https://t.example/a"},
		"nothing is claimed":        {people.Claims{}, fallback, fallback, ""},
		"the longest handle":        {people.Claims{Handle: long}, long, long, ""},
		"a handle that is too long": {people.Claims{Handle: long + "ä", Name: "A"}, fallback, "A", ""},
		"a taken handle":            {people.Claims{Handle: "user1", Name: "A"}, fallback, "A", ""},
		"a handle in full width":    {people.Claims{Handle: "ａnn", Name: "A"}, "ann", "A", ""},
		"a name that is invisible":  {people.Claims{Handle: "a", Name: "\u3164"}, "a", "a", ""},
		"a name that is too long":   {people.Claims{Handle: "a", Name: strings.Repeat("n", 201)}, "a", "a", ""},
		"an avatar over http":       {people.Claims{Handle: "a", AvatarURL: "http://tide.example/a.png"}, "a", "a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.New(t)
			c.claims.User = 77
			u := signedIn(v, accounts(v), c.claims)
			if u == nil {
				t.Fatal("no user was made")
			}
			fixture.Same(t, "handle, name, avatar", []string{u.Handle, u.Name, u.AvatarURL}, c.handle, c.name, c.avatar)
			fixture.Is(t, "when the user was made", u.CreatedAt, v.Clock.Millis())
		})
	}
}

// Claims make a user; they do not change one.
func TestSignIn_SecondChangesNothing(t *testing.T) {
	v := fixture.New(t)
	first := signedIn(v, accounts(v), people.Claims{User: 77, Handle: "a", Name: "A"})
	again := signedIn(v, accounts(v), people.Claims{User: 77, Handle: "b", Name: "B"})
	fixture.Is(t, "the user", *again, *first)
}

// countedUsers counts look-ups, and fails when down is set.
type countedUsers struct {
	store
	asked int
	down  bool
}

func (c *countedUsers) Users(ctx context.Context, ids []feed.UserID) ([]*feed.User, error) {
	c.asked++
	if c.down {
		return nil, feed.Unavailable("the database", nil)
	}
	return c.store.Users(ctx, ids)
}

func TestSignIn_CachesOnlySuccess(t *testing.T) {
	v := fixture.New(t)
	users := &countedUsers{store: v.Backend.Users, down: true}
	a := accounts(v)
	a.Users = users
	v.Refused(a.SignIn(t.Context(), people.Claims{User: ann}), feed.CodeUnavailable)
	users.down = false
	for range 3 {
		v.Must(a.SignIn(t.Context(), people.Claims{User: ann}))
	}
	fixture.Is(t, "how often the store was asked", users.asked, 2)
}

func TestSignIn_StoresNoProfileOfSourceOwnedUser(t *testing.T) {
	v, a := newAccounts(t)
	a.Policy.Owned = feed.RecordTypes{feed.RecordUser}
	if u := signedIn(v, a, people.Claims{User: 77, Handle: "a", Name: "A"}); u != nil {
		t.Errorf("an unknown user is shown as %+v", u)
	}
	me := fixture.Got(a.Absent(t.Context(), 77)).Must(t)
	fixture.Is(t, "how the user sees themselves", *me, feed.User{ID: 77, CreatedAt: v.Clock.Millis(), ProfileWithheld: true})
	arrived := feed.Record{User: &feed.UserRecord{User: feed.User{ID: 77, Handle: "b", Name: "B"}}}
	fixture.Got(v.Applier.Apply(t.Context(), feed.Batch{Records: []feed.Record{arrived}, Owned: a.Policy.Owned, Ordered: true})).Must(t)
	if u := signedIn(v, a, people.Claims{User: 77, Handle: "a", Name: "A"}); u == nil || *u != arrived.User.User {
		t.Errorf("the user who arrived is %+v", u)
	}
	v.Must(v.Profiles.DeleteAccount(t.Context(), ann, 1))
	if u, err := a.Absent(t.Context(), ann); u != nil || err != nil {
		t.Errorf("a deleted account is %+v, %v", u, err)
	}
}

func TestSignIn_PlaceholderTakesClaims(t *testing.T) {
	v := fixture.New(t)
	v.SetAbsent(77, true)
	u := signedIn(v, accounts(v), people.Claims{User: 77, Handle: "a", Name: "A"})
	if u == nil || u.Handle != "a" || u.Name != "A" {
		t.Errorf("the user is %+v", u)
	}
}
