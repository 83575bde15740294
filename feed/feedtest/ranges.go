package feedtest

import (
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// list is a method that returns a range of a list.
type list func(r feed.Range) ([]feed.Key, error)

// everyRange reads every range with a different result. It tries all pairs of bounds on and between
// the list's keys, both directions, and limits below and above the length. whole is the list in any
// order.
func (w *world) everyRange(whole []feed.Key, read list) {
	bounds := []feed.Key{feed.Bottom, feed.Top}
	for _, k := range whole {
		bounds = append(bounds, k, k.Next())
	}
	for _, above := range bounds {
		for _, below := range bounds {
			limits := []int{1, 2, len(whole) + 1}
			if !below.Newer(above) {
				limits = limits[2:] // no key is between the bounds, whatever the limit
			}
			for _, limit := range limits {
				for _, ascending := range []bool{false, true} {
					w.oneRange(whole, read, feed.Range{Above: above, Below: below, Limit: limit, Ascending: ascending})
				}
			}
		}
	}
}

func (w *world) oneRange(whole []feed.Key, read list, r feed.Range) {
	got := must(read(r))
	if want := pick(whole, r); !slices.Equal(got, want) {
		w.t.Fatalf("%s: got %v, want %v", describe(r), got, want)
	}
}

// pick returns the expected result of r for a list with these keys.
func pick(keys []feed.Key, r feed.Range) []feed.Key {
	var picked []feed.Key
	for _, k := range keys {
		if k.Newer(r.Above) && r.Below.Newer(k) {
			picked = append(picked, k)
		}
	}
	slices.SortFunc(picked, feed.Key.Compare)
	if !r.Ascending {
		slices.Reverse(picked)
	}
	return picked[:min(len(picked), r.Limit)]
}

func describe(r feed.Range) string {
	direction := "newest"
	if r.Ascending {
		direction = "oldest"
	}
	return fmt.Sprintf("the %s %d of kinds %v between %v and %v", direction, r.Limit, r.Filter, r.Above, r.Below)
}

// trickyPosts publishes posts with the keys of [trickyKeys], by two authors in turn.
func (w *world) trickyPosts(a, b feed.UserID) {
	for i, k := range trickyKeys() {
		w.post(feed.PostID(k.ID), []feed.UserID{a, b}[i%2], k.TS)
	}
}

// trickyKeys returns keys that reveal a wrong order: ties broken by text or not at all, or ids used
// as times. Three posts share a millisecond and have ids of different lengths. The oldest post
// has the largest id.
func trickyKeys() []feed.Key {
	return []feed.Key{
		{TS: noon, ID: 1 << 62},
		{TS: noon + 5, ID: 9},
		{TS: noon + 5, ID: 10},
		{TS: noon + 5, ID: 1001},
		{TS: noon + 6, ID: 2},
	}
}
