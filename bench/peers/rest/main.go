// Rest serves a page of the home feed as a team would write it by hand: net/http, go-redis and pgx.
// It checks the token, reads the inbox by ZREVRANGE, and gets the posts as ready JSON, with their
// counters, by one MGET. It stores missing posts from SQL. It does less than Tideline: it checks
// neither follows nor visibility, and has no limits, metrics or log of requests. It has no GraphQL.
//
//	PEER_DATABASE_URL  PostgreSQL with Tideline's tables
//	PEER_REDIS_URL     the Redis with the keys below
//	PEER_PORT          the port to listen on
//	PEER_SECRET        the secret of the tokens, HS256
//
//	peer:inbox:VIEWER   a sorted set: score = publish time, member = post id as 20 digits
//	peer:post:POST      the post with its author, as JSON; made from SQL
//	peer:counters:POST  likes, comments, reposts and favorites, with commas between
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Getenv, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "rest:", err)
		os.Exit(1)
	}
}

// run serves until the context ends.
func run(ctx context.Context, getenv func(string) string, out io.Writer) error {
	options, err := redis.ParseURL(getenv("PEER_REDIS_URL"))
	if err != nil {
		return err
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	pool, err := pgxpool.New(ctx, getenv("PEER_DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:"+getenv("PEER_PORT"))
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /home", &home{redis: client, sql: pool, secret: []byte(getenv("PEER_SECRET"))})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if _, err := fmt.Fprintln(out, "ready"); err != nil {
		return err
	}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
