package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/loadgen/page"
)

// bound serves a file until the context ends, each time behind the reads that a page of the home
// feed cannot do without where nothing is cached, by the stores that Tideline reads it from: so
// much could be served at best if all the rest of a page cost nothing. Whoever asks, it reads for
// one viewer after the other.
func bound(ctx context.Context, args []string, _ func(string) string, out io.Writer) error {
	flags := flag.NewFlagSet("loadgen bound", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:0", "where to listen")
	name := flags.String("body", "", "the file to serve")
	database := flags.String("database", "", "the database, as the server is told of it")
	redis := flags.String("redis", "", "the Redis of the inboxes, as the server is told of it")
	var r reads
	flags.Int64Var(&r.first, "first", 1, "the first of the viewers that are read for")
	flags.Int64Var(&r.last, "last", 1, "the last of them")
	flags.BoolVar(&r.judged, "judged", true, "read what tells whom a viewer may see, too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if r.first < 1 || r.last < r.first {
		return fmt.Errorf("bound: -first is from 1 to -last, not %d of %d", r.first, r.last)
	}
	body, err := os.ReadFile(*name)
	if err != nil {
		return err
	}
	store, err := sqlstore.Open(ctx, *database)
	if err != nil {
		return err
	}
	client, err := redisstore.Open(ctx, *redis)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	r.store, r.inboxes = store, redisstore.NewInboxes(client, inboxCap)
	err = serve(ctx, *addr, "http1", r.before(serveBytes(body)), out)
	return errors.Join(err, client.Close(), store.Close())
}

// inboxCap is the server's default.
const inboxCap = 300

// reads are what a page is read from.
type reads struct {
	store   *sqlstore.Store
	inboxes *redisstore.Inboxes
	// The viewers, and how many have been read for.
	first, last int64
	done        atomic.Int64
	// judged says that it is read whom a viewer may see.
	judged bool
}

// before reads before a handler answers.
func (r *reads) before(h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		viewer := r.first + (r.done.Add(1)-1)%(r.last-r.first+1)
		if err := r.read(request.Context(), feed.UserID(viewer)); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		h.ServeHTTP(w, request)
	}
}

// read makes the trips that a page makes, one behind the other where one says what the next asks
// for: the inbox; the viewer's stamp, whom to pull and his own contents; contents; and, at once,
// their authors, counters, and how the viewer stands to each author.
func (r *reads) read(ctx context.Context, viewer feed.UserID) error {
	whole := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: page.Size + 1}
	inbox, err := r.inboxes.Read(ctx, viewer, whole)
	if err != nil {
		return err
	}
	if len(inbox.Keys) < page.Size {
		return fmt.Errorf("the inbox of %d has no page", viewer)
	}
	if r.judged {
		if _, err := r.store.Survey(ctx, viewer, inbox.Version, false, whole.Limit); err != nil {
			return err
		}
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
	group.Go(func() { _, counters = r.store.PostCounters(ctx, ids) })
	if r.judged {
		group.Go(func() { _, edges = r.store.Edges(ctx, viewer, authors) })
	}
	_, err := r.store.Users(ctx, authors)
	group.Wait()
	return errors.Join(err, counters, edges)
}
