package feedtest

import (
	"math"

	"github.com/tideline-feeds/tideline/feed"
)

func inboxPushCases(s inboxSuite) {
	s.promise("A push reaches inboxes that are building and inboxes that are ready", 5, func(t inboxTest) {
		t.ready(viewerA)
		t.building(viewerB)
		t.push(keyAt(1, 1), viewerA, viewerB)
		t.wantKeys(viewerA, feed.Bottom, keyAt(1, 1))
		t.wantKeys(viewerB, feed.Bottom, keyAt(1, 1))
	})
	s.promise("A push changes neither state, token, generation, version nor warmth", 5, func(t inboxTest) {
		t.ready(viewerA)
		want := t.read(viewerA, wholeInbox())
		want.Count, want.Keys = 1, []feed.Key{keyAt(1, 1)}
		t.push(keyAt(1, 1), viewerA)
		t.want(viewerA, want)
	})
	s.promise("A push to an absent inbox has no effect, and the viewer counts as served", 5, func(t inboxTest) {
		t.push(keyAt(1, 1), viewerA)
		t.want(viewerA, feed.Inbox{})
		t.ready(viewerA)
		t.wantKeys(viewerA, feed.Bottom)
	})
	s.promise("A push at or below the floor has no effect, and one just above it is stored", 5, func(t inboxTest) {
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Floor: keyAt(20, 627)})
		for _, k := range []feed.Key{keyAt(20, 627), keyAt(20, 99), keyAt(19, math.MaxInt64), keyAt(20, 1673)} {
			t.push(k, viewerA)
		}
		t.wantKeys(viewerA, keyAt(20, 627), keyAt(20, 1673))
	})
	s.promise("A key that is pushed twice is stored once", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.push(keyAt(1, 1), viewerA)
		t.push(keyAt(2, 2), viewerA)
		t.push(keyAt(2, 2), viewerA)
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2), keyAt(1, 1))
	})
	s.promise("A key that is pushed twice into a full inbox trims nothing", 2, func(t inboxTest) {
		t.ready(viewerA, keyAt(2, 2), keyAt(1, 1))
		t.push(keyAt(2, 2), viewerA)
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2), keyAt(1, 1))
	})
}

func inboxCapCases(s inboxSuite) {
	s.promise("Above the cap, the oldest entry is trimmed and the floor rises to it", 3, func(t inboxTest) {
		t.ready(viewerA, keyAt(30, 3), keyAt(20, 2), keyAt(10, 1))
		t.push(keyAt(40, 4), viewerA)
		t.wantKeys(viewerA, keyAt(10, 1), keyAt(40, 4), keyAt(30, 3), keyAt(20, 2))
		t.push(keyAt(50, 5), viewerA)
		t.wantKeys(viewerA, keyAt(20, 2), keyAt(50, 5), keyAt(40, 4), keyAt(30, 3))
	})
	s.promise("A pushed key older than all entries of a full inbox becomes the floor", 2, func(t inboxTest) {
		t.ready(viewerA, keyAt(30, 3), keyAt(20, 2))
		t.push(keyAt(10, 1), viewerA)
		t.wantKeys(viewerA, keyAt(10, 1), keyAt(30, 3), keyAt(20, 2))
	})
	s.promise("A trimmed key cannot be pushed again", 2, func(t inboxTest) {
		t.ready(viewerA, keyAt(20, 2), keyAt(10, 1))
		t.push(keyAt(30, 3), viewerA)
		t.push(keyAt(10, 1), viewerA)
		t.wantKeys(viewerA, keyAt(10, 1), keyAt(30, 3), keyAt(20, 2))
	})
	s.promise("Of entries in one millisecond, the one with the numerically smallest id is trimmed", 3, func(t inboxTest) {
		t.ready(viewerA, keyAt(7, 10833), keyAt(7, 627), keyAt(7, math.MaxInt64))
		t.push(keyAt(7, 19671), viewerA)
		t.wantKeys(viewerA, keyAt(7, 627), keyAt(7, math.MaxInt64), keyAt(7, 19671), keyAt(7, 10833))
		t.push(keyAt(7, 1673), viewerA)
		t.wantKeys(viewerA, keyAt(7, 1673), keyAt(7, math.MaxInt64), keyAt(7, 19671), keyAt(7, 10833))
	})
}

func inboxExactCases(s inboxSuite) {
	s.promise("Ids that are equal as floating-point numbers are different entries", 9, func(t inboxTest) {
		t.ready(viewerA)
		for _, id := range []int64{1 << 53, 1<<53 + 1, 1e18 - 1, 1e18, math.MaxInt64 - 1, math.MaxInt64} {
			t.push(keyAt(7, id), viewerA)
		}
		t.wantKeys(viewerA, feed.Bottom, keyAt(7, math.MaxInt64), keyAt(7, math.MaxInt64-1),
			keyAt(7, 1e18), keyAt(7, 1e18-1), keyAt(7, 1<<53+1), keyAt(7, 1<<53))
	})
	s.promise("Times from the epoch to the maximum are stored exactly", 9, func(t inboxTest) {
		t.ready(viewerA)
		keys := []feed.Key{
			keyAt(feed.MaxTime, 1), keyAt(feed.MaxTime-1, 2), keyAt(1700000000000, 3), keyAt(1689089522123, 4), keyAt(1, 5), keyAt(0, 6),
		}
		for _, k := range keys {
			t.push(k, viewerA)
		}
		t.wantKeys(viewerA, feed.Bottom, keys...)
	})
	s.promise("A floor at a round time is stored exactly", 1, func(t inboxTest) {
		t.ready(viewerA, keyAt(1700000000000, 1))
		t.push(keyAt(1800000000000, 2), viewerA)
		t.wantKeys(viewerA, keyAt(1700000000000, 1), keyAt(1800000000000, 2))
	})
	s.promise("One push serves many viewers and returns their number", 5, func(t inboxTest) {
		const many = 300
		var viewers []feed.UserID
		for v := feed.UserID(1); v <= many; v++ {
			viewers = append(viewers, v)
			if v%3 == 0 {
				t.building(v)
			}
		}
		t.push(keyAt(1, 1), viewers...)
		for _, v := range viewers {
			want := feed.Inbox{}
			if v%3 == 0 {
				want = feed.Inbox{State: feed.InboxBuilding, Token: "one", Generation: 1, Count: 1, Keys: []feed.Key{keyAt(1, 1)}}
			}
			t.want(v, want)
		}
	})
	s.promise("A push without recipients serves none", 5, func(t inboxTest) { t.push(keyAt(1, 1)) })
}
