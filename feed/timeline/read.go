package timeline

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

type reader struct {
	t      *Timeline
	viewer feed.UserID
	of     feed.Authors
	// state is opened again whenever the inbox has been read.
	state feed.ViewerState
	// keep selects some of the visible posts, in their order.
	keep func(context.Context, []*feed.Post) ([]*feed.Post, error)
	// path is that of the scroll so far; after a read, it includes this page.
	path feed.Path
	// onReference: the reference query serves the whole page.
	onReference bool
	// upkeep is what the viewer's inbox needs.
	upkeep feed.Upkeep
	// reading is passed to the trace. The others determine its source.
	reading                                feed.Reading
	usedReference, usedInbox, usedOutboxes bool
}

func (t *Timeline) reader(viewer feed.UserID, path feed.Path, of feed.Authors) *reader {
	all := func(_ context.Context, posts []*feed.Post) ([]*feed.Post, error) { return posts, nil }
	return &reader{t: t, viewer: viewer, of: of, path: path, keep: all, state: t.Viewers.State(viewer)}
}

// read returns up to r.Limit posts within r; fewer only if r has no more.
func (rd *reader) read(ctx context.Context, r feed.Range) ([]*feed.Post, error) {
	switch {
	case rd.of == feed.SpecialAuthors:
		return rd.special(ctx, r)
	case rd.of.List() != 0:
		rd.usedOutboxes = true
		return rd.collect(ctx, feed.NewListStream(rd.reference, r), r)
	}
	return rd.home(ctx, r)
}

// special merges the outboxes of the special follows. Inboxes are for the home feed of all authors.
func (rd *reader) special(ctx context.Context, r feed.Range) ([]*feed.Post, error) {
	authors, err := rd.t.Specials.SpecialFollows(ctx, rd.viewer)
	if err != nil {
		return nil, err
	}
	rd.reading.Pulled, rd.usedOutboxes = len(authors), true
	return rd.collect(ctx, feed.NewListStream(rd.outboxes(authors...), r), r)
}

// close requests the upkeep last: a scroll leaves the reference query only for a later build.
func (rd *reader) close(ctx context.Context) {
	rd.t.Trace.ReportEnqueue(rd.upkeep.Request(ctx, rd.t.Queue, rd.viewer))
}

func (rd *reader) outboxes(authors ...feed.UserID) feed.Lister {
	return func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return rd.t.Outboxes.Outbox(ctx, rd.viewer, authors, r)
	}
}

func (rd *reader) collect(ctx context.Context, s feed.Stream, r feed.Range) ([]*feed.Post, error) {
	return feed.Collect(ctx, s, r.Limit, func(ctx context.Context, keys []feed.Key) ([]*feed.Post, error) {
		ids := make([]feed.PostID, len(keys))
		for i, k := range keys {
			ids[i] = feed.PostID(k.ID)
		}
		posts, err := feed.Judge(ctx, rd.viewer, rd.state, ids, rd.of.Scope())
		if err != nil {
			return nil, err
		}
		shown := posts[:0]
		for _, p := range posts {
			// Inboxes have keys only, so their entries are not filtered.
			if p != nil && r.Filter.Match(p) {
				shown = append(shown, p)
			}
		}
		return rd.keep(ctx, shown)
	})
}

func (rd *reader) trace() {
	if rd.t.Trace.PageRead == nil {
		return
	}
	switch {
	case rd.usedOutboxes:
		rd.reading.Source = feed.SourceOutboxes
	case rd.usedInbox && rd.usedReference:
		rd.reading.Source = feed.SourceBoth
	case rd.usedInbox:
		rd.reading.Source = feed.SourceInbox
	default:
		rd.reading.Source = feed.SourceReference
	}
	rd.t.Trace.PageRead(rd.viewer, rd.reading)
}
