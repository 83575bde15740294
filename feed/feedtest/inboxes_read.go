package feedtest

import (
	"cmp"
	"math"

	"github.com/tideline-feeds/tideline/feed"
)

// amend changes the inbox that [inboxTest.ready] made for viewer A. It stops the test on a refusal.
// A missing token or version in the amendment means the current one.
func (t inboxTest) amend(a feed.Amendment) {
	a.Token, a.Version, a.NewVersion = cmp.Or(a.Token, "one"), cmp.Or(a.Version, 1), cmp.Or(a.NewVersion, 1)
	t.same("whether the amendment is accepted", true, t.amends(a))
}

func (t inboxTest) amends(a feed.Amendment) bool { return must(t.store.Amend(t.Context(), viewerA, a)) }

func inboxWarmthCases(s inboxSuite) {
	s.promise("An inbox that is building is not warm", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.building(viewerA)
		t.same("warm until", int64(0), t.read(viewerA, wholeInbox()).WarmUntil)
	})
	s.promise("Finish sets until when the inbox is warm", 5, func(t inboxTest) {
		for _, until := range []int64{warmUntil, warmUntil - 1, 0} {
			t.building(viewerA)
			t.finish(viewerA, "one", feed.Build{WarmUntil: until})
			t.same("warm until", until, t.read(viewerA, wholeInbox()).WarmUntil)
		}
	})
	s.promise("Pushes and trims do not change WarmUntil, and every read returns it", 2, func(t inboxTest) {
		t.ready(viewerA)
		for n := range int64(4) {
			t.push(keyAt(n, n+1), viewerA)
		}
		for _, r := range rangesOf([]feed.Key{keyAt(2, 3)}) {
			t.same("warm until", warmUntil, t.read(viewerA, r).WarmUntil)
		}
	})
	s.promise("Amend raises WarmUntil and never lowers it", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		for _, c := range []struct{ set, want int64 }{
			{warmUntil - 1, warmUntil},
			{0, warmUntil},
			{warmUntil + 1, warmUntil + 1},
			{warmUntil, warmUntil + 1},
			{9, warmUntil + 1},
			{feed.MaxTime, feed.MaxTime},
		} {
			t.amend(feed.Amendment{WarmUntil: c.set})
			t.same("warm until", c.want, t.read(viewerA, wholeInbox()).WarmUntil)
		}
	})
	s.promise("A new build replaces WarmUntil of the previous one", 5, func(t inboxTest) {
		t.ready(viewerA)
		t.amend(feed.Amendment{WarmUntil: feed.MaxTime})
		t.ready(viewerA)
		t.same("warm until", warmUntil, t.read(viewerA, wholeInbox()).WarmUntil)
	})
}

func inboxAmendCases(s inboxSuite) {
	s.promise("Amend adds and removes entries, and changes nothing else", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(30, 3), keyAt(20, 2))
		t.ready(viewerB, keyAt(20, 2))
		other := t.read(viewerB, wholeInbox())
		t.amend(feed.Amendment{Add: []feed.Key{keyAt(40, 4), keyAt(10, 1)}, Remove: []feed.Key{keyAt(20, 2)}})
		t.want(viewerA, feed.Inbox{
			State: feed.InboxReady, Token: "one", Generation: 1, Version: 1, WarmUntil: warmUntil,
			Count: 3, Keys: []feed.Key{keyAt(40, 4), keyAt(30, 3), keyAt(10, 1)},
		})
		t.want(viewerB, other)
	})
	s.promise("Amend writes the new version, which the next amendment must name", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.amend(feed.Amendment{NewVersion: math.MaxInt64 - 1})
		t.same("version", int64(math.MaxInt64-1), t.read(viewerA, wholeInbox()).Version)
		t.same("amended", false, t.amends(feed.Amendment{Token: "one", Version: 1, NewVersion: 2}))
		t.amend(feed.Amendment{Version: math.MaxInt64 - 1, NewVersion: math.MaxInt64})
		t.same("version", int64(math.MaxInt64), t.read(viewerA, wholeInbox()).Version)
	})
	s.promise("An amendment may be empty", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		before := t.read(viewerA, wholeInbox())
		t.amend(feed.Amendment{})
		t.want(viewerA, before)
	})
	s.promise("A key that is stored already is stored once", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.amend(feed.Amendment{Add: []feed.Key{keyAt(2, 2), keyAt(1, 1), keyAt(2, 2)}})
		t.push(keyAt(2, 2), viewerA)
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2), keyAt(1, 1))
	})
	s.promise("A key that is both added and removed is removed", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		both := []feed.Key{keyAt(2, 2), keyAt(1, 1)}
		t.amend(feed.Amendment{Add: append(both, keyAt(3, 3)), Remove: both})
		t.wantKeys(viewerA, feed.Bottom, keyAt(3, 3))
	})
	s.promise("Removing a missing key changes nothing", 5, func(t inboxTest) {
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(30, 3)}, Floor: keyAt(10, 1), Version: 1})
		t.amend(feed.Amendment{Remove: []feed.Key{keyAt(20, 2), keyAt(10, 1), keyAt(5, 5), keyAt(40, 4)}})
		t.wantKeys(viewerA, keyAt(10, 1), keyAt(30, 3))
	})
	s.promise("A removed key does not raise the floor, and can be pushed again", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(2, 2), keyAt(1, 1))
		t.amend(feed.Amendment{Remove: []feed.Key{keyAt(1, 1)}})
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2))
		t.push(keyAt(1, 1), viewerA)
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2), keyAt(1, 1))
	})
	s.promise("An inbox without its last entry is ready and empty, not absent", 5, func(t inboxTest) {
		for _, a := range []feed.Amendment{
			{Remove: []feed.Key{keyAt(2, 2), keyAt(1, 1)}},
			{Floor: keyAt(9, 9)},
		} {
			t.ready(viewerA, keyAt(2, 2), keyAt(1, 1))
			t.amend(a)
			t.want(viewerA, feed.Inbox{
				State: feed.InboxReady, Token: "one", Generation: 1, Version: 1, WarmUntil: warmUntil, Floor: a.Floor,
			})
			t.push(keyAt(10, 10), viewerA)
			t.wantKeys(viewerA, a.Floor, keyAt(10, 10))
		}
	})
}

func inboxRefusalCases(s inboxSuite) {
	whole := feed.Amendment{
		Token: "one", Version: 1, NewVersion: 2, WarmUntil: feed.MaxTime,
		Add: []feed.Key{keyAt(5, 5)}, Remove: []feed.Key{keyAt(2, 2)}, Floor: keyAt(1, 1),
	}
	s.promise("Amend is refused and creates nothing if the inbox is absent", 5, func(t inboxTest) {
		t.same("amended", false, t.amends(whole))
		t.want(viewerA, feed.Inbox{})
		t.ready(viewerA, keyAt(2, 2))
		t.remove(viewerA)
		t.same("amended after a removal", false, t.amends(whole))
		t.want(viewerA, feed.Inbox{})
	})
	s.promise("Amend is refused and changes nothing while the inbox is building", 5, func(t inboxTest) {
		t.building(viewerA)
		t.push(keyAt(2, 2), viewerA)
		before := t.read(viewerA, wholeInbox())
		a := whole
		a.Version = 0
		t.same("amended", false, t.amends(whole))
		t.same("amended with version 0", false, t.amends(a))
		t.want(viewerA, before)
	})
	s.promise("Amend is refused and changes nothing with another build's token", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(2, 2))
		before := t.read(viewerA, wholeInbox())
		for _, token := range []string{"two", "", "One"} {
			a := whole
			a.Token = token
			t.same("amended", false, t.amends(a))
		}
		t.want(viewerA, before)
	})
	s.promise("Amend is refused and changes nothing with another version", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(2, 2))
		before := t.read(viewerA, wholeInbox())
		for _, version := range []int64{0, 2, 10, math.MaxInt64} {
			a := whole
			a.Version, a.NewVersion = version, version
			t.same("amended", false, t.amends(a))
		}
		t.want(viewerA, before)
	})
	s.promise("Versions that are equal as floating-point numbers are different", 5, func(t inboxTest) {
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Version: 1 << 53})
		t.same("amended", false, t.amends(feed.Amendment{Token: "one", Version: 1<<53 + 1, NewVersion: 1<<53 + 1}))
		t.amend(feed.Amendment{Version: 1 << 53, NewVersion: 1<<53 + 1})
		t.same("version", int64(1<<53+1), t.read(viewerA, wholeInbox()).Version)
	})
}

func inboxRoomCases(s inboxSuite) {
	s.promise("Keys at or below the floor are not added", 5, func(t inboxTest) {
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Floor: keyAt(20, 627), Version: 1})
		t.amend(feed.Amendment{
			Add: []feed.Key{keyAt(20, 627), keyAt(20, 99), keyAt(19, math.MaxInt64), keyAt(20, 1673)}, Floor: keyAt(10, 1),
		})
		t.wantKeys(viewerA, keyAt(20, 627), keyAt(20, 1673))
	})
	s.promise("A higher floor of the amendment removes the entries at or below it", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(30, 4), keyAt(20, 10), keyAt(20, 3), keyAt(10, 1))
		t.amend(feed.Amendment{Add: []feed.Key{keyAt(40, 5), keyAt(20, 2), keyAt(5, 6)}, Floor: keyAt(20, 3)})
		t.wantKeys(viewerA, keyAt(20, 3), keyAt(40, 5), keyAt(30, 4), keyAt(20, 10))
		t.push(keyAt(20, 3), viewerA)
		t.wantKeys(viewerA, keyAt(20, 3), keyAt(40, 5), keyAt(30, 4), keyAt(20, 10))
	})
	s.promise("Above the cap, the oldest entries are trimmed and the floor rises to the newest of them", 3, func(t inboxTest) {
		t.ready(viewerA, keyAt(50, 5), keyAt(30, 3), keyAt(10, 1))
		t.amend(feed.Amendment{Add: []feed.Key{keyAt(20, 2), keyAt(40, 4)}})
		t.wantKeys(viewerA, keyAt(20, 2), keyAt(50, 5), keyAt(40, 4), keyAt(30, 3))
		t.amend(feed.Amendment{Add: []feed.Key{keyAt(25, 9), keyAt(20, 2)}, Floor: keyAt(15, 1)})
		t.wantKeys(viewerA, keyAt(25, 9), keyAt(50, 5), keyAt(40, 4), keyAt(30, 3))
	})
	s.promise("Adding stored keys to a full inbox trims nothing", 2, func(t inboxTest) {
		t.ready(viewerA, keyAt(2, 2), keyAt(1, 1))
		t.amend(feed.Amendment{Add: []feed.Key{keyAt(1, 1), keyAt(2, 2)}})
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2), keyAt(1, 1))
	})
	s.promise("Removed entries make room before the inbox is trimmed", 2, func(t inboxTest) {
		t.ready(viewerA, keyAt(40, 4), keyAt(20, 2))
		t.amend(feed.Amendment{Add: []feed.Key{keyAt(30, 3), keyAt(10, 1)}, Remove: []feed.Key{keyAt(40, 4), keyAt(30, 3)}})
		t.wantKeys(viewerA, feed.Bottom, keyAt(20, 2), keyAt(10, 1))
	})
	s.promise("Of entries in one millisecond, those with the numerically smallest ids are trimmed", 3, func(t inboxTest) {
		t.ready(viewerA, keyAt(7, 10833), keyAt(7, 627), keyAt(7, math.MaxInt64))
		t.amend(feed.Amendment{Add: []feed.Key{keyAt(7, 1673), keyAt(7, 19671)}})
		t.wantKeys(viewerA, keyAt(7, 1673), keyAt(7, math.MaxInt64), keyAt(7, 19671), keyAt(7, 10833))
	})
	s.promise("One amendment can remove all entries and add twice as many keys as the cap", 700, func(t inboxTest) {
		var keys []feed.Key
		for n := int64(2100); n > 0; n-- {
			keys = append(keys, keyAt(n/3, n))
		}
		t.ready(viewerA, keys[:700]...)
		t.amend(feed.Amendment{Add: keys[700:], Remove: keys[:700]})
		t.wantKeys(viewerA, keys[1400], keys[700:1400]...)
	})
	s.promise("The count is right after every amendment, in reads of any range", 4, func(t inboxTest) {
		t.ready(viewerA)
		for n := range int64(9) {
			t.amend(feed.Amendment{Add: []feed.Key{keyAt(n, n+1), keyAt(n, n+100)}, Remove: []feed.Key{keyAt(n-1, n)}})
			in := t.read(viewerA, wholeInbox())
			t.same("count", len(in.Keys), in.Count)
			t.same("count in a read of one", in.Count, t.read(viewerA, feed.Range{Below: feed.Top, Limit: 1}).Count)
		}
	})
}

// tiedKeys returns the keys of an inbox, newest first. Five entries have the same millisecond and
// ids of different lengths, whose order as text is different.
func tiedKeys() []feed.Key {
	return []feed.Key{
		keyAt(1678910152, 135), keyAt(1678910150, 1991), keyAt(1678800001, 833),
		keyAt(1678723222, math.MaxInt64), keyAt(1678723222, 19671), keyAt(1678723222, 10833), keyAt(1678723222, 1673), keyAt(1678723222, 627),
		keyAt(1678600002, 128), keyAt(1678600001, 163),
	}
}

func inboxReadCases(s inboxSuite) {
	tied := tiedKeys()
	s.promise("Keys are newest first, ties by the numerically larger id", 20, func(t inboxTest) {
		t.ready(viewerA, tied...)
		t.same("keys", tied, t.read(viewerA, wholeInbox()).Keys)
	})
	s.promise("Ascending, keys are oldest first, ties by the smaller id", 20, func(t inboxTest) {
		t.ready(viewerA, tied...)
		r := wholeInbox()
		r.Ascending = true
		t.same("keys", reversed(tied), t.read(viewerA, r).Keys)
	})
	s.promise("A limit keeps the newest, or ascending the oldest, of the range", 20, func(t inboxTest) {
		t.ready(viewerA, tied...)
		r := wholeInbox()
		r.Limit = 4
		t.same("newest", tied[:4], t.read(viewerA, r).Keys)
		r.Ascending = true
		t.same("oldest", reversed(tied)[:4], t.read(viewerA, r).Keys)
	})
	s.promise("Above and Below are exclusive", 20, func(t inboxTest) {
		t.ready(viewerA, tied...)
		for _, r := range rangesOf(tied) {
			t.same("keys", keysWithin(tied, r), t.read(viewerA, r).Keys)
		}
	})
	s.promise("Bounds between entries are exact too", 20, func(t inboxTest) {
		t.ready(viewerA, tied...)
		r := feed.Range{Above: keyAt(1678723222, 628), Below: keyAt(1678723222, 19670), Limit: 9}
		t.same("between ties", tied[5:7], t.read(viewerA, r).Keys)
		r = feed.Range{Above: keyAt(1678600003, 5), Below: keyAt(1678723221, 5), Limit: 9}
		t.same("between times", []feed.Key{}, t.read(viewerA, r).Keys)
	})
}

func inboxBoundCases(s inboxSuite) {
	tied := tiedKeys()
	s.promise("An empty range has no keys, but the header", 20, func(t inboxTest) {
		t.ready(viewerA, tied...)
		want := t.read(viewerA, wholeInbox())
		want.Keys = nil
		for _, r := range []feed.Range{
			{Above: tied[3], Below: tied[3], Limit: 5},
			{Above: tied[2], Below: tied[5], Limit: 5},
			{Above: tied[2], Below: tied[5], Limit: 5, Ascending: true},
			{Above: feed.Top, Below: feed.Top, Limit: 5},
			{Above: feed.Bottom, Below: feed.Bottom, Limit: 5, Ascending: true},
		} {
			t.same("the inbox", want, t.read(viewerA, r))
		}
	})
	s.promise("Top is above the newest possible key, and Bottom below the oldest", 5, func(t inboxTest) {
		newest, oldest := keyAt(feed.MaxTime, math.MaxInt64), keyAt(0, 1)
		t.ready(viewerA, newest, oldest)
		t.same("wholeInbox()", []feed.Key{newest, oldest}, t.read(viewerA, wholeInbox()).Keys)
		t.same("below the newest", []feed.Key{oldest}, t.read(viewerA, wholeInbox().After(newest)).Keys)
		r := wholeInbox()
		r.Above = newest
		t.same("above the newest", []feed.Key{}, t.read(viewerA, r).Keys)
		r.Below = newest.Next()
		t.same("above the newest, below its successor", []feed.Key{}, t.read(viewerA, r).Keys)
	})
	s.promise("Count is that of the whole inbox, whatever the range", 20, func(t inboxTest) {
		t.ready(viewerA, tied...)
		in := t.read(viewerA, feed.Range{Above: feed.Bottom, Below: tied[6], Limit: 1})
		t.same("count", len(tied), in.Count)
		t.same("keys", tied[7:8], in.Keys)
	})
	s.promise("Kinds do not filter an inbox", 20, func(t inboxTest) {
		t.ready(viewerA, tied...)
		r := wholeInbox()
		r.Filter = feed.OfKinds(feed.KindRepost)
		t.same("keys", tied, t.read(viewerA, r).Keys)
	})
}

func inboxPagingCases(s inboxSuite) {
	tied := tiedKeys()
	s.promise("Pages of any size, in both directions, join to the whole", 20, func(t inboxTest) {
		t.ready(viewerA, tied...)
		for size := 1; size <= len(tied)+1; size++ {
			t.same("down", tied, t.walk(viewerA, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: size}))
			up := t.walk(viewerA, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: size, Ascending: true})
			t.same("up", reversed(tied), up)
		}
	})
	s.promise("Many ties in one millisecond are paged without loss", 80, func(t inboxTest) {
		var keys []feed.Key
		for id := int64(70); id > 0; id-- {
			keys = append(keys, keyAt(5, id*id*id))
		}
		t.ready(viewerA, keys...)
		t.same("down", keys, t.walk(viewerA, feed.Range{Below: feed.Top, Limit: 20}))
		t.same("up", reversed(keys), t.walk(viewerA, feed.Range{Below: feed.Top, Limit: 20, Ascending: true}))
	})
}

// walk reads pages until one is short and joins them.
func (t inboxTest) walk(viewer feed.UserID, r feed.Range) []feed.Key {
	var all []feed.Key
	for {
		page := t.read(viewer, r).Keys
		all = append(all, page...)
		if len(page) < r.Limit || len(all) > t.cap {
			return all
		}
		r = r.After(page[len(page)-1])
	}
}

// rangesOf returns the ranges between any two keys or open ends. It includes both directions, and a
// small and a large limit.
func rangesOf(keys []feed.Key) []feed.Range {
	ends := append([]feed.Key{feed.Top, feed.Bottom}, keys...)
	var all []feed.Range
	for _, above := range ends {
		for _, below := range ends {
			for _, limit := range []int{2, 50} {
				r := feed.Range{Above: above, Below: below, Limit: limit}
				all = append(all, r)
				r.Ascending = true
				all = append(all, r)
			}
		}
	}
	return all
}

// keysWithin returns the keys of a list, newest first, that a range selects.
func keysWithin(newestFirst []feed.Key, r feed.Range) []feed.Key {
	if r.Ascending {
		newestFirst = reversed(newestFirst)
	}
	var selected []feed.Key
	for _, k := range newestFirst {
		if r.Holds(k) && len(selected) < r.Limit {
			selected = append(selected, k)
		}
	}
	return selected
}
