package feed

import (
	"context"
	"slices"
)

// FeedRef identifies the viewer's home feed, the feed of a list, an author's outbox, or the comments on a post.
type FeedRef struct {
	Kind FeedKind
	// Of are the authors of a home feed or of that of a list, Author is the owner of an outbox, Post the post of
	// comments.
	Of     Authors
	Author UserID
	Post   PostID
}

// ListRef refers to the feed of a list of authors.
func ListRef(list ListID) FeedRef { return FeedRef{Kind: FeedAuthorList, Of: MembersOf(list)} }

// HomeRef refers to the viewer's home feed.
func HomeRef() FeedRef { return FeedRef{Kind: FeedHome} }

// OutboxRef refers to an author's outbox.
func OutboxRef(author UserID) FeedRef { return FeedRef{Kind: FeedOutbox, Author: author} }

// CommentsRef refers to the comments on a post.
func CommentsRef(post PostID) FeedRef { return FeedRef{Kind: FeedComments, Post: post} }

// PageQuery asks for one page of a list, as Relay's connections do.
type PageQuery struct {
	First *int
	After string
	// First goes with After. Last goes with Before: the last entries before it, or of the list.
	Last   *int
	Before string
	// Of are the authors of a home feed or of that of a list. Filter limits the page to posts that pass.
	Of     Authors
	Filter Filter
	// LookBack asks for HasPrevious with After, or HasNext with Before. It takes an extra read.
	LookBack bool
}

// PageRequest asks for one page of a feed.
type PageRequest struct {
	Ref   FeedRef
	Query PageQuery
}

// PageResult is the page of a request, or the error that refuses it.
type PageResult struct {
	Page *Page
	Err  error
}

// Entry is one entry of a feed.
type Entry struct {
	Cursor string
	Post   *Post
}

// Page is a page of a feed, newest first in either direction of paging.
type Page struct {
	Entries []Entry
	// Both are exact. The one on the cursor's side is false unless [PageQuery.LookBack] is set.
	HasNext, HasPrevious bool
	// SyncToken is where the changes since this page begin; empty unless it is the first page of a
	// home feed.
	SyncToken string
}

// UserEntry is one entry of a list of users.
type UserEntry struct {
	Cursor string
	User   *User
}

// UserPage is a page of a list of users, latest first.
type UserPage struct {
	Entries              []UserEntry
	HasNext, HasPrevious bool
}

// Window is a validated PageQuery. Use [Policy.Window].
type Window struct {
	r Range
	// size is the number of entries of the page; reads ask for one more.
	size int
	// at is the cursor of the query, if cut is set.
	at       Cursor
	cut      bool
	lookBack bool
}

// FromTop reports whether the page is the first one of the list.
func (w Window) FromTop() bool { return !w.cut && !w.r.Ascending }

// Path returns the path of the scroll that the page continues.
func (w Window) Path() Path { return w.at.Path }

// Window validates q. It returns [CodeBadInput], or [CodeBadCursor] for a cursor of another list.
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
	if err := q.Filter.Check(); err != nil {
		return Window{}, err
	}
	w := Window{r: Range{Above: Bottom, Below: Top, Ascending: backward, Filter: q.Filter}, size: p.PageDefault, lookBack: q.LookBack}
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

// Since returns the range above a cursor (all, if empty), up to CountMax entries, and its path.
func (p Policy) Since(kind FeedKind, since string, filter Filter) (Range, Path, error) {
	var at Cursor
	if since != "" {
		var err error
		if at, err = ParseCursor(since, kind); err != nil {
			return Range{}, Path{}, err
		}
	}
	return Range{Above: at.Key, Below: Top, Ascending: true, Filter: filter, Limit: p.CountMax}, at.Path, nil
}

// Run is the items of one page, newest first.
type Run[T any] struct {
	Items                []T
	HasNext, HasPrevious bool
}

// Paginate reads one page. read returns up to r.Limit visible items; fewer only at the end of r.
func Paginate[T any](ctx context.Context, w Window, read func(ctx context.Context, r Range) ([]T, error)) (Run[T], error) {
	items, err := read(ctx, w.Ahead())
	if err != nil {
		return Run[T]{}, err
	}
	var lookBack []T
	if r, ok := w.LookBack(); ok {
		if lookBack, err = read(ctx, r); err != nil {
			return Run[T]{}, err
		}
	}
	return NewRun(w, items, lookBack), nil
}

// NewRun returns the page made of the visible items of [Window.Ahead] and [Window.LookBack].
func NewRun[T any](w Window, ahead, lookBack []T) Run[T] {
	items, more, back := ahead[:min(len(ahead), w.size)], len(ahead) > w.size, len(lookBack) > 0
	if w.r.Ascending {
		slices.Reverse(items)
		return Run[T]{Items: items, HasNext: back, HasPrevious: more}
	}
	return Run[T]{Items: items, HasNext: more, HasPrevious: back}
}

// Ahead asks for one item more than the page has, to know whether another page follows.
func (w Window) Ahead() Range {
	r := w.r
	r.Limit = w.size + 1
	return r
}

// LookBack asks for one item at the cursor or on its other side; false if the query does not.
func (w Window) LookBack() (Range, bool) {
	r := Range{Above: Bottom, Below: w.at.Key.Next(), Filter: w.r.Filter, Limit: 1}
	if !w.r.Ascending {
		r.Above, r.Below, r.Ascending = w.at.Key.Prev(), Top, true
	}
	return r, w.lookBack && w.cut
}

// NewPage returns the page of a feed. Its cursors continue the scroll by path.
func NewPage(kind FeedKind, run Run[*Post], path Path) *Page {
	page := &Page{HasNext: run.HasNext, HasPrevious: run.HasPrevious, Entries: make([]Entry, len(run.Items))}
	for i, p := range run.Items {
		page.Entries[i] = Entry{Cursor: Cursor{Kind: kind, Key: p.Key(), Path: path}.String(), Post: p}
	}
	return page
}
