package redisstore_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
)

// readAll returns the whole of viewer's inbox.
func readAll(t *testing.T, s feed.Inboxes) feed.Inbox {
	t.Helper()
	in, err := s.Read(t.Context(), viewer, whole())
	must(t, err)
	return in
}

// build gives viewer an inbox under the token "one" and a generation.
func build(t *testing.T, s feed.Inboxes, generation int64, b feed.Build) {
	t.Helper()
	buildOf(t, s, viewer, generation, b)
}

// buildOf is build for any viewer.
func buildOf(t testing.TB, s feed.Inboxes, viewer feed.UserID, generation int64, b feed.Build) {
	t.Helper()
	if began, err := s.BeginBuild(t.Context(), viewer, feed.BuildHeader{Token: "one", Generation: generation}, 0); err != nil || !began {
		t.Fatalf("BeginBuild: %v, %v", began, err)
	}
	if done, err := s.FinishBuild(t.Context(), viewer, "one", b); err != nil || !done {
		t.Fatalf("FinishBuild: %v, %v", done, err)
	}
}

// amend amends viewer's inbox, and fails the test unless that is accepted or refused
// as wanted.
func amend(t *testing.T, s feed.Inboxes, a feed.Amendment, want bool) {
	t.Helper()
	if done, err := s.Amend(t.Context(), viewer, a); err != nil || done != want {
		t.Fatalf("Amend returned %v, %v", done, err)
	}
}

// highest returns the n highest content ids there are, in keys of one millisecond,
// newest first. As doubles all of them are one number.
func highest(n int64) []feed.Key {
	var keys []feed.Key
	for i := range n {
		keys = append(keys, feed.Key{TS: 1700000000000, ID: math.MaxInt64 - i})
	}
	return keys
}

func TestAmend_FloorComparesLastDigit(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newInboxes(c, 10)
		keys := highest(6)
		build(t, s, 0, feed.Build{Keys: []feed.Key{keys[0], keys[2], keys[4]}})
		amend(t, s, feed.Amendment{Token: "one", Add: []feed.Key{keys[1], keys[3], keys[5]}, Floor: keys[2]}, true)
		in := readAll(t, s)
		if diff := cmp.Diff(keys[:2], in.Keys); diff != "" || in.Floor != keys[2] {
			t.Errorf("above %v the inbox holds (-want +got):\n%s", in.Floor, diff)
		}
	})
}

func TestAmend_VersionsCompareLastDigit(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newInboxes(c, 10)
		build(t, s, 0, feed.Build{Version: math.MaxInt64, WarmUntil: math.MaxInt64 - 1})
		amend(t, s, feed.Amendment{Token: "one", Version: math.MaxInt64 - 1, NewVersion: math.MaxInt64}, false)
		for _, step := range []struct{ given, want int64 }{
			{math.MaxInt64 - 2, math.MaxInt64 - 1},
			{999, math.MaxInt64 - 1},
			{math.MaxInt64, math.MaxInt64},
		} {
			amend(t, s, feed.Amendment{Token: "one", Version: math.MaxInt64, NewVersion: math.MaxInt64, WarmUntil: step.given}, true)
			if in := readAll(t, s); in.WarmUntil != step.want || in.Version != math.MaxInt64 {
				t.Errorf("after an amendment until %d the inbox is of version %d, warm until %d", step.given, in.Version, in.WarmUntil)
			}
		}
	})
}

func TestAmend_RefusesBrokenInbox(t *testing.T) {
	c := embedded(t).Client()
	s := newInboxes(c, 5)
	ready(t, s, viewer, 3)
	must(t, raw(t, c).Append(t.Context(), stored, "some").Err())
	amend(t, s, feed.Amendment{Token: "one", Add: []feed.Key{{TS: 1800000000000, ID: 9}}}, false)
	wantState(t, s, viewer, feed.InboxAbsent)
}
