package shadow

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
)

// The reasons why feeds differ that Tideline's feed does not explain. For OnlyOld it does, after
// "original-" if the reason is about the original of a repost. Their words are in classes.
const (
	RoundedID      examine.Reason = "rounded-id"
	OldEmpty       examine.Reason = "old-empty"
	EndsEarly      examine.Reason = "ends-early"
	OwnMissing     examine.Reason = "own-missing"
	CommentsLeft   examine.Reason = "comments-left-out"
	RepostsLeft    examine.Reason = "reposts-left-out"
	AuthorMissing  examine.Reason = "author-missing"
	NewestMissing  examine.Reason = "newest-missing"
	PageGap        examine.Reason = "page-gap"
	PostMissing    examine.Reason = "post-missing"
	AcrossPages    examine.Reason = "across-pages"
	InPage         examine.Reason = "in-page"
	SortedByID     examine.Reason = "sorted-by-id"
	TieOrder       examine.Reason = "tie-order"
	OtherOrder     examine.Reason = "other-order"
	ZoneShift      examine.Reason = "zone-shift"
	OtherTime      examine.Reason = "other-time"
	originalPrefix                = "original-"
)

// The values of [examine.Class.Look].
const (
	// sideOld is the other system.
	sideOld = "old"
	// sideOurs is Tideline.
	sideOurs = "tideline"
	// sideSource is the way of the data between them.
	sideSource = "source"
)

// classOf returns the class of differences of a kind that have a reason.
func classOf(k examine.Kind, r examine.Reason) examine.Class {
	if k == Failed {
		return examine.Class{Kind: k, Look: sideOld, Words: "the old feed could not be read, so nothing was compared"}
	}
	if c, isOther := classes()[r]; isOther {
		c.Kind, c.Reason = k, r
		return c
	}
	of, words := r, ""
	if rest, isOriginal := strings.CutPrefix(string(r), originalPrefix); isOriginal {
		of, words = examine.Reason(rest), "of its original: "
	}
	look := sideOld
	switch {
	case k != OnlyOld, of == examine.Pending, of == examine.Missing:
		look = sideOurs
	case of == examine.Reason(feed.HiddenNotStored), of == examine.Reason(feed.HiddenAuthorAbsent):
		look = sideSource
	}
	return examine.Class{Kind: k, Reason: r, Look: look, Words: words + of.Words()}
}

// classes returns the classes of reasons, without both.
func classes() map[examine.Reason]examine.Class {
	return map[examine.Reason]examine.Class{
		examine.Reason(feed.HiddenNotStored): {Look: sideSource, Words: "Tideline has no post of this id: not arrived, not mapped, or deleted for good"},
		RoundedID:                            {Look: sideOld, Words: "the id is that of another post after rounding to a JavaScript number, which is exact up to 2^53"},
		OldEmpty:                             {Look: sideOld, Words: "the old feed is empty"},
		EndsEarly:                            {Look: sideOld, Words: "the old feed ends before it: a limit of entries or of age"},
		OwnMissing:                           {Look: sideOld, Words: "the old feed has none of the viewer's own posts"},
		CommentsLeft:                         {Look: sideOld, Words: "the old feed has no comments; compare with --kinds"},
		RepostsLeft:                          {Look: sideOld, Words: "the old feed has no reposts; compare with --kinds"},
		AuthorMissing:                        {Look: sideOld, Words: "the viewer follows its author, and the old feed has none of their posts: an old list of follows"},
		NewestMissing:                        {Look: sideOld, Words: "it is newer than all that the old feed has: a cache, or a late push"},
		PageGap:                              {Look: sideOld, Words: "it belongs between two pages of the old feed"},
		PostMissing:                          {Look: sideOld, Words: "the old feed has posts around it and of its author: a lost push"},
		AcrossPages:                          {Look: sideOld, Words: "two pages of the old feed have it"},
		InPage:                               {Look: sideOld, Words: "a page of the old feed has it twice"},
		SortedByID:                           {Look: sideOld, Words: "the old feed is in the order of ids, not of publish times"},
		TieOrder:                             {Look: sideOld, Words: "posts of the same time are in another order"},
		OtherOrder:                           {Look: sideOld, Words: "the old feed has it in another place"},
		ZoneShift:                            {Look: sideSource, Words: "the publish times differ by a time zone"},
		OtherTime:                            {Look: sideSource, Words: "the publish times differ"},
	}
}

// explainer explains the differences of a pair.
type explainer struct {
	*pair
	examiner *examine.Examiner
	wanted   feed.Filter
	// shows reports whether a page of Tideline, read again, has the post.
	shows func(feed.PostID) (bool, error)
	names func(feed.PostID) feed.PublicID
	posts map[feed.PostID]*feed.Post
	// authors and kinds count our posts of each author and of each kind.
	authors map[feed.UserID]*shownOf
	kinds   map[feed.Kind]*shownOf
	top     feed.Key
	bottom  feed.Key
	// allAbove says that all posts that the old feed lacks are newer than all it has.
	allAbove bool
}

// shownOf counts our posts of an author or of a kind: all, those that the old feed has, and those
// above its end that it lacks.
type shownOf struct{ all, both, lacking int }

// leftOut reports whether the old feed has none, and not because it ends before them.
func (n *shownOf) leftOut() bool { return n.both == 0 && n.lacking > 0 }

// survey counts what both feeds have.
func (x *explainer) survey() {
	x.posts, x.authors, x.kinds, x.allAbove = map[feed.PostID]*feed.Post{}, map[feed.UserID]*shownOf{}, map[feed.Kind]*shownOf{}, true
	both := map[feed.PostID]bool{}
	x.bottom = feed.Top
	for _, e := range x.old {
		if !e.ours {
			continue
		}
		both[e.post] = true
		x.top = feed.Newest(x.top, e.key)
		if x.bottom.Newer(e.key) {
			x.bottom = e.key
		}
	}
	if len(both) == 0 {
		x.bottom, x.allAbove = feed.Bottom, false
	}
	for _, p := range x.ours {
		x.posts[p.ID] = p
		if !both[p.ID] && !p.Key().Newer(x.floor) {
			continue
		}
		x.allAbove = x.allAbove && (both[p.ID] || p.Key().Newer(x.top))
		for _, n := range []*shownOf{at(x.authors, p.Author), at(x.kinds, p.Kind)} {
			n.all++
			if both[p.ID] {
				n.both++
			} else if p.Key().Newer(x.bottom) {
				n.lacking++
			}
		}
	}
}

// at returns the counts of a key.
func at[K comparable](counts map[K]*shownOf, k K) *shownOf {
	if counts[k] == nil {
		counts[k] = &shownOf{}
	}
	return counts[k]
}

// all explains the differences, and leaves out those that are none any more.
func (x *explainer) all(ctx context.Context, differences []Difference) ([]Difference, error) {
	x.survey()
	differences = x.pairRounded(differences)
	var kept []Difference
	for _, d := range differences {
		stays, err := x.one(ctx, &d)
		if err != nil {
			return nil, err
		}
		if stays {
			d.Words = cmp.Or(d.Words, classOf(d.Kind, d.Reason).Words)
			kept = append(kept, d)
		}
	}
	return kept, nil
}

// pairRounded explains ids that are those of missing posts after rounding. They may be those of
// other posts too.
func (x *explainer) pairRounded(differences []Difference) []Difference {
	missing := map[float64][]feed.PostID{}
	for _, d := range differences {
		if n, big := rounded(string(x.names(d.Post).Text())); d.Kind == OnlyOurs && big {
			missing[n] = append(missing[n], d.Post)
		}
	}
	found := map[feed.PostID]bool{}
	for i := range differences {
		d := &differences[i]
		n, big := rounded(d.ID)
		if shown := d.Kind == OnlyOld || d.Kind == Duplicate; shown && big && len(missing[n]) > 0 {
			d.Reason, d.Post = RoundedID, missing[n][0]
			found[d.Post] = true
			missing[n] = missing[n][1:]
		}
	}
	return slices.DeleteFunc(differences, func(d Difference) bool { return d.Kind == OnlyOurs && found[d.Post] })
}

// rounded returns a decimal id as JavaScript reads it; false if it is exact there.
func rounded(id string) (n float64, big bool) {
	exact, err := strconv.ParseInt(id, 10, 64)
	return float64(exact), err == nil && exact >= 1<<53
}

// one explains a difference. It returns false if there is none any more.
func (x *explainer) one(ctx context.Context, d *Difference) (bool, error) {
	switch {
	case d.Reason != "":
	case d.Kind == OnlyOld:
		return x.onlyOld(ctx, d)
	case d.Kind == OnlyOurs:
		return x.onlyOurs(ctx, d)
	case d.Kind == Duplicate:
		d.Reason = x.repeated(d)
	case d.Kind == Order:
		d.Reason = x.moved(d)
	case zoneShift(d.OldAt - d.OurAt):
		d.Reason = ZoneShift
	default:
		d.Reason = OtherTime
	}
	return true, nil
}

func (x *explainer) onlyOld(ctx context.Context, d *Difference) (bool, error) {
	if d.Post == 0 {
		d.Reason = examine.Reason(feed.HiddenNotStored)
		return true, nil
	}
	e, err := x.examiner.Explain(ctx, x.viewer, d.Post, x.wanted)
	if err != nil {
		return false, err
	}
	if e.Shown {
		if x.whole || !x.floor.Newer(e.Key) { // it has just arrived
			return false, nil
		}
		d.Kind, d.Reason = Order, x.moved(d)
		return true, nil
	}
	if d.Reason = e.Reason; e.Original != 0 {
		d.Reason = originalPrefix + d.Reason
	}
	if d.Reason != examine.Reason(feed.HiddenNotStored) {
		d.Words = e.Words(x.names)
	}
	return true, nil
}

func (x *explainer) onlyOurs(ctx context.Context, d *Difference) (bool, error) {
	e, err := x.examiner.Explain(ctx, x.viewer, d.Post, x.wanted)
	if err != nil {
		return false, err
	}
	if !e.Shown {
		d.Reason, d.Words = e.Reason, e.Words(x.names)
		return x.shows(d.Post)
	}
	d.Reason = x.lacking(x.posts[d.Post])
	d.Words = classOf(d.Kind, d.Reason).Words + "; in Tideline, " + e.Words(x.names)
	return true, nil
}

// lacking says why the old feed lacks a post.
func (x *explainer) lacking(p *feed.Post) examine.Reason {
	k, of := p.Key(), at(x.authors, p.Author)
	above, below := x.gap(k)
	kindLeft := at(x.kinds, p.Kind).leftOut()
	switch {
	case len(x.old) == 0:
		return OldEmpty
	case p.Author == x.viewer && of.leftOut():
		return OwnMissing
	case p.Kind == feed.KindComment && kindLeft:
		return CommentsLeft
	case p.Kind == feed.KindRepost && kindLeft:
		return RepostsLeft
	case x.allAbove:
		return NewestMissing
	case of.leftOut() && of.all > 1:
		return AuthorMissing
	case x.scroll.Complete && x.bottom.Newer(k):
		return EndsEarly
	case above != below:
		return PageGap
	case of.leftOut():
		return AuthorMissing
	case k.Newer(x.top):
		return NewestMissing
	}
	return PostMissing
}

// repeated says where the old feed has a post before.
func (x *explainer) repeated(d *Difference) examine.Reason {
	for _, e := range x.old {
		if e.ID == d.ID && e.Page == d.Page {
			return InPage
		}
	}
	return AcrossPages
}

// moved says why a post is in another place.
func (x *explainer) moved(d *Difference) examine.Reason {
	if len(x.old) > 2 && slices.IsSortedFunc(x.old, func(a, b entry) int { return compareIDs(b.ID, a.ID) }) {
		return SortedByID
	}
	for i, e := range x.old {
		if e.post != d.Post {
			continue
		}
		for _, other := range x.old[max(0, i-1):min(len(x.old), i+2)] {
			if other.post != e.post && other.key.TS == e.key.TS {
				return TieOrder
			}
		}
	}
	return OtherOrder
}

// compareIDs compares numbers by value, and other ids by their bytes.
func compareIDs(a, b string) int {
	n, err := strconv.ParseUint(a, 10, 64)
	m, err2 := strconv.ParseUint(b, 10, 64)
	if err == nil && err2 == nil {
		return cmp.Compare(n, m)
	}
	return cmp.Compare(a, b)
}

// zoneShift reports whether a difference of times in milliseconds is that of two time zones.
func zoneShift(d int64) bool {
	const quarter, day = 15 * 60 * 1000, 24 * 60 * 60 * 1000
	off := (abs(d) + timeTolerance) % quarter
	return abs(d) > timeTolerance && abs(d) <= day && off <= 2*timeTolerance
}

// Reasons returns all reasons.
func Reasons() map[examine.Reason]bool {
	all := map[examine.Reason]bool{}
	for r := range classes() {
		all[r] = true
	}
	for _, r := range examine.Reasons() {
		all[r], all[originalPrefix+r] = true, true
	}
	return all
}
