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
)

// prebuilt serves one file from memory until the context ends. Its throughput is the upper bound
// for a server.
func prebuilt(ctx context.Context, args []string, _ func(string) string, out io.Writer) error {
	flags := flag.NewFlagSet("loadgen prebuilt", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:0", "address to listen on")
	name := flags.String("body", "", "file to serve")
	if err := flags.Parse(args); err != nil {
		return err
	}
	body, err := os.ReadFile(*name)
	if err != nil {
		return err
	}
	return serve(ctx, *addr, serveBytes(body), out)
}

// serve runs an HTTP server at addr until the context ends.
func serve(ctx context.Context, addr string, h http.Handler, out io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: time.Second}
	context.AfterFunc(ctx, func() { _ = srv.Close() })
	if _, err := fmt.Fprintf(out, "ready at %s\n", listener.Addr()); err != nil {
		return err
	}
	if err := srv.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// serveBytes responds to every request with body.
func serveBytes(body []byte) http.HandlerFunc {
	length := strconv.Itoa(len(body))
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", length)
		_, _ = w.Write(body) // The client may have disconnected.
	}
}
