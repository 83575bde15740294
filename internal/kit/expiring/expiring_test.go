package people

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

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
