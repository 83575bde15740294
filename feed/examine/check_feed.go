package examine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// examineFeed compares the viewer's home feed, read page by page, with the reference query.
func (x *Examiner) examineFeed(ctx context.Context, e *exam) error {
	shown, err := x.shown(ctx, e.viewer)
	if err != nil {
		return err
	}
	want, err := take(ctx, feed.Bottom, x.depth(), func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return x.Reference.Feed(ctx, e.viewer, feed.HomeAuthors, r)
	})
	if err != nil {
		return err
	}
	e.shown = len(shown)
	for i, k := range shown {
		if i > 0 && !shown[i-1].Newer(k) {
			e.find(OutOfOrder, feed.PostID(k.ID))
		}
	}
	shown, want = x.level(shown, want)
	for _, k := range without(shown, want) {
		e.find(ExtraInFeed, feed.PostID(k.ID))
	}
	return x.lacking(ctx, e, without(want, shown), PendingInFeed, MissingInFeed)
}

// depth is how many entries of a feed are read.
func (x *Examiner) depth() int { return cmp.Or(x.Depth, math.MaxInt) }

// shown scrolls through the viewer's home feed.
func (x *Examiner) shown(ctx context.Context, viewer feed.UserID) ([]feed.Key, error) {
	var keys []feed.Key
	for entry, err := range x.Scroll(ctx, viewer, feed.Filter{}) {
		if err != nil {
			return nil, err
		}
		if keys = append(keys, entry.Post.Key()); len(keys) == x.depth() {
			break
		}
	}
	return keys, nil
}

// take returns the first n keys of a list above a key.
func take(ctx context.Context, above feed.Key, n int, list func(context.Context, feed.Range) ([]feed.Key, error)) ([]feed.Key, error) {
	return feed.Take(ctx, feed.NewListStream(list, feed.Range{Above: above, Below: feed.Top, Limit: listMax}), n)
}

// level cuts both lists at the lowest key that both reach, because each may have been ended by
// its length.
func (x *Examiner) level(a, b []feed.Key) (cutA, cutB []feed.Key) {
	down := feed.Bottom
	for _, keys := range [][]feed.Key{a, b} {
		if len(keys) == x.depth() {
			down = feed.Newest(down, keys[len(keys)-1])
		}
	}
	return slices.DeleteFunc(a, down.Newer), slices.DeleteFunc(b, down.Newer)
}

// without returns the keys of a that are not in b.
func without(a, b []feed.Key) []feed.Key {
	set := make(map[feed.Key]bool, len(b))
	for _, k := range b {
		set[k] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(k feed.Key) bool { return set[k] })
}

// listMax is how many keys are listed, and posts loaded, at once: as many as a read loads.
const listMax = 400

// lacking records posts that are missing somewhere: as pending or as wrong.
func (x *Examiner) lacking(ctx context.Context, e *exam, keys []feed.Key, pending, wrong Kind) error {
	for chunk := range slices.Chunk(postIDs(keys), listMax) {
		refs := make([]feed.PostID, len(chunk))
		for i, id := range chunk {
			refs[i] = e.ref(id)
		}
		waits, err := x.Progress.IsPending(ctx, refs)
		if err != nil {
			return err
		}
		for i, id := range chunk {
			if waits[i] {
				e.find(pending, id)
			} else {
				e.find(wrong, id)
			}
		}
	}
	return nil
}

func postIDs(keys []feed.Key) []feed.PostID {
	ids := make([]feed.PostID, len(keys))
	for i, k := range keys {
		ids[i] = feed.PostID(k.ID)
	}
	return ids
}
