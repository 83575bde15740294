package people_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/people"
)

// Every way to a handle that imitates another user's ends in a refusal or in a placeholder.
func TestAccounts_KeepImitationsAway(t *testing.T) {
	v := fixture.New(t)
	a := accounts(v)
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
	v := fixture.New(t)
	a := accounts(v)
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
	v := fixture.New(t)
	a := accounts(v)
	old := feed.UserRecord{User: feed.User{ID: 500, Handle: "\u0430lice", Name: "Old"}}
	fixture.Got(v.Import(t.Context(), []feed.Record{{User: &old}})).Must(t)
	u := fixture.Got(a.UpdateProfile(t.Context(), 500, feed.ProfileChange{Handle: new("\u0430lice"), Name: new("New")})).Must(t)
	fixture.Same(t, "handle and name", []string{u.Handle, u.Name}, "\u0430lice", "New")
	_, err := a.UpdateProfile(t.Context(), 500, feed.ProfileChange{Handle: new("\u0410lice")})
	v.Refused(err, feed.CodeInvalid, "handle")
}

// A handle that was given up is not available to other users for thirty days.
func TestPurgeRows_DropsHeldHandles(t *testing.T) {
	v := fixture.New(t)
	a := accounts(v)
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
