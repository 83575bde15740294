package people_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/people"
)

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
		"everything fits": {people.Claims{Handle: "Ann.A", Name: "Ann", AvatarURL: "https://t.example/a"}, "Ann.A", "Ann", "https://t.example/a"},
		"nothing is claimed":          {people.Claims{}, fallback, fallback, ""},
		"the longest handle":          {people.Claims{Handle: long}, long, long, ""},
		"a handle that is too long":   {people.Claims{Handle: long + "ä", Name: "A"}, fallback, "A", ""},
		"a taken handle":              {people.Claims{Handle: "user1", Name: "A"}, fallback, "A", ""},
		"a taken one in another case": {people.Claims{Handle: "USER1", Name: "A"}, fallback, "A", ""},
		"a handle in full width":      {people.Claims{Handle: "ａnn", Name: "A"}, "ann", "A", ""},
		"a name that is invisible":    {people.Claims{Handle: "a", Name: "\u3164"}, "a", "a", ""},
		"a blank name":                {people.Claims{Handle: "a", Name: " "}, "a", "a", ""},
		"a name that is too long":     {people.Claims{Handle: "a", Name: strings.Repeat("n", 201)}, "a", "a", ""},
		"an avatar over http":         {people.Claims{Handle: "a", AvatarURL: "http://tide.example/a.png"}, "a", "a", ""},
		"an avatar that is a script":  {people.Claims{Handle: "a", AvatarURL: "javascript:alert(1)"}, "a", "a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.New(t)
			c.claims.User = 77
			u := signedIn(v, accounts(v), c.claims)
			if u == nil {
				t.Fatal("no user was made")
			}
			fixture.Same(t, "handle, name, avatar", []string{u.Handle, u.Name, u.AvatarURL}, c.handle, c.name, c.avatar)
			if u.CreatedAt != v.Clock.Millis() {
				t.Errorf("the user was made at %d", u.CreatedAt)
			}
		})
	}
}

// Claims make a user; they do not change one.
func TestSignIn_SecondChangesNothing(t *testing.T) {
	v := fixture.New(t)
	first := signedIn(v, accounts(v), people.Claims{User: 77, Handle: "a", Name: "A"})
	again := signedIn(v, accounts(v), people.Claims{User: 77, Handle: "b", Name: "B"})
	if *first != *again {
		t.Errorf("%+v became %+v", first, again)
	}
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
	if err := a.SignIn(t.Context(), people.Claims{User: ann}); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("while the store is away: %v", err)
	}
	users.down = false
	for range 3 {
		v.Must(a.SignIn(t.Context(), people.Claims{User: ann}))
	}
	if users.asked != 2 {
		t.Errorf("the store was asked %d times, want twice", users.asked)
	}
}

func TestSignIn_StoresNoProfileOfSourceOwnedUser(t *testing.T) {
	v := fixture.New(t)
	a := accounts(v)
	a.Policy.Owned = feed.RecordTypes{feed.RecordUser}
	if u := signedIn(v, a, people.Claims{User: 77, Handle: "a", Name: "A"}); u != nil {
		t.Errorf("an unknown user is shown as %+v", u)
	}
	me := fixture.Got(a.Absent(t.Context(), 77)).Must(t)
	if *me != (feed.User{ID: 77, CreatedAt: v.Clock.Millis(), ProfileWithheld: true}) {
		t.Errorf("the user sees themselves as %+v", me)
	}
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
