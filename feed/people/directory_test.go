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
		users, err := v.Directory.Users(t.Context(), viewer, []feed.UserID{ann, bob, cem, star, moon, 99})
		v.Must(err)
		var got []feed.UserID
		for _, u := range users {
			id := feed.UserID(0)
			if u != nil {
				id = u.ID
			}
			got = append(got, id)
		}
		fixture.Same(t, "whom user "+viewer.String()+" sees", got, want...)
	}
}

func TestUserByHandle_HidesThoseWhoBlockViewer(t *testing.T) {
	v := fixture.New(t)
	v.Relate(feed.RelationBlock, star, ann)
	for handle, want := range map[string]feed.UserID{"user5": moon, "USER5": moon, "user4": 0, "none": 0} {
		u, err := v.Directory.UserByHandle(t.Context(), ann, handle)
		v.Must(err)
		if (u == nil) != (want == 0) || u != nil && u.ID != want {
			t.Errorf("%q is %+v, want user %d", handle, u, want)
		}
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
	users, err := v.Directory.Users(t.Context(), ann, []feed.UserID{bob, ann})
	v.Must(err)
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
	page, err := v.Directory.Followers(t.Context(), ann, star, feed.PageQuery{First: new(2)})
	v.Must(err)
	next, err := v.Directory.Followers(t.Context(), ann, star, feed.PageQuery{First: new(2), After: page.Entries[1].Cursor, LookBack: true})
	v.Must(err)
	var got []feed.UserID
	for _, e := range append(page.Entries, next.Entries...) {
		got = append(got, e.User.ID)
	}
	fixture.Same(t, "star's followers", got, first+n-1, first+n-2, first)
	if !page.HasNext || next.HasNext || !next.HasPrevious {
		t.Errorf("more follow the first page: %t, the second: %t; there are entries above it: %t", page.HasNext, next.HasNext, next.HasPrevious)
	}
}
