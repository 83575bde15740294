package feed

import (
	"context"
	"slices"
)

// FeedRef names a feed: the reader's home feed, an author's outbox, or the comments of a post.
type FeedRef struct {
	Kind FeedKind
	// Author is whose outbox it is, Post which post the comments answer.
	Author UserID
	Post   PostID
}

// HomeRef names the reader's home feed.
func HomeRef() FeedRef { return FeedRef{Kind: FeedHome} }

// OutboxRef names an author's outbox.
func OutboxRef(author UserID) FeedRef { return FeedRef{Kind: FeedOutbox, Author: author} }

// CommentsRef names the comments that answer a post.
func CommentsRef(post PostID) FeedRef { return FeedRef{Kind: FeedComments, Post: post} }

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
	LookBack bool
}

// PageRequest asks for one page of a feed.
type PageRequest struct {
	Ref   FeedRef
	Query PageQuery
}

// PageResult is the page of a request, or why the request was refused.
type PageResult struct {
	Page *Page
	Err  error
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

// Window is a checked PageQuery. Use [Policy.Window].
type Window struct {
	r Range
	// size is the number of entries of the page; the read asks for one more.
	size int
	// at is the cursor given, if any.
	at     Cursor
	cut    bool
	behind bool
}

// Path returns the path of the scroll that the page continues.
func (w Window) Path() Path { return w.at.Path }

// Window checks q and turns it into an interval and a direction. A bad size or kind is
// [CodeBadInput], a cursor that is not one of a list of this kind [CodeBadCursor].
func (p Policy) Window(kind FeedKind, q PageQuery) (Window, error) {
	backward := q.Last != nil || (q.Before != "" && q.First == nil)
	switch {
	case q.First != nil && q.Last != nil:
		return Window{}, Errorf(CodeBadInput, "first and last cannot be used together")
	case backward && q.After != "":
		return Window{}, Errorf(CodeBadInput, "after goes with first, before with last")
	case !backward && q.Before != "":
		return Window{}, Errorf(CodeBadInput, "before goes with last, after with first")
	}
	for _, k := range q.Kinds {
		if !k.Valid() {
			return Window{}, Errorf(CodeBadInput, "%.20q is not a kind of content", string(k))
		}
	}
	w := Window{r: Range{Above: Bottom, Below: Top, Ascending: backward, Kinds: q.Kinds}, size: p.PageDefault, behind: q.LookBack}
	name, given, cursor := "first", q.First, q.After
	if backward {
		name, given, cursor = "last", q.Last, q.Before
	}
	if given != nil {
		w.size = *given
	}
	if w.size < 0 || w.size > p.PageMax {
		return Window{}, Errorf(CodeBadInput, "%s must be from 0 to %d, not %d", name, p.PageMax, w.size)
	}
	if cursor == "" {
		return w, nil
	}
	at, err := ParseCursor(cursor, kind)
	if err != nil {
		return Window{}, err
	}
	w.at, w.cut = at, true
	w.r = w.r.After(at.Key)
	return w, nil
}

// Since returns the range above the cursor since in a list of this kind, of the given kinds of
// post, in which up to CountMax entries are counted, and the path of the cursor. An empty cursor
// is below all entries; one that is not of a list of this kind is [CodeBadCursor].
func (p Policy) Since(kind FeedKind, since string, kinds Kinds) (Range, Path, error) {
	var at Cursor
	if since != "" {
		var err error
		if at, err = ParseCursor(since, kind); err != nil {
			return Range{}, Path{}, err
		}
	}
	return Range{Above: at.Key, Below: Top, Ascending: true, Kinds: kinds, Limit: p.CountMax}, at.Path, nil
}

// Run is a page's worth of items, newest first.
type Run[T any] struct {
	Items                []T
	HasNext, HasPrevious bool
}

// Paginate reads one page. Read returns up to r.Limit visible items of the list within r, in its
// direction; fewer only if the interval has no more.
func Paginate[T any](ctx context.Context, w Window, read func(ctx context.Context, r Range) ([]T, error)) (Run[T], error) {
	items, err := read(ctx, w.Ahead())
	if err != nil {
		return Run[T]{}, err
	}
	var behind []T
	if r, ok := w.LookBack(); ok {
		if behind, err = read(ctx, r); err != nil {
			return Run[T]{}, err
		}
	}
	return NewRun(w, items, behind), nil
}

// NewRun returns the page that the visible items of [Window.Ahead] and [Window.Behind] make.
func NewRun[T any](w Window, ahead, behind []T) Run[T] {
	items, more, back := ahead[:min(len(ahead), w.size)], len(ahead) > w.size, len(behind) > 0
	if w.r.Ascending {
		slices.Reverse(items)
		return Run[T]{Items: items, HasNext: back, HasPrevious: more}
	}
	return Run[T]{Items: items, HasNext: more, HasPrevious: back}
}

// Ahead returns what to read for the items of the page: one item more than it has, so that
// whether there is another page is known and not guessed.
func (w Window) Ahead() Range {
	r := w.r
	r.Limit = w.size + 1
	return r
}

// Behind returns what to read for the flag that looks back over the cursor: one item at or
// behind it, seen from the page. It is false if the query does not ask for the flag.
func (w Window) LookBack() (Range, bool) {
	r := Range{Above: Bottom, Below: w.at.Key.Next(), Kinds: w.r.Kinds, Limit: 1}
	if !w.r.Ascending {
		r.Above, r.Below, r.Ascending = w.at.Key.Prev(), Top, true
	}
	return r, w.behind && w.cut
}

// NewPage returns the page of a feed. Its cursors continue the scroll by path.
func NewPage(kind FeedKind, run Run[*Post], path Path) *Page {
	page := &Page{HasNext: run.HasNext, HasPrevious: run.HasPrevious, Entries: make([]Entry, len(run.Items))}
	for i, p := range run.Items {
		page.Entries[i] = Entry{Cursor: Cursor{Kind: kind, Key: p.Key(), Path: path}.String(), Post: p}
	}
	return page
}
