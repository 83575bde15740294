package people_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// The users of the tests.
const (
	ann       = fixture.Ann
	bob       = fixture.Bob
	cem       = fixture.Cem
	star      = fixture.Star
	moon      = fixture.Moon
	anonymous = fixture.Anonymous
)

func TestUsers_HidesThoseWhoBlockViewer(t *testing.T) {
	v := fixture.New(t)
	v.Relate(feed.RelationBlock, star, ann)
	v.Relate(feed.RelationBlock, ann, moon)
	v.Relate(feed.RelationHide, bob, ann)
	v.Relate(feed.RelationMute, cem, ann)
	for viewer, want := range map[feed.UserID][]feed.UserID{
		ann:       {ann, bob, cem, 0, moon, 0},
		bob:       {ann, bob, cem, star, moon, 0},
		star:      {ann, bob, cem, star, moon, 0},
		moon:      {0, bob, cem, star, moon, 0},
		anonymous: {ann, bob, cem, star, moon, 0},
	} {
		asked := []feed.UserID{ann, bob, cem, star, moon, 99}
		got := make([]feed.UserID, len(asked))
		for i, u := range fixture.Got(v.Directory.Users(t.Context(), viewer, asked)).Must(t) {
			if u != nil {
				got[i] = u.ID
			}
			fixture.Same(t, "the owner of the handle", []feed.UserID{byHandle(v, viewer, "USER"+asked[i].String())}, want[i])
		}
		fixture.Same(t, "whom user "+viewer.String()+" sees", got, want...)
	}
}

// staleUsers is a cache that has missed every change of a name.
type staleUsers struct{ store }

// store is [feed.Users] under a name that does not stand in its method's way.
type store interface{ feed.Users }

func (s staleUsers) Users(ctx context.Context, ids []feed.UserID) ([]*feed.User, error) {
	users, err := s.store.Users(ctx, ids)
	for i, u := range users {
		if u != nil {
			old := *u
			old.Name = "an old name"
			users[i] = &old
		}
	}
	return users, err
}

func TestUsers_OwnProfileBypassesCache(t *testing.T) {
	v := fixture.New(t)
	v.Directory.UserStore = staleUsers{v.Backend.Users}
	users := fixture.Got(v.Directory.Users(t.Context(), ann, []feed.UserID{bob, ann})).Must(t)
	fixture.Same(t, "the names", []string{users[0].Name, users[1].Name}, "an old name", "User 1")
}

// A list that is full of people who are not shown still gives full pages.
func TestFollowers_FillsPagesWithHiddenUsers(t *testing.T) {
	v := fixture.New(t)
	const first, n = 100, 40
	for id := range feed.UserID(n) {
		v.MakeUser(&feed.User{ID: first + id, Handle: "fan" + id.String()})
		v.Clock.Advance(1e6)
		v.Follow(first+id, star)
		if id > 0 && id < n-2 {
			v.Relate(feed.RelationBlock, first+id, ann)
		}
	}
	read := func(after string) *feed.UserPage {
		q := feed.PageQuery{First: new(2), After: after, LookBack: after != ""}
		return fixture.Got(v.Directory.Followers(t.Context(), ann, star, q)).Must(t)
	}
	page := read("")
	next := read(page.Entries[1].Cursor)
	fixture.Same(t, "star's followers", append(usersOf(page), usersOf(next)...), first+n-1, first+n-2, first)
	if !page.HasNext || next.HasNext || !next.HasPrevious {
		t.Errorf("more follow the first page: %t, the second: %t; there are entries above it: %t", page.HasNext, next.HasNext, next.HasPrevious)
	}
}

// search returns the users that a query finds for the viewer.
func search(v fixture.Service, viewer feed.UserID, query string) []feed.UserID {
	v.Helper()
	return usersOf(fixture.Got(v.Directory.Search(v.Context(), viewer, query, feed.PageQuery{First: new(10)})).Must(v))
}

func TestSearch_LeavesOutBlocks(t *testing.T) {
	v := fixture.New(t)
	v.Relate(feed.RelationBlock, star, ann)
	v.Relate(feed.RelationBlock, ann, moon)
	v.Relate(feed.RelationMute, ann, bob)
	v.Relate(feed.RelationHide, cem, ann)
	fixture.Same(t, "what ann finds", search(v, ann, "user"), cem, bob, ann)
	fixture.Same(t, "what star finds", search(v, star, "user"), moon, star, cem, bob)
	fixture.Same(t, "what the anonymous viewer finds", search(v, anonymous, "USER"), moon, star, cem, bob, ann)
	fixture.Same(t, "a name that no user has", search(v, ann, "dave"))
	fixture.Same(t, "the user of a handle", search(v, anonymous, "@user3"), cem)
}

// A search for words that many have may take long, and must not take every connection.
func TestSearch_LimitsConcurrency(t *testing.T) {
	v := fixture.New(t)
	d := *v.Directory
	d.SearchLimit = feed.NewSemaphore(1, time.Millisecond)
	defer fixture.HoldSlot(t, d.SearchLimit)()
	fixture.Got(d.Search(t.Context(), ann, "user", feed.PageQuery{})).Refused(v, feed.CodeUnavailable)
	fixture.Got(d.Followers(t.Context(), ann, ann, feed.PageQuery{})).Must(t)
	d.SearchLimit = feed.NewSemaphore(1, time.Millisecond)
	for range 2 {
		fixture.Got(d.Search(t.Context(), ann, "user", feed.PageQuery{})).Must(t)
	}
}

func TestSearch_PagesInBothDirections(t *testing.T) {
	v := fixture.New(t)
	v.MakeUser(&feed.User{ID: 50, Handle: "users", Name: "x"})
	v.MakeUser(&feed.User{ID: 51, Handle: "username", Name: "x"})
	v.Relate(feed.RelationBlock, star, ann)
	var all []feed.UserID
	var cursors []string
	for after, more := "", true; more; {
		page := fixture.Got(v.Directory.Search(t.Context(), ann, "user", feed.PageQuery{First: new(2), After: after})).Must(t)
		all = append(all, usersOf(page)...)
		for _, e := range page.Entries {
			cursors = append(cursors, e.Cursor)
		}
		after, more = cursors[len(cursors)-1], page.HasNext
	}
	fixture.Same(t, "all pages", all, moon, cem, bob, ann, 51, 50)
	back := fixture.Got(v.Directory.Search(t.Context(), ann, "user", feed.PageQuery{Last: new(2), Before: cursors[4], LookBack: true})).Must(t)
	fixture.Same(t, "the page before the fifth", usersOf(back), bob, ann)
	fixture.Same(t, "more stand on either side", []bool{back.HasPrevious, back.HasNext}, true, true)
	fixture.Got(v.Directory.Followers(t.Context(), ann, ann, feed.PageQuery{After: cursors[0]})).Refused(v, feed.CodeBadCursor)
}

func TestSearch_RefusesInvalidQueries(t *testing.T) {
	v := fixture.New(t)
	for _, query := range []string{"", " \t", "a\x00", "\xff", strings.Repeat("ä", v.Policy.QueryMax+1)} {
		fixture.Got(v.Directory.Search(t.Context(), ann, query, feed.PageQuery{})).Refused(v, feed.CodeBadInput)
	}
	fixture.Same(t, "the longest query finds", search(v, ann, strings.Repeat("ä", v.Policy.QueryMax)))
	fixture.Got(v.Directory.Search(t.Context(), ann, "user", feed.PageQuery{First: new(101)})).Refused(v, feed.CodeBadInput)
}
