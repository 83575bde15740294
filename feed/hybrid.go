package feed

import (
	"context"
	"errors"
)

// errInboxMoved says that an inbox changed, between two chunks of one read, in a
// way that leaves a gap between them.
var errInboxMoved = errors.New("the inbox was replaced or trimmed during the read")

// hybrid reads a run of the home feed from the inbox and the outboxes it does not
// cover, and below the inbox's floor from the reference query.
//
// The order of the reads matters. The inbox comes first and the relations after
// it, so that an unfollow, a mute, or a mark that an author is no longer pushed,
// committed before the read began, is seen whatever the inbox holds.
func (rd *feedReader) hybrid(ctx context.Context, r Range, want int) ([]*Post, error) {
	inbox, err := rd.t.Inboxes.Read(ctx, rd.viewer, r)
	if CodeOf(err) == CodeUnavailable {
		return nil, errInboxMoved
	}
	if err != nil {
		return nil, err
	}
	stamp, err := rd.t.Relations.Stamp(ctx, rd.viewer)
	if err != nil {
		return nil, err
	}
	if !inbox.current(stamp) {
		rd.t.Trace.enqueueFailed(rd.t.Queue.Build(ctx, rd.viewer))
	}
	if !inbox.usable(stamp) {
		return nil, errInboxMoved
	}
	pulled, err := rd.t.Relations.Pulled(ctx, rd.viewer, inbox.Version)
	if err != nil {
		return nil, err
	}
	return rd.judged(ctx, rd.split(r, inbox, pulled), r, want, ScopeHome)
}

// usable says whether the invariant holds for the inbox. Versions above SQL's come
// from before a restore of the database; an older generation from before every
// inbox was to be dropped.
func (in *Inbox) usable(s Stamp) bool {
	return in.State == InboxReady && in.Generation == s.Generation && in.Version <= s.Version
}

// current says whether the inbox is usable and holds all that the viewer's present
// relations let be pushed.
func (in *Inbox) current(s Stamp) bool { return in.usable(s) && in.Version == s.Version }

// split makes the stream over r: above the floor the merge of inbox and pulled
// outboxes, at and below it the reference query, in r's direction.
func (rd *feedReader) split(r Range, inbox Inbox, pulled []UserID) stream {
	above, below := r, r
	above.Above = Newest(r.Above, inbox.Floor)
	if floor := inbox.Floor.Next(); r.Below.Newer(floor) {
		below.Below = floor
	}
	merged := rd.merged(above, inbox, pulled)
	if inbox.Floor == Bottom || below.Empty() {
		rd.usedInbox = true
		return merged
	}
	rest := rd.noting(&rd.usedReference, newListStream(rd.reference(), below))
	if above.Empty() {
		return rest
	}
	merged = rd.noting(&rd.usedInbox, merged)
	if r.Ascending {
		return &chainStream{parts: []stream{rest, merged}}
	}
	return &chainStream{parts: []stream{merged, rest}}
}

// merged is the stream over the part of the feed that the inbox vouches for. The
// viewer himself is never covered by his inbox: his own outbox is merged into
// every read, so that he reads his writes whatever waits in the queues.
func (rd *feedReader) merged(r Range, inbox Inbox, pulled []UserID) stream {
	authors := append([]UserID{rd.viewer}, pulled...)
	outboxes := func(ctx context.Context, r Range) ([]Key, error) {
		return rd.t.Outboxes.Outbox(ctx, authors, r)
	}
	more := func(ctx context.Context, r Range) ([]Key, error) {
		next, err := rd.t.Inboxes.Read(ctx, rd.viewer, r)
		if err != nil || next.State != InboxReady || next.Token != inbox.Token || next.Floor != inbox.Floor {
			return nil, errInboxMoved
		}
		return next.Keys, nil
	}
	return newMergeStream(r, newFetchedStream(more, r, inbox.Keys), newListStream(outboxes, r))
}

// reference lists the viewer's feed by the reference query.
func (rd *feedReader) reference() lister {
	return func(ctx context.Context, r Range) ([]Key, error) {
		return rd.t.Reference.Feed(ctx, rd.viewer, r)
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
