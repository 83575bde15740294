package sqlstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func TestAmend_FailureChangesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		store := b.open(t)
		s := sqlstore.NewInboxes(store, 5)
		readyInbox(t, s, 1, 1)
		before := readInbox(t, s, 1)
		must(t, store.Exec(t.Context(), breakCounting[b.name]))
		a := feed.Amendment{Token: "one", Add: []feed.Key{inboxKey(2), inboxKey(3)}, NewVersion: 7, WarmUntil: noon}
		if done, err := s.Amend(t.Context(), 1, a); done || err == nil {
			t.Errorf("the amendment returned %v, %v", done, err)
		}
		same(t, readInbox(t, s, 1), before)
	})
}

func TestInboxes_LowerCapAppliesToAmendAndTrim(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		store := b.open(t)
		before, s := sqlstore.NewInboxes(store, 10), sqlstore.NewInboxes(store, 4)
		for _, viewer := range inboxViewers(3) {
			readyInbox(t, before, viewer, 10)
		}
		// Removed entries make room for older ones.
		a := feed.Amendment{Token: "one", Add: []feed.Key{inboxKey(99)}, Remove: []feed.Key{inboxKey(10), inboxKey(50)}}
		if done, err := s.Amend(t.Context(), 1, a); !done || err != nil {
			t.Fatal(done, err)
		}
		must(t, s.Trim(t.Context(), []feed.UserID{2, 9}, 0))
		wantInbox(t, s, 1, inboxKey(6), inboxKey(99), inboxKey(9), inboxKey(8), inboxKey(7))
		wantInbox(t, s, 2, inboxKey(6), inboxKey(10), inboxKey(9), inboxKey(8), inboxKey(7))
		if in := readInbox(t, s, 3); in.Count != 10 {
			t.Errorf("an unchanged inbox has %d entries, want 10", in.Count)
		}
		mustBeConsistent(t, s)
	})
}

func TestTrim_OfNoViewersRunsNoStatement(t *testing.T) {
	store := sqliteBackend(t).open(t)
	must(t, store.Close())
	if err := sqlstore.NewInboxes(store, 5).Trim(t.Context(), nil, 1); err != nil {
		t.Error(err)
	}
}
