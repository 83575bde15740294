package feedtest

import (
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// trim trims inboxes of [inboxTest.ready] and [inboxTest.building] under the given generation.
func (t inboxTest) trim(generation int64, viewers ...feed.UserID) {
	check(t.store.Trim(t.Context(), viewers, generation))
}

func inboxTrimCases(s inboxSuite) {
	s.promise("Trim removes inboxes of an older generation, ready or building", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.building(viewerB)
		t.trim(2, viewerB, viewerA)
		t.push(keyAt(2, 2), viewerA, viewerB)
		t.want(viewerA, feed.Inbox{})
		t.want(viewerB, feed.Inbox{})
		t.same("the viewers of a walk", []feed.UserID{}, t.walkViewers("", 9, nil))
		t.ready(viewerA, keyAt(3, 3))
		t.wantKeys(viewerA, feed.Bottom, keyAt(3, 3))
	})
	s.promise("Repeated trims keep inboxes of the given and later generations unchanged", 2, func(t inboxTest) {
		t.ready(viewerA, keyAt(3, 3), keyAt(2, 2), keyAt(1, 1))
		t.building(viewerB)
		t.push(keyAt(2, 2), viewerB)
		full, building := t.read(viewerA, wholeInbox()), t.read(viewerB, wholeInbox())
		for _, generation := range []int64{1, 1, 0} {
			t.trim(generation, viewerA, viewerB, viewerA)
			t.want(viewerA, full)
			t.want(viewerB, building)
		}
	})
	s.promise("Trim compares generations as numbers", 5, func(t inboxTest) {
		for i, c := range []struct {
			of, given int64
			stays     bool
		}{{9, 10, false}, {10, 9, true}, {99, 100, false}, {100, 99, true}, {10, 10, true}} {
			viewer := feed.UserID(i + 1)
			t.begin(viewer, feed.BuildHeader{Token: "one", Generation: c.of, StartedAt: 1000}, 0)
			t.trim(c.given, viewer)
			t.same(fmt.Sprintf("whether an inbox of generation %d stays in a trim to %d", c.of, c.given), c.stays, t.read(viewer, wholeInbox()).State != feed.InboxAbsent)
		}
	})
	s.promise("Trim affects only the given viewers", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.ready(viewerB, keyAt(1, 1))
		before := t.read(viewerB, wholeInbox())
		t.trim(2)
		t.trim(2, viewerA)
		t.want(viewerA, feed.Inbox{})
		t.want(viewerB, before)
	})
	s.promise("Trim skips viewers without an inbox and creates none", 5, func(t inboxTest) {
		t.ready(viewerB, keyAt(1, 1))
		before := t.read(viewerB, wholeInbox())
		t.trim(1, viewerA, 7, viewerB)
		t.want(viewerA, feed.Inbox{})
		t.want(viewerB, before)
		t.same("the viewers of a walk", []feed.UserID{viewerB}, t.walkViewers("", 9, nil))
	})
	s.promise("Trim accepts many viewers", 5, func(t inboxTest) {
		var viewers []feed.UserID
		for v := feed.UserID(1); v <= 300; v++ {
			viewers = append(viewers, v)
			t.begin(v, feed.BuildHeader{Token: "one", Generation: int64(v % 2), StartedAt: 1000}, 0)
		}
		t.trim(1, viewers...)
		left := slices.DeleteFunc(viewers, func(v feed.UserID) bool { return v%2 == 0 })
		t.same("the viewers of a walk", left, t.walkViewers("", 50, nil))
	})
}
