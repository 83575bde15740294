package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/loadgen/page"
	"github.com/tideline-feeds/tideline/internal/share"
)

// reads are what a page is read from.
type reads struct {
	store    *sqlstore.Store
	inboxes  *redisstore.Inboxes
	counters redisCounters
	extent   extent
	// The viewers, and how many have been read for.
	first, last int64
	done        atomic.Int64
}

// extent says what is read for a page besides its inbox: the stamp of the viewer with whom to
// pull and his own contents; contents with their authors and counters, these from the database or
// from Redis; and how he stands to each author.
type extent struct{ survey, rows, inRedis, edges bool }

// extents returns those that there are: what Tideline reads; the same without what tells whom the
// viewer may see; what a feed that is exact could do with at least, if its inbox told how its
// viewer stands to authors, and counters were where the peers have them; and its inbox.
func extents() map[string]extent {
	return map[string]extent{
		"all":      {survey: true, rows: true, edges: true},
		"unjudged": {rows: true},
		"lean":     {survey: true, rows: true, inRedis: true},
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
	group.Go(func() {
		if r.extent.inRedis {
			_, counters = r.counters.Read(ctx, ids)
		} else {
			_, counters = r.store.PostCounters(ctx, ids)
		}
	})
	if r.extent.edges {
		group.Go(func() { _, edges = r.store.Edges(ctx, viewer, authors) })
	}
	_, err := r.store.Users(ctx, authors)
	group.Wait()
	return errors.Join(err, counters, edges)
}

// redisCounters reads the counters of contents from the keys in which tests/peers has them. Those
// that are asked for at once are one command.
type redisCounters = *share.Gather[feed.ContentID, feed.PostCounters, *mget]

// mget is one command for the counters of some contents.
type mget struct {
	ids    []feed.ContentID
	values []feed.PostCounters
}

func newRedisCounters(c *redis.Client) redisCounters {
	// As many trips at once as Tideline makes to its Redis while that is fast.
	lanes := share.New(1, func(ctx context.Context, calls []*mget, ended func(i int, err error)) {
		for i, call := range calls {
			ended(i, call.run(ctx, c))
		}
	}, func(error) bool { return true })
	return share.NewGather(lanes, func(_ context.Context, ids []feed.ContentID) (*mget, func() []feed.PostCounters) {
		call := &mget{ids: ids}
		return call, func() []feed.PostCounters { return call.values }
	})
}

func (m *mget) run(ctx context.Context, c *redis.Client) error {
	args := make([]string, len(m.ids))
	for i, id := range m.ids {
		args[i] = "peer:counters:" + id.String()
	}
	texts, err := c.MGet(ctx, args...).Result()
	if err != nil {
		return err
	}
	m.values = make([]feed.PostCounters, len(m.ids))
	for i, text := range texts {
		if m.values[i], err = parseCounters(text); err != nil {
			return fmt.Errorf("%s: %w", args[i], err)
		}
	}
	return nil
}

// parseCounters reads likes, comments, reposts and favorites with commas between.
func parseCounters(text any) (feed.PostCounters, error) {
	var c feed.PostCounters
	s, is := text.(string)
	if !is {
		return c, errors.New("there are no counters")
	}
	into := []*int64{&c.Likes, &c.Comments, &c.Reposts, &c.Favorites}
	parts := strings.Split(s, ",")
	if len(parts) != len(into) {
		return c, fmt.Errorf("%q are not four counters", s)
	}
	var errs [4]error
	for i, part := range parts {
		*into[i], errs[i] = strconv.ParseInt(part, 10, 64)
	}
	return c, errors.Join(errs[:]...)
}
