package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/demo"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/tasks"
	"github.com/tideline-feeds/tideline/web"
)

// operationWithin bounds one GraphQL operation. The slowest honest one, a full
// page by the reference query of somebody who follows 2,000, takes tens of
// milliseconds.
const operationWithin = 10 * time.Second

// handler routes requests. The function it returns closes what the handler holds.
func (c *serveCommand) handler(a *app, st *stores, demoData bool, log *slog.Logger) (http.Handler, func() error, error) {
	secret, err := c.secret(c.databaseSettings)
	if err != nil {
		return nil, nil, err
	}
	tokens := gateway.NewTokens(secret, time.Now)
	queues, closeQueues := tasks.UI(st.queue, "/tasks", !c.TasksWritable)
	admin := gateway.RequireAdmin(queues)
	sessions := gateway.SessionOptions{Tokens: tokens, Log: log}
	if demoData {
		sessions.Demo = a.demoUsers
	}

	graphql := withinTime(resolvers.NewHandler(resolvers.Deps{
		Timeline: a.timeline, Directory: a.directory, Publisher: a.publisher, Follower: a.follower,
		Moderator: a.moderator, Accounts: a.accounts, Live: a.live.feed, Hosting: a.live.hosting,
		Users: a.directory, Counters: st.sql, Relations: st.sql,
		Log: log, Introspection: gateway.IsLoopbackAddr(c.Addr),
	}))
	mux := http.NewServeMux()
	mux.Handle("/tasks", admin)
	mux.Handle("/tasks/", admin)
	mux.Handle("/graphiql", web.GraphiQL("/graphql"))
	mux.Handle("/graphiql/", web.GraphiQL("/graphql"))
	mux.HandleFunc("GET /schema.graphql", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, resolvers.Schema())
	})
	mux.Handle("/", web.Landing(web.LandingInfo{Version: version()}))

	outer := http.NewServeMux()
	outer.Handle("/graphql", gateway.GuardCookies(nil, gateway.Identify(tokens, a.attach, log, graphql)))
	outer.Handle("/", gateway.Identify(tokens, a.attach, log, mux))
	outer.Handle("/session", gateway.Sessions(sessions))
	outer.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	outer.Handle("GET /readyz", ready(st))
	h := gateway.AssignRequestID(nil, gateway.LogAccess(log, time.Now, gateway.SecureHeaders(outer)))
	return h, closeQueues, nil
}

// attach makes whoever asks the viewer, and a user at his first request.
func (a *app) attach(ctx context.Context, id gateway.Identity) (context.Context, error) {
	err := a.accounts.SignIn(ctx, feed.Claims{User: id.User, Handle: id.Handle, Name: id.Name, AvatarURL: id.Picture})
	return resolvers.WithViewer(ctx, id.User), err
}

// demoUsers lists those one may sign in as without a token.
func (a *app) demoUsers(ctx context.Context) ([]gateway.DemoUser, error) {
	users, err := a.users.Users(ctx, demo.Users(demo.DefaultSize()))
	var out []gateway.DemoUser
	for _, u := range users {
		if u != nil {
			out = append(out, gateway.DemoUser{ID: u.ID, Handle: u.Handle, Name: u.Name})
		}
	}
	return out, err
}

// withinTime gives a GraphQL operation its deadline and the request's id.
func withinTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), operationWithin)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(resolvers.WithRequestID(ctx, gateway.RequestIDFrom(ctx))))
	})
}

// readyWithin bounds the look at the stores.
const readyWithin = 2 * time.Second

// ready answers 200 when the stores do, and 503 with what does not otherwise. A
// lost Redis does not make a process unready: reads go by the reference query.
func ready(st *stores) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
		defer cancel()
		report := map[string]string{"sql": state(st.sql.Ping(ctx)), "redis": state(st.redis.Ping(ctx)), "queue": state(st.queue.Ping(ctx))}
		w.Header().Set("Content-Type", "application/json")
		if report["sql"] != "ok" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(report)
	})
}

// state puts a store's answer in a word or two that tell no address.
func state(err error) string {
	var e *feed.Error
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &e):
		return fmt.Sprint(e.Message)
	}
	return "does not answer"
}
