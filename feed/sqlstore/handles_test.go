package sqlstore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// A database folds less than Unicode does.
func TestUserByHandle_FoldsUnicode(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, []feed.Record{{User: handleRecord(1, "Straße")}, {User: handleRecord(2, "Аня")}})
		for handle, want := range map[string]feed.UserID{"STRASSE": 1, "ｓｔｒａßｅ": 1, "аНЯ": 2} {
			if u, err := s.UserByHandle(t.Context(), handle); err != nil || u == nil || u.ID != want {
				t.Errorf("%+q is the handle of %+v (error %v), want user %d", handle, u, err, want)
			}
		}
	})
}

// Handles that look alike are listed by group, up to a number of groups.
func TestLookalikes_ListsCollisions(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		for i, handle := range []string{"alice", "аlice", "a1ice", "Straße", "Straꮪe", "bob", "B0b"} {
			importAll(t, s, []feed.Record{{User: handleRecord(feed.UserID(i+1), handle)}})
		}
		groups, more, err := s.Lookalikes(t.Context(), 9)
		mustBe(t, "", err)
		var got [][]feed.UserID
		for _, group := range groups {
			var ids []feed.UserID
			for _, o := range group {
				ids = append(ids, o.User)
			}
			got = append(got, ids)
		}
		if diff := cmp.Diff([][]feed.UserID{{1, 2, 3}, {6, 7}}, got); diff != "" || more {
			t.Errorf("the groups differ (-want +got), and there are more: %v\n%s", more, diff)
		}
		if groups, more, err = s.Lookalikes(t.Context(), 1); len(groups) != 1 || !more || err != nil {
			t.Errorf("with limit 1 got %v, and more: %v (error %v)", groups, more, err)
		}
		mustBe(t, "", s.DeleteAccount(t.Context(), 7, 5))
		if groups, _, _ = s.Lookalikes(t.Context(), 9); slices.ContainsFunc(groups, func(g []sqlstore.HandleOwner) bool { return g[0].User == 6 }) {
			t.Errorf("after a deletion the groups are %v, want none of user 6", groups)
		}
	})
}

func handleRecord(id feed.UserID, handle string) *feed.UserRecord {
	return &feed.UserRecord{User: feed.User{ID: id, Handle: handle, Name: "X", CreatedAt: 1}}
}

// Each store stands for a process. The lists overlap and are in different orders.
func TestDrawIDs_ProcessesAgree(t *testing.T) {
	for _, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := emptyTemplate.url(t, name)
			stores := []*sqlstore.Store{opened(t, url), opened(t, url), opened(t, url), opened(t, url)}
			ids := func(i int) []feed.NumberedID {
				list := make([]feed.NumberedID, 500)
				for n := range list {
					list[n].ID = feed.ExternalID(fmt.Sprintf("b5fd1b53-6a3c-4f0e-8b1a-%012d", n*7%500+i))
				}
				if i%2 == 1 {
					slices.Reverse(list)
				}
				return list
			}
			drawn, errs := atOnce(len(stores), func(i int) ([]int64, error) {
				return stores[i].DrawIDs(t.Context(), feed.UserIDs, ids(i))
			})
			for i, err := range errs {
				must(t, err)
				again, err := stores[(i+1)%len(stores)].DrawIDs(t.Context(), feed.UserIDs, ids(i))
				if err != nil || !slices.Equal(again, drawn[i]) || slices.Contains(again, 0) {
					t.Errorf("process %d has other numbers than the next (error %v)", i, err)
				}
			}
		})
	}
}
