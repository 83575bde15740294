package feed

import (
	"context"
	"errors"
	"slices"
)

// Why a page cannot be made from the inbox.
var (
	// errNoInbox: there is none that this scroll may trust.
	errNoInbox = errors.New("there is no inbox to be trusted")
	// errInboxMoved: it changed, between two chunks of one read, in a way that may leave
	// a gap between them. What it is now may do.
	errInboxMoved = errors.New("the inbox was replaced, trimmed or reconciled during the read")
)

// hybridTries is how often a page is begun anew because its inbox moved. An inbox is
// replaced once in a long while, and one that is trimmed or reconciled so fast that a
// third try fails is better left alone.
const hybridTries = 3

// hybrid reads a run of the home feed from the inbox and the outboxes it does not
// cover, and below the floor from the reference query.
//
// The order of the reads matters. The inbox comes first and the relations after it,
// so that an unfollow, a mute, or an author's new mark, committed before the read
// began, is seen whatever the inbox holds. Only what is not pushed yet is asked for before
// it, so that a push which ends in between is in the inbox or its author is pulled.
func (rd *feedReader) hybrid(ctx context.Context, r Range, want int) ([]*Post, error) {
	unsettled, err := rd.unsettled(ctx)
	if err != nil {
		return nil, err
	}
	known := rd.t.recall(rd.viewer)
	inbox, note, err := rd.t.readInbox(ctx, rd.viewer, r, known)
	if CodeOf(err) == CodeUnavailable {
		rd.found = FoundUnreachable
		return nil, errNoInbox
	}
	if err != nil {
		return nil, err
	}
	rd.view = rd.viewBehind(&inbox, known, note)
	rd.view.early = rd.t.readEarly(ctx, rd.view, inbox.Keys, r, want)
	stamp, err := rd.view.behind(ctx, &inbox)
	if err != nil {
		return nil, err
	}
	rd.upkeep, rd.found = rd.t.Policy.upkeep(&inbox, stamp), inbox.found(stamp)
	if !inbox.usable(stamp) || !rd.path.admits(&inbox) {
		return nil, errNoInbox
	}
	path := rd.path.through(&inbox, stamp.Now)
	uncovered, err := rd.view.pulled(ctx, path.Version, path.Cold)
	if err != nil {
		return nil, err
	}
	pulled := slices.Concat(uncovered, unsettled)
	rd.pulls = len(pulled)
	posts, err := rd.judged(ctx, rd.split(r, path.Floor, inbox, pulled), r, want, ScopeHome)
	if err == nil {
		rd.path = path
	}
	return posts, err
}

// recall returns what is remembered of viewer; nil when nothing is.
func (t *Timeline) recall(viewer UserID) *Knowledge {
	if t.Memory == nil {
		return nil
	}
	return t.Memory.Recall(viewer)
}

// readInbox reads an inbox, and what is noted of its viewer when nothing is known of him.
func (t *Timeline) readInbox(ctx context.Context, viewer UserID, r Range, known *Knowledge) (Inbox, []byte, error) {
	if t.Notes == nil || known != nil {
		inbox, err := t.Inboxes.Read(ctx, viewer, r)
		return inbox, nil, err
	}
	inbox, note, err := t.Notes.ReadNoted(ctx, viewer, r)
	if err == nil {
		t.Trace.noteRead(len(note) > 0)
	}
	return inbox, note, err
}

// viewBehind makes a view for a read that has an inbox, perhaps one to go by, and what is
// remembered and noted of its viewer.
func (rd *feedReader) viewBehind(in *Inbox, known *Knowledge, note []byte) *view {
	v := rd.t.view(rd.viewer)
	v.ahead, v.hydrated = rd.view.ahead, rd.view.hydrated
	v.recalled, v.hasRecalled = known, true
	v.notes, v.noted = rd.t.Notes != nil, knowledgeOf(note)
	// The pages before may have been made by another process, from a change that has not
	// returned yet, and that the journal of this one does not know.
	v.askUntil = rd.path.askUntil()
	if in.State == InboxReady {
		// Nearly all inboxes that are read are warm.
		likely := rd.path.through(in, in.WarmUntil-1)
		v.surveys, v.since, v.cold = true, likely.Version, likely.Cold
	}
	return v
}

// unsettled returns whom to pull because something of theirs is not pushed yet.
func (rd *feedReader) unsettled(ctx context.Context) ([]UserID, error) {
	if rd.t.Unsettled == nil {
		return nil, nil
	}
	return rd.t.Unsettled.Unsettled(ctx, rd.viewer)
}

// split makes the stream over r: above the floor the merge of inbox and pulled
// outboxes, at and below it the reference query, in r's direction.
func (rd *feedReader) split(r Range, floor Key, inbox Inbox, pulled []UserID) stream {
	above, below := r, r
	above.Above = Newest(r.Above, floor)
	if next := floor.Next(); r.Below.Newer(next) {
		below.Below = next
	}
	sources := append(rd.pulled(above, pulled), rd.entries(r, above, inbox))
	merged := newMergeStream(above, sources...)
	if floor == Bottom || below.Empty() {
		rd.usedInbox = true
		return merged
	}
	rest := rd.noting(&rd.usedReference, newListStream(rd.reference(), below))
	if above.Empty() {
		return rest
	}
	upper := rd.noting(&rd.usedInbox, merged)
	if r.Ascending {
		return &chainStream{parts: []stream{rest, upper}}
	}
	return &chainStream{parts: []stream{upper, rest}}
}

// entries is the stream over the inbox's entries in above, a part of r, of which the
// first chunk has been read. A later chunk is of an inbox of the same version: one that was
// reconciled meanwhile may lack the entries of somebody who was not followed then, and is
// not pulled since he was covered at the first.
func (rd *feedReader) entries(r, above Range, inbox Inbox) *listStream {
	more := func(ctx context.Context, r Range) ([]Key, error) {
		next, err := rd.t.Inboxes.Read(ctx, rd.viewer, r)
		if err != nil || next.State != InboxReady || next.Token != inbox.Token || next.Version != inbox.Version || next.Floor.Newer(r.Above) {
			return nil, errInboxMoved
		}
		return next.Keys, nil
	}
	return newFetchedStream(more, r, inbox.Keys, above)
}

// pulled are the streams over the outboxes that the inbox does not cover. The viewer
// himself is never covered by his inbox: his own outbox is merged into every read, so
// that he reads his writes whatever waits in the queues. It is a stream of its own where
// it may be remembered, which those of others are not.
func (rd *feedReader) pulled(r Range, pulled []UserID) []*listStream {
	outbox := func(authors []UserID) *listStream {
		return newListStream(func(ctx context.Context, r Range) ([]Key, error) {
			return rd.t.Outboxes.Outbox(ctx, authors, r)
		}, r)
	}
	if !rd.view.knowsOwn() {
		return []*listStream{outbox(append([]UserID{rd.viewer}, pulled...))}
	}
	own := newListStream(rd.view.own, r)
	if len(pulled) == 0 {
		return []*listStream{own}
	}
	return []*listStream{own, outbox(pulled)}
}

// reference lists the viewer's feed by the reference query.
func (rd *feedReader) reference() lister {
	return func(ctx context.Context, r Range) (keys []Key, err error) {
		err = rd.t.Budget.Spend(ctx, func() error {
			keys, err = rd.t.Reference.Feed(ctx, rd.viewer, r)
			return err
		})
		return keys, err
	}
}

// noting sets a flag when the stream is first asked.
func (rd *feedReader) noting(flag *bool, s stream) stream {
	return streamFunc(func(ctx context.Context) (Key, bool, error) {
		*flag = true
		return s.next(ctx)
	})
}

// streamFunc makes a function a stream.
type streamFunc func(ctx context.Context) (Key, bool, error)

func (f streamFunc) next(ctx context.Context) (Key, bool, error) { return f(ctx) }
