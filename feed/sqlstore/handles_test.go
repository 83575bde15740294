package sqlstore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// beforeSkeletons is the last schema version without skeletons.
const beforeSkeletons = 19

// oldHandles are handles as older programs stored them, by user id. The fold of a handle was its
// lower case.
var oldHandles = []struct{ handle, fold, name string }{
	{"alice", "alice", "Alice"},
	{"ａｌｉｃｅ", "ａｌｉｃｅ", "Full width"},
	{"аlice", "аlice", "Cyrillic"},
	{"al\u200bice", "al\u200bice", "Zero width"},
	{"Straße", "straße", "ＭＡＲＩＥ"},
	{"<script>", "<script>", "Tag"},
	{"ſam", "ſam", "Long s"},
}

func withOldHandles(t *testing.T, b backend) *sqlstore.Store {
	s := opened(t, b.newURL(t))
	if err := s.MigrateTo(t.Context(), beforeSkeletons); err != nil {
		t.Fatal(err)
	}
	for i, u := range oldHandles {
		stmt := `INSERT INTO users (id, handle, handle_fold, name, created_at) VALUES (%d, '%s', '%s', '%s', 1)`
		if err := s.Exec(t.Context(), fmt.Sprintf(stmt, i+1, u.handle, u.fold, u.name)); err != nil {
			t.Fatal(err)
		}
	}
	for id := 100; id < 2600; id++ { // more than two pages
		stmt := `INSERT INTO users (id, handle, handle_fold, name, created_at) VALUES (%[1]d, 'x%[1]d', 'x%[1]d', 'X', 1)`
		if err := s.Exec(t.Context(), fmt.Sprintf(stmt, id)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// Handles from before the rules stay unchanged, are found, and exclude new lookalikes.
func TestMigrate_KeepsOldHandles(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withOldHandles(t, b)
		users, err := s.Users(t.Context(), []feed.UserID{1, 2, 3, 4, 5, 6, 7})
		mustBe(t, "", err)
		for i, u := range users {
			if u.Handle != oldHandles[i].handle {
				t.Errorf("user %d has the handle %+q, want %+q", u.ID, u.Handle, oldHandles[i].handle)
			}
		}
		for handle, want := range map[string]feed.UserID{
			"ALICE": 1, "ａｌｉｃｅ": 1, "Аlice": 3, "al\u200bice": 4, "strasse": 5, "STRASSE": 5, "<script>": 6, "sam": 7, "x2599": 2599,
		} {
			if u, err := s.UserByHandle(t.Context(), handle); err != nil || u == nil || u.ID != want {
				t.Errorf("%+q is the handle of %+v (error %v), want user %d", handle, u, err, want)
			}
		}
		for i, handle := range []string{"a1ice", "strasse", "5am", "x1OO", "al\u0131ce"} {
			_, err := s.EnsureUser(t.Context(), &feed.User{ID: feed.UserID(9000 + i), Handle: handle, Name: "New", CreatedAt: 1})
			if taken := handle != "5am"; taken != (feed.CodeOf(err) == feed.CodeConflict) {
				t.Errorf("a new user with the handle %+q: %v, want a conflict: %v", handle, err, taken)
			}
		}
		keys, err := s.SearchUsers(t.Context(), feed.QueryWords("Marie"), feed.Range{Below: feed.Top, Limit: 9})
		if err != nil || len(keys) != 1 || keys[0].ID != 5 {
			t.Errorf("a search for marie finds %v (error %v), want user 5", keys, err)
		}
	})
}

// Handles that look alike are listed by group, up to a number of groups.
func TestLookalikes_ListsCollisions(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withOldHandles(t, b)
		importAll(t, s, []feed.Record{{User: handleRecord(50, "Straꮪe")}, {User: handleRecord(51, "bob")}, {User: handleRecord(52, "B0b")}})
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
		if diff := cmp.Diff([][]feed.UserID{{1, 2, 3, 4}, {51, 52}}, got); diff != "" || more {
			t.Errorf("the groups differ (-want +got), and there are more: %v\n%s", more, diff)
		}
		if groups, more, err = s.Lookalikes(t.Context(), 1); len(groups) != 1 || !more || err != nil {
			t.Errorf("with limit 1 got %v, and more: %v (error %v)", groups, more, err)
		}
		mustBe(t, "", s.DeleteAccount(t.Context(), 52, 5))
		if groups, _, _ = s.Lookalikes(t.Context(), 9); slices.ContainsFunc(groups, func(g []sqlstore.HandleOwner) bool { return g[0].User == 51 }) {
			t.Errorf("after a deletion the groups are %v, want none of user 51", groups)
		}
	})
}

func handleRecord(id feed.UserID, handle string) *feed.UserRecord {
	return &feed.UserRecord{User: feed.User{ID: id, Handle: handle, Name: "X", CreatedAt: 1}}
}
