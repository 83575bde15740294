package feed

import (
	"context"
	"slices"
)

// PageQuery asks for one page of a list, in Relay's terms.
type PageQuery struct {
	// First goes with After: the newest entries, or those that follow a cursor.
	First *int
	After string
	// Last goes with Before: the oldest entries, or those that stand directly above
	// a cursor.
	Last   *int
	Before string
	// Kinds narrows a feed; empty for all.
	Kinds Kinds
	// Behind asks for the flag that looks back over the cursor (HasPrevious with
	// After, HasNext with Before), which costs a read of its own.
	Behind bool
	// Self asks for [Page.Self], for whoever shows the authors of entries.
	Self bool
	// Ahead, where it is set, is called with contents that are about to be judged, nil for one
	// that is not stored, when a read has to be waited for until they are: whoever is to show
	// them may begin to read what belongs to them. Not all of them will be on the page. It
	// must not wait, nor change them.
	Ahead func(ctx context.Context, posts []*Post)
	// Hydrated, where it is set, is called with contents that are about to be judged if they
	// were read together with counters, and perhaps authors, before Ahead is called with them:
	// whoever shows those need not read them. Not all of it will be on the page. It must not
	// wait, nor change anything.
	Hydrated func(Hydrated)
}

// Entry is one entry of a feed.
type Entry struct {
	Cursor string
	Post   *Post
}

// Page is a run of a feed, newest first in either direction of paging.
type Page struct {
	Entries []Entry
	// HasNext and HasPrevious say exactly whether older and newer entries stand
	// beyond the page; the one that looks back over the cursor is false unless
	// [PageQuery.Behind] asked for it.
	HasNext, HasPrevious bool
	// Self is the viewer's own profile, as current as the page, when he asked for it, entries
	// are his, and it is remembered by [Stamp.Own]; nil otherwise. It must not be changed.
	Self *User
}

// UserEntry is one entry of a list of users.
type UserEntry struct {
	Cursor string
	User   *User
}

// UserPage is a run of a list of users, latest first.
type UserPage struct {
	Entries              []UserEntry
	HasNext, HasPrevious bool
}

// window is a checked PageQuery.
type window struct {
	r Range
	// size is the number of entries of the page; the read asks for one more.
	size int
	// at is the cursor given, if any.
	at  Cursor
	cut bool
}

// window checks q and turns it into an interval and a direction.
func (p Policy) window(kind FeedKind, q PageQuery) (window, error) {
	backward := q.Last != nil || (q.Before != "" && q.First == nil)
	switch {
	case q.First != nil && q.Last != nil:
		return window{}, Errorf(CodeBadInput, "first and last cannot be used together")
	case backward && q.After != "":
		return window{}, Errorf(CodeBadInput, "after goes with first, before with last")
	case !backward && q.Before != "":
		return window{}, Errorf(CodeBadInput, "before goes with last, after with first")
	}
	for _, k := range q.Kinds {
		if !k.Valid() {
			return window{}, Errorf(CodeBadInput, "%.20q is not a kind of content", string(k))
		}
	}
	w := window{r: Range{Above: Bottom, Below: Top, Ascending: backward, Kinds: q.Kinds}, size: p.PageDefault}
	name, given, cursor := "first", q.First, q.After
	if backward {
		name, given, cursor = "last", q.Last, q.Before
	}
	if given != nil {
		w.size = *given
	}
	if w.size < 0 || w.size > p.PageMax {
		return window{}, Errorf(CodeBadInput, "%s must be from 0 to %d, not %d", name, p.PageMax, w.size)
	}
	if cursor == "" {
		return w, nil
	}
	at, err := ParseCursor(cursor, kind)
	if err != nil {
		return window{}, err
	}
	w.at, w.cut = at, true
	w.r = w.r.After(at.Key)
	return w, nil
}

// reader returns up to want visible items of a list within r, in its direction;
// fewer only when the interval holds no more.
type reader[T any] func(ctx context.Context, r Range, want int) ([]T, error)

// run is a page's worth of items, newest first.
type run[T any] struct {
	items                []T
	hasNext, hasPrevious bool
}

// paginate reads one page. It asks for one item more than the page holds, so that
// whether there is another page is known and not guessed.
func paginate[T any](ctx context.Context, w window, behind bool, read reader[T]) (run[T], error) {
	items, err := read(ctx, w.r, w.size+1)
	if err != nil {
		return run[T]{}, err
	}
	more := len(items) > w.size
	if more {
		items = items[:w.size]
	}
	back := false
	if behind && w.cut {
		if back, err = standsBehind(ctx, w, read); err != nil {
			return run[T]{}, err
		}
	}
	if w.r.Ascending {
		slices.Reverse(items)
		return run[T]{items: items, hasNext: back, hasPrevious: more}, nil
	}
	return run[T]{items: items, hasNext: more, hasPrevious: back}, nil
}

// standsBehind says whether an item stands at the cursor or on its far side.
func standsBehind[T any](ctx context.Context, w window, read reader[T]) (bool, error) {
	r := Range{Above: w.at.Key.Prev(), Below: Top, Ascending: true, Kinds: w.r.Kinds}
	if w.r.Ascending {
		r = Range{Above: Bottom, Below: w.at.Key.Next(), Kinds: w.r.Kinds}
	}
	items, err := read(ctx, r, 1)
	return len(items) > 0, err
}
