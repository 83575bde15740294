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
	"github.com/tideline-feeds/tideline/resolvers/transport"
	"github.com/tideline-feeds/tideline/tasks"
	"github.com/tideline-feeds/tideline/web"
)

// operationWithin bounds one query or mutation. The slowest honest one, a full page by
// the reference query of somebody who follows 2,000, takes tens of milliseconds.
const operationWithin = 10 * time.Second

// api answers requests.
type api struct {
	http.Handler
	// streams holds the streams and sockets, which are to be drained at the end.
	streams *transport.Transport
	// close closes what the handler holds.
	close func() error
}

// handler routes requests.
func (c *serveCommand) handler(a *app, st *stores, demoData bool, log *slog.Logger) (*api, error) {
	id, err := c.identity(a, log)
	if err != nil {
		return nil, err
	}
	limits, err := c.guard(st)
	if err != nil {
		return nil, err
	}
	streams := transport.New(transport.Options{
		Authenticate: id.who.Connect, Origins: id.origins.Trust(), OperationWithin: operationWithin,
		ConnectionKey: resolvers.AddressFrom,
	})
	graphql := c.withAddress(withRequestID(resolvers.NewHandler(resolvers.Deps{
		Timeline: a.timeline, Directory: a.directory, Publisher: a.publisher, Follower: a.follower,
		Moderator: a.moderator, Accounts: a.accounts, Live: a.live.feed, Hosting: a.live.hosting,
		Users: a.directory, Counters: st.sql, Relations: st.sql,
		Log: log, Transport: streams, Introspection: c.introspects(c.Addr), Guard: limits,
	})))
	queues, closeQueues := tasks.UI(st.queue, "/tasks", !c.TasksWritable)
	h := gateway.SecureHeaders(c.routes(a, st, id, demoData, graphql, queues, log))
	h = gateway.AssignRequestID(nil, gateway.LogAccess(log, time.Now, gateway.Recover(log, h)))
	return &api{Handler: h, streams: streams, close: closeQueues}, nil
}

// routes puts each handler behind what it needs: only the API may be used from other
// origins, and probes and sign-in work while nobody can tell who asks.
func (c *serveCommand) routes(a *app, st *stores, id *identity, demoData bool, graphql, queues http.Handler, log *slog.Logger) http.Handler {
	sessions := gateway.SessionOptions{
		Tokens: id.verifiers.Secret, Verifier: id.verifiers, Origins: id.origins.Trust(), Log: log,
	}
	if demoData && (c.JWTSecret != "" || c.JWKSURL == "") {
		sessions.Demo = a.demoUsers
	}
	admin := gateway.AllowAdminToken(c.AdminToken, queues, id.identify(gateway.RequireAdmin(queues)))
	mux := http.NewServeMux()
	mux.Handle("/graphql", id.protect(graphql))
	mux.Handle("/session", gateway.CORS(id.origins, gateway.Sessions(sessions)))
	mux.Handle("/tasks", admin)
	mux.Handle("/tasks/", admin)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	mux.Handle("GET /readyz", ready(st))
	mux.Handle("/", id.identify(pages()))
	return mux
}

// pages are what anybody may look at.
func pages() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/graphiql", web.GraphiQL("/graphql"))
	mux.Handle("/graphiql/", web.GraphiQL("/graphql"))
	mux.HandleFunc("GET /schema.graphql", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, resolvers.Schema())
	})
	mux.Handle("/", web.Landing(web.LandingInfo{Version: version()}))
	return mux
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

// withRequestID tells resolvers the request's id.
func withRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(resolvers.WithRequestID(r.Context(), gateway.RequestIDFrom(r.Context()))))
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
