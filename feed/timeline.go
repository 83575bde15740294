package feed

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// FeedRef names a feed: the home feed of whoever reads, an author's outbox, or the
// comments of a content.
type FeedRef struct {
	kind   FeedKind
	author UserID
	post   ContentID
}

// HomeRef names the reader's home feed.
func HomeRef() FeedRef { return FeedRef{kind: FeedHome} }

// OutboxRef names an author's outbox.
func OutboxRef(author UserID) FeedRef { return FeedRef{kind: FeedOutbox, author: author} }

// CommentsRef names the comments that answer a content.
func CommentsRef(post ContentID) FeedRef { return FeedRef{kind: FeedComments, post: post} }

// Timeline reads feeds. Its fields are set once, before the first read.
type Timeline struct {
	Inboxes   Inboxes
	Outboxes  Outboxes
	Reference Reference
	Relations Relations
	Filter    *Filter
	Queue     Queue
	// Budget bounds the reference queries that go on at once: while inboxes are away
	// every read is one, and the database must not drown in them.
	Budget *Budget
	// Unsettled, where it is set, makes reads exact also while pushes are pending: those
	// it names are pulled. Without it, others' contents show once pushed.
	Unsettled Unsettled
	// Surveyor, where it is set, reads at once what is asked of Relations and Outboxes first.
	Surveyor Surveyor
	// Memory, where it is set, spares reads what the viewer's stamp says has not changed
	// since his last one. Outboxes must then be those of contents, which
	// [Stamp.Own] counts.
	Memory Memory
	// Notes, where they are set, tell of viewers of whom nothing is remembered here what other
	// processes know, or this one where it has no Memory. They are those of Inboxes.
	Notes Notes
	// Beside, where it is set, runs what a read begins and waits for afterwards. It must run it.
	Beside func(func())
	// Later, where it is set, does what is left to be done behind a read, or drops it; without
	// it the read waits.
	Later func(func(context.Context))
	// Journal, where it and Memory are set, spares reading stamps that it knows.
	Journal *Journal
	// Users, where it and Memory are set, is the primary's profiles, for [Page.Self].
	Users  Users
	Policy Policy
	Trace  Trace
}

// Page returns one page of a feed as viewer may see it. Nobody (viewer 0) has no
// home feed: [CodeUnauthenticated]. A feed whose owner the viewer may not see is
// empty. Bad sizes are [CodeBadInput], bad cursors [CodeBadCursor].
func (t *Timeline) Page(ctx context.Context, viewer UserID, f FeedRef, q PageQuery) (*Page, error) {
	w, err := t.Policy.window(f.kind, q)
	if err != nil {
		return nil, err
	}
	rd, err := t.open(ctx, viewer, f, w.at.Path)
	if err != nil {
		return nil, err
	}
	defer rd.close(ctx)
	rd.view.ahead, rd.view.hydrated = q.Ahead, q.Hydrated
	posts, err := paginate(ctx, w, q.Behind, rd.read)
	if err != nil {
		return nil, err
	}
	path, err := rd.pathOn(ctx)
	if err != nil {
		return nil, err
	}
	var self *User
	if q.Self && slices.ContainsFunc(posts.items, func(p *Post) bool { return p.Author == viewer }) {
		if self, err = rd.view.profile(ctx); err != nil {
			return nil, err
		}
	}
	if f.kind == FeedHome {
		t.Trace.pageRead(viewer, Reading{Source: rd.source(), Found: rd.found, Pulled: rd.pulls})
	}
	return &Page{HasNext: posts.hasNext, HasPrevious: posts.hasPrevious, Entries: entriesOf(posts.items, f.kind, path), Self: self}, nil
}

// entriesOf returns the entries of a page. Their cursors are pieces of one text, since they
// come and go together.
func entriesOf(posts []*Post, kind FeedKind, path Path) []Entry {
	texts := newCursorTexts(kind, path)
	var all strings.Builder
	all.Grow(len(texts.text) * len(posts))
	entries := make([]Entry, len(posts))
	for i, p := range posts {
		begin := all.Len()
		all.Write(texts.of(p.Key()))
		// The builder never moves what was written: there is room for all of it.
		entries[i] = Entry{Cursor: all.String()[begin:], Post: p}
	}
	return entries
}

// NewCount returns how many entries of the feed, of the given kinds, stand above
// the cursor since, counted up to Policy.CountMax. An empty cursor is none at all,
// above which everything stands.
func (t *Timeline) NewCount(ctx context.Context, viewer UserID, f FeedRef, since string, kinds Kinds) (int, error) {
	var at Cursor
	if since != "" {
		var err error
		if at, err = ParseCursor(since, f.kind); err != nil {
			return 0, err
		}
	}
	rd, err := t.open(ctx, viewer, f, at.Path)
	if err != nil {
		return 0, err
	}
	defer rd.close(ctx)
	r := Range{Above: at.Key, Below: Top, Ascending: true, Kinds: kinds}
	posts, err := rd.read(ctx, r, t.Policy.CountMax)
	return len(posts), err
}

// Posts returns one content per id, nil where none is stored or viewer may not see
// it.
func (t *Timeline) Posts(ctx context.Context, viewer UserID, ids []ContentID) ([]*Post, error) {
	return t.Filter.judge(ctx, t.view(viewer), ids, ScopePublic)
}

// Self returns viewer's own profile, which is never an old one, if it may be remembered; nil
// when it may not, or when he is not stored.
func (t *Timeline) Self(ctx context.Context, viewer UserID) (*User, error) {
	return t.view(viewer).profile(ctx)
}

// Keep lets through some of the contents of a scan, in their order.
type Keep func(ctx context.Context, posts []*Post) ([]*Post, error)

// Scan returns up to r.Limit contents of viewer's home feed within r, in its direction,
// of those that keep lets through; fewer only when r holds no more. Nothing binds it to
// what was read before, as cursors bind the pages of [Timeline.Page]: that is for feeds
// whose Timeline has an Unsettled, so that no push is ever pending that a read goes by.
func (t *Timeline) Scan(ctx context.Context, viewer UserID, r Range, keep Keep) ([]*Post, error) {
	rd := &feedReader{t: t, viewer: viewer, feed: HomeRef(), view: t.view(viewer), keep: keep}
	defer rd.close(ctx)
	posts, err := rd.read(ctx, r, r.Limit)
	if err == nil {
		t.Trace.pageRead(viewer, Reading{Source: rd.source(), Found: rd.found, Pulled: rd.pulls})
	}
	return posts, err
}

// feedReader reads one feed for one viewer.
type feedReader struct {
	t      *Timeline
	viewer UserID
	feed   FeedRef
	// view is made anew whenever the inbox has been read.
	view *view
	// hidden: the whole feed is not for this viewer.
	hidden bool
	// path is what served the scroll so far, and then what serves this page.
	path Path
	// onReference: this page goes by the reference query.
	onReference bool
	// keep is nil when everything is let through.
	keep Keep
	// upkeep is what the viewer's inbox was found to be in need of.
	upkeep Upkeep
	// found is what was last found in the inbox's place, and pulls how many authors are
	// pulled beside it.
	found InboxFound
	pulls int
	// usedReference and usedInbox say what the reads so far went by.
	usedReference, usedInbox bool
}

// open checks that the viewer may read the feed at all.
func (t *Timeline) open(ctx context.Context, viewer UserID, f FeedRef, path Path) (*feedReader, error) {
	rd := &feedReader{t: t, viewer: viewer, feed: f, view: t.view(viewer), path: path}
	switch f.kind {
	case FeedHome:
		if viewer == 0 {
			return nil, Errorf(CodeUnauthenticated, "sign in to read a home feed")
		}
	case FeedOutbox:
		// Judging every content would come to the same, one page's worth at a time
		// through an outbox that may be endless.
		edges, err := rd.view.edges(ctx, []UserID{f.author})
		if err != nil {
			return nil, err
		}
		rd.hidden = !edges[0].Visible()
	case FeedComments:
		posts, err := t.Filter.judge(ctx, rd.view, []ContentID{f.post}, ScopePublic)
		if err != nil {
			return nil, err
		}
		rd.hidden = posts[0] == nil
	}
	return rd, nil
}

// read returns up to want contents of the feed within r, in its direction: a
// [reader].
func (rd *feedReader) read(ctx context.Context, r Range, want int) ([]*Post, error) {
	if rd.hidden {
		return nil, nil
	}
	r.Limit = want
	if rd.feed.kind == FeedHome {
		return rd.home(ctx, r, want)
	}
	list := func(ctx context.Context, r Range) ([]Key, error) {
		return rd.t.Outboxes.Outbox(ctx, []UserID{rd.feed.author}, r)
	}
	if rd.feed.kind == FeedComments {
		list = func(ctx context.Context, r Range) ([]Key, error) {
			return rd.t.Outboxes.Comments(ctx, rd.feed.post, r)
		}
	}
	return rd.judged(ctx, newListStream(list, r), r, want, ScopePublic)
}

// home reads the home feed. When there is no inbox to be trusted, or it does not
// stand still while the page is put together, the whole page is made by the reference
// query instead.
func (rd *feedReader) home(ctx context.Context, r Range, want int) ([]*Post, error) {
	for try := 0; try < hybridTries && !rd.onReference; try++ {
		posts, err := rd.hybrid(ctx, r, want)
		if errors.Is(err, errInboxMoved) {
			continue
		}
		if !errors.Is(err, errNoInbox) {
			return posts, err
		}
		break
	}
	rd.onReference = true
	rd.usedReference, rd.usedInbox, rd.pulls = true, false, 0
	return rd.judged(ctx, newListStream(rd.reference(), r), r, want, ScopeHome)
}

// pathOn returns the path by which the scroll goes on behind this page. One that the
// reference query served may leave it for an inbox that is built from now on: such a
// build reads whatever the reference query has just shown, or would have shown.
func (rd *feedReader) pathOn(ctx context.Context) (Path, error) {
	if !rd.onReference {
		return rd.view.dating(rd.path), nil
	}
	inbox, err := rd.t.Inboxes.Read(ctx, rd.viewer, Range{Above: Bottom, Below: Top, Limit: 1})
	if CodeOf(err) == CodeUnavailable {
		// There may be an inbox that no push reaches at the moment.
		return Path{Reference: true}, nil
	}
	return Path{Reference: true, Leaves: true, Seen: inbox.digest()}, err
}

// close notes what the read has found out, and asks for what the inbox is in need of. That
// comes last, because a scroll that has to begin on the reference query leaves it only for an
// inbox whose build began after its first page.
func (rd *feedReader) close(ctx context.Context) {
	rd.note(ctx)
	rd.t.Trace.enqueueFailed(rd.upkeep.request(ctx, rd.t.Queue, rd.viewer))
}

// note notes what the read has found out about its viewer.
func (rd *feedReader) note(ctx context.Context) {
	known, keep, ok := rd.view.toNote()
	if !ok {
		return
	}
	t, viewer := rd.t, rd.viewer
	note := func(ctx context.Context) {
		if err := t.Notes.Note(ctx, viewer, known.note(), keep); err != nil {
			t.Trace.noteFailed(err)
		}
	}
	if t.Later == nil {
		note(ctx)
		return
	}
	t.Later(note)
}

// judged collects what the viewer may see of a stream.
func (rd *feedReader) judged(ctx context.Context, s stream, r Range, want int, scope Scope) ([]*Post, error) {
	return collect(ctx, s, want, func(ctx context.Context, keys []Key) ([]*Post, error) {
		ids := make([]ContentID, len(keys))
		for i, k := range keys {
			ids[i] = ContentID(k.ID)
		}
		posts, err := rd.t.Filter.judge(ctx, rd.view, ids, scope)
		if err != nil {
			return nil, err
		}
		shown := posts[:0]
		for _, p := range posts {
			if p != nil && r.Kinds.Has(p.Kind) {
				shown = append(shown, p)
			}
		}
		if rd.keep != nil {
			return rd.keep(ctx, shown)
		}
		return shown, nil
	})
}

func (rd *feedReader) source() Source {
	switch {
	case rd.usedInbox && rd.usedReference:
		return SourceBoth
	case rd.usedInbox:
		return SourceInbox
	}
	return SourceReference
}
