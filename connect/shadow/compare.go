package shadow

import (
	"fmt"
	"slices"
	"sort"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
)

// The kinds of differences.
const (
	// OnlyOld: the other system shows a post that Tideline does not.
	OnlyOld examine.Kind = "only-old"
	// OnlyOurs: Tideline shows a post that the other system does not.
	OnlyOurs examine.Kind = "only-ours"
	// Duplicate: the other system shows a post twice.
	Duplicate examine.Kind = "duplicate"
	// Order: both show a post, and the other system in another place.
	Order examine.Kind = "order"
	// Time: both show a post, with publish times that differ by at least a second.
	Time examine.Kind = "time"
	// Failed: the other system's feed could not be read, so nothing was compared. Words say why.
	Failed examine.Kind = "failed"
)

// Difference is a difference between two feeds of a viewer.
type Difference struct {
	// User is the viewer's id for people.
	User string       `json:"user"`
	Kind examine.Kind `json:"kind"`
	// Reason is empty before the difference is explained.
	Reason examine.Reason `json:"reason"`
	// ID is the id that the other system shows, and for OnlyOurs Tideline's.
	ID string `json:"post"`
	// Post is 0 if Tideline knows no post of that id.
	Post feed.PostID `json:"-"`
	// Page is the page of the other system, from 1, on which the post is or should be.
	Page int `json:"page"`
	// OldAt and OurAt are publish times in milliseconds; 0 if not known.
	OldAt   int64  `json:"-"`
	OurAt   int64  `json:"-"`
	OldTime string `json:"oldPublishedAt,omitempty"`
	OurTime string `json:"publishedAt,omitempty"`
	// Words explain the difference.
	Words string `json:"words"`
	// Allowed says that differences with this reason do not count.
	Allowed bool `json:"allowed"`
}

// Class implements [examine.Line].
func (d Difference) Class() examine.Class {
	c := classOf(d.Kind, d.Reason)
	c.Normal = d.Allowed
	return c
}

// String implements [examine.Line].
func (d Difference) String() string {
	if d.Kind == Failed {
		return fmt.Sprintf("%s\tuser %s\t%s", d.Kind, examine.Quoted(d.User), d.Words)
	}
	times := ""
	if d.Kind == Time {
		times = ": " + d.OldTime + " in the old feed, " + d.OurTime + " in Tideline"
	}
	return fmt.Sprintf("%s %s\tuser %s\tpage %d\tpost %s: %s%s", d.Kind, d.Reason, examine.Quoted(d.User), d.Page, examine.Quoted(d.ID), d.Words, times)
}

// key tells differences of a viewer apart.
func (d Difference) key() Difference { return Difference{Kind: d.Kind, ID: d.ID, Post: d.Post} }

// timeTolerance is the difference of publish times in milliseconds from which on it counts. Many
// systems round to seconds.
const timeTolerance = 1000

// entry is an entry of the old feed, with what Tideline knows of it.
type entry struct {
	Item
	// post is 0 if the id has no number, key zero if no post of that number is stored.
	post feed.PostID
	key  feed.Key
	// ours says that Tideline shows it, moved that it is in another place there.
	ours, moved bool
}

// pair are both feeds of a viewer.
type pair struct {
	viewer feed.UserID
	old    []entry
	ours   []*feed.Post
	scroll Scroll
	// floor is the place down to which the old feed is known. Ours ends there, at its own end if
	// whole is set, or at cut, unless that is zero.
	floor, cut  feed.Key
	whole       bool
	differences []Difference
}

// floorOf returns the place down to which a scroll shows a feed: the last one in its order.
func floorOf(s Scroll, entries []entry) feed.Key {
	if s.Complete {
		return feed.Bottom
	}
	var keys []feed.Key
	for _, e := range entries {
		if e.key != (feed.Key{}) {
			keys = append(keys, e.key)
		}
	}
	if spine := descending(keys); len(spine) > 0 {
		return keys[spine[len(spine)-1]]
	}
	return feed.Bottom
}

// compare finds the differences.
func (p *pair) compare() {
	shown := make(map[feed.PostID]*feed.Post, len(p.ours))
	for _, post := range p.ours {
		shown[post.ID] = post
	}
	p.unique(shown)
	p.findMoved()
	old := map[feed.PostID]bool{}
	for i := range p.old {
		e := &p.old[i]
		old[e.post] = true
		d := Difference{ID: e.ID, Post: e.post, Page: e.Page, OldAt: e.At, OurAt: e.key.TS}
		switch {
		case !e.ours && p.cut.Newer(e.key) && e.key != (feed.Key{}):
			continue // ours was not read so far
		case !e.ours:
			d.Kind = OnlyOld
		case e.At != 0 && abs(e.At-e.key.TS) >= timeTolerance:
			d.Kind = Time
		case e.moved:
			d.Kind = Order
		default:
			continue
		}
		p.differences = append(p.differences, d)
	}
	for _, post := range p.ours {
		if !old[post.ID] && post.Key().Newer(p.floor) {
			d := Difference{Kind: OnlyOurs, Post: post.ID, OurAt: post.PublishedAt}
			_, d.Page = p.gap(post.Key())
			p.differences = append(p.differences, d)
		}
	}
}

// unique removes repeated entries, and notes which are ours.
func (p *pair) unique(shown map[feed.PostID]*feed.Post) {
	seen := map[string]bool{}
	p.old = slices.DeleteFunc(p.old, func(e entry) bool {
		if seen[e.ID] {
			p.differences = append(p.differences, Difference{Kind: Duplicate, ID: e.ID, Post: e.post, Page: e.Page, OldAt: e.At, OurAt: e.key.TS})
			return true
		}
		seen[e.ID] = true
		return false
	})
	for i := range p.old {
		_, p.old[i].ours = shown[p.old[i].post]
	}
}

// findMoved marks the fewest entries without which the others are in our order.
func (p *pair) findMoved() {
	var at []int
	var keys []feed.Key
	for i := range p.old {
		if p.old[i].ours {
			at, keys = append(at, i), append(keys, p.old[i].key)
		}
	}
	spine := descending(keys)
	for n, i := range at {
		_, inOrder := slices.BinarySearch(spine, n)
		p.old[i].moved = !inOrder
	}
}

// gap returns the pages of the entries around a place, which differ at the border of pages. Above the
// first entry and below the last one, the pages are equal.
func (p *pair) gap(k feed.Key) (above, below int) {
	below = p.scroll.Pages
	for _, e := range p.old {
		if !e.ours || e.moved {
			continue
		}
		if k.Newer(e.key) {
			if above == 0 {
				above = e.Page
			}
			return above, e.Page
		}
		above = e.Page
	}
	if above != 0 {
		below = above
	}
	return below, below
}

// descending returns the positions of a longest descending part of a list, in ascending order.
func descending(keys []feed.Key) []int {
	// ends has, for each length, where the part of that length with the highest last key ends.
	var ends []int
	before := make([]int, len(keys))
	for i, k := range keys {
		n := sort.Search(len(ends), func(n int) bool { return !keys[ends[n]].Newer(k) })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	positions := make([]int, len(ends))
	for n, i := len(ends)-1, ends[len(ends)-1]; n >= 0; n, i = n-1, before[i] {
		positions[n] = i
	}
	return positions
}

func abs(n int64) int64 { return max(n, -n) }
