package doctor

import (
	"context"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// examineFeed compares the viewer's home feed, read page by page, with the reference query.
func (d *Doctor) examineFeed(ctx context.Context, e *exam) error {
	shown, err := d.shown(ctx, e.viewer)
	if err != nil {
		return err
	}
	want, err := d.wanted(ctx, e.viewer)
	if err != nil {
		return err
	}
	e.shown = len(shown)
	for i, k := range shown {
		if i > 0 && !shown[i-1].Newer(k) {
			e.find(OutOfOrder, feed.PostID(k.ID))
		}
	}
	shown, want = d.level(shown, want)
	for _, k := range without(shown, want) {
		e.find(ExtraInFeed, feed.PostID(k.ID))
	}
	return d.lacking(ctx, e, without(want, shown), PendingInFeed, MissingInFeed)
}

// depth is how many entries of a feed are read.
func (d *Doctor) depth() int {
	if d.Depth == 0 {
		return math.MaxInt
	}
	return d.Depth
}

// shown scrolls through the viewer's home feed.
func (d *Doctor) shown(ctx context.Context, viewer feed.UserID) ([]feed.Key, error) {
	var keys []feed.Key
	for after := ""; ; {
		size := min(d.Policy.PageMax, d.depth()-len(keys))
		page, err := d.Home.Page(ctx, viewer, feed.PageQuery{First: &size, After: after})
		if err != nil {
			return nil, err
		}
		for _, entry := range page.Entries {
			keys = append(keys, entry.Post.Key())
			after = entry.Cursor
		}
		if !page.HasNext || len(page.Entries) == 0 || len(keys) >= d.depth() {
			return keys, nil
		}
	}
}

// wanted returns what the scroll must have shown.
func (d *Doctor) wanted(ctx context.Context, viewer feed.UserID) ([]feed.Key, error) {
	wanted := feed.NewListStream(func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return d.Reference.Feed(ctx, viewer, r)
	}, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: listMax})
	return feed.Take(ctx, wanted, d.depth())
}

// level cuts both lists at the lowest key that both reach, because each may have been ended by
// its length.
func (d *Doctor) level(a, b []feed.Key) (cutA, cutB []feed.Key) {
	down := feed.Bottom
	for _, keys := range [][]feed.Key{a, b} {
		if len(keys) == d.depth() {
			down = feed.Newest(down, keys[len(keys)-1])
		}
	}
	return notBelow(a, down), notBelow(b, down)
}

func notBelow(keys []feed.Key, down feed.Key) []feed.Key {
	if i := slices.IndexFunc(keys, down.Newer); i >= 0 {
		return keys[:i]
	}
	return keys
}

// without returns the keys of a that are not in b.
func without(a, b []feed.Key) []feed.Key {
	set := make(map[feed.Key]bool, len(b))
	for _, k := range b {
		set[k] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(k feed.Key) bool { return set[k] })
}
