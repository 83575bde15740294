package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// reads makes the reads of uncached pages.
type reads struct {
	store   *sqlstore.Store
	inboxes *redisstore.Inboxes
	extent  extent
	// first and last bound the viewers' ids. done counts the viewers read for.
	first, last int64
	done        atomic.Int64
	// authors has the authors on the page of each viewer read so far.
	authors sync.Map
}

// extent selects the reads of a page besides its inbox and the cached viewer state: the viewer's
// version, posts with their authors, and counters.
type extent struct{ rows, counters bool }

// extents returns the possible extents: Tideline's reads; the same without counters, the minimum
// for an exact feed; and the inbox alone.
func extents() map[string]extent {
	return map[string]extent{
		"all":   {rows: true, counters: true},
		"lean":  {rows: true},
		"inbox": {},
	}
}

// next returns the next viewer.
func (r *reads) next() feed.UserID {
	return feed.UserID(r.first + (r.done.Add(1)-1)%(r.last-r.first+1))
}

// read makes the round trips of a page: first the inbox, then everything else in parallel.
func (r *reads) read(ctx context.Context, viewer feed.UserID) error {
	whole := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: page.Size + 1}
	inbox, err := r.inboxes.Read(ctx, viewer, whole)
	if err != nil {
		return err
	}
	if len(inbox.Keys) < page.Size {
		return fmt.Errorf("the inbox of %d has no page", viewer)
	}
	if !r.extent.rows {
		return nil
	}
	ids := make([]feed.PostID, page.Size)
	for i := range ids {
		ids[i] = feed.PostID(inbox.Keys[i].ID)
	}
	var group sync.WaitGroup
	var versionErr error
	group.Go(func() { _, versionErr = r.store.ViewerVersion(ctx, viewer) })
	err = r.rows(ctx, viewer, ids)
	group.Wait()
	return errors.Join(err, versionErr)
}

// rows reads posts with their authors and counters.
func (r *reads) rows(ctx context.Context, viewer feed.UserID, ids []feed.PostID) error {
	cached, isCached := r.authors.Load(viewer)
	authors, _ := cached.([]feed.UserID)
	posts, err := r.postsOf(ctx, ids, authors)
	if err != nil || isCached {
		return err
	}
	for i, p := range posts {
		if p == nil {
			return fmt.Errorf("post %d is not stored", ids[i])
		}
		authors = append(authors, p.Author)
	}
	r.authors.Store(viewer, authors)
	_, err = r.store.Users(ctx, authors)
	return err
}

// postsOf reads posts, authors and, if the extent includes them, counters.
func (r *reads) postsOf(ctx context.Context, ids []feed.PostID, authors []feed.UserID) ([]*feed.Post, error) {
	var group sync.WaitGroup
	var usersErr, countersErr error
	group.Go(func() { _, usersErr = r.store.Users(ctx, authors) })
	if r.extent.counters {
		group.Go(func() { _, countersErr = r.store.PostCounters(ctx, ids) })
	}
	posts, err := r.store.Posts(ctx, ids)
	group.Wait()
	return posts, errors.Join(err, usersErr, countersErr)
}
