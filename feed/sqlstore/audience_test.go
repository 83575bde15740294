package sqlstore_test

import (
	"math"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// fans opens a store in which the users from 2 on follow user 1. Every tenth of them has a lease of
// a day.
func fans(t testing.TB, b backend, followers int, options ...sqlstore.Option) *sqlstore.Store {
	t.Helper()
	s := b.openWith(t, options...)
	records := []feed.Record{{User: townUser(1)}}
	for id := feed.UserID(2); id < feed.UserID(2+followers); id++ {
		records = append(records, feed.Record{User: townUser(id)}, feed.Record{Follow: &feed.FollowRecord{Follower: id, Followee: 1}})
	}
	importAll(t, s, records)
	for id := feed.UserID(10); id < feed.UserID(2+followers); id += 10 {
		_, err := s.Renew(t.Context(), id, leaseDay)
		must(t, err)
	}
	return s
}

// activeOnes returns the active followers of user 1 with ids above after.
func activeOnes(t testing.TB, s *sqlstore.Store, after feed.UserID, limit int) []feed.UserID {
	t.Helper()
	ids, err := s.FollowerIDs(t.Context(), 1, feed.FollowerRange{After: after, UpTo: math.MaxInt64, Limit: limit, Active: true})
	must(t, err)
	return ids
}

// Hardly any follower is active here, so each call takes several statements.
func TestFollowerIDs_FindsSparseActiveFollowers(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := fans(t, b, 2500)
		same(t, activeOnes(t, s, 0, 1), []feed.UserID{10})
		same(t, activeOnes(t, s, 10, 3), []feed.UserID{20, 30, 40})
		same(t, activeOnes(t, s, 2470, 3), []feed.UserID{2480, 2490, 2500})
		same(t, activeOnes(t, s, 2490, 3), []feed.UserID{2500})
		same(t, activeOnes(t, s, 2500, 3), []feed.UserID(nil))
		if n := len(activeOnes(t, s, 0, 1000)); n != 250 {
			t.Errorf("%d of 250 active followers are found", n)
		}
	})
}

// Each call takes several statements, of which the last one could read beyond the range.
func TestFollowerIDs_ReadsLongRanges(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := fans(t, b, 2500)
		for _, r := range []feed.FollowerRange{
			{UpTo: math.MaxInt64, Limit: 4000},
			{After: 100, UpTo: 2400, Limit: 4000},
			{After: 100, UpTo: 1100, Limit: 4000},
			{After: 100, UpTo: 1101, Limit: 4000},
			{After: 100, UpTo: 2400, Limit: 1500},
		} {
			ids, err := s.FollowerIDs(t.Context(), 1, r)
			mustBe(t, "", err)
			var want []feed.UserID
			for id := max(2, r.After+1); id <= min(r.UpTo, 2501) && len(want) < r.Limit; id++ {
				want = append(want, id)
			}
			same(t, ids, want)
		}
	})
}

func TestFollowerIDs_CachesLeases(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		now := time.UnixMilli(noon)
		var o observed
		s := fans(t, b, 50, sqlstore.WithBegin(o.begin), sqlstore.WithClock(func() time.Time { return now }))
		for id := feed.UserID(2); id < 52; id++ {
			_, err := s.Renew(t.Context(), id, leaseDay)
			must(t, err)
		}
		statements := func() int {
			t.Helper()
			before := o.count()
			activeOnes(t, s, 0, 100)
			return o.count() - before
		}
		if n := statements(); n != 2 {
			t.Errorf("the first time takes %d statements, want one for the followers and one for their leases", n)
		}
		if n := statements(); n != 1 {
			t.Errorf("the second time takes %d statements, want one for the followers", n)
		}
		if n := len(activeOnes(t, s, 0, 100)); n != 50 {
			t.Errorf("got %d active followers, want 50", n)
		}
		now = now.Add(leaseDay)
		if n := statements(); n != 2 {
			t.Errorf("after the leases have ended the call takes %d statements, want another lookup", n)
		}
		if ids := activeOnes(t, s, 0, 100); len(ids) != 0 {
			t.Errorf("%v are active although their leases have ended", ids)
		}
	})
}
