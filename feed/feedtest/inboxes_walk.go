package feedtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// walkAll walks from a cursor to the end and counts how often it gets each viewer. It calls
// between, unless nil, after every call of Walk.
func (t inboxTest) walkAll(cursor string, limit int, between func()) (map[feed.UserID]int, error) {
	walked := map[feed.UserID]int{}
	for range 10_000 {
		viewers, next, err := t.store.Walk(t.Context(), cursor, limit)
		if err != nil {
			return nil, err
		}
		for _, viewer := range viewers {
			walked[viewer]++
		}
		if next == "" {
			return walked, nil
		}
		cursor = next
		if between != nil {
			between()
		}
	}
	return nil, fmt.Errorf("a walk from cursor %q with limit %d did not end after 10000 calls", cursor, limit)
}

// walkViewers walks over the inboxes and returns the viewers in order of their ids.
func (t inboxTest) walkViewers(cursor string, limit int, between func()) []feed.UserID {
	return slices.Sorted(maps.Keys(must(t.walkAll(cursor, limit, between))))
}

// manyInboxes gives inboxes to 25 viewers. The inboxes are empty, full and building. The numeric
// order of the ids differs from their order as text.
func (t inboxTest) manyInboxes() []feed.UserID {
	var viewers []feed.UserID
	for n := range feed.UserID(25) {
		viewer := 1 + n*n*n
		viewers = append(viewers, viewer)
		switch n % 3 {
		case 0:
			t.building(viewer)
		case 1:
			t.ready(viewer)
		case 2:
			t.ready(viewer, keyAt(1, 1), keyAt(2, 2))
		}
	}
	t.ready(viewerA, keyAt(1, 1))
	return append(viewers, viewerA)
}

func inboxWalkCases(s inboxSuite) {
	s.promise("A walk returns every viewer with an inbox, ready or building, whatever the limit", 2, func(t inboxTest) {
		all := t.manyInboxes()
		for limit := 1; limit <= len(all)+1; limit++ {
			t.same(fmt.Sprintf("the viewers of a walk with limit %d", limit), all, t.walkViewers("", limit, nil))
		}
		t.same("the viewers of a walk with a large limit", all, t.walkViewers("", 10_000, nil))
	})
	s.promise("A walk without inboxes is empty", 2, func(t inboxTest) {
		t.same("the viewers of a walk", []feed.UserID{}, t.walkViewers("", 3, nil))
		t.push(keyAt(1, 1), viewerA, viewerB)
		t.same("the viewers of a walk after a push", []feed.UserID{}, t.walkViewers("", 3, nil))
	})
	s.promise("A walk omits viewers whose inbox was removed", 2, func(t inboxTest) {
		all := t.manyInboxes()
		for _, viewer := range all[5:] {
			t.remove(viewer)
		}
		t.same("the viewers of a walk", all[:5], t.walkViewers("", 2, nil))
	})
	s.promise("A walk returns every viewer whose inbox exists throughout, while others appear and disappear", 2, func(t inboxTest) {
		all := t.manyInboxes()
		leaving := []feed.UserID{}
		for n := range feed.UserID(30) {
			leaving = append(leaving, 40+7*n*n)
			t.ready(40 + 7*n*n)
		}
		// Each new viewer is ahead of some walk's cursor, so there are few.
		coming := feed.UserID(0)
		for _, limit := range []int{1, 3, 10} {
			walked := t.walkViewers("", limit, func() {
				if len(leaving) > 0 {
					t.remove(leaving[len(leaving)/2])
					leaving = slices.Delete(leaving, len(leaving)/2, len(leaving)/2+1)
				}
				if coming++; coming < 15 {
					t.building(10 + coming)
					t.building(500_000 + coming)
				}
			})
			for _, viewer := range all {
				t.same(fmt.Sprintf("whether the walk returns viewer %d", viewer), true, slices.Contains(walked, viewer))
			}
		}
	})
	s.promise("An invalid cursor begins a new walk", 2, func(t inboxTest) {
		all := t.manyInboxes()
		for _, cursor := range []string{"not a cursor", "🌊", "-", " ", "\x00", strings.Repeat("x", 1000), "one:two:three"} {
			t.same(fmt.Sprintf("the viewers of a walk from cursor %q", cursor), all, t.walkViewers(cursor, 4, nil))
		}
	})
}

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
