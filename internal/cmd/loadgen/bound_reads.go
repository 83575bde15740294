package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/loadgen/page"
)

// reads are what a page is read from.
type reads struct {
	store   *sqlstore.Store
	inboxes *redisstore.Inboxes
	extent  extent
	// The viewers, and how many have been read for.
	first, last int64
	done        atomic.Int64
}

// extent says what is read for a page besides its inbox: the stamp of the viewer with whom to
// pull and his own contents; contents with their authors; their counters; and how he stands to
// each author.
type extent struct{ survey, rows, counters, edges bool }

// extents returns those that there are: what Tideline reads; the same without what tells whom the
// viewer may see; what a feed that is exact could do with at least, if its inbox told how its
// viewer stands to authors, and counters cost nothing; and its inbox.
func extents() map[string]extent {
	return map[string]extent{
		"all":      {survey: true, rows: true, counters: true, edges: true},
		"unjudged": {rows: true, counters: true},
		"lean":     {survey: true, rows: true},
		"inbox":    {},
	}
}

// next returns whom to read for.
func (r *reads) next() feed.UserID {
	return feed.UserID(r.first + (r.done.Add(1)-1)%(r.last-r.first+1))
}

// read makes the trips that a page makes, one behind the other where one says what the next asks
// for: the inbox; the survey; contents; and, at once, what belongs to them.
func (r *reads) read(ctx context.Context, viewer feed.UserID) error {
	whole := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: page.Size + 1}
	inbox, err := r.inboxes.Read(ctx, viewer, whole)
	if err != nil {
		return err
	}
	if len(inbox.Keys) < page.Size {
		return fmt.Errorf("the inbox of %d has no page", viewer)
	}
	if r.extent.survey {
		if _, err := r.store.Survey(ctx, viewer, inbox.Version, false, whole.Limit); err != nil {
			return err
		}
	}
	if !r.extent.rows {
		return nil
	}
	ids := make([]feed.ContentID, page.Size)
	for i := range ids {
		ids[i] = feed.ContentID(inbox.Keys[i].ID)
	}
	posts, err := r.store.Posts(ctx, ids)
	if err != nil {
		return err
	}
	return r.belonging(ctx, viewer, ids, posts)
}

// belonging reads what belongs to contents.
func (r *reads) belonging(ctx context.Context, viewer feed.UserID, ids []feed.ContentID, posts []*feed.Post) error {
	authors := make([]feed.UserID, len(posts))
	for i, p := range posts {
		if p == nil {
			return fmt.Errorf("content %d is not stored", ids[i])
		}
		authors[i] = p.Author
	}
	var group sync.WaitGroup
	var counters, edges error
	if r.extent.counters {
		group.Go(func() { _, counters = r.store.PostCounters(ctx, ids) })
	}
	if r.extent.edges {
		group.Go(func() { _, edges = r.store.Edges(ctx, viewer, authors) })
	}
	_, err := r.store.Users(ctx, authors)
	group.Wait()
	return errors.Join(err, counters, edges)
}
