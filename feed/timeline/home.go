package timeline

import (
	"context"
	"errors"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

var (
	errNoInbox = errors.New("there is no inbox that may serve this scroll")
	// errInboxMoved: the inbox changed between two chunks of one read, which may leave a gap.
	errInboxMoved = errors.New("the inbox was replaced, trimmed or reconciled during the read")
)

// Inboxes are rarely replaced: one that moves three times is not worth another try.
const inboxTries = 3

// home reads by the reference query alone if no inbox may serve, or if the inbox always moves.
func (rd *reader) home(ctx context.Context, r feed.Range) ([]*feed.Post, error) {
	for try := 0; try < inboxTries && !rd.onReference; try++ {
		posts, err := rd.hybrid(ctx, r)
		if errors.Is(err, errNoInbox) {
			break
		}
		if !errors.Is(err, errInboxMoved) && !errors.Is(err, feed.ErrGenerationRaised) {
			return posts, err
		}
	}
	rd.onReference, rd.usedInbox, rd.reading.Pulled = true, false, 0
	return rd.collect(ctx, feed.NewListStream(rd.reference, r), r)
}

// The order of reads matters. Pending pushes come before the inbox: a push that ends in between is
// in the inbox, or its author is pulled. The viewer's state comes after the inbox: it includes
// unfollows, mutes and new coverage flags that were committed before the read began.
func (rd *reader) hybrid(ctx context.Context, r feed.Range) ([]*feed.Post, error) {
	unsettled, asked, err := rd.pending(ctx)
	if err != nil {
		return nil, err
	}
	inbox, state, err := rd.t.Viewers.Inbox(ctx, rd.viewer, r, rd.path)
	if feed.CodeOf(err) == feed.CodeUnavailable {
		rd.reading.Found = feed.FoundUnreachable
		return nil, errNoInbox
	}
	if err != nil {
		return nil, err
	}
	rd.state = state
	version, err := state.Version(ctx)
	if err != nil {
		return nil, err
	}
	rd.upkeep, rd.reading.Found = rd.t.Policy.Upkeep(&inbox, version), inbox.Found(version)
	if !inbox.Usable(version) || !rd.path.Admits(&inbox) {
		return nil, errNoInbox
	}
	path := rd.path.Through(&inbox, version.Now)
	uncovered, err := state.Pulled(ctx, path.Version, path.Cold)
	if err != nil {
		return nil, err
	}
	pulled := slices.Concat(uncovered, unsettled)
	rd.reading.Pulled = len(pulled)
	posts, err := rd.collect(ctx, rd.split(r, path.Floor, &inbox, pulled), r)
	if err == nil {
		path.Pending = asked && !rd.t.PullsPending
		rd.path = path
	}
	return posts, err
}

// pending returns the authors with pending pushes if this read pulls them. A scroll that pulled them
// goes on to do so, because its further pages must not skip their posts.
func (rd *reader) pending(ctx context.Context) (authors []feed.UserID, asked bool, err error) {
	if !rd.t.PullsPending && !rd.path.Pending && !feed.ReadsFresh(ctx) {
		return nil, false, nil
	}
	authors, err = rd.t.Pending.PendingAuthors(ctx, rd.viewer)
	if errors.Is(err, feed.ErrManyPending) {
		err = errNoInbox
	}
	return authors, true, err
}

// split returns the stream over r: the reference query at and below the floor, and above it the
// merge of inbox, own outbox and pulled outboxes. No inbox covers the viewer. Their own outbox is
// part of every read, so that they read their writes whatever waits in the queues.
func (rd *reader) split(r feed.Range, floor feed.Key, inbox *feed.Inbox, pulled []feed.UserID) feed.Stream {
	above, below := r, r
	above.Above = feed.Newest(r.Above, floor)
	if next := floor.Next(); r.Below.Newer(next) {
		below.Below = next
	}
	sources := []*feed.ListStream{
		feed.NewFetchedStream(rd.entries(inbox), r, inbox.Keys, above.Above),
		feed.NewListStream(rd.own, above),
	}
	if len(pulled) > 0 {
		sources = append(sources, feed.NewListStream(rd.outboxes(pulled...), above))
	}
	upper, lower := feed.Merge(above, sources...), feed.NewListStream(rd.reference, below)
	switch {
	case floor == feed.Bottom || below.Empty():
		return upper
	case above.Empty():
		return lower
	case r.Ascending:
		return feed.Chain(lower, upper)
	}
	return feed.Chain(upper, lower)
}

// own lists the viewer's outbox. The merge with the inbox calls it first.
func (rd *reader) own(ctx context.Context, r feed.Range) ([]feed.Key, error) {
	rd.usedInbox = true
	return rd.state.Outbox(ctx, r)
}

// Further chunks must be of the same version: a reconciled inbox may lack entries of authors who
// are not pulled, because the first chunk covered them.
func (rd *reader) entries(first *feed.Inbox) feed.Lister {
	return func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		in, err := rd.t.Inboxes.Read(ctx, rd.viewer, r)
		if err != nil || in.State != feed.InboxReady || in.Token != first.Token || in.Version != first.Version || in.Floor.Newer(r.Above) {
			return nil, errInboxMoved
		}
		return in.Keys, nil
	}
}

func (rd *reader) reference(ctx context.Context, r feed.Range) (keys []feed.Key, err error) {
	rd.usedReference = true
	err = rd.t.ReferenceLimit.Do(ctx, func() error {
		keys, err = rd.t.Reference.Feed(ctx, rd.viewer, rd.of, r)
		return err
	})
	return keys, err
}

// pathOn returns the path after this page. A scroll on the reference query may leave it for an
// inbox whose build begins from now on: that build reads whatever the query has shown.
func (rd *reader) pathOn(ctx context.Context) (feed.Path, error) {
	if !rd.onReference {
		return rd.path, nil
	}
	inbox, err := rd.t.Inboxes.Read(ctx, rd.viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1})
	if feed.CodeOf(err) == feed.CodeUnavailable {
		// An inbox may exist that pushes do not reach at the moment.
		return feed.Path{Reference: true}, nil
	}
	return feed.Path{Reference: true, Leaves: true, Seen: inbox.Digest()}, err
}
