package slots_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/slots"
)

// anySlots draws what a source may answer: any order and places, repeated ids.
func anySlots(t *rapid.T) []slots.Slot {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) slots.Slot {
		return slots.Slot{ID: fmt.Sprint(rapid.IntRange(1, 30).Draw(t, "id")), After: rapid.IntRange(-5, 110).Draw(t, "after")}
	}), 0, 40).Draw(t, "slots")
}

// anyGap draws gaps that leave room for many slots, and others.
func anyGap(t *rapid.T) int {
	return rapid.OneOf(rapid.IntRange(1, 5), rapid.IntRange(1, 100)).Draw(t, "gap")
}

// A scroll of pages, each with slots of its own, keeps the gap everywhere, without state.
func TestSpaced_KeepsGapAcrossPages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gap := anyGap(t)
		since := 0 // entries since the last slot of the scroll, or its beginning
		for range rapid.IntRange(1, 5).Draw(t, "pages") {
			entries := rapid.IntRange(0, 100).Draw(t, "entries")
			page := slots.Spaced(anySlots(t), entries, gap)
			if len(page) > slots.Max || len(page) > 0 && !slots.Fits(entries, gap) {
				t.Fatalf("%d slots on a page of %d", len(page), entries)
			}
			at := 0
			for i, s := range page {
				if i == 0 && s.After < gap {
					t.Fatalf("the first slot of a page comes after %d entries", s.After)
				}
				if since += s.After - at; since < gap {
					t.Fatalf("%d entries before the slot after %d of %v", since, s.After, page)
				}
				at, since = s.After, 0
			}
			if len(page) > 0 && at >= entries {
				t.Fatalf("no entry after the last of %v on a page of %d", page, entries)
			}
			since += entries - at
		}
	})
}

// It keeps no fewer slots than any other choice, never one twice, and nothing that the source did not say.
func TestSpaced_KeepsAllThatFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := anySlots(t)
		for i := range all { // so that an id excludes none
			all[i].ID = fmt.Sprint(i)
		}
		entries, gap := rapid.IntRange(0, 100).Draw(t, "entries"), anyGap(t)
		got := slots.Spaced(all, entries, gap)
		for i, s := range got {
			if !slices.Contains(all, s) || slices.Contains(got[:i], s) {
				t.Fatalf("%v is not from %v", got, all)
			}
		}
		// most[n] is the greatest number of slots that fit before entry n.
		most := make([]int, entries+1)
		for n := 1; n <= entries; n++ {
			most[n] = most[n-1]
			isPlace := slices.ContainsFunc(all, func(s slots.Slot) bool { return s.After == n })
			if isPlace && n >= gap && n < entries {
				most[n] = max(most[n], 1+most[n-gap])
			}
		}
		if want := min(slots.Max, most[entries]); len(got) != want {
			t.Fatalf("%d slots of %v on a page of %d with gap %d, want %d", len(got), all, entries, gap, want)
		}
	})
}

func TestSpaced_KeepsTheFirstOfEachID(t *testing.T) {
	all := []slots.Slot{{ID: "b", After: 8}, {ID: "a", After: 6}, {ID: "a", After: 2}, {ID: "c", After: 2}, {ID: "b", After: 4}}
	want := []slots.Slot{{ID: "a", After: 2}, {ID: "b", After: 4}}
	if diff := cmp.Diff(want, slots.Spaced(all, 20, 2)); diff != "" {
		t.Errorf("slots (-want +got):\n%s", diff)
	}
}

func TestFeedName_HomeAndOutboxOnly(t *testing.T) {
	for ref, want := range map[feed.FeedRef]string{feed.HomeRef(): "home", feed.OutboxRef(7): "outbox", feed.CommentsRef(7): ""} {
		if got := slots.FeedName(ref); got != want {
			t.Errorf("%+v is %q, want %q", ref, got, want)
		}
	}
}
