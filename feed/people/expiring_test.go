package people

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

func TestExpiring_HoldsUsersUntilTheirTime(t *testing.T) {
	var e expiring
	now := time.UnixMilli(1_700_000_000_000)
	if e.has(1, now) || !e.claim(1, now, now.Add(2)) || e.claim(1, now.Add(1), now.Add(9)) {
		t.Error("an empty set has a user, or one claim is granted twice")
	}
	if !e.has(1, now.Add(1)) || e.has(1, now.Add(2)) || e.has(2, now) {
		t.Error("a user is not in the set until their time, or another one is")
	}
	if !e.claim(1, now.Add(2), now.Add(3)) {
		t.Error("no claim is granted when the time is over")
	}
	e.put(1, now.Add(5))
	e.drop(2)
	if !e.has(1, now.Add(4)) {
		t.Error("a later time does not replace the earlier one")
	}
	e.drop(1)
	if e.has(1, now) {
		t.Error("a user who was dropped is in the set")
	}
}

func TestExpiring_IsBounded(t *testing.T) {
	var e expiring
	now := time.UnixMilli(1_700_000_000_000)
	for id := range feed.UserID(3 * expiringMax) {
		e.put(id, now.Add(1))
		if len(e.until) > expiringMax || !e.has(id, now) {
			t.Fatalf("after %d users the set has %d, and the last is in it: %t", id+1, len(e.until), e.has(id, now))
		}
	}
	before := len(e.until)
	e.put(3*expiringMax-1, now.Add(2))
	if len(e.until) != before {
		t.Error("a user who is in a full set empties it")
	}
}
