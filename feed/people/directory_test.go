package people_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
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
