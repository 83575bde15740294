package expiring_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/kit/expiring"
)

func TestSet_StartsOverWhenFull(t *testing.T) {
	var s expiring.Set[int]
	now := time.UnixMilli(1_700_000_000_000)
	for member := range expiring.Max {
		s.Put(member, now.Add(1))
	}
	s.Put(expiring.Max-1, now.Add(2))
	if !s.Has(0, now) {
		t.Error("a member that is in a full set empties it")
	}
	s.Put(expiring.Max, now.Add(1))
	if s.Has(0, now) || !s.Has(expiring.Max, now) {
		t.Error("a new member does not empty a full set")
	}
}

func TestSet_ClaimsOnceUntilExpiry(t *testing.T) {
	var s expiring.Set[int]
	now := time.UnixMilli(1_700_000_000_000)
	until := now.Add(time.Second)
	if !s.Claim(1, now, until) || s.Claim(1, now, until) || !s.Claim(1, until, until.Add(1)) {
		t.Error("a member is not claimed once until its expiry")
	}
	s.Drop(1)
	if s.Has(1, now) || !s.Claim(1, now, until) {
		t.Error("a dropped member is in the set")
	}
}
