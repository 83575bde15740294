// Package slots places advertisements, topics and recommendations between the posts of a page. Posts,
// cursors and counts do not depend on them.
package slots

import (
	"cmp"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Max is the maximum number of slots of a page.
const Max = 10

// Slot is something to show between two posts.
type Slot struct {
	// ID identifies the slot on its page.
	ID string
	// After is the number of entries of the page that come before the slot.
	After int
	// Source says what the slot is, for users.
	Source string
	// Content is a JSON object.
	Content feed.CustomFields
}

// Page is a page as its slot source sees it. Ids are public ids.
type Page struct {
	// Viewer is empty for the anonymous viewer.
	Viewer feed.ExternalID
	// Feed is a name that [FeedName] returns.
	Feed    string
	Entries []Entry
	// Gap is the argument of [Spaced].
	Gap int
}

// Entry is a post of a page. ID and Author are empty if the anonymous viewer may not see the post.
type Entry struct {
	ID, Author feed.ExternalID
	Kind       feed.Kind
}

// FeedName returns the name of a feed for slot sources; empty for a feed without slots.
func FeedName(ref feed.FeedRef) string {
	switch ref.Kind {
	case feed.FeedHome:
		return "home"
	case feed.FeedOutbox:
		return "outbox"
	case feed.FeedAuthorList:
		return "list"
	}
	return ""
}

// Fits reports whether a page of entries has room for a slot.
func Fits(entries, gap int) bool { return entries > gap }

// Spaced returns the slots that a page of entries may show, in its order: at least gap entries come
// before the first slot and between two slots, and one after the last. So the gap holds across pages too.
// Of slots with the same id, and of slots that are too close, it keeps the first.
func Spaced(all []Slot, entries, gap int) []Slot {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b Slot) int { return cmp.Compare(a.After, b.After) })
	kept := make([]Slot, 0, min(len(all), Max))
	last := 0
	for _, s := range sorted {
		twice := slices.ContainsFunc(kept, func(k Slot) bool { return k.ID == s.ID })
		if len(kept) < Max && !twice && s.After >= last+gap && s.After < entries {
			kept, last = append(kept, s), s.After
		}
	}
	return kept
}
