package people_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/publish"
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

// evicts fails the test unless just these users were evicted.
func evicts(v fixture.Service, a *people.Accounts, want ...feed.UserID) {
	v.Helper()
	fixture.Same(v, "the users evicted", slices.Compact(a.Evictor.(*evictedUsers).users), want...) //nolint:forcetypeassert // accounts sets this type
}

func TestUpdateProfile_ChangesFieldsAndEvicts(t *testing.T) {
	v := fixture.New(t)
	a := accounts(v)
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
	v := fixture.New(t)
	a := accounts(v)
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
		_, err := a.UpdateProfile(t.Context(), ann, c.change)
		v.Refused(err, c.code, c.field)
	}
	users := fixture.Got(v.Backend.Users.Users(t.Context(), []feed.UserID{ann})).Must(t)
	fixture.Same(t, "the profile", []string{users[0].Handle, users[0].Name}, "user1", "User 1")
	_, err := a.UpdateProfile(t.Context(), 99, feed.ProfileChange{Name: new("Ann")})
	v.Refused(err, feed.CodeNotFound)
}

func TestDelete_HidesAccountFromEveryRead(t *testing.T) {
	v := fixture.New(t)
	a := accounts(v)
	v.Must(a.SignIn(t.Context(), people.Claims{User: star}))
	v.Follow(ann, star, moon)
	v.Follow(star, ann)
	v.Post(star, 1)
	v.Publish(moon, 2, publish.Draft{Text: "again", RepostOf: 1})
	v.Publish(moon, 3, publish.Draft{Text: "an answer", ReplyTo: 1})
	v.Publish(star, 4, publish.Draft{Text: "an answer", ReplyTo: 3})
	v.WorkAll()
	v.BuildInbox(ann)
	v.BuildInbox(star)
	fixture.Same(t, "ann's feed before", v.Home(ann), 4, 3, 2, 1)
	v.Must(a.Delete(t.Context(), star, "USER4"))
	for range 2 {
		fixture.Same(t, "ann's feed", v.Home(ann), 3)
		posts := fixture.Got(v.Timeline.Posts(t.Context(), ann, []feed.PostID{1, 2, 3, 4})).Must(t)
		fixture.Same(t, "the contents", []bool{posts[0] == nil, posts[1] == nil, posts[2] == nil, posts[3] == nil}, true, true, false, true)
		fixture.Same(t, "who is found", search(v, ann, "user4"))
		followers := fixture.Got(v.Directory.Followers(t.Context(), ann, ann, feed.PageQuery{})).Must(t)
		fixture.Same(t, "ann's followers", usersOf(followers))
		if err := a.SignIn(t.Context(), people.Claims{User: star, Handle: "star"}); !errors.Is(err, feed.ErrAccountDeleted) {
			t.Errorf("the user signs in again: %v", err)
		}
		v.Must(a.Purge(t.Context()))
		v.WorkAll()
	}
	evicts(v, a, star)
	if in := v.Header(star); in.State != feed.InboxAbsent {
		t.Errorf("the inbox is still there: %+v", in)
	}
	if err := a.Delete(t.Context(), star, ""); !errors.Is(err, feed.ErrAccountDeleted) {
		t.Errorf("the account is deleted again: %v", err)
	}
}

func TestDelete_RequiresOwnHandle(t *testing.T) {
	v := fixture.New(t)
	a := accounts(v)
	for _, handle := range []string{"", "user2", "user1 ", "@user1"} {
		v.Refused(a.Delete(t.Context(), ann, handle), feed.CodeInvalid, "confirmHandle")
	}
	evicts(v, a)
	fixture.Same(t, "who is found", search(v, anonymous, "user1"), ann)
}

func TestDelete_WorksWithoutInboxes(t *testing.T) {
	v := fixture.New(t)
	a := accounts(v)
	v.Flaky.Down = true
	a.Inboxes = v.Flaky
	v.Must(a.Delete(t.Context(), ann, "user1"))
	fixture.Same(t, "who is found", search(v, anonymous, "user1"))
}

// Another process deletes the account, and this one gets no message.
func TestSignIn_NoticesDeletionWithinAMinute(t *testing.T) {
	v := fixture.New(t)
	a := accounts(v)
	v.Must(a.SignIn(t.Context(), people.Claims{User: ann}))
	v.Must(v.Profiles.DeleteAccount(t.Context(), ann, 1))
	v.Clock.Advance(time.Minute)
	if err := a.SignIn(t.Context(), people.Claims{User: ann}); !errors.Is(err, feed.ErrAccountDeleted) {
		t.Errorf("after a minute: %v", err)
	}
}

func TestSignIn_WorksWithTakenFallbackHandle(t *testing.T) {
	v := fixture.New(t)
	a := accounts(v)
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
	v := fixture.New(t)
	a := accounts(v)
	p := &failingPurge{failAt: 2}
	a.Profiles = p
	v.Refused(a.Purge(t.Context()), feed.CodeUnavailable)
	v.Must(a.Purge(t.Context()))
	fixture.Same(t, "the slices", p.limits, v.Policy.PurgeBatch, v.Policy.PurgeBatch, v.Policy.PurgeBatch, v.Policy.PurgeBatch)
}
