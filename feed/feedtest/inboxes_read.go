package feedtest

import (
	"math"

	"github.com/tideline-feeds/tideline/feed"
)

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
		r.Kinds = feed.Kinds{feed.KindRepost}
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
