package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// bound serves a file until the context ends. Before each response it makes the reads of an
// uncached home feed page, from the same stores. Its throughput is the upper bound for a server
// without other costs. It reads for the viewers in turn.
func bound(ctx context.Context, args []string, _ func(string) string, out io.Writer) error {
	flags := flag.NewFlagSet("loadgen bound", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:0", "address to listen on")
	name := flags.String("body", "", "file to serve")
	database := flags.String("database", "", "database URL of the server")
	inboxes := flags.String("redis", "", "Redis URL of the server's inboxes")
	extent := flags.String("reads", "all", "reads to make: all, lean or inbox")
	var r reads
	flags.Int64Var(&r.first, "first", 1, "id of the first viewer to read for")
	flags.Int64Var(&r.last, "last", 1, "id of the last viewer to read for")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if r.first < 1 || r.last < r.first {
		return fmt.Errorf("bound: -first must be from 1 to -last, not %d with -last=%d", r.first, r.last)
	}
	var known bool
	if r.extent, known = extents()[*extent]; !known {
		return fmt.Errorf("bound: -reads must be all, lean or inbox, not %q", *extent)
	}
	body, err := os.ReadFile(*name)
	if err != nil {
		return err
	}
	closed, err := r.open(ctx, *database, *inboxes)
	if err != nil {
		return err
	}
	return errors.Join(serve(ctx, *addr, r.before(serveBytes(body)), out), closed())
}

// inboxCap is the default inbox cap of the server.
const inboxCap = 300

// open connects to the stores. The returned function closes the connections.
func (r *reads) open(ctx context.Context, database, inboxes string) (closed func() error, err error) {
	store, err := sqlstore.Open(ctx, database)
	if err != nil {
		return nil, err
	}
	client, err := redisstore.Open(ctx, inboxes)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	r.store, r.inboxes = store, redisstore.NewInboxes(client, inboxCap)
	return func() error { return errors.Join(client.Close(), store.Close()) }, nil
}

// before makes the reads of one page and then calls h.
func (r *reads) before(h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		if err := r.read(request.Context(), r.next()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		h.ServeHTTP(w, request)
	}
}
