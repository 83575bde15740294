package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/tideline-feeds/tideline/internal/http1"
)

// prebuilt serves a file until the context ends: what a server that has nothing to find out would
// do at best.
func prebuilt(ctx context.Context, args []string, _ func(string) string, out io.Writer) error {
	flags := flag.NewFlagSet("loadgen prebuilt", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:0", "where to listen")
	name := flags.String("body", "", "the file to serve")
	by := flags.String("by", "net/http", "what serves it: net/http, or http1, by which Tideline answers")
	if err := flags.Parse(args); err != nil {
		return err
	}
	body, err := os.ReadFile(*name)
	if err != nil {
		return err
	}
	return serve(ctx, *addr, *by, serveBytes(body), out)
}

// serve has a handler answer at an address, by the server of a name, until the context ends.
func serve(ctx context.Context, addr, by string, h http.Handler, out io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	srv, err := serverBy(by, h)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	context.AfterFunc(ctx, func() { _ = srv.Close() })
	if _, err := fmt.Fprintf(out, "ready at %s\n", listener.Addr()); err != nil {
		return err
	}
	if err := srv.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// server is what serves connections.
type server interface {
	Serve(l net.Listener) error
	Close() error
}

// serverBy returns the server of a name.
func serverBy(name string, h http.Handler) (server, error) {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: time.Second}
	switch name {
	case "net/http":
		return srv, nil
	case "http1":
		return http1.New(srv, http1.Options{Streams: func(*http.Request) bool { return false }}), nil
	}
	return nil, fmt.Errorf("prebuilt -by %s: it is net/http or http1", name)
}

// serveBytes answers everything with the same bytes.
func serveBytes(body []byte) http.HandlerFunc {
	length := strconv.Itoa(len(body))
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", length)
		_, _ = w.Write(body) // Who has gone needs no answer.
	}
}
