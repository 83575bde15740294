package feed

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
)

// early are contents that are being read before it is known that they will be judged.
type early struct {
	ids []ContentID
	// done is closed when the others are set.
	done  chan struct{}
	found Hydrated
	err   error
}

// readEarly begins to read the contents of which a page is made if what is noted of its viewer
// still holds: those that his inbox and his own outbox name. The stamp, which says whether it
// does, is asked for meanwhile, so such a page waits for one trip less. It does not matter which
// of the two is read first: contents are judged as they were at some moment of the read.
func (t *Timeline) readEarly(ctx context.Context, v *view, inbox []Key, r Range, want int) *early {
	if t.Beside == nil || v.noted == nil || v.noted.own == nil {
		return nil
	}
	own, known := v.noted.own.within(r)
	if !known {
		return nil
	}
	e := &early{ids: firstIDs(inbox, own, r, want), done: make(chan struct{})}
	if len(e.ids) == 0 {
		return nil
	}
	hydrated, authors := t.Filter.hydrates(v), []UserID(nil)
	if hydrated {
		authors = v.likelyAuthors(e.ids, own)
	}
	t.Beside(func() { e.read(ctx, t.Filter, hydrated, authors) })
	return e
}

// read reads the contents. A panic is an error: nobody catches it on a goroutine that is not the
// request's own.
func (e *early) read(ctx context.Context, f *Filter, hydrated bool, authors []UserID) {
	defer close(e.done)
	defer func() {
		if p := recover(); p != nil {
			e.err = fmt.Errorf("panic while reading contents: %v\n%s", p, debug.Stack())
		}
	}()
	e.found, e.err = f.find(ctx, e.ids, hydrated, authors)
}

// likelyPerContent is to how many users who may be its author a content is worth reading them
// ahead: a viewer who has only looked at the top of his feed was shown less than one for each
// content there, and one who has read on for pages was shown many more than are there now.
const likelyPerContent = 2

// likelyAuthors returns who is likely to be the author of some of the contents, of which those
// in own are the viewer's: everybody whom other pages have shown him, unless these are so many
// that most would be read for nothing.
func (v *view) likelyAuthors(contents []ContentID, own []Key) []UserID {
	edges := v.noted.edges
	if len(edges) > likelyPerContent*len(contents) {
		return nil
	}
	authors := make([]UserID, 0, len(edges)+1)
	for _, e := range edges {
		authors = append(authors, e.other)
	}
	if len(own) > 0 && slices.Contains(contents, ContentID(own[0].ID)) {
		authors = append(authors, v.viewer)
	}
	return authors
}

// firstIDs returns the first contents of two lists, which are both in r's direction.
func firstIDs(a, b []Key, r Range, want int) []ContentID {
	ids := make([]ContentID, 0, want)
	for len(ids) < want && len(a)+len(b) > 0 {
		if len(a) == 0 || len(b) > 0 && r.Before(b[0], a[0]) {
			a, b = b, a
		}
		ids, a = append(ids, ContentID(a[0].ID)), a[1:]
	}
	return ids
}

// are says whether these contents are being read.
func (e *early) are(ids []ContentID) bool { return e != nil && slices.Equal(e.ids, ids) }

// wait returns the contents once they have been read.
func (e *early) wait(ctx context.Context) (Hydrated, error) {
	select {
	case <-e.done:
		return e.found, e.err
	case <-ctx.Done():
		return Hydrated{}, ctx.Err()
	}
}
